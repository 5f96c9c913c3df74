"""Allocates MLX arrays that can be filled from outside MLX.

MLX copies the data that it is given, but an array that it loads from a file object is filled by that object. So a
buffer is an array loaded from an object that writes nothing. Its memory can then be written through numpy, because the
processor and the GPU share it. If a platform does not allow that, the buffer is numpy memory and MLX copies it once. If
the GPU has memory of its own, the file object itself writes the bytes, and MLX sends them to the GPU.

Any thread may allocate; it must clear its MLX streams before it ends.
"""

from __future__ import annotations

import io
import json
import threading
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Bytes = npt.NDArray[np.uint8]

LARGEST = (1 << 31) - 1
"""Bytes of the largest array that MLX can slice."""

_PROBE = b"filled from outside"

_MOST_SENT = 1 << 25
"""Bytes that are sent to a GPU at once. No row takes a step during a transfer: one of 262 MB held all of them up for 42
ms, the time of eight steps. Larger restores go through shared memory, in portions.
"""

_ALIGNMENT = 64
"""Each part of a shared array begins at a multiple of this, so that any type of number can be read there."""

_making = threading.Lock()


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """Memory to fill: `content` is writable. `array` is the MLX array on the same memory; None if MLX must copy it."""

    content: Bytes
    array: mx.array | None

    def as_array(self) -> mx.array:
        """The bytes as an evaluated array, shape (size,), dtype uint8. Call it when all is written."""
        return mx.array(self.content) if self.array is None else self.array


def filled(sizes: Sequence[int], fill: Callable[[Sequence[Bytes]], None]) -> list[mx.array]:
    """Evaluated arrays of bytes of these sizes, each of shape (size,).

    `fill` writes their content. It is called once, with their memory, on any thread. Raises what `fill` raises.
    """
    if not grows_in_place() and 0 < sum(sizes) <= _MOST_SENT and _is_loaded_as_written():
        return _sent_to_gpu(sizes, fill)
    buffers = allocate(sizes)
    fill([buffer.content for buffer in buffers])
    return [buffer.as_array() for buffer in buffers]


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
        loaded = _load(_Untouched(sizes), mx.cpu)
        arrays = [loaded[str(number)] for number in range(len(sizes))]
        buffers = [Buffer(np.array(array, copy=False), array) for array in arrays]
        mx.synchronize(mx.default_stream(mx.cpu))  # until its thread has released the file as well
    return buffers


def _sent_to_gpu(sizes: Sequence[int], fill: Callable[[Sequence[Bytes]], None]) -> list[mx.array]:
    """Parts of one array, which MLX loads on the GPU from a file object that `fill` writes.

    To load on a GPU with memory of its own, MLX lets the file object write into ordinary memory and copies that to the
    GPU at once. Memory that such a GPU shares with the processor moves page by page, when either of them touches it.
    """
    *starts, end = accumulate((-(-size // _ALIGNMENT) * _ALIGNMENT for size in sizes), initial=0)
    spans = [(start, start + size) for start, size in zip(starts, sizes, strict=True)]
    with ThreadPoolExecutor(1, "segment-fill") as pool:
        file = _Written(end, lambda whole: pool.submit(fill, [whole[a:b] for a, b in spans]))
        slab = _load(file, mx.gpu)["0"]
    file.check()
    parts = [slab[a:b] for a, b in spans]
    mx.eval(parts)
    return parts


@cache
def _is_loaded_as_written() -> bool:
    """Whether the bytes of a file object arrive on the GPU, each in its place. MLX may also refuse to load there."""
    expected = [bytes([number]) * size for number, size in enumerate((_ALIGNMENT - 1, 0, _ALIGNMENT, 1))]

    def fill(contents: Sequence[Bytes]) -> None:
        for content, given in zip(contents, expected, strict=True):
            content[:] = np.frombuffer(given, np.uint8)

    try:
        parts = _sent_to_gpu(list(map(len, expected)), fill)
    except RuntimeError:
        return False
    return [bytes(part.tolist()) for part in parts] == expected  # type: ignore[arg-type] # a vector of bytes is a list of ints


def _load(file: _Untouched, device: mx.DeviceType) -> dict[str, mx.array]:
    loaded = mx.load(file, format="safetensors", stream=device)  # type: ignore[arg-type] # MLX uses only these methods of a file
    assert isinstance(loaded, dict), "a safetensors file holds arrays by name"
    return loaded


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


class _Written(_Untouched):
    """As _Untouched, but `write` starts a thread that writes the one array, when MLX asks for its bytes. So no error of
    that thread reaches MLX.
    """

    def __init__(self, size: int, write: Callable[[Bytes], Future[None]]) -> None:
        super().__init__([size])
        self._write = write
        self._writing: Future[None] | None = None

    def readinto(self, buffer: memoryview) -> int:
        """As the other."""
        if self._at == len(self._head) and self._at + len(buffer) == self._end:
            self._writing = self._write(np.frombuffer(buffer, np.uint8))
            wait([self._writing])
        return super().readinto(buffer)

    def check(self) -> None:
        """Raise the error of the thread. Raises RuntimeError if MLX asked for something else than the whole array."""
        if self._writing is None:
            raise RuntimeError("MLX reads a file in another way than expected.")
        self._writing.result()
