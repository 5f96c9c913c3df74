"""Folds text as people compare it, and as the search index of the library does."""

from __future__ import annotations

import unicodedata
from typing import Final


class _Folding(dict[int, int]):
    """Folds a character to its lower case without accents, if that is one character. Signs stay."""

    def __missing__(self, code: int) -> int:
        plain = unicodedata.normalize("NFKD", chr(code))[:1].lower()
        self[code] = ord(plain) if len(plain) == 1 and chr(code).isalnum() else code
        return self[code]


_FOLDING: Final = _Folding()


def folded(text: str) -> str:
    """`text`, folded character by character: offsets in both are the same."""
    return text.lower() if text.isascii() else text.translate(_FOLDING)
