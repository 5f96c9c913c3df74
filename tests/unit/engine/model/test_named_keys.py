"""The keys that the built-in model names."""

from __future__ import annotations

from pathlib import Path

import pytest
from mlx_lm.tokenizer_utils import load

from engine.model.named_keys import name_keys
from engine.output.detokenizer import RowDetokenizer
from resources import DEMO_MODEL

WORDS = "Press **Cmd+N**, or Cmd+Shift+T."


@pytest.mark.parametrize(
    ("platform", "folder", "shown"),
    [
        ("linux", DEMO_MODEL, "Press **Ctrl+N**, or Ctrl+Shift+T."),
        ("darwin", DEMO_MODEL, WORDS),
        ("linux", Path("/models/other"), WORDS),
    ],
)
def test_the_key_is_that_of_the_platform(platform: str, folder: Path, shown: str) -> None:
    """The tokens are the same everywhere, and no other model is touched."""
    tokenizer = load(DEMO_MODEL)
    ids = tokenizer.encode(WORDS, add_special_tokens=False)
    name_keys(tokenizer, folder, platform)
    reply = RowDetokenizer(tokenizer)
    for token in ids:
        reply.add(token)
    reply.finish()
    assert reply.text == shown
    assert tokenizer.encode(WORDS, add_special_tokens=False) == ids
