"""The wire between MLX arrays and stored tensors. Owns dtype names and raw bytes, not which arrays there are.

Going down, arrays are evaluated on the MLX thread and leave it as plain memory. Coming up, the I/O thread copies the
mapped file once into memory that MLX owns; giving those bytes their type is left to the MLX thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np

from storage.segments.records import Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.cache.codec import Arrays

_NAMES: dict[mx.Dtype, str] = {
    mx.float32: "F32",
    mx.float16: "F16",
    mx.bfloat16: "BF16",
    mx.uint8: "U8",
    mx.int8: "I8",
    mx.uint16: "U16",
    mx.int16: "I16",
    mx.uint32: "U32",
    mx.int32: "I32",
    mx.uint64: "U64",
    mx.int64: "I64",
    mx.bool_: "BOOL",
}
_DTYPES = {name: dtype for dtype, name in _NAMES.items()}


@dataclass(frozen=True, slots=True)
class RawArray:
    """An array that has come from disk: its bytes in MLX's memory, its type and shape still to be given."""

    raw: mx.array
    dtype: str
    shape: tuple[int, ...]


def down(arrays: Arrays) -> dict[str, Tensor]:
    """The arrays as tensors over the same memory. On the MLX thread. Raises KeyError for a dtype that is not kept."""
    plain = {name: mx.contiguous(array) for name, array in arrays.items()}
    raw = {name: array.reshape(-1).view(mx.uint8) for name, array in plain.items()}
    mx.eval(list(raw.values()))
    return {
        name: Tensor(_NAMES[array.dtype], tuple(array.shape), memoryview(raw[name]))  # type: ignore[arg-type] # mx.array exports the buffer protocol; its stub does not say so
        for name, array in plain.items()
    }


def up(tensors: Mapping[str, Tensor]) -> dict[str, RawArray]:
    """Stored tensors copied into MLX's memory. On any thread: no operation is recorded."""
    return {
        name: RawArray(mx.array(np.frombuffer(tensor.data, dtype=np.uint8)), tensor.dtype, tensor.shape)
        for name, tensor in tensors.items()
    }


def typed(raws: Mapping[str, RawArray]) -> Arrays:
    """Give the bytes their types and shapes. On the MLX thread. Raises KeyError for a dtype that is not kept."""
    return {name: raw.raw.view(_DTYPES[raw.dtype]).reshape(raw.shape) for name, raw in raws.items()}
