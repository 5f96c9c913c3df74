"""Drafts by the model's head: prose with them, and without, in turns.

The head computes its drafts as always. They are then replaced: each token is right with a given chance. So the figures
say what a head gains that is right so often. The depths are each alone, and all together as in use.
"""

from __future__ import annotations

from unittest import mock

from mlx_lm import tokenizer_utils

from engine.decode.drafts import speculation
from engine.decode.drafts.budget import DEPTHS
from engine.model.loader import LoadedModel
from resources import DEMO_MODEL
from tests.bench.dictation import Task, compared, dictated, passes
from tests.bench.figures import Figure
from tests.bench.texts import ALICE, WHALE

TITLE = "Heads: prose with drafts by the model's head, and without"
RUNS = ((0.6, DEPTHS), (0.8, DEPTHS), (0.9, DEPTHS), (0.8, (1,)), (0.8, (2,)), (0.8, (3,)))
"""The chance that a token of the head is right, and the depths of its drafts."""
ANSWERS = 3
PROMPT, ANSWER = 64, 256
"""Tokens of the prompt and of the answer."""


def measure(model: LoadedModel) -> list[Figure]:
    """The rates of each run, then what passes over so many tokens cost. Empty if the model has no head."""
    encode, figures = tokenizer_utils.load(DEMO_MODEL).encode, list[Figure]()
    task = Task(encode(ALICE)[:PROMPT], encode(WHALE)[:ANSWER])
    for chance, depths in RUNS if model.head else ():
        name = f"{chance:.0%} right, drafts of {' or '.join(map(str, depths))}"
        with dictated(chance), mock.patch.object(speculation, "DEPTHS", depths):
            figures += compared(name, model, [task], ANSWERS, model.head)
    return [*figures, *(passes(model, task.prompt, DEPTHS) if model.head else ())]
