"""Tensors that come back from a disk that is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.cache.disk.buffers import blanks
from engine.cache.disk.reader import Assembled, Slot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.segments.records import Tensor


def read_back(tensors: Mapping[str, Tensor]) -> Assembled:
    """What reading a record of these tensors gives, each in a slab of its own."""
    slots = [Slot(name, tensor.dtype, tensor.shape, at, 0) for at, (name, tensor) in enumerate(tensors.items())]
    slabs = blanks([slot.bytes for slot in slots])
    for slab, tensor in zip(slabs, tensors.values(), strict=True):
        slab.content[:] = np.frombuffer(tensor.data, np.uint8)
    return Assembled(0, 0, joined=False, slots=tuple(slots), slabs=tuple(slab.filled() for slab in slabs))
