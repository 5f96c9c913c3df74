"""A prompt cache file of mlx-lm, as bytes: its header and its tensors. Owns that nothing in it is believed before it is
checked; what the tensors are is left to `engine.interop.mlx_lm_layouts`.

The file is safetensors: eight bytes of length, a JSON object, then the tensors without gaps.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, Final, Self

import mlx.core as mx
import numpy as np

from engine.cache.disk.dtypes import DTYPES
from engine.protocol.errors import CacheRefused
from storage.foreign import parse_json

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_LENGTH_BYTES: Final = 8
_LARGEST_HEADER: Final = 16 << 20
_MOST_DIMENSIONS: Final = 8
_LONGEST: Final = 1 << 31
"""Dimension that an array may have."""


@dataclass(frozen=True, slots=True)
class TensorEntry:
    """A tensor in the file: bytes `start` to `end`."""

    dtype: mx.Dtype
    shape: tuple[int, ...]
    start: int
    end: int


class CacheFile:
    """An open file: its size in `bytes`, its `metadata`, its `tensors` by name. Made by `open`, closed by `with`."""

    def __init__(self, handle: int, size: int) -> None:
        self._handle = handle
        self.bytes = size
        entries, first = self._header()
        self.metadata = _texts(entries.pop("__metadata__", None))
        self.tensors = {name: _stored(entry, first) for name, entry in entries.items()}
        _check_gapless(list(self.tensors.values()), first, size)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Check the file's header; no tensor is read. Raises CacheRefused and OSError."""
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a pipe in its place opens at once
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
        """A tensor, in MLX's memory. Raises CacheRefused and OSError."""
        content = np.empty(stored.end - stored.start, np.uint8)
        self._fill(content.data, stored.start)
        return mx.array(content).view(stored.dtype).reshape(stored.shape)

    def _header(self) -> tuple[dict[str, Any], int]:
        """The entries, and where the first tensor begins."""
        length = int.from_bytes(self._bytes(0, _LENGTH_BYTES), "little")
        if not 0 < length <= min(_LARGEST_HEADER, self.bytes - _LENGTH_BYTES):
            raise unreadable("its header has no valid length")
        try:
            text = self._bytes(_LENGTH_BYTES, length).decode()
            entries = parse_json(text, _without_repeats)
        except ValueError as error:
            raise unreadable("its header is not JSON") from error
        if not isinstance(entries, dict):
            raise unreadable("its header is not an object")
        return entries, _LENGTH_BYTES + length

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
    """The refusal of a file for `why`, the rest of a sentence."""
    return CacheRefused(f"This is no prompt cache that Hearth can read: {why}.")


def _size(found: os.stat_result) -> int:
    if not stat.S_ISREG(found.st_mode):
        raise unreadable("it is not a file")
    return found.st_size


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _texts(entry: object) -> dict[str, str]:
    if not isinstance(entry, dict) or not all(isinstance(value, str) for value in entry.values()):
        raise unreadable("it does not say what its layers are")
    return entry


def _stored(entry: object, first: int) -> TensorEntry:
    """One tensor as its header describes it; offsets there count from `first`."""
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise unreadable("a tensor is not described")
    name, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(name, str) or name not in DTYPES:
        raise unreadable("it holds numbers of an unknown type")
    if not _sizes(shape) or len(shape) > _MOST_DIMENSIONS or max(shape, default=0) > _LONGEST:
        raise unreadable("a tensor has no valid shape")
    dtype = DTYPES[name]
    if not _sizes(offsets) or len(offsets) != 2 or offsets[1] - offsets[0] != prod(shape) * dtype.size:  # noqa: PLR2004 - from, to
        raise unreadable("a tensor does not fit its shape")
    return TensorEntry(dtype, tuple(shape), first + offsets[0], first + offsets[1])


def _sizes(value: object) -> bool:
    return isinstance(value, list) and all(type(number) is int and number >= 0 for number in value)


def _check_gapless(tensors: list[TensorEntry], first: int, size: int) -> None:
    at = first
    for tensor in sorted(tensors, key=lambda t: (t.start, t.end)):
        if tensor.start != at:
            raise unreadable("its tensors overlap or leave gaps")
        at = tensor.end
    if at != size:
        raise unreadable("it does not end with its last tensor")
