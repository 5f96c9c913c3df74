"""Allocates MLX arrays that can be filled from outside MLX.

MLX copies the data that it is given, but an array that it loads from a file object is filled by that object. So a
buffer is an array loaded from an object that writes nothing. Its memory can then be written through numpy, because the
processor and the GPU share it. If a platform does not allow that, the buffer is numpy memory and MLX copies it once.

Any thread may allocate; it must clear its MLX streams before it ends.
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
    """Memory to fill: `content` is writable. `array` is the MLX array on the same memory; None if MLX must copy it."""

    content: npt.NDArray[np.uint8]
    array: mx.array | None

    def as_array(self) -> mx.array:
        """The bytes as an evaluated array, shape (size,), dtype uint8. Call it when all is written."""
        return mx.array(self.content) if self.array is None else self.array


def allocate(sizes: Sequence[int]) -> list[Buffer]:
    """Buffers of these sizes in bytes, with undefined content."""
    if sizes and _can_be_written():
        return _within_mlx(sizes)
    return [Buffer(np.empty(size, np.uint8), None) for size in sizes]


def grows_in_place() -> bool:
    """Whether a conversation can continue in a buffer.

    A GPU with memory of its own would copy the whole buffer at its first use there; copies in small portions are then
    better.
    """
    return mx.default_device() == mx.Device(mx.cpu) or not mx.cuda.is_available()


def clear_cache() -> None:
    """Return memory that MLX has freed but kept.

    On the CPU, MLX waits here for its threads while it holds Python's lock. A thread that allocates a buffer needs that
    lock, so the two exclude each other.
    """
    with _making:
        mx.clear_cache()


def _within_mlx(sizes: Sequence[int]) -> list[Buffer]:
    with _making:
        loaded = mx.load(_Untouched(sizes), format="safetensors", stream=mx.cpu)  # type: ignore[arg-type] # MLX uses only these methods of a file
        assert isinstance(loaded, dict), "a safetensors file holds arrays by name"
        arrays = [loaded[str(number)] for number in range(len(sizes))]
        buffers = [Buffer(np.array(array, copy=False), array) for array in arrays]
        mx.synchronize(mx.default_stream(mx.cpu))  # until its thread has released the file as well
    return buffers


@cache
def _can_be_written() -> bool:
    """Whether MLX sees what numpy writes into an array's memory."""
    (probe,) = _within_mlx([len(_PROBE)])
    if not probe.content.flags.writeable:
        return False
    probe.content[:] = np.frombuffer(_PROBE, np.uint8)
    return probe.array is not None and bytes(probe.array.tolist()) == _PROBE  # type: ignore[arg-type] # a vector of bytes is a list of ints


class _Untouched:
    """A safetensors file object that leaves the reader's memory as it is, behind a header."""

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
        """Runs on a thread of MLX, where an exception would end the process: it raises none."""
        given = self._head[self._at : self._at + len(buffer)]
        buffer[: len(given)] = given
        self._at += len(buffer)
        return len(buffer)
