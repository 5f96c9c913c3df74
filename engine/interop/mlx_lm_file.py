"""Reads a prompt cache file of mlx-lm, which is a safetensors file: its metadata and its tensors, as bytes.

Every value in the file is checked before it is used.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final

import mlx.core as mx
import numpy as np

from engine.cache.codec.codec import DTYPES
from engine.protocol.errors import CacheRefused
from storage.segments.records import LENGTH_BYTES, InvalidHeaderError, header_bytes, parse
from storage.untrusted import UntrustedDataError, open_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LARGEST_HEADER: Final = 16 << 20


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """A tensor in the file, at bytes `start` to `end`."""

    dtype: mx.Dtype
    shape: tuple[int, ...]
    start: int
    end: int


class CacheFile:
    """An open file: its size in `bytes`, its `metadata`, and its `tensors` by name. `opened` makes it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.bytes = os.fstat(stream.fileno()).st_size
        try:
            first = header_bytes(memoryview(stream.read(LENGTH_BYTES)), self.bytes, _LARGEST_HEADER)
            header = parse(stream.read(first - LENGTH_BYTES), self.bytes - first)
        except InvalidHeaderError as error:
            raise unreadable(str(error)) from error
        if header.metadata is None:
            raise unreadable("it does not say what its layers are")
        self.metadata = header.metadata
        self.tensors: dict[str, TensorEntry] = {}
        for name, place in header.places.items():
            if place.dtype not in DTYPES:
                raise unreadable("it holds numbers of an unknown type")
            start, end = place.span
            self.tensors[name] = TensorEntry(DTYPES[place.dtype], place.shape, first + start, first + end)

    def read(self, stored: TensorEntry) -> mx.array:
        """Read a tensor into MLX's memory. Raises CacheRefused and OSError."""
        content = np.empty(stored.end - stored.start, np.uint8)
        self._stream.seek(stored.start)
        if self._stream.readinto(content.data) < content.nbytes:  # type: ignore[attr-defined] # a BufferedReader
            raise unreadable("it is too short")
        return mx.array(content).view(stored.dtype).reshape(stored.shape)


@contextmanager
def opened(path: Path) -> Iterator[CacheFile]:
    """The file at `path`, whose header is checked. No tensor is read. Raises CacheRefused and OSError."""
    try:
        stream = open_file(path)
    except UntrustedDataError as error:
        raise unreadable(str(error)) from error
    with stream:
        yield CacheFile(stream)


def unreadable(why: str) -> CacheRefused:
    """The refusal of a file. `why` completes a sentence."""
    return CacheRefused(f"This is no prompt cache that Hearth can read: {why}.")
