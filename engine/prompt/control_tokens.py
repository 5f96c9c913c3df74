"""Control tokens in text that the template has not written. A document, a pasted text or an import may spell them. If
the tokenizer took them for its own, the document could end the user's turn and speak as the system.

They are broken: `BREAK` stands after their first sign in the rendered text, and each part is encoded by itself. So the
model still reads every sign, as ordinary text. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

BREAK: Final = "\ufdd0"
"""A noncharacter: Unicode keeps it for uses inside a program (The Unicode Standard, 23.7)."""


class ControlTokens:
    """The control tokens `names` of one tokenizer."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._lengths = sorted({len(name) for name in self._names}, reverse=True)
        # Some tokenizers have thousands: all of them as alternatives take seconds for a megabyte of HTML.
        starts = sorted({name[:2] for name in self._names if len(name) > 1})
        self._starts = re.compile("|".join(f"{re.escape(s[0])}(?={re.escape(s[1])})" for s in starts) or r"(?!)")

    def broken(self, text: str) -> str:
        """`text` with each control token broken, also one that overlaps another. A `BREAK` of its own is left out."""
        plain = text.replace(BREAK, "")
        return self._starts.sub(lambda at: at[0] + BREAK if self._end(plain, at.start()) else at[0], plain)

    def last_end(self, text: str, begin: int) -> int:
        """The end of the last control token in `text` that starts at or after `begin` (0: none)."""
        return max((self._end(text, at.start()) for at in self._starts.finditer(text, begin)), default=0)

    def _end(self, text: str, start: int) -> int:
        """The end of the longest control token that starts at `start` (0: none)."""
        spelled = (text[start : start + length] for length in self._lengths)
        return next((start + len(name) for name in spelled if name in self._names), 0)


def control_tokens_in(tokenizer: Any, written: str) -> ControlTokens:
    """The tokens that `tokenizer` calls special, and those added tokens that the template has `written`: some models
    mark turns with tokens that are not called special.
    """
    added = getattr(tokenizer, "added_tokens_decoder", {}).values()
    return ControlTokens(
        token.content for token in added if token.content.strip() and (token.special or token.content in written)
    )
