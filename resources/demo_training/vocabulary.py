"""The tokenizer: byte-level BPE trained on generated dialogues, digits one by one, with the marks of the chat template. It
splits words as the shipped one.

Run it to write `tokenizer.json`: `python -m resources.demo_training.vocabulary FOLDER`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

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


def texts() -> Iterator[str]:
    """The messages of some training dialogues."""
    for seed in range(_SAMPLE_DIALOGUES):
        dialogue = Dialogue(f"vocabulary {seed}", Split.TRAIN)
        if dialogue.system:
            yield dialogue.system
        for turn in islice(dialogue.turns(), 12):
            yield from turn


def main(folder: Path) -> None:
    """Train a tokenizer, which can encode any text, byte by byte if necessary, and write it."""
    shipped = PreTrainedTokenizerFast(tokenizer_file=str(DEMO_MODEL / "tokenizer.json"))
    trained = shipped.train_new_from_iterator(texts(), SHAPE["vocab_size"], show_progress=False)
    folder.mkdir(parents=True, exist_ok=True)
    trained.backend_tokenizer.save(str(folder / "tokenizer.json"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
