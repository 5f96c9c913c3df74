"""The codec: live layer caches to records and back. Owns which cache kinds can be kept and what of each is written.

Three kinds of record make up a segment. *kv*: the segment's own keys and values of every growing layer. *window*: of
layers with a sliding window, the segment's own tokens that the window still sees at its end, in temporal order.
*state*: the fixed-size state of every other layer at the segment's end. Each is a flat mapping from names to arrays; a
name is the layer's path ("3", or "3.1" inside a CacheList) and the part. All of it runs on the thread that owns MLX.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx_lm.models.cache import (
    ArraysCache,
    CacheList,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    RotatingKVCache,
)

from engine.cache.planner import Needs
from engine.errors import CacheMismatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Arrays = dict[str, mx.array]
Form = tuple[mx.Dtype, tuple[int, ...]]

_GROWTH = KVCache.step
_TOKEN_AXIS = 2
_KV_RANK = 4
_GROWING = (KVCache, ConcatenateKVCache)
_KEPT = (*_GROWING, RotatingKVCache, ChunkedKVCache, ArraysCache)


@dataclass(frozen=True, slots=True)
class Piece:
    """The records of the tokens `start` to `end`, by kind."""

    start: int
    end: int
    records: Mapping[str, Arrays]


@dataclass(frozen=True, slots=True)
class Layout:
    """What the records of one model look like: by kind and name, dtype and shape without the axis that grows."""

    needs: Needs
    forms: Mapping[str, Mapping[str, Form]]

    @classmethod
    def of(cls, caches: Sequence[Any]) -> Layout | None:
        """Measured on caches that have seen at least one token; None if any layer is of a kind that cannot be kept."""
        if not {type(leaf) for _, leaf in leaves(caches)} <= set(_KEPT):
            return None
        forms = {
            kind: {name: _form(name, array) for name, array in arrays.items()}
            for kind, arrays in take(caches, 0, 1).items()
        }
        window = max((_window(leaf) for _, leaf in leaves(caches)), default=0)
        return cls(Needs(kv="kv" in forms, window=window, state="state" in forms), forms)

    def check(self, kind: str, record: Mapping[str, mx.array]) -> None:
        """Raises CacheMismatch unless the record has exactly the arrays that this model's own would have."""
        expected = self.forms.get(kind, {})
        if expected.keys() != record.keys():
            raise CacheMismatch(f"a {kind} record has other layers than this model")
        for name, array in record.items():
            if _form(name, array) != expected[name]:
                raise CacheMismatch(f"{name} has another type or size than this model's")


def _form(name: str, array: mx.array) -> Form:
    shape = tuple(array.shape)
    grows = name.endswith((".keys", ".values")) and len(shape) == _KV_RANK
    return array.dtype, (*shape[:_TOKEN_AXIS], *shape[_TOKEN_AXIS + 1 :]) if grows else shape


def leaves(caches: Sequence[Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Every single cache with its path, those inside CacheLists included."""
    for index, cache in enumerate(caches):
        if type(cache) is CacheList:
            yield from leaves(cache.caches, f"{path}{index}.")
        else:
            yield f"{path}{index}", cache


def covers(caches: Sequence[Any], length: int) -> bool:
    """Whether every layer that counts its tokens has counted `length`. What does not is never stored."""
    return all(leaf.offset == length for _, leaf in leaves(caches) if hasattr(leaf, "offset") and not leaf.empty())


def take(caches: Sequence[Any], start: int, end: int) -> dict[str, Arrays]:
    """The records of the tokens `start` to `end`, where `caches` stand at `end`: those kinds that this model has.

    Keys and values are (1, heads, tokens, head size), in buffers of their own, so that no record keeps a whole cache
    alive; states are under handles of their own, as a live cache writes into the array it holds.
    """
    records: dict[str, Arrays] = {"kv": {}, "window": {}, "state": {}}
    for path, leaf in leaves(caches):
        if type(leaf) is ArraysCache:
            records["state"] |= {f"{path}.{i}": mx.array(a) for i, a in enumerate(leaf.cache) if a is not None}
        elif leaf.empty():
            continue
        elif type(leaf) in _GROWING:
            records["kv"] |= _cut(path, leaf.keys, leaf.values, start, end)
        elif window := _window(leaf):
            records["window"] |= _tail(path, leaf, min(end - start, window))
        else:
            records["state"] |= _ring(path, leaf)
    return {kind: arrays for kind, arrays in records.items() if arrays}


def _window(leaf: Any) -> int:
    """The tokens that a sliding layer sees; 0 for all others. A ring that also keeps first tokens is a state."""
    if type(leaf) is RotatingKVCache and leaf.keep == 0:
        return int(leaf.max_size)
    return int(leaf.chunk_size) if type(leaf) is ChunkedKVCache else 0


def _cut(path: str, keys: mx.array, values: mx.array, start: int, end: int) -> Arrays:
    return {
        f"{path}.keys": mx.contiguous(keys[..., start:end, :]),
        f"{path}.values": mx.contiguous(values[..., start:end, :]),
    }


def _tail(path: str, leaf: Any, tokens: int) -> Arrays:
    """The newest `tokens` of a sliding layer, oldest first."""
    if type(leaf) is ChunkedKVCache:
        held = leaf.offset - leaf.start_position
        keys, values = leaf.keys, leaf.values
    else:
        keys, values = leaf._temporal_order(leaf.keys), leaf._temporal_order(leaf.values)  # noqa: SLF001 - as its own merge does
        held = int(keys.shape[_TOKEN_AXIS])
    assert held >= tokens, "a sliding layer holds all that its window sees"
    return _cut(path, keys, values, held - tokens, held)


def _ring(path: str, leaf: Any) -> Arrays:
    keys, values, *numbers = leaf.state
    arrays = {f"{path}.keys": mx.array(keys), f"{path}.values": mx.array(values)}
    return arrays | {f"{path}.ring": mx.array(numbers, dtype=mx.int64)}


def restore(layout: Layout, fresh: Sequence[Any], pieces: Sequence[Piece]) -> None:
    """Fill the empty caches `fresh` from `pieces`, which follow each other from token 0 and hold what the plan named.

    Raises CacheMismatch for anything that these caches could not themselves have produced; `fresh` must then be
    thrown away.
    """
    for piece in pieces:
        for kind, record in piece.records.items():
            layout.check(kind, record)
    names = {name.rpartition(".")[0] for form in layout.forms.values() for name in form}
    for path, leaf in leaves(fresh):
        if path in names:
            _fill(path, leaf, pieces)


def _fill(path: str, leaf: Any, pieces: Sequence[Piece]) -> None:
    end = pieces[-1].end
    if type(leaf) in _GROWING:
        spans = [(piece.end - piece.start, piece.records.get("kv", {})) for piece in pieces]
        spare = -end % _GROWTH if type(leaf) is KVCache else 0
        leaf.keys, leaf.values = (_joined(f"{path}.{part}", spans, spare) for part in ("keys", "values"))
        leaf.offset = end
    elif window := _window(leaf):
        _slide(path, leaf, pieces, window)
    elif type(leaf) is ArraysCache:
        state = pieces[-1].records.get("state", {})
        leaf.cache = [_own(state, f"{path}.{slot}") for slot in range(len(leaf.cache))]
    else:
        _turn(path, leaf, pieces[-1].records.get("state", {}), end)


def _own(state: Mapping[str, mx.array], name: str) -> mx.array | None:
    return mx.array(state[name]) if name in state else None


def _joined(name: str, spans: Sequence[tuple[int, Mapping[str, mx.array]]], spare: int) -> mx.array:
    """The records' arrays in one buffer, with the room that KVCache would have: growing it costs no second copy."""
    parts = [record.get(name) for _, record in spans]
    lengths = [int(part.shape[_TOKEN_AXIS]) if part is not None else -1 for part in parts]
    if lengths != [length for length, _ in spans]:
        raise CacheMismatch(f"{name} does not cover its segments")
    found = [part for part in parts if part is not None]
    _, heads, _, size = found[0].shape
    return mx.concatenate([*found, mx.zeros((1, heads, spare, size), dtype=found[0].dtype)], axis=_TOKEN_AXIS)


def _slide(path: str, leaf: Any, pieces: Sequence[Piece], window: int) -> None:
    """Give a sliding layer the newest `window` tokens of all pieces."""
    end = pieces[-1].end
    seen = [piece for piece in pieces if piece.end > end - window]
    spans = [(min(p.end - p.start, window), p.records.get("window", {})) for p in seen]
    held = min(end, window)
    keys, values = (_joined(f"{path}.{part}", spans, 0)[..., -held:, :] for part in ("keys", "values"))
    if type(leaf) is ChunkedKVCache:
        leaf.state = (keys, values, end, window, end - held)
    else:
        leaf.state = (keys, values, end, 0, window, held)


def _turn(path: str, leaf: Any, state: Mapping[str, mx.array], end: int) -> None:
    try:
        keys, values, ring = (state[f"{path}.{part}"] for part in ("keys", "values", "ring"))
    except KeyError as error:
        raise CacheMismatch(f"layer {path} lacks a part of its ring") from error
    offset, keep, max_size, cursor = (int(number) for number in ring.tolist())  # type: ignore[union-attr, arg-type] # Layout.check has seen four whole numbers
    held = int(keys.shape[_TOKEN_AXIS])
    same_ring = (keep, max_size, held) == (leaf.keep, leaf.max_size, int(values.shape[_TOKEN_AXIS]))
    if not same_ring or not 0 < cursor <= held or offset != end:
        raise CacheMismatch(f"layer {path} has a ring that cannot be")
    leaf.state = (mx.array(keys), mx.array(values), offset, keep, max_size, cursor)


def size_of(arrays: Mapping[str, mx.array]) -> int:
    """The bytes of a record."""
    return sum(array.nbytes for array in arrays.values())
