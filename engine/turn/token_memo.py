"""A memo of the tokens of short texts: the turns of a long chat are in each of its prompts.

On the main thread.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel
    from engine.prompt.chat_template import ChatTemplate
    from engine.prompt.tokenization import Encode

_SHORT_CHARS = 2_000
_MOST_TEXTS = 4_096
"""Texts of at most this many characters are remembered, and so many of them."""

_memos: WeakKeyDictionary[ChatTemplate, OrderedDict[str, list[int]]] = WeakKeyDictionary()
"""Tokens by text, in the order of their last use. Nothing in a memo may refer to the model, or it is never freed."""


def remembering(model: LoadedModel) -> Encode:
    """The model's encoding, with its memo."""
    memo = _memos.setdefault(model.template, OrderedDict())

    def encode(text: str) -> list[int]:
        if len(text) > _SHORT_CHARS:
            return model.encode(text)
        if text not in memo:
            memo[text] = model.encode(text)
        memo.move_to_end(text)
        if len(memo) > _MOST_TEXTS:
            memo.popitem(last=False)
        return list(memo[text])

    return encode
