"""The codec: converts a model's live layer caches to records and back. On the MLX thread.

A segment has up to three records. *kv*: the segment's keys and values in every growing layer. *window*: for layers with
a sliding window, the segment's tokens that the window still sees at its end, in temporal order. *state*: the fixed-size
state of every other layer at the segment's end. A record is a flat mapping from names to arrays. A name is the layer's
path ("3", or "3.1" inside a CacheList) and the part.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final, TypeVar

import mlx.core as mx
from mlx.utils import tree_flatten
from mlx_lm.models.cache import CacheList

from engine.cache.codec.cache_classes import TOKEN_AXIS, Arrays, CacheKind, Contents, Span, kind_of
from engine.cache.segment import Needs
from engine.memory.footprint import Footprint
from engine.protocol.errors import CacheMismatch
from storage.segments.records import RecordKind

log = logging.getLogger(__name__)

DTYPES: Final = {
    "F32": mx.float32,
    "F16": mx.float16,
    "BF16": mx.bfloat16,
    "U8": mx.uint8,
    "I8": mx.int8,
    "U16": mx.uint16,
    "I16": mx.int16,
    "U32": mx.uint32,
    "I32": mx.int32,
    "U64": mx.uint64,
    "I64": mx.int64,
    "BOOL": mx.bool_,
}
"""MLX types by safetensors name. Other types are neither written nor read."""

T = TypeVar("T")

ArrayForm = tuple[mx.Dtype, tuple[int, ...]]

PORTION_BYTES = 1 << 22
"""Bytes to evaluate at once during a restore: the decode batch can take a step between two portions."""

_ANY = -1
"""Stands for the number of tokens in a form."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The records of the tokens `start` to `end`, by kind. Keys and values have room for `room` more tokens."""

    start: int
    end: int
    records: Mapping[str, Arrays]
    room: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """The shape of one model's records: dtype and dimensions by kind and name, with -1 for the token axis.

    `max_tokens` gives the limit of each layer that holds a limited number of tokens.
    """

    needs: Needs
    forms: Mapping[str, Mapping[str, ArrayForm]]
    max_tokens: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, caches: Sequence[Any]) -> Layout | None:
        """Measured on caches that have seen enough tokens for every state to be full.

        None if a layer's cache class is not supported.
        """
        if unsupported(caches):
            return None
        forms = {
            kind: {name: _form(name, array) for name, array in arrays.items()}
            for kind, arrays in take(caches, 0, 1).items()
        }
        most = {path: kind.max_tokens for path, kind in kinds(caches) if kind.max_tokens}
        window = max((most[_path(name)] for name in forms.get(RecordKind.WINDOW, ())), default=0)
        return cls(Needs(kv=RecordKind.KV in forms, window=window, state=RecordKind.STATE in forms), forms, most)

    @property
    def footprint(self) -> Footprint:
        """The bytes of a conversation's state, in memory and on disk."""
        windows: dict[int, int] = {}
        states = 0
        ends = [self.forms.get(kind, {}) for kind in (RecordKind.WINDOW, RecordKind.STATE)]
        for name, form in (item for forms in ends for item in forms.items()):
            if _ANY in form[1]:
                most = self.max_tokens[_path(name)]
                windows[most] = windows.get(most, 0) + _bytes(form)
            else:
                states += _bytes(form)
        token_bytes = sum(map(_bytes, self.forms.get(RecordKind.KV, {}).values()))
        return Footprint(token_bytes, tuple(sorted(windows.items())), states)

    def check(self, kind: str, record: Mapping[str, mx.array]) -> None:
        """Raises CacheMismatch unless the record has exactly the arrays that this model produces."""
        expected = self.forms.get(kind, {})
        if expected.keys() != record.keys():
            raise CacheMismatch(f"a {kind} record has other layers than this model")
        for name, array in record.items():
            if _form(name, array) != expected[name]:
                raise CacheMismatch(f"{name} has another type or size than this model's")


def _path(name: str) -> str:
    return name.rpartition(".")[0]


def _form(name: str, array: mx.array) -> ArrayForm:
    """Parts with names hold tokens; the parts of a recurrent state have numbers."""
    shape = tuple(array.shape)
    if not name.rpartition(".")[2].isdigit():
        shape = (*shape[:TOKEN_AXIS], _ANY, *shape[TOKEN_AXIS + 1 :])
    return array.dtype, shape


def _bytes(form: ArrayForm) -> int:
    """The bytes of the whole array, or of one token if it holds tokens."""
    dtype, shape = form
    return dtype.size * prod(length for length in shape if length != _ANY)


def leaves(caches: Sequence[Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """Every single cache with its path, including those inside CacheLists."""
    for index, cache in enumerate(caches):
        if type(cache) is CacheList:
            yield from leaves(cache.caches, f"{path}{index}.")
        else:
            yield f"{path}{index}", cache


def kinds(caches: Sequence[Any]) -> Iterator[tuple[str, CacheKind]]:
    """How every single cache is kept, with its path."""
    return ((path, kind_of(leaf)) for path, leaf in leaves(caches))


def rebuilt(caches: Sequence[Any], change: Callable[[str, Any], Any], path: str = "") -> list[Any]:
    """The same arrangement of what `change` makes of each single cache, given its path and itself."""
    return [
        CacheList(*rebuilt(cache.caches, change, f"{path}{index}."))
        if type(cache) is CacheList
        else change(f"{path}{index}", cache)
        for index, cache in enumerate(caches)
    ]


def unsupported(caches: Sequence[Any]) -> tuple[str, ...]:
    """The names of the cache classes among `caches` that the codec does not support, each once."""
    return tuple(sorted({type(kind.leaf).__name__ for _, kind in kinds(caches) if kind.record is None}))


def covers(caches: Sequence[Any], length: int) -> bool:
    """Whether every layer is empty or in a state that its class can reach after `length` tokens. Others are never
    stored.
    """
    return all(kind.is_valid(length) for _, kind in kinds(caches))


def is_cuttable(caches: Sequence[Any]) -> bool:
    """Whether `caches` hold every token's keys and values and nothing else.

    Records of any tokens can then be taken, wherever the caches stand.
    """
    return all(kind.record == RecordKind.KV for _, kind in kinds(caches))


def sees_windows(caches: Sequence[Any]) -> bool:
    """Whether a layer has a sliding window. What it sees at a token can be taken only while the caches stand there."""
    return any(kind.record == RecordKind.WINDOW for _, kind in kinds(caches))


def take(
    caches: Sequence[Any], start: int, end: int, wanted: Collection[RecordKind] = tuple(RecordKind)
) -> dict[str, Arrays]:
    """The records of the tokens `start` to `end`, those `wanted`. Empty if a layer is not supported.

    `caches` stand at `end`, or beyond it if only KV records are taken. Keys and values are (1, heads, tokens, size), in
    buffers of their own.
    """
    records: dict[str, Arrays] = {kind: {} for kind in RecordKind}
    for path, kind in kinds(caches):
        if kind.record is None:
            return {}
        if kind.record in wanted:
            records[kind.record] |= {f"{path}.{part}": array for part, array in kind.take(start, end).items()}
    return {kind: arrays for kind, arrays in records.items() if arrays}


def without_state(records: Mapping[str, T]) -> dict[str, T]:
    """The records by kind, without the one of fixed-size states."""
    return {kind: record for kind, record in records.items() if kind != RecordKind.STATE}


def buffers(caches: Sequence[Any]) -> Arrays:
    """The keys and values of all tokens in `caches` by name, with their spare room; evaluated.

    If `caches` continue afterwards, MLX copies them first.
    """
    arrays = {f"{path}.{part}": array[...] for path, kind in kinds(caches) for part, array in kind.buffers().items()}
    mx.eval(list(arrays.values()))
    return arrays


def restore(layout: Layout, fresh: Sequence[Any], pieces: list[Piece]) -> int:
    """Fill the caches as `fill` does, and evaluate them. Returns the tokens restored."""
    length = max((piece.end for piece in pieces), default=0)
    portions = fill(layout, fresh, pieces)
    mx.eval(portions)
    return length if portions else 0


def fill(layout: Layout, fresh: Sequence[Any], pieces: list[Piece]) -> list[list[mx.array]]:
    """Fill the empty caches `fresh` from `pieces`. Those of each kind are consecutive and end together; keys and values
    start at token 0. Returns the arrays that are still to be evaluated, in portions.

    All or nothing: if the pieces would make any state that these caches could not reach themselves, returns none and
    leaves `fresh` as it was.

    Empties `pieces`: MLX copies no array that has no other holder, and the caches continue in it.
    """
    if not pieces:
        return []
    try:
        filled = _checked(layout, fresh, pieces)
    except CacheMismatch as error:
        log.warning("cached records do not fit: %s", error)
        return []
    pieces.clear()
    for leaf, contents in filled:
        vars(leaf).update(contents)
    return list(_portions([array for _, contents in filled for array in _arrays(contents)]))


def _checked(layout: Layout, fresh: Sequence[Any], pieces: Sequence[Piece]) -> list[tuple[Any, Contents]]:
    """Every layer with its new contents, from evaluated arrays: MLX can only continue in those without a copy."""
    _check_order(pieces)
    records = [(kind, record) for piece in pieces for kind, record in piece.records.items()]
    for kind, record in records:
        layout.check(kind, record)
    if not layout.forms.keys() <= {kind for kind, _ in records}:
        raise CacheMismatch("a kind of record is missing")
    mx.eval([array for _, record in records for array in record.values()])
    return _contents(layout, fresh, pieces)


def _arrays(contents: Contents) -> list[mx.array]:
    flat: list[tuple[str, Any]] = tree_flatten(contents)  # type: ignore[assignment] # a list, as no dict is given
    return [value for _, value in flat if isinstance(value, mx.array)]


def _portions(arrays: Sequence[mx.array]) -> Iterator[list[mx.array]]:
    portion: list[mx.array] = []
    size = 0
    for array in arrays:
        if portion and size + array.nbytes > PORTION_BYTES:
            yield portion
            portion, size = [], 0
        portion.append(array)
        size += array.nbytes
    yield portion


def _check_order(pieces: Sequence[Piece]) -> None:
    """Raises CacheMismatch unless the pieces with records of a kind follow each other, all up to the same token."""
    last = max((piece.end for piece in pieces), default=0)
    for kind in {kind for piece in pieces for kind in piece.records}:
        of_kind = [piece for piece in pieces if kind in piece.records]
        ends = [of_kind[0].start if kind != RecordKind.KV else 0, *(piece.end for piece in of_kind)]
        follow = all(one.start == end < one.end for one, end in zip(of_kind, ends, strict=False))
        if not follow or of_kind[-1].end != last:
            raise CacheMismatch("the segments do not follow each other")


def _contents(layout: Layout, fresh: Sequence[Any], pieces: Sequence[Piece]) -> list[tuple[Any, Contents]]:
    """Every layer that does not stay empty, with its new contents."""
    kept = {_path(name): record for record, forms in layout.forms.items() for name in forms}
    found = dict(kinds(fresh))
    if not kept.keys() <= found.keys() or not all(one.is_valid(0) and not one.take(0, 0) for one in found.values()):
        raise CacheMismatch("these are not the empty caches of this model")
    held = {
        kind: [(piece, _by_path(piece, kind)) for piece in pieces if kind in piece.records] for kind in layout.forms
    }
    filled = []
    for path, record in kept.items():
        kind = found[path]
        if (kind.record, kind.max_tokens) != (record, layout.max_tokens.get(path, 0)):
            raise CacheMismatch(f"layer {path} is of another kind than this model's")
        spans = [
            Span(piece.start, piece.end, arrays.get(path, {}), piece.room if record == RecordKind.KV else 0)
            for piece, arrays in held[record]
        ]
        filled.append((kind.leaf, kind.contents(spans)))
    return filled


def _by_path(piece: Piece, record: str) -> dict[str, Arrays]:
    layers: dict[str, Arrays] = {}
    for name, array in piece.records.get(record, {}).items():
        path, _, part = name.rpartition(".")
        layers.setdefault(path, {})[part] = array
    return layers


def size_of(arrays: Mapping[str, mx.array]) -> int:
    """The bytes of a record."""
    return sum(array.nbytes for array in arrays.values())
