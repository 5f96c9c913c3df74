"""Every word that the walk wrote, and in which chat. Each is unlike all others, so it can be found again anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable

_WORD = re.compile(r"w\d+x")


class Ledger:
    """Knows the words that must not be lost. What the user throws away is given up."""

    def __init__(self) -> None:
        self._count = 0
        self._homes: dict[str, str] = {}

    def fresh(self) -> str:
        """A word that was never used."""
        self._count += 1
        return f"w{self._count}x"

    def write(self, text: str, chat: str) -> None:
        """The words of `text` are in this chat now."""
        self._homes |= dict.fromkeys(_WORD.findall(text), chat)

    def give_up(self, words: Iterable[str]) -> None:
        """The user has thrown these words away."""
        for word in words:
            self._homes.pop(word, None)

    def give_up_chats(self, chats: Iterable[str]) -> None:
        """The user has thrown these chats away."""
        gone = frozenset(chats)
        self.give_up([word for word, chat in self._homes.items() if chat in gone])

    def lost(self, there: str) -> dict[str, str]:
        """The words that are not in the text `there`, with their chats."""
        found = set(_WORD.findall(there))
        return {word: chat for word, chat in self._homes.items() if word not in found}

    def __len__(self) -> int:
        return len(self._homes)


def words_of(text: str) -> list[str]:
    """The words of the ledger in a text."""
    return _WORD.findall(text)
