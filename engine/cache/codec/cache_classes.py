"""The cache kinds: how each of mlx-lm's cache classes becomes arrays, and is filled from them again.

Invariant: no record holds a number. Offsets follow from the tokens that a record covers, lengths and cursors from its
arrays. So no stored record can produce a cache that the live class could not have reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import (
    ArraysCache,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
)

from engine.protocol.errors import CacheMismatch
from storage.segments.records import RecordKind

Arrays = dict[str, mx.array]
Contents = dict[str, Any]
"""New values for the attributes of a cache."""

SIDES = ("keys", "values")
TOKEN_AXIS = 2
"""Of arrays that hold tokens: (1, heads, tokens, size)."""


# --- arrays that hold tokens


@dataclass(frozen=True, slots=True)
class Span:
    """One record's arrays of one layer for the tokens `start` to `end`, by part.

    Behind these tokens, each array has room for `room` more, with undefined content.
    """

    start: int
    end: int
    arrays: Mapping[str, mx.array]
    room: int = 0

    @property
    def length(self) -> int:
        """Tokens."""
        return self.end - self.start


def capacity(tokens: int) -> int:
    """The tokens that a buffer has room for if a live cache continues in it after `tokens`: at least one more."""
    step = int(KVCache.step)
    return (tokens // step + 1) * step


def cut(array: mx.array, start: int, end: int) -> mx.array:
    """A copy of these tokens, so that no record keeps a whole cache alive."""
    return mx.contiguous(array[..., start:end, :])


def _grown(part: str, spans: Sequence[Span]) -> mx.array:
    """One part of all spans in one buffer with spare room, as a live cache has it.

    If the part already lies in such a buffer, that is used; MLX copies it only if it has another holder. Raises
    CacheMismatch.
    """
    found = _covering(part, spans, 0)
    if len(found) == 1 and spans[0].room:
        begun, end = found[0][...], spans[0].length
        begun[..., end : end + 1, :] = 0
        return begun
    _, heads, _, size = found[0].shape
    tokens = spans[-1].end - spans[0].start
    spare = mx.zeros((1, heads, capacity(tokens) - tokens, size), dtype=found[0].dtype)
    return mx.concatenate([*_without_room(found, spans), spare], axis=TOKEN_AXIS)


def _joined(part: str, spans: Sequence[Span], most: int = 0) -> mx.array:
    """One part of all spans in one array without spare room. For one span it shares the span's memory.

    A span holds all of its tokens, or the newest `most`. Raises CacheMismatch.
    """
    found = _without_room(_covering(part, spans, most), spans)
    if len(found) == 1:
        return found[0][...]  # a new object on the same memory, because assigning to a slice changes the object
    return mx.concatenate(found, axis=TOKEN_AXIS)


def _covering(part: str, spans: Sequence[Span], most: int) -> list[mx.array]:
    arrays = [span.arrays.get(part) for span in spans]
    held = [int(array.shape[TOKEN_AXIS]) if array is not None else -1 for array in arrays]
    if not spans or held != [min(span.length, most or span.length) + span.room for span in spans]:
        raise CacheMismatch(f"the {part} of a layer do not cover its segments")
    return [array for array in arrays if array is not None]


def _without_room(arrays: Sequence[mx.array], spans: Sequence[Span]) -> list[mx.array]:
    return [a[..., : a.shape[TOKEN_AXIS] - s.room, :] if s.room else a for a, s in zip(arrays, spans, strict=True)]


# --- kinds


class CacheKind:
    """A layer's cache, and what is known of its class. This class stands for classes that are not supported.

    Arrays that hold tokens are (1, heads, tokens, size).
    """

    record: RecordKind | None = None
    """The kind of record that its arrays go into; None for a class that is not supported."""
    is_trimmed = False
    """Any number of the last tokens can be taken back."""
    is_refilled = False
    """Tokens that were fed at once can be taken back: they bound new arrays. So the cache is bound to the old ones, and
    gets the tokens that are kept again.
    """
    is_padded = False
    """mlx-lm can merge it with caches of other rows."""
    is_clustered = False
    """Its rows can lie in a buffer of `engine.decode.clustering`."""
    is_quantised = False
    """Its keys and values are packed, with scales and biases."""
    has_slots = False
    """Its state is a list of arrays, not keys and values."""
    numbers: tuple[str, ...] = ()
    """mlx-lm 0.32's prompt cache files: the numbers in a layer's state after its keys and values, in order."""
    numbers_before: tuple[str, ...] = ()
    """mlx-lm 0.31's: the numbers beside a layer's state, in order."""

    def __init__(self, leaf: Any) -> None:
        self.leaf = leaf

    @property
    def max_tokens(self) -> int:
        """The most tokens that the cache holds; 0 if it grows, or holds no tokens as such."""
        return 0

    def is_valid(self, length: int) -> bool:  # noqa: ARG002 - no class is known
        """Whether the live cache is empty or in a state that its class can reach after `length` tokens."""
        return False

    def take(self, start: int, end: int) -> Arrays:  # noqa: ARG002 - no class is known
        """What to keep of the tokens `start` to `end`, by part; empty if the cache is.

        The cache stands at `end`, or beyond it if the record is KV.
        """
        return {}

    def buffers(self) -> Arrays:
        """The whole arrays that hold the tokens from the first on, by part; empty unless the record is KV."""
        return {}

    def contents(self, spans: Sequence[Span]) -> Contents:
        """The attributes that the empty cache has after `spans`, which are consecutive. Those of KV start at token 0.

        Assigns nothing. Raises CacheMismatch.
        """
        raise CacheMismatch(f"a {type(self.leaf).__name__} is not supported, so it takes no {len(spans)} spans")

    def plain(self) -> tuple[mx.array, mx.array]:
        """The keys and values that it holds, not quantised."""
        return self.leaf.keys, self.leaf.values

    def fill(self, arrays: Arrays, numbers: Mapping[str, int]) -> None:
        """Assign the arrays, by part, and the numbers that a prompt cache file has for it. Nothing is checked."""
        whole = list(arrays.values())
        half = len(whole) // len(SIDES)
        keys, values = whole if half == 1 else (tuple(whole[:half]), tuple(whole[half:]))
        vars(self.leaf).update(numbers, keys=keys, values=values)


class _Growing(CacheKind):
    """Keys and values of all tokens. A record holds its span's tokens."""

    record = RecordKind.KV
    is_trimmed = is_padded = is_clustered = True
    numbers: tuple[str, ...] = ("offset",)

    def is_valid(self, length: int) -> bool:
        if self.leaf.empty():
            return bool(self.leaf.offset == 0)
        rooms = {int(array.shape[TOKEN_AXIS]) for array in self.buffers().values()}
        return len(rooms) == 1 and 0 < self.leaf.offset == length <= min(rooms)

    def take(self, start: int, end: int) -> Arrays:
        return {part: cut(array, start, end) for part, array in self.buffers().items()}

    def contents(self, spans: Sequence[Span]) -> Contents:
        keys, values = (_grown(side, spans) for side in SIDES)
        return {"keys": keys, "values": values, "offset": spans[-1].end}

    def buffers(self) -> Arrays:
        return {} if self.leaf.empty() else {"keys": self.leaf.keys, "values": self.leaf.values}


class _Concatenated(_Growing):
    """A growing cache without spare room. It counts as trimmable, but appends behind what was trimmed."""

    is_trimmed = is_padded = False
    is_refilled = True
    numbers: tuple[str, ...] = ()

    def contents(self, spans: Sequence[Span]) -> Contents:
        keys, values = (_joined(side, spans) for side in SIDES)
        return {"keys": keys, "values": values, "offset": spans[-1].end}


class _Quantised(_Growing):
    """A growing cache whose keys and values each consist of packed numbers, scales and biases, named by bits and group
    size.
    """

    is_padded, is_quantised = False, True
    numbers: tuple[str, ...] = ("offset", "group_size", "bits")
    numbers_before = numbers

    def is_valid(self, length: int) -> bool:
        leaf = self.leaf
        packed = () if leaf.empty() else (leaf.keys, leaf.values)
        return super().is_valid(length) and all(
            n.shape[-1] * 32 == s.shape[-1] * leaf.group_size * leaf.bits and s.shape == b.shape for n, s, b in packed
        )

    def contents(self, spans: Sequence[Span]) -> Contents:
        keys, values = (tuple(_grown(part, spans) for part in self._parts(side)) for side in SIDES)
        return {"keys": keys, "values": values, "offset": spans[-1].end}

    def buffers(self) -> Arrays:
        if self.leaf.empty():
            return {}
        names = [name for side in SIDES for name in self._parts(side)]
        return dict(zip(names, (*self.leaf.keys, *self.leaf.values), strict=True))

    def plain(self) -> tuple[mx.array, mx.array]:
        form = {"group_size": self.leaf.group_size, "bits": self.leaf.bits}
        return mx.dequantize(*self.leaf.keys, **form), mx.dequantize(*self.leaf.values, **form)

    def _parts(self, side: str) -> tuple[str, str, str]:
        whole = f"{side}-{self.leaf.bits}bits-{self.leaf.group_size}"
        return whole, f"{whole}-scales", f"{whole}-biases"


class _Sliding(CacheKind):
    """A window over the newest tokens.

    A record holds those of its span's tokens that the window sees at the span's end, oldest first. So each token of a
    conversation is kept once.
    """

    record = RecordKind.WINDOW
    is_refilled = is_padded = True
    numbers: tuple[str, ...] = ("offset", "keep", "max_size", "_idx")
    numbers_before: tuple[str, ...] = ("keep", "max_size", "offset", "_idx")

    @property
    def max_tokens(self) -> int:
        return int(self.leaf.max_size)

    def is_valid(self, length: int) -> bool:
        leaf = self.leaf
        if leaf.empty():
            return bool(leaf.offset == 0)
        room, cursor = int(leaf.keys.shape[TOKEN_AXIS]), leaf._idx  # noqa: SLF001 - the cursor is the question
        if leaf.offset != length or room != leaf.values.shape[TOKEN_AXIS]:
            return False
        if length < leaf.max_size:
            return bool(0 < cursor == length <= room)
        rotated = length > leaf.max_size == room and leaf.keep < cursor < room
        return bool(leaf.max_size <= room and (cursor == room or rotated))

    def take(self, start: int, end: int) -> Arrays:
        return {} if self.leaf.empty() else self._tail(min(end - start, self.max_tokens))

    def contents(self, spans: Sequence[Span]) -> Contents:
        end, most = spans[-1].end, self.max_tokens
        seen = [span for span in spans if span.end > end - most]
        held = min(end, most)
        if seen[0].start > end - held:
            raise CacheMismatch("the records of a sliding layer do not cover its window")
        keys, values = (mx.contiguous(_joined(side, seen, most)[..., -held:, :]) for side in SIDES)
        return {"keys": keys, "values": values} | self._position(end, held)

    def _position(self, end: int, held: int) -> Contents:
        return {"offset": end, "_idx": held}

    def _ordered(self) -> tuple[mx.array, mx.array]:
        """Keys and values, first tokens first, without unused room."""
        leaf = self.leaf
        return leaf._temporal_order(leaf.keys), leaf._temporal_order(leaf.values)  # noqa: SLF001 - as its own merge does

    def _tail(self, tokens: int) -> Arrays:
        keys, values = self._ordered()
        held = int(keys.shape[TOKEN_AXIS])
        assert held >= tokens, "a sliding layer holds all that its window sees"
        return {"keys": cut(keys, held - tokens, held), "values": cut(values, held - tokens, held)}


class _Chunked(_Sliding):
    """A window that drops its oldest tokens before each step, in place."""

    is_refilled = is_padded = False
    numbers: tuple[str, ...] = ("offset", "chunk_size", "start_position")
    numbers_before: tuple[str, ...] = ("chunk_size", "start_position")

    @property
    def max_tokens(self) -> int:
        return int(self.leaf.chunk_size)

    def is_valid(self, length: int) -> bool:
        leaf = self.leaf
        if leaf.empty():
            return bool(leaf.offset == leaf.start_position == 0)
        held = length - leaf.start_position
        rooms = {int(leaf.keys.shape[TOKEN_AXIS]), int(leaf.values.shape[TOKEN_AXIS])}
        enough = min(length, self.max_tokens) <= held <= min(rooms)
        return bool(leaf.offset == length and leaf.start_position >= 0 and len(rooms) == 1 and enough)

    def _position(self, end: int, held: int) -> Contents:
        return {"offset": end, "start_position": end - held}

    def _ordered(self) -> tuple[mx.array, mx.array]:
        leaf = self.leaf
        held = leaf.offset - leaf.start_position
        return leaf.keys[..., :held, :], leaf.values[..., :held, :]


class _Ring(_Sliding):
    """A window that also keeps the first tokens. Those are not the newest, so it counts as a state and is kept whole:
    the first tokens, then the newest, oldest first. It masks the first tokens for all but one of several at once.
    """

    record = RecordKind.STATE
    is_refilled = is_padded = False

    def take(self, start: int, end: int) -> Arrays:  # noqa: ARG002 - whole at each end
        if self.leaf.empty():
            return {}
        keys, values = (self._without_middle(array) for array in self._ordered())
        return {"keys": keys, "values": values}

    def contents(self, spans: Sequence[Span]) -> Contents:
        end, most = spans[-1].end, self.max_tokens
        whole = [Span(0, end, spans[-1].arrays)]
        keys, values = (_joined(side, whole, most) for side in SIDES)
        return {"keys": keys, "values": values} | self._position(end, min(end, most))

    def _without_middle(self, array: mx.array) -> mx.array:
        """The first tokens and the newest: what the live cache itself keeps after its next token."""
        first, over = self.leaf.keep, int(array.shape[TOKEN_AXIS]) - self.max_tokens
        if over <= 0:
            return mx.contiguous(array)
        return mx.concatenate([array[..., :first, :], array[..., first + over :, :]], axis=TOKEN_AXIS)


class _States(CacheKind):
    """Arrays of fixed size, by slot; a slot may still be empty. They cannot be cut, so they are kept whole."""

    record = RecordKind.STATE
    has_slots = True

    def is_valid(self, length: int) -> bool:  # noqa: ARG002 - it counts no tokens
        return self.leaf.lengths is None

    def take(self, start: int, end: int) -> Arrays:  # noqa: ARG002 - whole at each end
        """In buffers of their own: a live cache writes into its arrays, and some are views of a whole prompt."""
        return {str(slot): mx.contiguous(array) for slot, array in enumerate(self.leaf.cache) if array is not None}

    def contents(self, spans: Sequence[Span]) -> Contents:
        arrays = spans[-1].arrays
        slots = [str(slot) for slot in range(len(self.leaf.cache))]
        if not arrays.keys() <= set(slots):
            raise CacheMismatch("a recurrent layer has other slots than this model's")
        return {"cache": [arrays[slot][...] if slot in arrays else None for slot in slots]}

    def fill(self, arrays: Arrays, numbers: Mapping[str, int]) -> None:  # noqa: ARG002 - it has none
        self.leaf.cache = [arrays.get(str(slot)) for slot in range(len(self.leaf.cache))]


_KINDS: dict[type, type[CacheKind]] = {
    KVCache: _Growing,
    ConcatenateKVCache: _Concatenated,
    QuantizedKVCache: _Quantised,
    RotatingKVCache: _Sliding,
    ChunkedKVCache: _Chunked,
    ArraysCache: _States,
}


def kind_of(leaf: Any) -> CacheKind:
    """How a cache is kept. Subclasses of supported classes are not supported."""
    is_ring = type(leaf) is RotatingKVCache and leaf.keep
    return (_Ring if is_ring else _KINDS.get(type(leaf), CacheKind))(leaf)
