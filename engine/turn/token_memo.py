"""A memo of the tokens of texts: the messages of a long chat are in each of its prompts.

Any thread may use it: the main thread, and the tokenizer thread.
"""

from __future__ import annotations

import threading
from array import array
from collections import OrderedDict
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from engine.model.loader import LoadedModel
    from engine.prompt.chat_template import ChatTemplate
    from engine.prompt.tokenization import Encode

_MOST_CHARS = 1 << 22
"""The characters of all texts in a memo: those of some chats as long as a context."""
_TEXT_CHARS = 200
"""An entry takes as much memory as so many more characters of its text."""


class TokenMemo:
    """The tokens of the last used texts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ids: OrderedDict[str, array[int]] = OrderedDict()
        self._chars = 0

    def get(self, text: str) -> list[int] | None:
        """The tokens of `text`; None if they are not in the memo."""
        with self._lock:
            if text not in self._ids:
                return None
            self._ids.move_to_end(text)
            return self._ids[text].tolist()

    def put(self, text: str, ids: list[int]) -> None:
        """Remember the tokens of `text`, and forget those that were used least recently."""
        with self._lock:
            if text not in self._ids:
                self._chars += len(text) + _TEXT_CHARS
            self._ids[text] = array("I", ids)
            while self._chars > _MOST_CHARS:
                forgotten, _ = self._ids.popitem(last=False)
                self._chars -= len(forgotten) + _TEXT_CHARS


_memos: WeakKeyDictionary[ChatTemplate, TokenMemo] = WeakKeyDictionary()
"""Nothing in a memo may refer to the model, or it is never freed."""


def remembering(model: LoadedModel) -> Encode:
    """The model's encoding, with its memo."""
    memo = _memos.setdefault(model.template, TokenMemo())

    def encode(text: str) -> list[int]:
        ids = memo.get(text)
        if ids is None:
            ids = model.encode(text)
            memo.put(text, ids)
        return ids

    return encode
