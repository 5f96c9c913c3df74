"""Sequences that are ready to decode, made from ids, and a model that records what it computes."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Many
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
from mlx_lm.models.cache import QuantizedKVCache

from engine.decode.batch import Batch
from engine.decode.last_logits import LastLogits
from engine.decode.prefill import prefill_chunk
from engine.decode.sampling import RowSampler
from engine.protocol.messages import Generate
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import Sequence
from tests.fakes import tiny_models
from tests.fakes.sequences import prompt_of

GREEDY = Sampling(temperature=0.0)


def ids(length: int, start: int = 1) -> list[int]:
    """Meaningless tokens, different for each start."""
    return [(37 * i + 13 * start) % 251 for i in range(length)]


def ready(model: Any, caches: list[Any], tokens: Many[int], sampling: Sampling = GREEDY, position: int = 0) -> Sequence:
    """A sequence whose `caches` covered `position` of its tokens and have been prefilled with the rest. Its first token
    is drawn.
    """
    made = pending_sequence(caches, tokens, sampling, position)
    while not made.prefilled:
        prefill_chunk(LastLogits(model), made, decoding=0)
    return made


def pending_sequence(caches: list[Any], tokens: Many[int], sampling: Sampling = GREEDY, position: int = 0) -> Sequence:
    """A sequence whose tokens from `position` on are pending."""
    name = f"{tokens[0]}-{len(tokens)}"
    made = Sequence(Generate(name, name, (), sampling))
    made.start_restoring(prompt_of(tuple(tokens)), [], caches)
    made.start_prefill(position)
    made.sampler = RowSampler(sampling)
    return made


def largest(array: mx.array) -> float:
    """The largest magnitude."""
    return float(np.abs(np.array(array)).max())


def run(batch: Batch, steps: int) -> None:
    """Run some steps. The sequences record the tokens that they emit."""
    for _ in range(steps):
        for sequence, token in batch.step():
            sequence.emitted.append(token)


class Heard:
    """A model that records the rows' logits of every call with one token per row, oldest call first, and the caches of
    the last one.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self.logits: list[mx.array] = []
        self.caches: list[Any] = []

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        logits: mx.array = self._model(tokens, cache=cache)
        if tokens.shape[1] == 1:
            self.logits.append(logits[:, -1])
            self.caches = cache
        return logits

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


class Listener:
    """Steps a batch and compares every row's logits with those of the bare model for the same tokens alone."""

    def __init__(self, model: Any, fresh_caches: Callable[[], list[Any]], batching: Any) -> None:
        self.model = Heard(model)
        self.bare = model
        self.fresh_caches = fresh_caches
        self.batch = Batch(self.model, batching=batching)
        self.heard: dict[Sequence, list[tuple[int, mx.array]]] = {}

    def ready(self, tokens: Many[int], sampling: Sampling = GREEDY) -> Sequence:
        """A sequence with caches of its own."""
        return ready(self.bare, self.fresh_caches(), tokens, sampling)

    def step(self, steps: int = 1) -> None:
        """Run some steps and record which row emitted what at which position."""
        for _ in range(steps):
            self.model.logits.clear()
            before = [(row, row.position) for row in self.batch.sequences]
            run(self.batch, 1)
            logits = [row for call in self.model.logits for row in call]
            for (sequence, position), row in zip(before, logits, strict=True):
                self.heard.setdefault(sequence, []).append((position, row))

    def error(self, sequence: Sequence) -> float:
        """The largest difference between a row's logits and those of its tokens alone, as a share of the
        largest logit.
        """
        heard = self.heard[sequence]
        cold = self.cold(self.tokens(sequence))
        expected = cold[mx.array([position for position, _ in heard])]
        return largest(mx.stack([logits for _, logits in heard]) - expected) / largest(cold)

    def cold(self, tokens: Many[int]) -> mx.array:
        """The logits after each of `tokens`, shape (tokens, vocabulary)."""
        logits: mx.array = self.bare(mx.array([list(tokens)]), cache=self.fresh_caches())
        return logits[0]

    @staticmethod
    def tokens(sequence: Sequence) -> list[int]:
        """The tokens that a sequence's caches cover."""
        return [*sequence.prompt.ids, *sequence.emitted][: sequence.position]


def quantised_rows(folder: Path, prompts: Many[Many[int]]) -> tuple[Listener, Listener]:
    """A batch whose rows stay alone and one whose rows share steps, both with 8-bit keys and values, after nine steps
    of the same prompts.
    """
    model = tiny_models.opened(tiny_models.build(folder / "wide", "llama", hidden_size=128, num_attention_heads=4))

    def fresh() -> list[Any]:
        return [QuantizedKVCache(group_size=32, bits=8) for _ in model.layers]

    listeners = Listener(model, fresh, "alone"), Listener(model, fresh, "together")
    for listener in listeners:
        listener.batch.join_all([listener.ready(tokens) for tokens in prompts])
        listener.step(9)
    return listeners


def difference(one: Listener, other: Listener) -> float:
    """The largest difference between the logits of two batches, as a share of the largest logit of its step."""
    heard, others = ({row.request: steps for row, steps in side.heard.items()} for side in (one, other))
    assert heard.keys() == others.keys()
    return max(
        largest(logits - same) / largest(logits)
        for request, steps in heard.items()
        for (_, logits), (_, same) in zip(steps, others[request], strict=True)
    )


def widths(batch: Batch) -> list[list[int]]:
    """The number of rows in each cluster, by group."""
    return [[len(cluster) for cluster in group.positions.clusters] for group in batch._groups]


def held_bytes(batch: Batch) -> int:
    """The bytes of the rows' caches."""
    return sum(cache.nbytes for group in batch._groups for cache in group.caches)
