"""Interchange: prompt caches as files of mlx-lm. Owns how the layers of such a file become those of a loaded model, and
how a conversation's caches become such a file.

Which text a cache was made of is not in the file; that is for `engine.interop.transfer` to find out.
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
"""What a cache is made with: it does not change with what is read."""

_Pair = tuple[str, Any, "Layer"]
"""A layer's path, the model's empty cache, and the file's."""


def covered(file: CacheFile) -> int:
    """The tokens that the file says it covers; 0 where its layers do not count them. Raises CacheRefused."""
    return max((_length(layer) for one in layers(file) for layer in (one.layers or (one,))), default=0)


def _length(layer: Layer) -> int:
    """0.31 does not note where a growing layer stands: at its end. A chunked one's is lost once it drops tokens."""
    held = layer.tensors.get("0") or layer.tensors.get("0.0")
    uncounted = layer.name == STATES or layer.numbers.get("start_position")
    if "offset" in layer.numbers or uncounted or held is None or len(held.shape) <= TOKEN_AXIS:
        return layer.numbers.get("offset", 0)
    return held.shape[TOKEN_AXIS]


def fill(file: CacheFile, layout: Layout, fresh: Sequence[Any], length: int) -> None:
    """Let the empty caches `fresh` of a model hold what the file holds, which is the state after `length` tokens.

    Nothing is read before all of it is known to fit. Raises CacheRefused and OSError; `fresh` is then of no use.
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
    """A layer's tensors by what they are, each of the type and size that the model's own has."""
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
    """-1 in `shape` stands for any number of tokens."""
    same = len(stored.shape) == len(shape) and stored.dtype == dtype
    return same and all(wanted in (-1, size) for size, wanted in zip(stored.shape, shape, strict=True))


def _contents(leaf: Any, layer: Layer, arrays: Arrays, length: int) -> dict[str, Any]:
    """The attributes of the cache `leaf` as the file has them."""
    if layer.name == STATES:
        return {"cache": [arrays.get(str(slot)) for slot in range(len(leaf.cache))]}
    whole = list(arrays.values())
    half = len(whole) // 2
    keys, values = (whole[0], whole[1]) if half == 1 else (tuple(whole[:half]), tuple(whole[half:]))
    return {**layer.numbers, "offset": _length(layer) or length, "keys": keys, "values": values}


# --- out


def write(path: Path, caches: Sequence[Any], about: Mapping[str, str]) -> int:
    """Write `caches` to `path` as mlx-lm does, each cut to its real length; the size of the file in bytes.

    For the owner alone, whole or not at all: what stands at `path` is replaced at the end. Raises CacheNotWritten.
    """
    if path.suffix != SUFFIX:
        raise CacheNotWritten(f"The name of a prompt cache file ends with {SUFFIX}.")
    temporary = path.with_name(f".{path.stem}.{os.getpid()}{SUFFIX}")
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_FILE))
        save_prompt_cache(str(temporary), [_trimmed(cache) for cache in caches], dict(about))
        return _settled(temporary, path)
    except (OSError, RuntimeError, CacheRefused) as error:
        with suppress(OSError):  # the first error is the one to tell
            temporary.unlink(missing_ok=True)
        log.warning("a cache was not written", exc_info=True)
        raise CacheNotWritten(f"The cache cannot be written to {path}{_why(error)}") from error


def _why(error: Exception) -> str:
    """What we or the system say of it. A library's words, and the name of the temporary file, are for the log."""
    if isinstance(error, CacheRefused):
        return f": {error}"
    return f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""


def _settled(temporary: Path, path: Path) -> int:
    """Give the file its name, once it is known to be whole: MLX does not tell of a full disk. Its size in bytes."""
    with CacheFile.open(temporary) as file:
        settle(temporary, path)
        return file.bytes


def _trimmed(cache: Any) -> Any:
    """The cache without room for further tokens, and without tokens that were taken back."""
    if type(cache) is CacheList:
        return CacheList(*map(_trimmed, cache.caches))
    own = copy(cache)
    if not hasattr(cache, "keys") or cache.empty():
        return own
    held = _held(cache)
    own.keys, own.values = _cut(cache.keys, held), _cut(cache.values, held)
    return own


def _held(cache: Any) -> int:
    """The tokens whose keys and values the buffers of a cache begin with."""
    if type(cache) is ChunkedKVCache:
        return int(cache.offset - cache.start_position)
    room = int((cache.keys[0] if type(cache) is QuantizedKVCache else cache.keys).shape[TOKEN_AXIS])
    rotated = type(cache) is RotatingKVCache and cache.offset >= room
    return room if rotated else int(cache.offset)


def _cut(arrays: Any, held: int) -> Any:
    if isinstance(arrays, tuple | list):
        return tuple(_cut(array, held) for array in arrays)
    return mx.contiguous(arrays[..., :held, :])
