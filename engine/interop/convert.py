"""Converts between the layers of an mlx-lm prompt cache file and the caches of a loaded model, in both directions.

The file does not contain the text that its cache was made of. `engine.interop.transfer` finds that out.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from copy import copy
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

import mlx.core as mx
from mlx_lm.models.cache import CacheList, ChunkedKVCache, QuantizedKVCache, RotatingKVCache, save_prompt_cache

from engine.cache.codec import codec
from engine.cache.codec.kinds import kind_of
from engine.cache.codec.span import TOKEN_AXIS
from engine.cache.nan_check import before_first_nan
from engine.interop.mlx_lm_file import CacheFile
from engine.interop.mlx_lm_layouts import STATES, layers
from engine.protocol.errors import CacheNotWritten, CacheRefused
from storage.folders import OWNER_FILE, settle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from engine.cache.codec.codec import Arrays, Layout
    from engine.interop.mlx_lm_file import TensorEntry
    from engine.interop.mlx_lm_layouts import Layer

log = logging.getLogger(__name__)

SUFFIX: Final = ".safetensors"
_FIXED: Final = ("keep", "max_size", "chunk_size", "group_size", "bits")
"""A cache is created with these attributes. They do not change as it grows."""

_Pair = tuple[str, Any, "Layer"]
"""A layer's path, the model's empty cache, and the layer in the file."""


def covered(file: CacheFile) -> int:
    """The number of tokens that the file says it covers; 0 if its layers do not count them. Raises CacheRefused."""
    return max((_length(layer) for one in layers(file) for layer in (one.layers or (one,))), default=0)


def _length(layer: Layer) -> int:
    """mlx-lm 0.31 does not store the offset of a growing layer: it is the layer's length. A chunked layer that has
    dropped tokens does not reveal its offset.
    """
    held = layer.tensors.get("0") or layer.tensors.get("0.0")
    uncounted = layer.name == STATES or layer.numbers.get("start_position")
    if "offset" in layer.numbers or uncounted or held is None or len(held.shape) <= TOKEN_AXIS:
        return layer.numbers.get("offset", 0)
    return held.shape[TOKEN_AXIS]


def fill(file: CacheFile, layout: Layout, fresh: Sequence[Any], length: int) -> None:
    """Fill the empty caches `fresh` of a model from the file, which holds the state after `length` tokens.

    Checks every layer before it reads any array. Raises CacheRefused and OSError; discard `fresh` then.
    """
    pairs = list(_paired(fresh, layers(file)))
    parts = [_parts(layout, pair) for pair in pairs]
    for (_, leaf, layer), tensors in zip(pairs, parts, strict=True):
        arrays = {part: file.read(stored) for part, stored in tensors.items()}
        if not before_first_nan([{layer.name: arrays}]):
            raise CacheRefused("The cache in this file holds values that are no numbers.")
        if arrays:
            leaf.__dict__.update(_contents(leaf, layer, arrays, length))
    if not codec.covers(fresh, length):
        raise CacheRefused(f"The layers of the cache in this file do not all stand at {length:,} tokens.")


def _paired(fresh: Sequence[Any], stored: Sequence[Layer], path: str = "") -> Iterator[_Pair]:
    for number, (own, layer) in enumerate(zip_longest(fresh, stored)):
        if own is None or layer is None:
            raise CacheRefused(f"The cache in this file has {len(stored)} layers, and the model has {len(fresh)}.")
        if type(own).__name__ != layer.name:
            raise CacheRefused(
                f"Layer {path}{number} of this file is a {layer.name}, and the model's is a {type(own).__name__}."
            )
        if type(own) is CacheList:
            yield from _paired(own.caches, layer.layers, f"{path}{number}.")
        else:
            yield f"{path}{number}", own, layer


def _parts(layout: Layout, pair: _Pair) -> dict[str, TensorEntry]:
    """A layer's tensors by their part of the layer. Each has the dtype and the shape of the model's."""
    path, leaf, layer = pair
    kind = kind_of(leaf)
    own = layout.forms.get(kind.record, {}) if kind else {}
    forms = {name.rpartition(".")[2]: form for name, form in own.items() if name.rpartition(".")[0] == path}
    places = sorted(layer.tensors) if layer.name == STATES else list(forms)
    tensors = dict(zip(places, (layer.tensors[key] for key in sorted(layer.tensors)), strict=False))
    fitting = tensors.keys() == forms.keys() and len(tensors) == len(layer.tensors)
    if not fitting or not all(_fits(stored, *forms[part]) for part, stored in tensors.items()):
        raise CacheRefused(f"Layer {path} of this file has another type or size than the model's.")
    if any(layer.numbers.get(name, getattr(leaf, name, 0)) != getattr(leaf, name, 0) for name in _FIXED):
        raise CacheRefused(f"Layer {path} of this file keeps its tokens in another way than the model's.")
    return tensors


def _fits(stored: TensorEntry, dtype: mx.Dtype, shape: Sequence[int]) -> bool:
    """-1 in `shape` matches any number of tokens."""
    same = len(stored.shape) == len(shape) and stored.dtype == dtype
    return same and all(wanted in (-1, size) for size, wanted in zip(stored.shape, shape, strict=True))


def _contents(leaf: Any, layer: Layer, arrays: Arrays, length: int) -> dict[str, Any]:
    """The attributes that the cache `leaf` gets from the file."""
    if layer.name == STATES:
        return {"cache": [arrays.get(str(slot)) for slot in range(len(leaf.cache))]}
    whole = list(arrays.values())
    half = len(whole) // 2
    keys, values = (whole[0], whole[1]) if half == 1 else (tuple(whole[:half]), tuple(whole[half:]))
    return {**layer.numbers, "offset": _length(layer) or length, "keys": keys, "values": values}


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
        save_prompt_cache(str(temporary), [_trimmed(cache) for cache in caches], dict(about))
        return _settled(temporary, path)
    except (OSError, RuntimeError, CacheRefused) as error:
        with suppress(OSError):  # report the first error
            temporary.unlink(missing_ok=True)
        log.warning("a cache was not written", exc_info=True)
        raise CacheNotWritten(f"The cache cannot be written to {path}{_why(error)}") from error


def _why(error: Exception) -> str:
    """Our own words or the system's. The words of a library and the name of the temporary file go to the log."""
    if isinstance(error, CacheRefused):
        return f": {error}"
    return f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""


def _settled(temporary: Path, path: Path) -> int:
    """Check that the file is whole, then give it its name: MLX does not report a full disk. Returns its size
    in bytes.
    """
    with CacheFile.open(temporary) as file:
        settle(temporary, path)
        return file.bytes


def _trimmed(cache: Any) -> Any:
    """The cache without spare capacity and without trimmed tokens."""
    if type(cache) is CacheList:
        return CacheList(*map(_trimmed, cache.caches))
    own = copy(cache)
    if not hasattr(cache, "keys") or cache.empty():
        return own
    held = _held(cache)
    own.keys, own.values = _cut(cache.keys, held), _cut(cache.values, held)
    return own


def _held(cache: Any) -> int:
    """The number of tokens at the start of the cache's buffers that are in use."""
    if type(cache) is ChunkedKVCache:
        return int(cache.offset - cache.start_position)
    room = int((cache.keys[0] if type(cache) is QuantizedKVCache else cache.keys).shape[TOKEN_AXIS])
    rotated = type(cache) is RotatingKVCache and cache.offset >= room
    return room if rotated else int(cache.offset)


def _cut(arrays: Any, held: int) -> Any:
    if isinstance(arrays, tuple | list):
        return tuple(_cut(array, held) for array in arrays)
    return mx.contiguous(arrays[..., :held, :])
