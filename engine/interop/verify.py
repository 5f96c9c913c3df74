"""Verifies an imported cache: would this model have computed it from these tokens?

- Attention layers are checked at both ends. The first tokens are prefilled into an empty cache, the last on top of the
  tokens before them. Tokens in between count only through the attention that the last tokens pay to them.
- Recurrent state covers all its tokens at once. If the model has such a state, the whole text is prefilled, up to
  MOST_PREFILLED tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import mlx.core as mx

from engine.cache.codec import codec
from engine.cache.codec.cache_classes import CacheKind
from engine.cache.codec.codec import Piece
from engine.model.loader import LoadedModel
from engine.protocol.errors import CacheRefused
from engine.schedule.scheduler import CHUNK_WHILE_DECODING
from storage.segments.records import RecordKind

SAMPLE = 64
"""The number of tokens that are prefilled again at either end."""

MOST_PREFILLED = 2048
"""The most tokens that are prefilled again in full."""

_EXACT, _ROUNDED = 0.02, 0.25
"""The allowed error of a token, as a share of the spread of all tokens, and of a state, as a share of its norm: for
32-bit numbers, and for fewer bits or quantised numbers. A wrong token is off by about the whole spread; other hardware
and other chunk sizes only change the rounding.
"""

_EPSILON = 1e-6


def verify(
    model: LoadedModel, caches: Sequence[Any], ids: Sequence[int], most_prefilled: int = MOST_PREFILLED
) -> Iterator[None]:
    """Check whether `caches` are what `model` computes from `ids`, one portion at each step of the iterator.

    Raises CacheRefused if they are not, or if that cannot be determined.
    """
    count = len(ids)
    if not codec.is_cuttable(caches) and count <= most_prefilled:
        yield from _again(model, caches, ids, 0, count)
    elif not _growing(caches):
        raise CacheRefused(
            "This model's caches do not tell which tokens they were made of, and the text is too long to read it again."
        )
    else:
        yield from _again(model, caches, ids, 0, min(SAMPLE, count))
        if codec.is_cuttable(caches) and count > SAMPLE:
            yield from _again(model, caches, ids, max(SAMPLE, count - SAMPLE), count)


def prefill(model: LoadedModel, caches: Sequence[Any], ids: Sequence[int]) -> Iterator[None]:
    """Prefill `ids` into `caches`, one portion at each step of the iterator."""
    for start in range(0, len(ids), CHUNK_WHILE_DECODING):
        model.model(mx.array([ids[start : start + CHUNK_WHILE_DECODING]]), cache=caches)
        mx.eval([leaf.state for _, leaf in codec.leaves(caches)])
        yield


def _again(model: LoadedModel, caches: Sequence[Any], ids: Sequence[int], start: int, end: int) -> Iterator[None]:
    """Prefill the tokens `start` to `end` on top of those before them, and compare the outcome with `caches`."""
    fresh = model.fresh_caches()
    if start and model.layout:
        _refuse_unless(codec.restore(model.layout, fresh, [Piece(0, start, codec.take(caches, 0, start))]) == start)
    yield from prefill(model, fresh, ids[start:end])
    for right, questioned in zip(_growing(fresh), _growing(caches), strict=True):
        for side, other in zip(_tokens(right, start, end), _tokens(questioned, start, end), strict=True):
            _refuse_unless(_together(other, side, _most(side, quantised=right.is_quantised)))
    if end - start == len(ids):
        again, given = (codec.take(whole, 0, end) for whole in (fresh, caches))
        for record in again.keys() - {RecordKind.KV}:
            for name, array in again[record].items():
                _refuse_unless(_near(given[record][name], array))


def _growing(caches: Sequence[Any]) -> list[CacheKind]:
    """The non-empty layers that hold keys and values for every token."""
    return [kind for _, kind in codec.kinds(caches) if kind.record == RecordKind.KV and not kind.leaf.empty()]


def _refuse_unless(agree: bool) -> None:  # noqa: FBT001 - its only parameter
    if not agree:
        raise CacheRefused("The cache in this file was made of another text, or by another model.")


def _tokens(kind: CacheKind, start: int, end: int) -> tuple[mx.array, mx.array]:
    """The keys and values of some tokens, each of shape (tokens, features)."""
    keys, values = (side[0, :, start:end].swapaxes(0, 1) for side in kind.plain())
    return keys.flatten(1), values.flatten(1)


def _most(right: mx.array, *, quantised: bool) -> float:
    return _EXACT if right.dtype == mx.float32 and not quantised else _ROUNDED


def _together(tokens: mx.array, right: mx.array, most: float) -> bool:
    """Whether each of `tokens` lies close to the one in `right`."""
    tokens, right = tokens.astype(mx.float32), right.astype(mx.float32)
    middle = right.mean(0, keepdims=True) if len(right) > 1 else 0.0
    apart = mx.sqrt(mx.square(right - middle).sum(-1).mean())
    size = mx.sqrt(mx.square(right).sum(-1).mean())
    off = mx.sqrt(mx.square(tokens - right).sum(-1)).max()
    return bool((off <= most * apart + _EPSILON * size).item())


def _near(state: mx.array, right: mx.array) -> bool:
    off, size = (mx.sqrt(mx.square(a.astype(mx.float32)).sum()) for a in (state - right, right))
    return bool((off <= _most(right, quantised=False) * size + _EPSILON).item())
