from __future__ import annotations

import mlx.core as mx
import pytest

from engine.cache.nan_check import before_first_nan

NAN, INFINITY = float("nan"), float("inf")
FLOATS = [mx.float32, mx.float16, mx.bfloat16]


def records(*values: float, dtype: mx.Dtype = mx.float32) -> list[dict[str, dict[str, mx.array]]]:
    """One segment's records for each value, which occurs once among ordinary numbers, in the last kind."""
    usual = mx.random.normal((1, 2, 5, 4)).astype(dtype)
    made = []
    for value in values:
        other = mx.random.normal((40,)).astype(dtype)
        other[17] = value
        made.append({"kv": {"0.keys": usual, "0.values": usual}, "state": {"1.0": other}})
    return made


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("value", [NAN, -NAN])
def test_nothing_counts_from_the_first_nan_on(dtype: mx.Dtype, value: float) -> None:
    """NaNs of either sign are found in every type, wherever they are."""
    assert before_first_nan(records(1, 2, value, 3, dtype=dtype)) == 2
    assert before_first_nan(records(value, dtype=dtype)) == 0


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_all_other_numbers_are_numbers(dtype: mx.Dtype) -> None:
    """Infinities, the smallest and the largest numbers pass, and so do packed keys and values, which are integers of
    any bits, and what is empty.
    """
    largest = {mx.float32: 3.4e38, mx.float16: 65504.0, mx.bfloat16: 3.38e38}[dtype]
    assert before_first_nan(records(INFINITY, -INFINITY, 1e-45, -0.0, largest, -largest, dtype=dtype)) == 6
    full = mx.full((4,), 0xFFFFFFFF, dtype=mx.uint32)
    empty = {"kv": {"0": mx.zeros((0,), dtype)}}
    assert before_first_nan([{"kv": {"0.keys-4bits-64": full}}, {}, empty]) == 3
    assert before_first_nan([]) == 0
