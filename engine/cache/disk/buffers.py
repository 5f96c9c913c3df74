"""Slabs: memory of MLX's own that is filled from outside. Owns how to come by it; what is put there is left to
`engine.cache.disk.reader`.

MLX copies what it is given and fills what it makes, but what it loads from a file object, that object fills. So slabs
are arrays loaded from an object that leaves their memory as it is, and that memory can be written through numpy: the
processor and the GPU share it. Should that ever not be so, a slab is filled beside MLX and copied once.
"""

from __future__ import annotations

import io
import json
import threading
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

_PROBE = b"filled from outside"

_making = threading.Lock()


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """Memory to be filled: `content` is writable, and `array` is what MLX has of it; None where that is a copy."""

    content: npt.NDArray[np.uint8]
    array: mx.array | None

    def as_array(self) -> mx.array:
        """The bytes as an evaluated array, (size,) of uint8, once nothing more will be written."""
        return mx.array(self.content) if self.array is None else self.array


def allocate(sizes: Sequence[int]) -> list[Buffer]:
    """Slabs of so many bytes each, that may hold anything. On any thread, which has to clear its streams at its end."""
    if sizes and _can_be_written():
        return _within_mlx(sizes)
    return [Buffer(np.empty(size, np.uint8), None) for size in sizes]


def grows_in_place() -> bool:
    """Whether a slab can become part of what is computed with. A card of its own memory would take all of it over when
    it is first read there: then copies are better made before, bit by bit.
    """
    return mx.default_device() == mx.Device(mx.cpu) or not mx.cuda.is_available()


def clear_cache() -> None:
    """Give back what MLX has freed but keeps, while no slab is being made. Where the processor computes, MLX waits for
    all its threads here without letting go of Python's lock, and the one that makes a slab needs that lock.
    """
    with _making:
        mx.clear_cache()


def _within_mlx(sizes: Sequence[int]) -> list[Buffer]:
    with _making:
        loaded = mx.load(_Untouched(sizes), format="safetensors", stream=mx.cpu)  # type: ignore[arg-type] # of a file it needs no more than this
        assert isinstance(loaded, dict), "a safetensors file holds arrays by name"
        arrays = [loaded[str(number)] for number in range(len(sizes))]
        buffers = [Buffer(np.array(array, copy=False), array) for array in arrays]
        mx.synchronize(mx.default_stream(mx.cpu))  # until its thread has let go of the file as well
    return buffers


@cache
def _can_be_written() -> bool:
    """Whether what is written into an array's memory is what MLX then sees there."""
    (probe,) = _within_mlx([len(_PROBE)])
    if not probe.content.flags.writeable:
        return False
    probe.content[:] = np.frombuffer(_PROBE, np.uint8)
    return probe.array is not None and bytes(probe.array.tolist()) == _PROBE  # type: ignore[arg-type] # a vector of bytes is a list of ints


class _Untouched:
    """A safetensors file of arrays that are whatever they are: who reads them finds his memory as it was."""

    closed = False

    def __init__(self, sizes: Sequence[int]) -> None:
        spans = pairwise(accumulate(sizes, initial=0))
        places = {str(n): {"dtype": "U8", "shape": [b - a], "data_offsets": [a, b]} for n, (a, b) in enumerate(spans)}
        header = json.dumps(places).encode()
        self._head = len(header).to_bytes(8, "little") + header
        self._end = len(self._head) + sum(sizes)
        self._at = 0

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> None:
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._end}[whence]

    def readinto(self, buffer: memoryview) -> int:
        """Called on a thread of MLX, where an error would end the process: there is none to raise."""
        given = self._head[self._at : self._at + len(buffer)]
        buffer[: len(given)] = given
        self._at += len(buffer)
        return len(buffer)
