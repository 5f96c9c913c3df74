"""A device that prepares each new shape of a pass, as CUDA does, with a clock of its own: a simulation of times."""

from __future__ import annotations

from collections.abc import Sequence as Many
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache

from engine.cache.codec.codec import leaves
from engine.decode import batch as batches
from engine.decode.batch import Batch
from engine.decode.drafts import speculation as speculations
from engine.decode.drafts import whole_buffers
from engine.decode.drafts.drafter import Drafter
from engine.decode.drafts.speculation import Speculation
from engine.protocol.sampling_settings import Sampling
from tests.fakes.decoding import ready
from tests.fakes.rigs import Rig

STEP = 0.0033
"""Seconds of a pass over one token."""
SEVERAL = 1.46 * STEP
"""Seconds of a pass over several tokens: measured on an H200 for 5 to 17 tokens of LFM2-2.6B."""


class PreparingDevice:
    """Computes a model. Each pass adds to `now`, in seconds: more if it is over several tokens, and `preparation` more
    if their number and the length of the keys were not seen together before. `prepared` counts those shapes.
    """

    def __init__(self, rig: Rig, preparation: float, monkeypatch: pytest.MonkeyPatch) -> None:
        self._model = rig.model
        self._fresh_caches = rig.fresh_caches
        self._preparation = preparation
        self._shapes: set[tuple[int, int]] = set()
        self._text: list[int] = []
        self.now = 0.0
        monkeypatch.setattr(whole_buffers, "prepares_each_length", lambda: True)
        for module in (batches, speculations):
            monkeypatch.setattr(module, "draw_all", self._dictated)
        self._speculation = Speculation(self, 0)

    @property
    def prepared(self) -> int:
        """The shapes that were prepared."""
        return len(self._shapes)

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        count = tokens.shape[1]
        self.now += STEP if count == 1 else SEVERAL
        keys = [leaf for _, leaf in leaves(cache) if isinstance(leaf, KVCache) and leaf.keys is not None]
        if count > 1 and keys:
            length = keys[0].offset + count if type(keys[0]) is KVCache else keys[0].keys.shape[2]
            self.now += self._preparation * ((count, length) not in self._shapes)
            self._shapes.add((count, length))
        logits: mx.array = self._model(tokens, cache=cache)
        return logits

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def _dictated(self, _logits: mx.array, _samplers: object, positions: Many[int], *_: object) -> mx.array:
        return mx.array([self._text[position] for position in positions])

    def write(self, prompt: list[int], answer: list[int]) -> float:
        """A row with `prompt` writes `answer`. Returns the time, in that of as many steps of one token."""
        row = ready(self._model, self._fresh_caches(), prompt, Sampling(temperature=0.0, max_tokens=len(answer)))
        row.drafter, row.drawn = Drafter(prompt), answer[0]
        batch = Batch(self, batching="alone", speculation=self._speculation)
        self._text = [*prompt, *answer, 0]
        batch.join(row)
        began = self.now
        while len(row.emitted) < len(answer):
            before = self.now
            row.emitted += [token for _, token in batch.step()]
            self._speculation.took(self.now - before, undisturbed=True)
        assert row.emitted == answer
        batch.drop(row)
        return (self.now - began) / (STEP * len(answer))
