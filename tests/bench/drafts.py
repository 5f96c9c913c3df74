"""Drafts that copy: rows that edit a text and rows of prose, each compared with the same rows without drafts, in turns.

Drafts come from the row's own tokens alone, so as many are accepted as for a real model with that answer. An edit is
the text of the prompt with eight changes. Prose is another text, which repeats little. Two rows decode at once until
both answers are complete. `tests.bench.dictation` says what is measured.
"""

from __future__ import annotations

from mlx_lm import tokenizer_utils

from engine.decode.drafts.budget import LENGTHS
from engine.model.loader import LoadedModel
from resources import DEMO_MODEL
from tests.bench.dictation import Task, compared, dictated, passes
from tests.bench.figures import Figure
from tests.bench.texts import ALICE, EDITED, WHALE

TITLE = "Drafts: rows with them, and without"
ANSWERS = 4
"""Answers of each side that are written in turns, the first one among them."""
PROMPT = "Replace the marked words in this text, and write all of it again:\n"


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
        figures = [figure for name, rows in tasks.items() for figure in compared(name, model, rows, ANSWERS)]
    return [*figures, *passes(model, edit.prompt, LENGTHS)]
