"""How caches with a sliding window are kept: those of a span's tokens that the window still sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.cache.codec.span import SIDES, TOKEN_AXIS, Span, cut, joined
from engine.protocol.errors import CacheMismatch
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.cache.codec.span import Arrays, Contents


class _Sliding:
    """A window over the newest tokens.

    A record holds those of its span's tokens that the window sees at the span's end, oldest first. So each token of a
    conversation is kept once.
    """

    record = RecordKind.WINDOW
    is_trimmed, is_bound_again = False, True
    is_padded, is_clustered = True, False
    numbers: tuple[str, ...] = ("offset", "keep", "max_size", "_idx")
    numbers_before: tuple[str, ...] = ("keep", "max_size", "offset", "_idx")

    def max_tokens(self, leaf: Any) -> int:
        return int(leaf.max_size)

    def is_valid(self, leaf: Any, length: int) -> bool:
        if leaf.empty():
            return bool(leaf.offset == 0)
        room, cursor = int(leaf.keys.shape[TOKEN_AXIS]), leaf._idx  # noqa: SLF001 - the cursor is the question
        if leaf.offset != length or room != leaf.values.shape[TOKEN_AXIS]:
            return False
        if length < leaf.max_size:
            return bool(0 < cursor == length <= room)
        rotated = length > leaf.max_size == room and leaf.keep < cursor < room
        return bool(leaf.max_size <= room and (cursor == room or rotated))

    def take(self, leaf: Any, start: int, end: int) -> Arrays:
        return {} if leaf.empty() else self._tail(leaf, min(end - start, self.max_tokens(leaf)))

    def contents(self, leaf: Any, spans: Sequence[Span]) -> Contents:
        end, max_tokens = spans[-1].end, self.max_tokens(leaf)
        seen = [span for span in spans if span.end > end - max_tokens]
        held = min(end, max_tokens)
        if seen[0].start > end - held:
            raise CacheMismatch("the records of a sliding layer do not cover its window")
        keys, values = (mx.contiguous(joined(side, seen, max_tokens)[..., -held:, :]) for side in SIDES)
        return {"keys": keys, "values": values} | self._position(end, held)

    def buffers(self, leaf: Any) -> Arrays:  # noqa: ARG002 - none holds all tokens
        return {}

    def _position(self, end: int, held: int) -> Contents:
        return {"offset": end, "_idx": held}

    def _tail(self, leaf: Any, tokens: int) -> Arrays:
        keys, values = _ordered(leaf)
        held = int(keys.shape[TOKEN_AXIS])
        assert held >= tokens, "a sliding layer holds all that its window sees"
        return {"keys": cut(keys, held - tokens, held), "values": cut(values, held - tokens, held)}


class _Chunked(_Sliding):
    """A window that drops its oldest tokens before each step, in place."""

    is_bound_again, is_padded = False, False
    numbers: tuple[str, ...] = ("offset", "chunk_size", "start_position")
    numbers_before: tuple[str, ...] = ("chunk_size", "start_position")

    def max_tokens(self, leaf: Any) -> int:
        return int(leaf.chunk_size)

    def is_valid(self, leaf: Any, length: int) -> bool:
        if leaf.empty():
            return bool(leaf.offset == leaf.start_position == 0)
        held = length - leaf.start_position
        rooms = {int(leaf.keys.shape[TOKEN_AXIS]), int(leaf.values.shape[TOKEN_AXIS])}
        enough = min(length, self.max_tokens(leaf)) <= held <= min(rooms)
        return bool(leaf.offset == length and leaf.start_position >= 0 and len(rooms) == 1 and enough)

    def _position(self, end: int, held: int) -> Contents:
        return {"offset": end, "start_position": end - held}

    def _tail(self, leaf: Any, tokens: int) -> Arrays:
        held = leaf.offset - leaf.start_position
        assert held >= tokens, "a sliding layer holds all that its window sees"
        return {"keys": cut(leaf.keys, held - tokens, held), "values": cut(leaf.values, held - tokens, held)}


class _Ring(_Sliding):
    """A window that also keeps the first tokens. Those are not the newest, so it counts as a state and is kept whole:
    the first tokens, then the newest, oldest first. It masks the first tokens for all but one of several at once.
    """

    record = RecordKind.STATE
    is_bound_again, is_padded = False, False

    def take(self, leaf: Any, start: int, end: int) -> Arrays:  # noqa: ARG002 - whole at each end
        if leaf.empty():
            return {}
        keys, values = (_without_middle(array, leaf.keep, leaf.max_size) for array in _ordered(leaf))
        return {"keys": keys, "values": values}

    def contents(self, leaf: Any, spans: Sequence[Span]) -> Contents:
        end, max_tokens = spans[-1].end, self.max_tokens(leaf)
        whole = [Span(0, end, spans[-1].arrays)]
        keys, values = (joined(side, whole, max_tokens) for side in SIDES)
        return {"keys": keys, "values": values} | self._position(end, min(end, max_tokens))


def _ordered(leaf: Any) -> tuple[mx.array, mx.array]:
    """Keys and values of a rotating cache, first tokens first, without unused room."""
    return leaf._temporal_order(leaf.keys), leaf._temporal_order(leaf.values)  # noqa: SLF001 - as its own merge does


def _without_middle(array: mx.array, first: int, most: int) -> mx.array:
    """The `first` tokens and the newest, `most` in all: what the live cache itself keeps after its next token."""
    over = int(array.shape[TOKEN_AXIS]) - most
    if over <= 0:
        return mx.contiguous(array)
    return mx.concatenate([array[..., :first, :], array[..., first + over :, :]], axis=TOKEN_AXIS)


SLIDING = _Sliding()
CHUNKED = _Chunked()
RING = _Ring()
