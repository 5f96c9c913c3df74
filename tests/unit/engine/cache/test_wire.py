from __future__ import annotations

import mlx.core as mx
import pytest

from engine.cache import wire

TYPES = [mx.float32, mx.float16, mx.bfloat16, mx.uint8, mx.int8, mx.uint32, mx.int32, mx.int64]


@pytest.mark.parametrize("dtype", TYPES, ids=str)
def test_every_kept_type_comes_back_bit_for_bit(dtype: mx.Dtype) -> None:
    """Down to plain bytes and up again: type, shape and every bit are the same, from views of any stride."""
    array = mx.random.randint(0, 100, (2, 6, 4)).astype(dtype)
    for view in (array, array[:, 1:3], mx.swapaxes(array, 1, 2), array[:1]):
        (tensor,) = wire.down({"x": view}).values()
        assert len(bytes(tensor.data)) == view.size * dtype.size
        (back,) = wire.typed(wire.up({"x": tensor})).values()
        assert back.dtype == dtype
        assert back.tolist() == view.tolist()


def test_a_type_that_is_not_kept_is_refused() -> None:
    """Nothing is stored under a name that could not be read again."""
    with pytest.raises(KeyError):
        wire.down({"x": mx.zeros((1,), dtype=mx.complex64)})
