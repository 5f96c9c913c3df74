"""Lets the built-in model name the keys of this platform.

It has learnt the keys of a Mac, and one token of its vocabulary is the word for the Command key. On other systems that
token is shown as the word for the Control key. The model reads and writes the same tokens everywhere, so its caches and
ledgers are the same.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from resources import DEMO_MODEL

if TYPE_CHECKING:
    from pathlib import Path

_COMMAND: Final = "Cmd"
_CONTROL: Final = "Ctrl"


def name_keys(tokenizer: Any, folder: Path, platform: str = sys.platform) -> None:
    """Have the tokenizer of the built-in model show the Control key. Any other model, and a Mac, keep their words.

    `tokenizer` is mlx-lm's wrapper, which copies its detokenizer for each reply and shares this table.
    """
    if platform != "darwin" and folder == DEMO_MODEL:
        shown = tokenizer.detokenizer.tokenmap
        for token, word in enumerate(shown):
            if word.lstrip("Ġ") == _COMMAND:  # the sign stands for a space
                shown[token] = word.replace(_COMMAND, _CONTROL)
