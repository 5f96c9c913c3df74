"""Allocates MLX arrays that can be filled from outside MLX.

MLX copies the data that it is given, but an array that it loads from a file object is filled by that object. So a
buffer is an array loaded from an object that writes nothing. Its memory can then be written through numpy, because the
processor and the GPU share it. If a platform does not allow that, the buffer is numpy memory and MLX copies it once. If
the GPU has memory of its own, the file object itself writes the bytes, and MLX sends them to the GPU: slab by slab, so
that one slab is filled while another is sent.

Any thread may allocate; it must call `leave` before it ends.
"""

from __future__ import annotations

import io
import json
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate, islice, pairwise
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from engine.cache.disk.senders import Senders

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Fill = Callable[[int, Sequence["Bytes"]], None]

Bytes = npt.NDArray[np.uint8]

LARGEST = (1 << 31) - 1
"""Bytes of the largest array that MLX can slice."""

_PROBE = b"filled from outside"

_PROBE_SECONDS = 2.0

_ALIGNMENT = 64
"""Each part of a shared array begins at a multiple of this, so that any type of number can be read there."""

_making = threading.Lock()
_own = threading.local()


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """Memory to fill: `content` is writable. `array` is the MLX array on the same memory; None if MLX must copy it."""

    content: Bytes
    array: mx.array | None

    def as_array(self) -> mx.array:
        """The bytes as an evaluated array, shape (size,), dtype uint8. Call it when all is written."""
        return mx.array(self.content) if self.array is None else self.array


def filled(
    slabs: Sequence[Sequence[int]], fill: Fill, abandon: Callable[[], None], at_once: int = 1
) -> list[list[mx.array]]:
    """Evaluated arrays of bytes, each of shape (size,). `slabs` are the sizes of those that are filled together.

    `fill` is called once for each slab, with its number and its memory, and writes the content. If the GPU has memory
    of its own, up to `at_once` threads do so for a slab each, in order; if one of them fails, `abandon` is called, so
    that no other one waits for its slab. Raises what `fill` raises.
    """
    if not grows_in_place() and any(map(sum, slabs)) and _is_loaded_as_written():
        return _sent_to_gpu(slabs, fill, abandon, at_once)
    left = iter(allocate([size for slab in slabs for size in slab]))
    made = [list(islice(left, len(slab))) for slab in slabs]
    for number, slab in enumerate(made):
        fill(number, [buffer.content for buffer in slab])
    return [[buffer.as_array() for buffer in slab] for slab in made]


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


def get_ready(at_once: int, size: int) -> None:
    """Let so many threads send a slab of that size, if the GPU has memory of its own. The first transfer of a thread
    takes as long as a small restore: MLX is set up for the thread, and the system hands out memory.
    """
    if grows_in_place() or not _is_loaded_as_written():
        return
    everyone = threading.Barrier(at_once)
    with suppress(RuntimeError):  # the next restore meets it again
        _sent_to_gpu([[size]] * at_once, partial(_zeros, everyone), everyone.abort, at_once)


def _zeros(everyone: threading.Barrier, _: int, contents: Sequence[Bytes]) -> None:
    everyone.wait(_PROBE_SECONDS)
    for content in contents:
        content[:] = 0


def leave() -> None:
    """Free what MLX keeps for this thread, and end the threads that have sent slabs for it."""
    end_senders()
    mx.clear_streams()


def end_senders() -> None:
    """End the threads that have sent slabs for this one."""
    if hasattr(_own, "senders"):
        _own.senders.close()
        del _own.senders


def _senders() -> Senders:
    """Those of this thread."""
    if not hasattr(_own, "senders"):
        _own.senders = Senders()
    senders: Senders = _own.senders
    return senders


def _within_mlx(sizes: Sequence[int]) -> list[Buffer]:
    with _making:
        loaded = _load(_Untouched(sizes), mx.cpu)
        arrays = [loaded[str(number)] for number in range(len(sizes))]
        buffers = [Buffer(np.array(array, copy=False), array) for array in arrays]
        mx.synchronize(mx.default_stream(mx.cpu))  # until its thread has released the file as well
    return buffers


def _sent_to_gpu(
    slabs: Sequence[Sequence[int]], fill: Fill, abandon: Callable[[], None], at_once: int
) -> list[list[mx.array]]:
    """Slabs that some threads send, each one slab after the other.

    A transfer takes as long as reading the bytes, and keeps its thread busy. While it lasts, no other thread can begin
    work on the GPU, so short transfers let rows take their steps in between.
    """
    made: dict[int, list[mx.array]] = {}
    numbers = iter(range(len(slabs)))

    def send() -> None:
        try:
            for number in numbers:
                made[number] = _slab_sent_to_gpu(slabs[number], partial(fill, number))
        except BaseException:
            abandon()
            raise

    _senders().run(send, min(at_once, len(slabs)) - 1)
    return [made[number] for number in range(len(slabs))]


def _slab_sent_to_gpu(sizes: Sequence[int], fill: Callable[[Sequence[Bytes]], None]) -> list[mx.array]:
    """Parts of one array, which MLX loads on the GPU from a file object that `fill` writes.

    To load on a GPU with memory of its own, MLX lets the file object write into ordinary memory and copies that to the
    GPU at once. Memory that such a GPU shares with the processor moves page by page, when either of them touches it.
    """
    *starts, end = accumulate((-(-size // _ALIGNMENT) * _ALIGNMENT for size in sizes), initial=0)
    spans = [(start, start + size) for start, size in zip(starts, sizes, strict=True)]
    file = _Written(max(end, _ALIGNMENT), lambda whole: fill([whole[a:b] for a, b in spans]))
    slab = _load(file, mx.gpu)["0"]
    file.check()
    parts = [slab[a:b] for a, b in spans]
    mx.eval(parts)
    return parts


@cache
def _is_loaded_as_written() -> bool:
    """Whether the bytes of file objects arrive on the GPU, each in its place, and MLX loads two slabs at once. MLX may
    also refuse to load there.
    """
    sizes = [[_ALIGNMENT - 1, 0, _ALIGNMENT], [1]]
    both = threading.Barrier(len(sizes))

    def fill(number: int, contents: Sequence[Bytes]) -> None:
        both.wait(_PROBE_SECONDS)
        for place, content in enumerate(contents):
            content[:] = 1 + number + place

    try:
        slabs = _sent_to_gpu(sizes, fill, both.abort, at_once=len(sizes))
    except RuntimeError:
        return False
    expected = [[[1 + number + place] * size for place, size in enumerate(slab)] for number, slab in enumerate(sizes)]
    return [[part.tolist() for part in slab] for slab in slabs] == expected


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
    """As _Untouched, but `write` writes the one array when MLX asks for its bytes. No error of it reaches MLX."""

    def __init__(self, size: int, write: Callable[[Bytes], None]) -> None:
        super().__init__([size])
        self._write = write
        self._error: BaseException | None = RuntimeError("MLX reads a file in another way than expected.")

    def readinto(self, buffer: memoryview) -> int:
        """As the other."""
        if self._at == len(self._head) and self._at + len(buffer) == self._end:
            try:
                self._write(np.frombuffer(buffer, np.uint8))
                self._error = None
            except BaseException as error:  # noqa: BLE001 - `check` raises it
                self._error = error
        return super().readinto(buffer)

    def check(self) -> None:
        """Raise the error of `write`. Raises RuntimeError if MLX asked for something else than the whole array."""
        if self._error is not None:
            raise self._error
