"""Rows of token ids for training and for perplexity: one dialogue per row, cut at the row's end, with loss weights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from tokenizers import Tokenizer

from resources.demo_training.dialogue import Dialogue
from resources.demo_training.vocabulary import END, START
from resources.demo_training.words import Split

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Row = tuple[NDArray[np.int64], NDArray[np.float32]]
    """Token ids and loss weights. Weight t belongs to the prediction of token t."""

_LENGTHS = (512, 1024, 2048)
_LENGTH_SHARES = (4, 4, 2)
_BATCH = 65536  # tokens; batches of long rows have fewer rows
_READ_WEIGHT = 0.05  # the user's text is learnt with a small weight, for the sake of its words


class Batches:
    """Batches of rows by training step. A batch is the same for the same step and seed."""

    def __init__(self, folder: Path, seed: int) -> None:
        """`folder` has the tokenizer."""
        self._tokenizer, self._seed = Tokenizer.from_file(str(folder / "tokenizer.json")), f"train {seed}"

    def __getitem__(self, step: int) -> Row:
        """Token ids and loss weights, both of shape (rows, length)."""
        length = Random(f"{self._seed} length {step}").choices(_LENGTHS, _LENGTH_SHARES)[0]
        seeds = (f"{self._seed} {step} {at}" for at in range(_BATCH // length))
        rows = [row(self._tokenizer, Dialogue(seed, Split.TRAIN), length) for seed in seeds]
        return np.stack([ids for ids, _ in rows]), np.stack([weights for _, weights in rows])


def row(tokenizer: Tokenizer, dialogue: Dialogue, length: int) -> Row:
    """The first `length` tokens of a dialogue, with their weights."""
    ids: list[int] = []
    weights: list[float] = []
    for text, weight in _pieces(dialogue):
        encoded = tokenizer.encode(text).ids
        ids += encoded
        weights += [weight] * len(encoded)
        if len(ids) >= length:
            break
    return np.array(ids[:length], dtype=np.int64), np.array(weights[:length], dtype=np.float32)


def _pieces(dialogue: Dialogue) -> Iterator[tuple[str, float]]:
    """The rendered dialogue in pieces that end at the chat template's marks, with their weights."""
    if dialogue.system:
        yield f"{START}system\n{dialogue.system}{END}\n", 0.0
    for user, reply in dialogue.turns():
        yield f"{START}user\n{user}{END}\n", _READ_WEIGHT
        yield f"{START}assistant\n", 0.0
        yield f"{reply}{END}", 1.0
        yield "\n", 0.0
