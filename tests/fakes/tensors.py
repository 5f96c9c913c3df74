"""Tensors that seem to come back from a disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.cache.disk.buffers import allocate
from engine.cache.disk.reader import LoadedRecords, Slot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.segments.records import Tensor


def read_back(tensors: Mapping[str, Tensor]) -> LoadedRecords:
    """The result of reading a record of these tensors, each in a slab of its own."""
    slots = [Slot(name, tensor.dtype, tensor.shape, at, 0) for at, (name, tensor) in enumerate(tensors.items())]
    buffers = allocate([slot.bytes for slot in slots])
    for buffer, tensor in zip(buffers, tensors.values(), strict=True):
        buffer.content[:] = np.frombuffer(tensor.data, np.uint8)
    return LoadedRecords(0, 0, joined=False, slots=tuple(slots), buffers=tuple(buffer.as_array() for buffer in buffers))
