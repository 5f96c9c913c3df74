"""Dictation: rows write given texts, with drafts and without, at the speed of their model.

A model with random weights copies nothing, and the built-in one hardly anything. So each drawn token is that of the
text, because its logit is raised before it is drawn. The figures say what drafts gain if a model writes this text.
Passes compute and cost what they always do.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import mlx.core as mx

from engine.decode import batch as batches
from engine.decode import sampling
from engine.decode.batch import Batch
from engine.decode.drafts import speculation
from engine.decode.drafts.speculation import Speculation
from engine.decode.sampling import RowSampler
from engine.protocol.sampling_settings import Sampling
from tests.bench.figures import Figure, paired
from tests.fakes.decoding import ready

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.decode.drafts.head import DraftHead
    from engine.model.loader import LoadedModel
    from engine.schedule.sequence import Sequence as Row

BLOCK = 32
"""Tokens of a block."""
_RAISED = 1e4
"""The logit of the dictated token. It is finite in each type of numbers."""
_LAST = 0
"""The token behind an answer: the pass over its last token draws one more."""
_WRONG = 0
"""A token that no text has."""


class Task(NamedTuple):
    """A prompt and the answer to it, as ids of the built-in model, which every vocabulary has."""

    prompt: Sequence[int]
    answer: Sequence[int]


class _Dictated(RowSampler):
    """Draws the tokens of a text by their positions."""

    def __init__(self, text: Sequence[int]) -> None:
        super().__init__(Sampling(temperature=0.0))
        self.text = text


@contextmanager
def dictated(rate: float = 1.0) -> Iterator[None]:
    """Raise the logit of the token that each row is to draw. A model's head, which alone draws one token at a time in
    speculation, is right about each token with the chance `rate`.
    """
    draw_all = sampling.draw_all

    def raised(wanted: list[int], logits: mx.array, samplers: Sequence[_Dictated], *given: Any) -> mx.array:
        tokens = mx.array(wanted)
        logits = mx.put_along_axis(logits, tokens[:, None], mx.array(_RAISED, logits.dtype), axis=-1)
        return draw_all(logits, samplers, *given)

    def right(logits: mx.array, samplers: Sequence[_Dictated], positions: Sequence[int], *given: Any) -> mx.array:
        wanted = [one.text[position] for one, position in zip(samplers, positions, strict=True)]
        return raised(wanted, logits, samplers, positions, *given)

    def spoiled(logits: mx.array, samplers: Sequence[_Dictated], positions: Sequence[int], *given: Any) -> mx.array:
        if len(samplers) > 1:
            return right(logits, samplers, positions, *given)
        position = positions[0]
        chance = Random(f"{position} {rate}").random()  # noqa: S311 # no secret
        wanted = samplers[0].text[position] if chance < rate else _WRONG
        return raised([wanted], logits, samplers, positions, *given)

    with mock.patch.object(batches, "draw_all", right), mock.patch.object(speculation, "draw_all", spoiled):
        yield


class _Counted:
    """A model that counts its calls."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.calls = 0

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        self.calls += 1
        logits: mx.array = self._model(tokens, cache=cache)
        return logits

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


@dataclass(slots=True)
class Answer:
    """The tokens of all rows, written once, and their cost. `ms` is the time of all blocks."""

    tokens: int
    ms: float = 0.0
    passes: int = 0
    drafted: int = 0
    accepted: int = 0


class Side:
    """Writes the answers of `tasks`, a row each."""

    def __init__(
        self, model: LoadedModel, tasks: Sequence[Task], *, speculates: bool, head: DraftHead | None = None
    ) -> None:
        self.answers: list[Answer] = []
        self._loaded, self._tasks = model, tasks
        self._model = _Counted(model.model)
        self._speculation = Speculation(self._model, model.context_limit, head=head) if speculates else None
        self._batch = Batch(self._model, batching=model.batching, speculation=self._speculation)

    def answer(self) -> Iterator[None]:
        """Write all answers at once, a block at a time."""
        rows, calls = [self._row(task) for task in self._tasks], self._model.calls
        written = Answer(sum(len(task.answer) for task in self._tasks))
        self._batch.join_all(rows)
        while len(self._batch):
            written.ms += self._block(rows)
            yield
        written.passes = self._model.calls - calls
        written.drafted = sum(row.drafted for row in rows)
        written.accepted = sum(row.accepted for row in rows)
        self.answers.append(written)

    def _row(self, task: Task) -> Row:
        sampling = Sampling(temperature=0.0, max_tokens=len(task.answer))
        row = ready(self._loaded.model, self._loaded.fresh_caches(), task.prompt, sampling)
        row.sampler, row.drawn = _Dictated([*task.prompt, *task.answer, _LAST]), task.answer[0]
        return row

    def _block(self, rows: Sequence[Row]) -> float:
        """Decode until the rows have a block more of tokens. Returns the milliseconds that it took."""
        began, before = time.perf_counter(), _written(rows)
        while len(self._batch) and _written(rows) < before + BLOCK:
            self._step()
        return (time.perf_counter() - began) * 1000

    def _step(self) -> None:
        began = time.perf_counter()
        emitted = self._batch.step()
        if self._speculation:
            self._speculation.took(time.perf_counter() - began, undisturbed=True)
        for row, token in emitted:
            row.emitted.append(token)
        for row in {row for row, _ in emitted if len(row.emitted) == row.command.sampling.max_tokens}:
            self._batch.drop(row)


def _written(rows: Sequence[Row]) -> int:
    return sum(len(row.emitted) for row in rows)


def rate(name: str, ours: Sequence[Answer], theirs: Sequence[Answer]) -> Figure:
    """The tokens per second of whole answers. The ratio is the median of those of answers written in turns."""
    slower = paired(name, [answer.ms for answer in ours], [answer.ms for answer in theirs])
    tokens = ours[0].tokens
    return Figure(name, 1000 * tokens / slower.value, "tok/s", 1000 * tokens / slower.baseline, 1 / slower.ratio)
