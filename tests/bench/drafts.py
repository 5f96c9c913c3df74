"""Drafts: rows that edit a text and rows of prose, each compared with the same rows without drafts, in turns.

Both sides write a dictated text. Drafts that copy come from the row's own tokens alone, so as many are accepted as for
a real model with that answer. Drafts by the model's head are computed as always, and then replaced: each token is right
with a given chance. The text is prose then, and the depths are each alone and all together, as in use.

An edit is the text of the prompt with eight changes. Prose is another text, which repeats little. Two rows decode at
once until both answers are complete. The answers of both sides grow block by block, in turns. The time of an answer is
that of all its blocks, so it contains every pass, also one that the device prepares.

A task begins as after the load of a model: the budget of drafts has measured nothing. So the first answer is a line of
its own. An answer without drafts comes before it and does not count: with it, the device builds what all passes need.
All other lines are those of the later answers.

A pass over a draft is compared with an ordinary step, whose token the engine does not wait for before the next step has
begun. It waits for a draft's tokens: they decide what it feeds next.
"""

from __future__ import annotations

from collections import deque
from itertools import zip_longest
from typing import TYPE_CHECKING
from unittest import mock

import mlx.core as mx
from mlx_lm import tokenizer_utils

from engine.decode.batch import Batch
from engine.decode.drafts import speculation
from engine.decode.drafts.budget import DEPTHS, LENGTHS
from engine.decode.drafts.replay import Replay
from engine.decode.drafts.whole_buffers import gains_from_whole_buffers, whole_buffers
from resources import DEMO_MODEL
from tests.bench.dictation import Side, Task, dictated, rate
from tests.bench.figures import Figure, in_turns, paired, share
from tests.bench.texts import ALICE, EDITED, WHALE
from tests.fakes.decoding import ready

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.decode.drafts.head import DraftHead
    from engine.model.loader import LoadedModel

TITLE = "Drafts: rows with them, and without"
ANSWERS = 4
"""Answers of each side that are written in turns, the first one among them."""
PROMPT = "Replace the marked words in this text, and write all of it again:\n"
_STEPS, _BLOCKS = 4, 6
HEADS = ((0.6, DEPTHS), (0.8, DEPTHS), (0.9, DEPTHS), (0.8, (1,)), (0.8, (2,)), (0.8, (3,)))
"""The chance that a token of the head is right, and the depths of its drafts."""
HEAD_PROMPT, HEAD_ANSWER = 64, 256
"""Tokens of the prompt and of the answer with drafts by the head."""


def measure(model: LoadedModel) -> list[Figure]:
    """The rates of each task with its passes and drafts, then what a pass over several tokens costs."""
    encode = tokenizer_utils.load(DEMO_MODEL).encode
    edit, copy = Task(encode(PROMPT + ALICE), encode(EDITED)), Task(encode(PROMPT + WHALE), encode(WHALE))
    prose, other = Task(edit.prompt, copy.answer), Task(copy.prompt, edit.answer)
    tasks = {
        "an edit": [edit],
        "prose": [prose],
        "an edit and a copy": [edit, copy],
        "an edit beside prose": [edit, prose],
        "two of prose": [prose, other],
    }
    with dictated():
        figures = [figure for name, rows in tasks.items() for figure in _task(name, model, rows)]
    return [*figures, *_by_head(model, prose), *_passes(model, edit.prompt)]


def _by_head(model: LoadedModel, prose: Task) -> list[Figure]:
    """The rates of prose with drafts by the model's head. Empty if it has none."""
    task, figures = Task(prose.prompt[:HEAD_PROMPT], prose.answer[:HEAD_ANSWER]), list[Figure]()
    for chance, depths in HEADS if model.head else ():
        name = f"a head that is {chance:.0%} right, drafts of {' or '.join(map(str, depths))}"
        with dictated(chance), mock.patch.object(speculation, "DEPTHS", depths):
            figures += _task(name, model, [task], model.head)
    return figures


def _task(name: str, model: LoadedModel, tasks: Sequence[Task], head: DraftHead | None = None) -> list[Figure]:
    """The sides take turns, after an answer of one of them that warms up."""
    plain, drafting = sides = [Side(model, tasks, speculates=speculates, head=head) for speculates in (False, True)]
    deque(plain.answer(), maxlen=0)
    for number in range(ANSWERS):
        deque(zip_longest(*(side.answer() for side in sides[:: -1 if number % 2 else 1])), maxlen=0)
    (first, *ours), (other, *theirs) = drafting.answers, plain.answers[1:]
    passes, others = (sum(answer.passes for answer in answers) for answers in (ours, theirs))
    accepted, drafted = sum(answer.accepted for answer in ours), sum(answer.drafted for answer in ours)
    return [
        rate(f"{name}: tokens", ours, theirs),
        rate(f"{name}: tokens of the first answer", [first], [other]),
        share(f"{name}: passes, of those without drafts", passes, others, "passes"),
        share(f"{name}: tokens accepted, of those drafted", accepted, drafted, "tokens"),
    ]


def _passes(model: LoadedModel, prompt: Sequence[int]) -> list[Figure]:
    """The times of passes over drafts after `prompt`, as the engine computes them, compared with its ordinary step."""
    if not model.takes_back:
        return []
    whole = gains_from_whole_buffers(model.model)
    lengths = (*DEPTHS, *LENGTHS) if model.head else LENGTHS
    sides = [_ordinary(model, prompt), *(_pass(model, prompt, 1 + length, whole=whole) for length in lengths)]
    step, *passes = in_turns(sides, _STEPS, _BLOCKS)
    return [
        paired(f"a pass over a draft of {length} tokens, in ordinary steps of", times, step)
        for length, times in zip(lengths, passes, strict=True)
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
