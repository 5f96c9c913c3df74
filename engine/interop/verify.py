"""The proof of a cache that came from elsewhere: whether this model would have made it of these tokens. Owns what is
read again and how far it may be from what is there.

Keys and values can be looked at wherever they stand: the first are read again from nothing, the last on top of those
before them; what stands between shows as far as these attend to it. A state tells of its tokens only as a whole, so
where there is one, a text that is not too long is read again from its first token to its last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import mlx.core as mx
from mlx_lm.models.cache import QuantizedKVCache

from engine.cache.codec import codec
from engine.cache.codec.codec import Piece
from engine.cache.codec.kinds import kind_of
from engine.protocol.errors import CacheRefused
from engine.schedule.scheduler import CHUNK_WHILE_DECODING
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.cache.codec.codec import Layout

SAMPLE = 64
"""Tokens that are read again at either end."""

MOST_READ = 2048
"""Tokens of a text that is read again whole."""

_EXACT, _ROUNDED = 0.02, 0.25
"""How far a token may be from what it should be, as a share of how far the tokens lie apart, and a state, as a share of
its size: with 32 bits, and with fewer or quantised. Another token is about as far as all others; other hardware and
other portions only round in another way.
"""

_EPSILON = 1e-6


class Model(Protocol):
    """The part of a loaded model that reads."""

    @property
    def model(self) -> Any:
        """Called with tokens, (1, tokens), and caches."""

    @property
    def layout(self) -> Layout | None:
        """How its caches are kept."""

    def fresh_caches(self) -> list[Any]:
        """Empty caches, one a layer."""


def verify(model: Model, caches: Sequence[Any], ids: Sequence[int]) -> Iterator[None]:
    """Find out, a portion at each step of the iterator, whether `caches` are what `model` makes of `ids`.

    Raises CacheRefused where they are not, and where there is no way to know.
    """
    if codec.is_cuttable(caches):
        yield from _first(model, caches, ids)
        yield from _last(model, caches, ids)
    elif len(ids) <= MOST_READ:
        yield from _whole(model, caches, ids)
    elif _growing(caches):
        yield from _first(model, caches, ids)
    else:
        raise CacheRefused(
            "This model's caches do not tell which tokens they were made of, and the text is too long to read it again."
        )


def read(model: Model, caches: Sequence[Any], ids: Sequence[int]) -> Iterator[None]:
    """Feed `ids` to `caches`, a portion at each step of the iterator."""
    for start in range(0, len(ids), CHUNK_WHILE_DECODING):
        model.model(mx.array([ids[start : start + CHUNK_WHILE_DECODING]]), cache=caches)
        mx.eval([leaf.state for _, leaf in codec.leaves(caches)])
        yield


def _first(model: Model, caches: Sequence[Any], ids: Sequence[int]) -> Iterator[None]:
    end = min(SAMPLE, len(ids))
    fresh = model.fresh_caches()
    yield from read(model, fresh, ids[:end])
    _compare(fresh, caches, 0, end)


def _last(model: Model, caches: Sequence[Any], ids: Sequence[int]) -> Iterator[None]:
    start, end = max(SAMPLE, len(ids) - SAMPLE), len(ids)
    if start >= end or model.layout is None:
        return
    fresh = model.fresh_caches()
    codec.restore(model.layout, fresh, [Piece(0, start, codec.take(caches, 0, start))])
    yield from read(model, fresh, ids[start:])
    _compare(fresh, caches, start, end)


def _whole(model: Model, caches: Sequence[Any], ids: Sequence[int]) -> Iterator[None]:
    end = len(ids)
    fresh = model.fresh_caches()
    yield from read(model, fresh, ids)
    _compare(fresh, caches, 0, end)
    again, given = (codec.take(whole, 0, end) for whole in (fresh, caches))
    for record in again.keys() - {RecordKind.KV}:
        for name, array in again[record].items():
            _refuse_unless(_near(given[record][name], array))


def _growing(caches: Sequence[Any]) -> list[Any]:
    """The layers that hold every token's own keys and values, as far as they hold any."""
    found = [leaf for _, leaf in codec.leaves(caches) if (kind := kind_of(leaf)) and kind.record == RecordKind.KV]
    return [leaf for leaf in found if not leaf.empty()]


def _compare(again: Sequence[Any], given: Sequence[Any], start: int, end: int) -> None:
    for right, questioned in zip(_growing(again), _growing(given), strict=True):
        for side, other in zip(_tokens(right, start, end), _tokens(questioned, start, end), strict=True):
            _refuse_unless(_together(other, side, _most(right, side)))


def _refuse_unless(agree: bool) -> None:  # noqa: FBT001 - the one thing that it is about
    if not agree:
        raise CacheRefused("The cache in this file was made of another text, or by another model.")


def _tokens(leaf: Any, start: int, end: int) -> tuple[mx.array, mx.array]:
    """Keys and values of some tokens, (tokens, numbers) each."""
    keys, values = (_plain(leaf, side)[0, :, start:end].swapaxes(0, 1) for side in (leaf.keys, leaf.values))
    return keys.flatten(1), values.flatten(1)


def _most(leaf: Any, right: mx.array) -> float:
    return _EXACT if right.dtype == mx.float32 and type(leaf) is not QuantizedKVCache else _ROUNDED


def _plain(leaf: Any, side: Any) -> mx.array:
    if type(leaf) is not QuantizedKVCache:
        return mx.array(side)
    numbers, scales, biases = side
    return mx.dequantize(numbers, scales, biases, group_size=leaf.group_size, bits=leaf.bits)


def _together(tokens: mx.array, right: mx.array, most: float) -> bool:
    """Whether each of `tokens` lies near the one that it should be."""
    tokens, right = tokens.astype(mx.float32), right.astype(mx.float32)
    middle = right.mean(0, keepdims=True) if len(right) > 1 else 0.0
    apart = mx.sqrt(mx.square(right - middle).sum(-1).mean())
    size = mx.sqrt(mx.square(right).sum(-1).mean())
    off = mx.sqrt(mx.square(tokens - right).sum(-1)).max()
    return bool((off <= most * apart + _EPSILON * size).item())


def _near(state: mx.array, right: mx.array) -> bool:
    off, size = (mx.sqrt(mx.square(a.astype(mx.float32)).sum()) for a in (state - right, right))
    return bool((off <= _most(None, right) * size + _EPSILON).item())
