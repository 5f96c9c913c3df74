"""Slabs: memory of MLX's own that is filled from outside. Owns how to come by it; what is put there is left to
`engine.cache.assembly`.

MLX copies what it is given and fills what it makes, but what it loads from a file object, that object fills. So a slab
is an array loaded from an object that leaves its memory as it is, and that memory can be written through numpy: the
processor and the GPU share it. Should that ever not be so, a slab is filled beside MLX and copied once.
"""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

_PROBE = b"filled from outside"

_making = threading.Lock()


@dataclass(frozen=True, slots=True, eq=False)
class Slab:
    """Memory to be filled: `content` is writable, and `array` is what MLX has of it; None where that is a copy."""

    content: npt.NDArray[np.uint8]
    array: mx.array | None

    def filled(self) -> mx.array:
        """The bytes as an evaluated array, (size,) of uint8, once nothing more will be written."""
        return mx.array(self.content) if self.array is None else self.array


def blank(size: int) -> Slab:
    """A slab of `size` bytes that may hold anything. On any thread, which has to clear its streams at its end."""
    return _within_mlx(size) if size and _can_be_written() else Slab(np.empty(size, np.uint8), None)


def gone_on_in() -> bool:
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


def _within_mlx(size: int) -> Slab:
    with _making:
        array = mx.load(_Untouched(size), format="npy", stream=mx.cpu)  # type: ignore[arg-type] # of a file it needs no more than this
        assert isinstance(array, mx.array), "an npy file holds one array"
        content = np.array(array, copy=False)
        mx.synchronize(mx.default_stream(mx.cpu))  # until its thread has let go of the file as well
    return Slab(content, array)


@cache
def _can_be_written() -> bool:
    """Whether what is written into an array's memory is what MLX then sees there."""
    probe = _within_mlx(len(_PROBE))
    if not probe.content.flags.writeable:
        return False
    probe.content[:] = np.frombuffer(_PROBE, np.uint8)
    return probe.array is not None and bytes(probe.array.tolist()) == _PROBE  # type: ignore[arg-type] # a vector of bytes is a list of ints


class _Untouched:
    """A file of `size` bytes that are whatever they are: who reads them finds his memory as it was."""

    closed = False

    def __init__(self, size: int) -> None:
        head = io.BytesIO()
        np.lib.format.write_array_header_1_0(head, {"descr": "|u1", "fortran_order": False, "shape": (size,)})
        self._head = head.getvalue()
        self._end = len(self._head) + size
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
