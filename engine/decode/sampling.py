"""Draws the tokens of rows by their sampling settings. Filters and penalties are mlx-lm's.

Each row draws with a random key made from its seed and the token's position. So it draws the same tokens alone, in a
batch and after a restart. Rows with equal settings share the work of the filters.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import NamedTuple

import mlx.core as mx
from mlx_lm.sample_utils import apply_min_p, apply_top_k, apply_top_p, make_logits_processors

from engine.protocol.errors import SamplingRefused
from engine.protocol.sampling_settings import Sampling

PENALTY_TOKENS = 20
"""How many of a row's last tokens the repetition penalty looks at: mlx-lm's default."""

NO_NUMBER = -1
"""Drawn in place of a token if none can be drawn. MLX counts a negative index from the end, so the step that is already
under way may feed it.
"""

_SEED_MASK = (1 << 64) - 1
_STRIDE = 0x9E3779B97F4A7C15
"""An odd constant (2^64 divided by the golden ratio): neighbouring positions get distant seeds."""


class Filters(NamedTuple):
    """The settings that rows must share to be filtered together. Temperature 0 is greedy and needs no filter."""

    temperature: float
    top_p: float = 1.0
    min_p: float = 0.0
    top_k: int = 0

    def apply(self, logprobs: mx.array) -> mx.array:
        """The unnormalised log-probabilities to draw from, for `logprobs` of shape (rows, vocabulary).

        Applies the filters in the order of mlx-lm's make_sampler.
        """
        if 0 < self.top_p < 1:
            logprobs = apply_top_p(logprobs, self.top_p)
        if self.min_p > 0:
            logprobs = apply_min_p(logprobs, self.min_p)
        if 0 < self.top_k < logprobs.shape[-1]:
            logprobs = apply_top_k(logprobs, self.top_k)
        return logprobs * (1 / self.temperature)


class RowSampler:
    """Draws the tokens of one row. Raises SamplingRefused for impossible settings."""

    def __init__(self, sampling: Sampling) -> None:
        if refusal := sampling.refusal:
            raise SamplingRefused(refusal)
        self.greedy = sampling.greedy
        values = {name: getattr(sampling, name) for name in Filters._fields}
        self.filters = Filters(0.0) if self.greedy else Filters(**values)
        self.seed = sampling.seed if sampling.seed is not None else secrets.randbits(63)
        penalty = sampling.repetition_penalty
        self._penalties = make_logits_processors(
            repetition_penalty=None if penalty == 1 else penalty, repetition_context_size=PENALTY_TOKENS
        )
        self.penalised = bool(self._penalties)
        """Whether this row's logits depend on its recent tokens."""

    def key(self, position: int) -> tuple[int, int]:
        """The random key of the token at `position`: the two halves of a seed, as in `mx.random.key`."""
        return divmod((self.seed + position * _STRIDE) & _SEED_MASK, 1 << 32)

    def penalise(self, logits: mx.array, before: Sequence[int], fed: mx.array) -> mx.array:
        """`logits`, (1, vocabulary), penalised for the tokens `before` and `fed`, (1,), which may be lazy."""
        tokens = mx.concatenate([mx.array(list(before), dtype=fed.dtype), fed])
        for penalty in self._penalties:
            logits = penalty(tokens, logits)
        return logits


def ids_of(tokens: mx.array) -> list[int]:
    """A vector of token ids as numbers. Waits for them."""
    ids: list[int] = tokens.tolist()  # type: ignore[assignment] # a vector of ids is a list of ints
    return ids


def recent_tokens(prompt: Sequence[int], emitted: Sequence[int], position: int) -> list[int]:
    """A row's tokens before the one fed at `position`: as many as a penalty looks at beside that one."""
    start = max(0, position - PENALTY_TOKENS + 1)
    past = len(prompt)
    return [*prompt[start:position], *emitted[max(0, start - past) : max(0, position - past)]]


def draw_all(
    logits: mx.array,
    samplers: Sequence[RowSampler],
    positions: Sequence[int],
    before: Sequence[Sequence[int]] = (),
    fed: mx.array | None = None,
) -> mx.array:
    """The next token of every row, shape (rows,), from `logits` of shape (rows, vocabulary), or NO_NUMBER. Evaluates
    nothing.

    `positions` are those of the drawn tokens. `fed`, of shape (rows,), holds the tokens that the logits follow, and
    `before` each row's `recent_tokens` before that one; rows without a penalty may leave theirs empty.
    Without `fed`, no row is penalised.
    """
    if fed is not None and any(sampler.penalised for sampler in samplers):
        rows = zip(samplers, before, strict=True)
        logits = mx.concatenate([s.penalise(logits[i : i + 1], b, fed[i : i + 1]) for i, (s, b) in enumerate(rows)])
    return mx.where(can_draw(logits), _drawn(logits, samplers, positions).astype(mx.int32), NO_NUMBER)


def can_draw(logits: mx.array) -> mx.array:
    """Whether a token can be drawn, for each row: its largest logit is a finite number. Models mask others by -inf."""
    return mx.isfinite(mx.max(logits, axis=-1))


def _drawn(logits: mx.array, samplers: Sequence[RowSampler], positions: Sequence[int]) -> mx.array:
    if all(sampler.filters == samplers[0].filters for sampler in samplers[1:]):
        return _draw(samplers, positions, logits)
    by_filters: dict[Filters, list[int]] = {}
    for index, sampler in enumerate(samplers):
        by_filters.setdefault(sampler.filters, []).append(index)
    drawn = [
        _draw([samplers[i] for i in rows], [positions[i] for i in rows], logits[mx.array(rows)])
        for rows in by_filters.values()
    ]
    order = [index for rows in by_filters.values() for index in rows]
    return mx.concatenate(drawn)[mx.argsort(mx.array(order))]


def _draw(samplers: Sequence[RowSampler], positions: Sequence[int], logits: mx.array) -> mx.array:
    """One token for each of these rows, which share their filters but not their keys.

    Greedy rows take the argmax of the logits: rounded to the model's type, log-probabilities of near logits are equal.
    """
    if samplers[0].greedy:
        return mx.argmax(logits, axis=-1)
    logprobs = logits - mx.logsumexp(logits, axis=-1, keepdims=True)
    keys = mx.array([s.key(position) for s, position in zip(samplers, positions, strict=True)], mx.uint32)
    drawn: mx.array = mx.vmap(_categorical)(samplers[0].filters.apply(logprobs), keys)
    return drawn


def _categorical(logprobs: mx.array, key: mx.array) -> mx.array:
    return mx.random.categorical(logprobs, key=key)
