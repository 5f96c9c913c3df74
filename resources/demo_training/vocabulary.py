"""The tokenizer: byte-level BPE trained on generated dialogues, digits one by one, for the ChatML template.

Run it to write `tokenizer.json`: `python -m resources.demo_training.vocabulary FOLDER`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from resources.demo_training.architecture import SHAPE
from resources.demo_training.dialogue import Dialogue
from resources.demo_training.words import Split

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
_PIECES = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s*[\r\n]+|\s+(?!\S)|\s+"
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
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(_PIECES), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=SHAPE["vocab_size"],
        special_tokens=[PAD, START, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts(count), trainer)
    return tokenizer


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    train().save(str(folder / "tokenizer.json"))
