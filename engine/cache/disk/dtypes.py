"""Converts MLX arrays to stored tensors and back. On the MLX thread.

`to_tensors` evaluates the arrays and exposes their memory. `to_arrays` gives types to bytes that the reader has loaded
into MLX's memory.
"""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import mlx.core as mx

from storage.segments.records import Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.cache.codec.codec import Arrays
    from engine.cache.disk.reader import LoadedRecords, Slot

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
    """The arrays as tensors over the same memory. Raises KeyError for an unsupported dtype."""
    plain = {name: mx.contiguous(array) for name, array in arrays.items()}
    raw = {name: array.reshape(-1).view(mx.uint8) for name, array in plain.items()}
    mx.eval(list(raw.values()))
    return {
        name: Tensor(_NAMES[array.dtype], tuple(array.shape), memoryview(raw[name]))  # type: ignore[arg-type] # mx.array exports the buffer protocol; its stub does not say so
        for name, array in plain.items()
    }


def to_arrays(read: LoadedRecords) -> Arrays:
    """The loaded records as arrays, views of their buffers. Raises KeyError for an unsupported dtype."""
    arrays: Arrays = {}
    for number, group in groupby(read.slots, attrgetter("buffer")):
        slots = list(group)
        arrays |= zip([slot.name for slot in slots], _views(read.buffers[number], slots), strict=True)
    return arrays


def _views(buffer: mx.array, slots: Sequence[Slot]) -> list[mx.array]:
    """The arrays in a buffer. Arrays that are alike take three operations of MLX together; others, three each."""
    first = slots[0]
    if first.shape and first.bytes and all((slot.dtype, slot.shape) == (first.dtype, first.shape) for slot in slots):
        whole = buffer.view(DTYPES[first.dtype]).reshape((len(slots) * first.shape[0], *first.shape[1:]))
        return [*mx.split(whole, len(slots))] if len(slots) > 1 else [whole]
    return [
        buffer[slot.offset : slot.offset + slot.bytes].view(DTYPES[slot.dtype]).reshape(slot.shape) for slot in slots
    ]
