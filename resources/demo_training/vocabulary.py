"""The tokenizer: byte-level BPE trained on generated dialogues, digits one by one, with the ChatML template.

Run it to write the files: `python -m resources.demo_training.vocabulary FOLDER`.
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from resources.demo_training.dialogue import Dialogue
from resources.demo_training.words import Split

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZE = 4096
PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
TEMPLATE = (
    "{%- for message in messages -%}"
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}"
)
_PIECES = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s*[\r\n]+|\s+(?!\S)|\s+"
_SAMPLE_DIALOGUES = 6000


def texts(count: int) -> Iterator[str]:
    """The messages of `count` training dialogues."""
    for seed in range(count):
        dialogue = Dialogue(f"vocabulary {seed}", Split.TRAIN)
        if dialogue.system:
            yield dialogue.system
        for turn in islice(dialogue.turns(), 12):
            yield from turn


def train(count: int = _SAMPLE_DIALOGUES) -> Tokenizer:
    """A tokenizer of `SIZE` tokens, trained on `count` dialogues. It can encode any text, byte by byte if necessary."""
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(_PIECES), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=SIZE,
        special_tokens=[PAD, START, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts(count), trainer)
    return tokenizer


def write(tokenizer: Tokenizer, folder: Path) -> None:
    """Write `tokenizer.json`, `tokenizer_config.json` and `chat_template.jinja` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": END,
        "pad_token": PAD,
        "additional_special_tokens": [START, END],
        "clean_up_tokenization_spaces": False,
        "model_max_length": 8192,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "chat_template.jinja").write_text(TEMPLATE)


if __name__ == "__main__":
    write(train(), Path(sys.argv[1]))
