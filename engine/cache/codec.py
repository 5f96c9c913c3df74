"""The codec: live layer caches to records and back. Owns which cache kinds can be kept and what of each is written.

Two kinds of record make up a segment. *kv*: the segment's own keys and values of every growing layer. *state*: the
fixed-size state of every other layer at the segment's end. Both are flat mappings from names to arrays; a name is the
layer's path ("3", or "3.1" inside a CacheList) and the part. Everything here runs on the thread that owns MLX.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mlx.core as mx
from mlx_lm.models.cache import ArraysCache, CacheList, KVCache, RotatingKVCache

from engine.cache.planner import Needs
from engine.errors import CacheMismatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Arrays = dict[str, mx.array]

_GROWTH = KVCache.step
_TOKEN_AXIS = 2
_KV_RANK = 4
_KINDS = frozenset({KVCache, ArraysCache, RotatingKVCache})


@dataclass(frozen=True, slots=True)
class Layout:
    """What the records of one model look like: for each name the dtype and the shape, without the axis that grows."""

    needs: Needs
    kv: Mapping[str, tuple[mx.Dtype, tuple[int, ...]]]
    state: Mapping[str, tuple[mx.Dtype, tuple[int, ...]]]

    @classmethod
    def of(cls, caches: Sequence[Any]) -> Layout | None:
        """Measured on caches that have seen at least one token; None if any layer is of a kind that cannot be kept."""
        if not {type(leaf) for _, leaf in leaves(caches)} <= _KINDS:
            return None
        kv = {name: _form(name, array) for name, array in kv_delta(caches, 0, 1).items()}
        state = {name: _form(name, array) for name, array in state_checkpoint(caches).items()}
        return cls(Needs(kv=bool(kv), state=bool(state)), kv, state)

    def check(self, deltas: Sequence[Mapping[str, mx.array]], state: Mapping[str, mx.array]) -> None:
        """Raises CacheMismatch unless every record has exactly the arrays that this model's own would have."""
        for delta in deltas:
            _compare(self.kv, delta)
        _compare(self.state, state)


def _form(name: str, array: mx.array) -> tuple[mx.Dtype, tuple[int, ...]]:
    shape = tuple(array.shape)
    grows = name.endswith((".keys", ".values")) and len(shape) == _KV_RANK
    return array.dtype, (*shape[:_TOKEN_AXIS], *shape[_TOKEN_AXIS + 1 :]) if grows else shape


def _compare(expected: Mapping[str, tuple[mx.Dtype, tuple[int, ...]]], record: Mapping[str, mx.array]) -> None:
    if expected.keys() != record.keys():
        raise CacheMismatch("a record has other layers than this model")
    for name, array in record.items():
        if _form(name, array) != expected[name]:
            raise CacheMismatch(f"{name} has another type or size than this model's")


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


def kv_delta(caches: Sequence[Any], start: int, end: int) -> Arrays:
    """Keys and values of the tokens `start` to `end`: (1, heads, end - start, head size) each, in buffers of their
    own, so that a record never keeps a whole cache alive.
    """
    arrays: Arrays = {}
    for path, leaf in leaves(caches):
        if type(leaf) is KVCache and leaf.keys is not None:
            arrays[f"{path}.keys"] = mx.contiguous(leaf.keys[..., start:end, :])
            arrays[f"{path}.values"] = mx.contiguous(leaf.values[..., start:end, :])
    return arrays


def state_checkpoint(caches: Sequence[Any]) -> Arrays:
    """The fixed-size state of all layers that have one, as it is now, under handles of its own: a live cache may
    write into the array it holds, never into these.
    """
    arrays: Arrays = {}
    for path, leaf in leaves(caches):
        if type(leaf) is ArraysCache:
            arrays |= {f"{path}.{slot}": mx.array(a) for slot, a in enumerate(leaf.cache) if a is not None}
        elif type(leaf) is RotatingKVCache and leaf.keys is not None:
            keys, values, *numbers = leaf.state
            arrays |= {f"{path}.keys": mx.array(keys), f"{path}.values": mx.array(values)}
            arrays[f"{path}.ring"] = mx.array(numbers, dtype=mx.int64)
    return arrays


def restore(
    layout: Layout, fresh: Sequence[Any], deltas: Sequence[Mapping[str, mx.array]], state: Mapping[str, mx.array]
) -> int:
    """Fill the empty caches `fresh` from kv records, in order, and one state record.

    Returns the tokens that the growing layers cover (0 where there are none). Raises CacheMismatch for anything that
    these caches could not themselves have produced; `fresh` must then be thrown away.
    """
    layout.check(deltas, state)
    for path, leaf in leaves(fresh):
        if type(leaf) is KVCache and f"{path}.keys" in layout.kv:
            _grow(path, leaf, deltas)
        elif type(leaf) is ArraysCache:
            leaf.cache = [_own(state, f"{path}.{slot}") for slot in range(len(leaf.cache))]
        elif type(leaf) is RotatingKVCache and f"{path}.ring" in layout.state:
            _turn(path, leaf, state)
    lengths = {leaf.offset for _, leaf in leaves(fresh) if type(leaf) is KVCache and not leaf.empty()}
    if len(lengths) > 1:
        raise CacheMismatch("layers disagree about how many tokens they hold")
    return lengths.pop() if lengths else 0


def _own(state: Mapping[str, mx.array], name: str) -> mx.array | None:
    return mx.array(state[name]) if name in state else None


def _grow(path: str, leaf: Any, deltas: Sequence[Mapping[str, mx.array]]) -> None:
    keys = [delta[f"{path}.keys"] for delta in deltas]
    values = [delta[f"{path}.values"] for delta in deltas]
    lengths = [int(key.shape[_TOKEN_AXIS]) for key in keys]
    if not lengths or lengths != [int(value.shape[_TOKEN_AXIS]) for value in values]:
        raise CacheMismatch(f"layer {path} has keys and values of unlike length")
    leaf.keys, leaf.values, leaf.offset = _joined(keys), _joined(values), sum(lengths)


def _joined(parts: Sequence[mx.array]) -> mx.array:
    """The parts in one buffer with the spare room that KVCache would have: growing it next costs no second copy."""
    _, heads, _, size = parts[0].shape
    spare = -sum(int(part.shape[_TOKEN_AXIS]) for part in parts) % _GROWTH
    return mx.concatenate([*parts, mx.zeros((1, heads, spare, size), dtype=parts[0].dtype)], axis=_TOKEN_AXIS)


def _turn(path: str, leaf: Any, state: Mapping[str, mx.array]) -> None:
    keys, values = state[f"{path}.keys"], state[f"{path}.values"]
    offset, keep, max_size, cursor = (int(number) for number in state[f"{path}.ring"].tolist())  # type: ignore[union-attr, arg-type] # Layout.check has seen four whole numbers
    held = int(keys.shape[_TOKEN_AXIS])
    same_ring = (keep, max_size) == (leaf.keep, leaf.max_size) and held == int(values.shape[_TOKEN_AXIS])
    if not same_ring or not 0 < cursor <= held or offset < min(cursor, held):
        raise CacheMismatch(f"layer {path} has a window that cannot be")
    leaf.state = (mx.array(keys), mx.array(values), offset, keep, max_size, cursor)


def size_of(arrays: Mapping[str, mx.array]) -> int:
    """The bytes of a record."""
    return sum(array.nbytes for array in arrays.values())
