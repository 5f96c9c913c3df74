"""Sampling: a request's settings to a function from logits to a token. Owns the random keys; mlx-lm owns the samplers.

Each row draws from a key of its own, made from its seed and the position of the token, so that a row draws the same
tokens alone and in company, and again after a restart.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import mlx.core as mx
from mlx_lm.sample_utils import make_sampler

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.protocol import Sampling

_SEED_MASK = (1 << 64) - 1
_STRIDE = 0x9E3779B97F4A7C15
"""An odd constant (2^64 divided by the golden ratio): neighbouring positions get distant seeds."""


class RowSampler:
    """Draws the tokens of one row."""

    def __init__(self, sampling: Sampling) -> None:
        self.greedy = sampling.temperature == 0
        self.seed = sampling.seed if sampling.seed is not None else secrets.randbits(63)
        self._draw = make_sampler(
            temp=sampling.temperature, top_p=sampling.top_p, min_p=sampling.min_p, top_k=sampling.top_k
        )

    def draw(self, logprobs: mx.array, position: int) -> mx.array:
        """One token, shape (1,), from `logprobs` of shape (1, vocabulary), for the token at `position`."""
        if not self.greedy:
            mx.random.seed((self.seed + position * _STRIDE) & _SEED_MASK)
        drawn: mx.array = self._draw(logprobs)
        return drawn


def draw_all(logits: mx.array, samplers: Sequence[RowSampler], positions: Sequence[int]) -> mx.array:
    """The next token of every row, shape (rows,), from `logits` of shape (rows, vocabulary)."""
    if all(sampler.greedy for sampler in samplers):
        return mx.argmax(logits, axis=-1)
    logprobs = logits - mx.logsumexp(logits, axis=-1, keepdims=True)
    drawn = [s.draw(logprobs[i : i + 1], p) for i, (s, p) in enumerate(zip(samplers, positions, strict=True))]
    return mx.concatenate(drawn)
