"""Verifies an imported cache: would this model have computed it from these tokens?

The whole text is prefilled once. Only what that computes is used, so that an imported cache changes no
answer: the file's arrays are compared with it and dropped.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

import mlx.core as mx

from engine.cache.codec import codec
from engine.cache.codec.cache_classes import CacheKind
from engine.model.loader import LoadedModel
from engine.protocol.errors import CacheRefused
from engine.schedule.scheduler import CHUNK_WHILE_DECODING
from storage.segments.records import RecordKind

_EXACT, _ROUNDED = 0.02, 0.25
"""The allowed error of a token, as a share of the spread of all tokens, and of a state, as a share of its norm: for
32-bit numbers, and for fewer bits or quantised numbers. A wrong token is off by about the whole spread; other hardware
and other chunk sizes only change the rounding.
"""

_EPSILON = 1e-6


def verify(model: LoadedModel, caches: Sequence[Any], ids: Sequence[int]) -> Generator[None, None, list[Any]]:
    """Compute the caches of `ids`, one portion at each step, and return them if `caches` are the same.

    Raises CacheRefused if they are not.
    """
    fresh = model.fresh_caches()
    for end in prefill(model, fresh, ids):
        start = max(0, end - CHUNK_WHILE_DECODING)  # a short last portion would have no spread
        for right, questioned in zip(_growing(fresh), _growing(caches), strict=True):
            for side, other in zip(_tokens(right, start, end), _tokens(questioned, start, end), strict=True):
                _refuse_unless(_together(other, side, _most(side, quantised=right.is_quantised)))
        yield
    again, given = (codec.take(whole, 0, len(ids)) for whole in (fresh, caches))
    for record in again.keys() - {RecordKind.KV}:
        for name, array in again[record].items():
            _refuse_unless(_near(given[record][name], array))
    return fresh


def prefill(model: LoadedModel, caches: Sequence[Any], ids: Sequence[int]) -> Iterator[int]:
    """Prefill `ids` into `caches`, one portion at each step of the iterator, which gives how many are prefilled."""
    for start in range(0, len(ids), CHUNK_WHILE_DECODING):
        portion = ids[start : start + CHUNK_WHILE_DECODING]
        model.model(mx.array([portion]), cache=caches)
        mx.eval([leaf.state for _, leaf in codec.leaves(caches)])
        yield start + len(portion)


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
