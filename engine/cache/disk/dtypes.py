"""Converts MLX arrays to stored tensors, and names the types of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import mlx.core as mx

from storage.segments.records import Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.cache.codec.codec import Arrays

DTYPES: Final[Mapping[str, mx.Dtype]] = {
    "F32": mx.float32,
    "F16": mx.float16,
    "BF16": mx.bfloat16,
    "U8": mx.uint8,
    "I8": mx.int8,
    "U16": mx.uint16,
    "I16": mx.int16,
    "U32": mx.uint32,
    "I32": mx.int32,
    "U64": mx.uint64,
    "I64": mx.int64,
    "BOOL": mx.bool_,
}
"""MLX types by safetensors name. Other types are neither written nor read."""

_NAMES: Final = {dtype: name for name, dtype in DTYPES.items()}


def to_tensors(arrays: Arrays) -> dict[str, Tensor]:
    """The arrays as tensors over the same memory, evaluated. On the MLX thread.

    Raises KeyError for an unsupported dtype.
    """
    plain = {name: mx.contiguous(array) for name, array in arrays.items()}
    raw = {name: array.reshape(-1).view(mx.uint8) for name, array in plain.items()}
    mx.eval(list(raw.values()))
    return {
        name: Tensor(_NAMES[array.dtype], tuple(array.shape), memoryview(raw[name]))  # type: ignore[arg-type] # mx.array exports the buffer protocol; its stub does not say so
        for name, array in plain.items()
    }
