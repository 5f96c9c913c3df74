"""Reads a prompt cache file of mlx-lm, which is a safetensors file: its metadata and its tensors, as bytes.

Every value in the file is checked before it is used.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import mlx.core as mx
import numpy as np

from engine.cache.disk.dtypes import DTYPES
from engine.protocol.errors import CacheRefused
from storage.segments.safetensors import LENGTH_BYTES, InvalidHeaderError, header_bytes, parse

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from storage.segments.safetensors import Header, TensorPlace

_LARGEST_HEADER: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """A tensor in the file, at bytes `start` to `end`."""

    dtype: mx.Dtype
    shape: tuple[int, ...]
    start: int
    end: int


class CacheFile:
    """An open file: its size in `bytes`, its `metadata`, and its `tensors` by name. Create it with `open` and close it
    with `with`.
    """

    def __init__(self, handle: int, size: int) -> None:
        self._handle = handle
        self.bytes = size
        header, first = self._header()
        if header.metadata is None:
            raise unreadable("it does not say what its layers are")
        self.metadata = header.metadata
        self.tensors = {name: _stored(place, first) for name, place in header.places.items()}

    @classmethod
    def open(cls, path: Path) -> Self:
        """Check the file's header without reading a tensor. Raises CacheRefused and OSError."""
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # do not block on a named pipe
        try:
            return cls(handle, _size(os.fstat(handle)))
        except BaseException:
            os.close(handle)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._handle)

    def read(self, stored: TensorEntry) -> mx.array:
        """Read a tensor into MLX's memory. Raises CacheRefused and OSError."""
        content = np.empty(stored.end - stored.start, np.uint8)
        self._fill(content.data, stored.start)
        return mx.array(content).view(stored.dtype).reshape(stored.shape)

    def _header(self) -> tuple[Header, int]:
        """The header, and where the first tensor begins."""
        try:
            first = header_bytes(memoryview(self._bytes(0, LENGTH_BYTES)), self.bytes, _LARGEST_HEADER)
            return parse(self._bytes(LENGTH_BYTES, first - LENGTH_BYTES), self.bytes - first), first
        except InvalidHeaderError as error:
            raise unreadable(str(error)) from error

    def _bytes(self, at: int, count: int) -> bytes:
        content = bytearray(count)
        self._fill(memoryview(content), at)
        return bytes(content)

    def _fill(self, into: memoryview, at: int) -> None:
        while into.nbytes:
            got = os.preadv(self._handle, [into], at)
            if not got:
                raise unreadable("it is too short")
            into, at = into[got:], at + got


def unreadable(why: str) -> CacheRefused:
    """The refusal of a file. `why` completes a sentence."""
    return CacheRefused(f"This is no prompt cache that Hearth can read: {why}.")


def _size(found: os.stat_result) -> int:
    if not stat.S_ISREG(found.st_mode):
        raise unreadable("it is not a file")
    return found.st_size


def _stored(place: TensorPlace, first: int) -> TensorEntry:
    """The tensor at `place`, which counts its bytes from `first`."""
    if place.dtype not in DTYPES:
        raise unreadable("it holds numbers of an unknown type")
    start, end = place.span
    return TensorEntry(DTYPES[place.dtype], place.shape, first + start, first + end)
