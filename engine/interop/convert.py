"""Converts between an mlx-lm prompt cache file and the caches of a loaded model, in both directions.

The file is a safetensors file. Every value in it is checked before it is used. It is not interpreted: the model's own
empty caches say which tensors and numbers must be in it, under the names that mlx-lm 0.31 or 0.32 gives them. A file
does not say which release wrote it, but the two store the class names in different places. The text that the cache was
made of is not in the file; `engine.interop.transfer` finds that out.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Final

import mlx.core as mx
import numpy as np
from mlx_lm.models.cache import save_prompt_cache

from engine.cache.codec import codec
from engine.cache.codec.cache_classes import SIDES, TOKEN_AXIS, CacheKind, kind_of
from engine.cache.codec.codec import DTYPES, Layout
from engine.cache.nan_check import before_first_nan
from engine.protocol.errors import CacheNotWritten, CacheRefused
from storage.folders import OWNER_FILE, settle
from storage.segments.records import LENGTH_BYTES, InvalidHeaderError, TensorPlace, header_bytes, parse
from storage.untrusted import UntrustedDataError, open_file

log = logging.getLogger(__name__)

SUFFIX: Final = ".safetensors"
_LARGEST_HEADER: Final = 16 << 20
_FIXED: Final = ("keep", "max_size", "chunk_size", "group_size", "bits")
"""A cache is created with these attributes. They do not change as it grows."""

_MARKED: Final = re.compile(r"2\.[1-9]\d*\.0")
_LONGEST_NAME: Final = 64
_ASCII: Final = range(1, 128)
_MOST_DIGITS: Final = 12


class CacheFile:
    """An open file: its size in `bytes`, its `metadata`, and its `tensors` by name. `opened` makes it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.bytes = os.fstat(stream.fileno()).st_size
        try:
            self._first = header_bytes(memoryview(stream.read(LENGTH_BYTES)), self.bytes, _LARGEST_HEADER)
            header = parse(stream.read(self._first - LENGTH_BYTES), self.bytes - self._first)
        except InvalidHeaderError as error:
            raise _unreadable(str(error)) from error
        if header.metadata is None:
            raise _unreadable("it does not say what its layers are")
        self.metadata, self.tensors = header.metadata, header.places

    def read(self, stored: TensorPlace) -> mx.array:
        """Read a tensor of a dtype that MLX has into its memory. Raises CacheRefused and OSError."""
        start, end = stored.span
        self._stream.seek(self._first + start)
        content = np.frombuffer(self._stream.read(end - start), np.uint8)
        if len(content) < end - start:
            raise _unreadable("it is too short")
        return mx.array(content).view(DTYPES[stored.dtype]).reshape(stored.shape)


@contextmanager
def opened(path: Path) -> Iterator[CacheFile]:
    """The file at `path`, whose header is checked. No tensor is read. Raises CacheRefused and OSError."""
    try:
        stream = open_file(path)
    except UntrustedDataError as error:
        raise _unreadable(str(error)) from error
    with stream:
        yield CacheFile(stream)


def _unreadable(why: str) -> CacheRefused:
    """The refusal of a file. `why` completes a sentence."""
    return CacheRefused(f"This is no prompt cache that Hearth can read: {why}.")


# --- in


@dataclass(frozen=True, slots=True)
class Layer:
    """An empty cache of the model, and what a file has for it: tensors by part, and numbers by attribute."""

    kind: CacheKind
    tensors: Mapping[str, TensorPlace]
    numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """The tokens that it covers; 0 if it does not count them. 0.31 does not store the offset of a growing layer:
        it is the layer's length. A chunked layer that has dropped tokens does not reveal its offset.
        """
        if "offset" in self.numbers or self.kind.has_slots or self.numbers.get("start_position"):
            return self.numbers.get("offset", 0)
        return next((entry.shape[TOKEN_AXIS] for entry in self.tensors.values()), 0)


def layers(file: CacheFile, layout: Layout, fresh: Sequence[Any]) -> list[Layer]:
    """What the file has for the empty caches `fresh` of a model. Reads no array, apart from single numbers.

    Raises CacheRefused unless it has exactly the tensors of such caches, and OSError.
    """
    stored = _Now(file) if file.metadata.get("2.0") == "" else _Before(file)
    count = sum(name.rpartition(".")[0] == stored.names for name in file.metadata)
    if count != len(fresh):
        raise CacheRefused(f"The cache in this file has {count} layers, and the model has {len(fresh)}.")
    whole = [(str(number), cache) for number, cache in enumerate(fresh)]
    inside = [(path, leaf) for path, leaf in codec.leaves(fresh) if "." in path]
    for path, own in (*whole, *inside):
        name = stored.class_name(path)
        if name != type(own).__name__:
            raise CacheRefused(
                f"Layer {path} of this file is a {name[:_LONGEST_NAME]!r}, and the model's is a {type(own).__name__}."
            )
    found = [_layer(file, stored, layout, path, kind) for path, kind in codec.kinds(fresh)]
    if stored.names_left:
        raise _unreadable("it has tensors of no layer")
    return found


def _layer(file: CacheFile, stored: _Now | _Before, layout: Layout, path: str, kind: CacheKind) -> Layer:
    forms = layout.forms.get(kind.record or "", {})
    own = {name.rpartition(".")[2]: form for name, form in forms.items() if name.rpartition(".")[0] == path}
    tensors = {}
    for part, name in zip(own, stored.tensor_names(path, kind, list(own)), strict=True):
        if name not in stored.names_left or not _fits(file.tensors[name], *own[part]):
            raise CacheRefused(f"Layer {path} of this file has another type or size than the model's.")
        stored.names_left.remove(name)
        tensors[part] = file.tensors[name]
    numbers = stored.numbers(path, kind)
    given = {name: getattr(kind.leaf, name, 0) for name in _FIXED}
    if any(numbers.get(name, value) != value for name, value in given.items()):
        raise CacheRefused(f"Layer {path} of this file keeps its tokens in another way than the model's.")
    return Layer(kind, tensors, numbers)


def _fits(stored: TensorPlace, dtype: mx.Dtype, shape: Sequence[int]) -> bool:
    """-1 in `shape` matches any number of tokens."""
    same = len(stored.shape) == len(shape) and DTYPES.get(stored.dtype) == dtype
    return same and all(wanted in (-1, size) for size, wanted in zip(stored.shape, shape, strict=True))


def _keys_and_values(state: str, parts: Sequence[str]) -> list[str]:
    """The names of these parts of `state`. Each side of a quantised layer has several."""
    each = len(parts) // len(SIDES)
    if each == 1:
        return [f"{state}.0", f"{state}.1"]
    return [f"{state}.{side}.{at}" for side in range(len(SIDES)) for at in range(each)]


class _Before:
    """The layout of mlx-lm 0.31: names and numbers are texts beside the arrays."""

    names = "2"

    def __init__(self, file: CacheFile) -> None:
        self.names_left = set(file.tensors)
        self._texts = file.metadata

    def class_name(self, path: str) -> str:
        number, _, part = path.partition(".")
        return self._texts.get(f"0.{number}.0.{part}" if part else f"2.{number}", "")

    def tensor_names(self, path: str, kind: CacheKind, parts: Sequence[str]) -> list[str]:
        if kind.has_slots:
            return [f"{path}.{slot}" for slot in parts]
        return _keys_and_values(path, parts)

    def numbers(self, path: str, kind: CacheKind) -> dict[str, int]:
        number, _, part = path.partition(".")
        beside = f"0.{number}.1.{part}" if part else f"0.{number}"
        return {
            attribute: self._number(self._texts.get(f"{beside}.{at}", ""))
            for at, attribute in enumerate(kind.numbers_before)
        }

    @staticmethod
    def _number(text: str) -> int:
        if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS:
            raise _unreadable("a layer does not say where it stands")
        return int(text)


class _Now:
    """The layout of mlx-lm 0.32: numbers, names and None are tensors, and the metadata marks them as such."""

    names = "1"

    def __init__(self, file: CacheFile) -> None:
        self._file = file
        texts = file.metadata
        self._marks = {text: texts.get(f"{name[:-1]}1") for name, text in texts.items() if _MARKED.fullmatch(name)}
        self.names_left = {name for name in file.tensors if self._marks.get(name) != "none"}

    def class_name(self, path: str) -> str:
        number, _, part = path.partition(".")
        if not part:
            return self._file.metadata.get(f"1.{number}", "")
        return "".join(chr(code) for code in self._read(f"{number}.{part}.1", "string") if code in _ASCII)

    def tensor_names(self, path: str, kind: CacheKind, parts: Sequence[str]) -> list[str]:
        state = self._state(path)
        if kind.has_slots:
            return [f"{state}.0.{slot}" for slot in parts]
        return _keys_and_values(state, parts)

    def numbers(self, path: str, kind: CacheKind) -> dict[str, int]:
        state = self._state(path)
        return {attribute: self._number(f"{state}.{at}") for at, attribute in enumerate(kind.numbers, len(SIDES))}

    def _number(self, name: str) -> int:
        values = self._read(name, "scalar")
        if len(values) != 1 or values[0] < 0:
            raise _unreadable("a layer does not say where it stands")
        return values[0]

    def _state(self, path: str) -> str:
        number, _, part = path.partition(".")
        return f"{number}.{part}.0" if part else number

    def _read(self, name: str, mark: str) -> list[int]:
        """The values of a small tensor."""
        stored = self._file.tensors.get(name)
        is_small = stored and stored.dtype in ("I32", "I64") and prod(stored.shape) <= _LONGEST_NAME
        if stored is None or not is_small or self._marks.get(name) != mark:
            raise _unreadable("a layer does not say where it stands")
        self.names_left.discard(name)
        values: list[int] = self._file.read(stored).reshape(-1).tolist()  # type: ignore[assignment] # a vector of integers
        return values


def fill(file: CacheFile, stored: Sequence[Layer], length: int) -> None:
    """Fill the caches of these layers from the file, which holds the state after `length` tokens.

    Raises CacheRefused and OSError; discard the caches then.
    """
    for layer in stored:
        arrays = {part: file.read(entry) for part, entry in layer.tensors.items()}
        if not before_first_nan([{"": arrays}]):
            raise CacheRefused("The cache in this file holds values that are no numbers.")
        if arrays:
            layer.kind.fill(arrays, {**layer.numbers, "offset": layer.length or length})
    if not all(layer.kind.is_valid(length) for layer in stored):
        raise CacheRefused(f"The layers of the cache in this file do not all stand at {length:,} tokens.")


# --- out


def write(path: Path, caches: Sequence[Any], about: Mapping[str, str]) -> int:
    """Write `caches` to `path` in mlx-lm's format, each cut to its real length. Returns the size of the file in bytes.

    Only the owner can read the file. It replaces `path` atomically, at the end. Raises CacheNotWritten.
    """
    if path.suffix != SUFFIX:
        raise CacheNotWritten(f"The name of a prompt cache file ends with {SUFFIX}.")
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{SUFFIX}")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_FILE))
        save_prompt_cache(str(temporary), codec.rebuilt(caches, _trimmed), dict(about))
        with opened(temporary) as file:  # it is whole: MLX does not report a full disk
            settle(temporary, path)
            return file.bytes
    except (OSError, RuntimeError, CacheRefused) as error:
        with suppress(OSError):  # report the first error
            temporary.unlink(missing_ok=True)
        log.warning("a cache was not written", exc_info=True)
        raise CacheNotWritten(f"The cache cannot be written to {path}{reason(error)}") from error


def reason(error: Exception) -> str:
    """Our own words or the system's. The words of a library and the name of the temporary file go to the log."""
    words = str(error) if isinstance(error, CacheRefused) else getattr(error, "strerror", None)
    return f": {words}" if words else ""


def _trimmed(_: str, cache: Any) -> Any:
    """The cache without spare capacity and without trimmed tokens."""
    own = copy(cache)
    if kind_of(cache).has_slots or cache.empty():
        return own
    held = int(cache.offset) - getattr(cache, "start_position", 0)  # a full window holds less: slices end there
    own.keys, own.values = _cut(cache.keys, held), _cut(cache.values, held)
    return own


def _cut(arrays: Any, held: int) -> Any:
    if isinstance(arrays, tuple | list):
        return tuple(_cut(array, held) for array in arrays)
    return mx.contiguous(arrays[..., :held, :])
