"""The tokenizer: byte-level BPE trained on generated dialogues, digits one by one, with the marks of the chat template. It
splits words as the shipped one.

Run it to write `tokenizer.json`: `python -m resources.demo_training.vocabulary FOLDER`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast

from resources import DEMO_MODEL
from resources.demo_training.architecture import SHAPE
from resources.demo_training.dialogue import Dialogue
from resources.demo_training.words import Split

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
_SAMPLE_DIALOGUES = 6000


def rendered(user: str, reply: str) -> str:
    """A turn as the chat template renders it."""
    return f"{START}user\n{user}{END}\n{START}assistant\n{reply}{END}\n"


def texts(count: int) -> Iterator[str]:
    """The messages of `count` training dialogues."""
    for seed in range(count):
        dialogue = Dialogue(f"vocabulary {seed}", Split.TRAIN)
        if dialogue.system:
            yield dialogue.system
        for turn in islice(dialogue.turns(), 12):
            yield from turn


def train(count: int = _SAMPLE_DIALOGUES) -> Tokenizer:
    """A tokenizer trained on `count` dialogues. It can encode any text, byte by byte if necessary."""
    shipped = PreTrainedTokenizerFast(tokenizer_file=str(DEMO_MODEL / "tokenizer.json"))
    return shipped.train_new_from_iterator(texts(count), SHAPE["vocab_size"], show_progress=False).backend_tokenizer


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    train().save(str(folder / "tokenizer.json"))
