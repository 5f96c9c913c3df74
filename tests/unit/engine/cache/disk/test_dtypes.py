from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cache.disk.disk_tier import to_tensors
from tests.fakes.tensors import to_arrays

FLOATS = [mx.float32, mx.float16, mx.bfloat16]
INTEGERS = [mx.uint8, mx.int8, mx.uint16, mx.int16, mx.uint32, mx.int32, mx.uint64, mx.int64]
TYPES = [*FLOATS, *INTEGERS, mx.bool_]


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_every_kept_type_comes_back_bit_for_bit(dtype: mx.Dtype) -> None:
    """After a round trip through plain bytes, type, shape and every bit are the same, for views of any stride."""
    array = mx.random.randint(0, 100, (2, 6, 4)).astype(dtype)
    for view in (array, array[:, 1:3], mx.swapaxes(array, 1, 2), array[:1]):
        (tensor,) = to_tensors({"x": view}).values()
        assert len(bytes(tensor.data)) == view.size * dtype.size
        (back,) = to_arrays({"x": tensor}).values()
        assert back.dtype == dtype
        assert back.tolist() == view.tolist()


@pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS], ids=str)
@given(content=st.binary(min_size=8, max_size=64))
def test_bits_are_not_read_as_numbers(dtype: mx.Dtype, content: bytes) -> None:
    """NaNs, infinities and denormals come back as the same bits."""
    raw = mx.array(np.frombuffer(content[: len(content) // 8 * 8], dtype=np.uint8))
    (back,) = to_arrays(to_tensors({"x": raw.view(dtype)})).values()
    assert back.dtype == dtype
    assert back.view(mx.uint8).tolist() == raw.tolist()


def test_an_unsupported_type_is_refused() -> None:
    """Nothing is stored under a type name that could not be read back."""
    with pytest.raises(KeyError):
        to_tensors({"x": mx.zeros((1,), dtype=mx.complex64)})
