"""Drafts: a row that copies a text and a row of prose, each compared with the same row without drafts, in turns.

What is copied: a model with random weights copies nothing, and the built-in one hardly anything. So the answer is
written once without drafts, and the drafter then finds it in the conversation, with one wrong token in every EDIT. The
model computes everything as if it copied and edited that text. If rounding makes an answer leave the text, the rest of
that answer has few drafts. Prose is sampled, and has only the drafts that it finds itself.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.decode.batch import Batch
from engine.decode.drafts.drafter import Drafter
from engine.decode.drafts.snapshot import Snapshot, can_restore
from engine.decode.drafts.speculation import Speculation
from engine.protocol.messages import Sampling
from tests.bench.figures import Figure, in_turns, multiple, paired
from tests.fakes.decoding import ready

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.model.loader import LoadedModel

TITLE = "Drafts: one row with them, and without"
ANSWER, ANSWERS = 128, 6
EDIT = 24
"""Tokens of the copied text from one wrong token to the next."""
PROMPT = (
    "Correct the spelling of this text, please: the harbour was quiet in the morning, and the boats lay still. " * 2
)
LENGTHS = (2, 4, 8, 16)
"""Lengths of a draft."""
_STEPS, _BLOCKS = 4, 6
_ENDLESS = 1 << 20


def measure(model: LoadedModel) -> list[Figure]:
    """The rates of both tasks with their passes and drafts, then what a pass over several tokens costs."""
    greedy = Sampling(temperature=0.0, max_tokens=_ENDLESS)
    text = _Side(model, greedy).answer()
    edited = [text[place - 1] if place % EDIT == EDIT - 1 else token for place, token in enumerate(text)]
    return [
        *_task("copying", _Side(model, greedy), _Side(model, greedy, edited, speculates=True)),
        *_task(
            "prose", *(_Side(model, Sampling(1.0, max_tokens=_ENDLESS, seed=3), speculates=s) for s in (False, True))
        ),
        *_passes(model),
    ]


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


class _Observed(Drafter):
    """A drafter that adds up what was drafted and accepted."""

    drafted = accepted = 0

    def learn(self, drafted: int, accepted: int) -> None:
        super().learn(drafted, accepted)
        self.drafted += drafted
        self.accepted += accepted


class _Side:
    """Writes answers to one prompt. `known` is a text that its drafter finds before the prompt."""

    def __init__(
        self, model: LoadedModel, sampling: Sampling, known: Sequence[int] = (), *, speculates: bool = False
    ) -> None:
        self.passes = self.drafted = self.accepted = 0
        self.token_ms: list[float] = []
        self._loaded, self._sampling, self._known = model, sampling, known
        self._model = _Counted(model.model)
        self._speculation = Speculation(self._model, model.context_limit) if speculates else None
        self._batch = Batch(self._model, batching=model.batching, speculation=self._speculation)

    def answer(self) -> list[int]:
        """Write one answer, and note its time for each token."""
        model, ids = self._loaded, self._loaded.encode(PROMPT)
        row = ready(model.model, model.fresh_caches(), ids, self._sampling)
        row.drafter = drafter = _Observed([*self._known, *ids])
        drafter.known = len(ids)
        self._batch.join(row)
        calls, began = self._model.calls, time.perf_counter()
        while len(row.emitted) < ANSWER:
            self._step()
        self.token_ms.append((time.perf_counter() - began) * 1000 / len(row.emitted))
        self.passes += self._model.calls - calls
        self.drafted, self.accepted = self.drafted + drafter.drafted, self.accepted + drafter.accepted
        self._batch.clear()
        return row.emitted

    def _step(self) -> None:
        began = time.perf_counter()
        for row, token in self._batch.step():
            row.emitted.append(token)
        if self._speculation:
            self._speculation.took(time.perf_counter() - began, undisturbed=True)


def _task(name: str, plain: _Side, drafting: _Side) -> list[Figure]:
    """The sides take turns, an answer each. The first answers are there to warm up, and to measure steps."""
    for turn in range(ANSWERS):
        for side in (plain, drafting)[:: -1 if turn % 2 else 1]:
            side.answer()
    slower = paired(name, drafting.token_ms[1:], plain.token_ms[1:])
    return [
        Figure(f"{name}: tokens", 1000 / slower.value, "tok/s", 1000 / slower.baseline, 1 / slower.ratio),
        multiple(f"{name}: passes, in those without drafts", drafting.passes, plain.passes, "passes"),
        multiple(f"{name}: tokens accepted, of those drafted", drafting.accepted, max(1, drafting.drafted), "tokens"),
    ]


def _passes(model: LoadedModel) -> list[Figure]:
    if not can_restore(model.fresh_caches()):
        return []
    single, *several = in_turns([_pass(model, 1), *(_pass(model, 1 + length) for length in LENGTHS)], _STEPS, _BLOCKS)
    return [
        paired(f"a pass of {1 + length} tokens, in passes of one", times, single)
        for length, times in zip(LENGTHS, several, strict=True)
    ]


def _pass(model: LoadedModel, tokens: int) -> Callable[[], object]:
    """A forward pass after the prompt, taken back at once."""
    caches, fed = model.fresh_caches(), mx.array([model.encode(PROMPT)[:tokens]])
    mx.eval(model.model(mx.array([model.encode(PROMPT)]), cache=caches))

    def act() -> None:
        before = Snapshot(caches)
        mx.eval(mx.argmax(model.model(fed, cache=caches)[0], axis=-1))
        before.restore(tokens)

    return act
