"""Dictation: rows write given texts with drafts, and the same rows without, in turns.

A model with random weights copies nothing, and the built-in one hardly anything. So each drawn token is that of the
text, because its logit is raised before it is drawn. The figures say what drafts gain if a model writes this text.
Passes compute and cost what they always do.

The answers of both sides grow block by block, in turns. The time of an answer is that of all its blocks, so it contains
every pass, also one that the device prepares. A task begins as after the load of a model: the budget of drafts has
measured nothing. So the first answer is a line of its own. An answer without drafts comes before it and does not count:
with it, the device builds what all passes need. All other lines are those of the later answers.

A pass over a draft is compared with an ordinary step, whose token the engine does not wait for before the next step has
begun. It waits for a draft's tokens: they decide what it feeds next.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from random import Random
from typing import Any, NamedTuple
from unittest import mock

import mlx.core as mx

from engine.decode import batch as batches
from engine.decode import sampling
from engine.decode.batch import Batch
from engine.decode.drafts import speculation
from engine.decode.drafts.head import DraftHead
from engine.decode.drafts.replay import Replay
from engine.decode.drafts.speculation import Speculation
from engine.decode.drafts.whole_buffers import gains_from_whole_buffers, whole_buffers
from engine.decode.sampling import RowSampler
from engine.model.loader import LoadedModel
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import Sequence as Row
from tests.bench.figures import Figure, in_turns, paired, share
from tests.fakes.decoding import ready

BLOCK = 32
"""Tokens of a block."""
_RAISED = 1e4
"""The logit of the dictated token. It is finite in each type of numbers."""
_LAST = 0
"""The token behind an answer: the pass over its last token draws one more."""
_WRONG = 0
"""A token that no text has."""
_STEPS, _BLOCKS = 4, 6


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


def _rate(name: str, ours: Sequence[Answer], theirs: Sequence[Answer]) -> Figure:
    """The tokens per second of whole answers. The ratio is the median of those of answers written in turns."""
    slower = paired(name, [answer.ms for answer in ours], [answer.ms for answer in theirs])
    tokens = ours[0].tokens
    return Figure(name, 1000 * tokens / slower.value, "tok/s", 1000 * tokens / slower.baseline, 1 / slower.ratio)


def compared(
    name: str, model: LoadedModel, tasks: Sequence[Task], answers: int, head: DraftHead | None = None
) -> list[Figure]:
    """The figures of rows with drafts, against the same rows without. The sides take turns and write so many answers
    each, after one that warms up.
    """
    plain, drafting = sides = [Side(model, tasks, speculates=speculates, head=head) for speculates in (False, True)]
    deque(plain.answer(), maxlen=0)
    for number in range(answers):
        deque(zip_longest(*(side.answer() for side in sides[:: -1 if number % 2 else 1])), maxlen=0)
    (first, *ours), (other, *theirs) = drafting.answers, plain.answers[1:]
    passes, others = (sum(answer.passes for answer in answers) for answers in (ours, theirs))
    accepted, drafted = sum(answer.accepted for answer in ours), sum(answer.drafted for answer in ours)
    return [
        _rate(f"{name}: tokens", ours, theirs),
        _rate(f"{name}: tokens of the first answer", [first], [other]),
        share(f"{name}: passes, of those without drafts", passes, others, "passes"),
        share(f"{name}: tokens accepted, of those drafted", accepted, drafted, "tokens"),
    ]


def passes(model: LoadedModel, prompt: Sequence[int], lengths: Sequence[int]) -> list[Figure]:
    """The times of passes over drafts after `prompt`, as the engine computes them, compared with its ordinary step."""
    if not model.takes_back:
        return []
    whole = gains_from_whole_buffers(model.model)
    sides = [_ordinary(model, prompt), *(_pass(model, prompt, 1 + length, whole=whole) for length in lengths)]
    step, *times = in_turns(sides, _STEPS, _BLOCKS)
    return [
        paired(f"a pass over a draft of {length} tokens, in ordinary steps of", pass_times, step)
        for length, pass_times in zip(lengths, times, strict=True)
    ]


def _ordinary(model: LoadedModel, prompt: Sequence[int]) -> Callable[[], object]:
    """A step of a row without drafts after the prompt."""
    batch = Batch(model.model, batching=model.batching)
    batch.join(ready(model.model, model.fresh_caches(), prompt))
    return batch.step


def _pass(model: LoadedModel, prompt: Sequence[int], tokens: int, *, whole: bool) -> Callable[[], object]:
    """A forward pass after the prompt, of which one token stays. `whole`: over whole buffers."""
    caches, fed = model.fresh_caches(), mx.array([prompt[:tokens]])
    mx.eval(model.model(mx.array([prompt]), cache=caches))

    def act() -> None:
        with Replay(caches) as before, whole_buffers(caches, tokens if whole else 0):
            mx.eval(mx.argmax(model.model(fed, cache=caches)[0], axis=-1))
        before.keep(1, tokens)

    return act
