"""Folds text as people compare it, and as the search index of the library does.

A letter and its accents are one character (NFC), or several, as in file names of a Mac and in the text of many PDFs.
"""

from __future__ import annotations

import unicodedata
from itertools import pairwise
from typing import Final


class _Folding(dict[int, int]):
    """Folds a character to its lower case without accents, if that is one character. Signs stay."""

    def __missing__(self, code: int) -> int:
        parts = unicodedata.normalize("NFKD", chr(code))
        plain = parts[0].lower()
        is_folded = len(plain) == 1 and chr(code).isalnum() and all(map(_is_accent, parts[1:]))
        self[code] = ord(plain) if is_folded else code
        return self[code]


_FOLDING: Final = _Folding()


def folded(text: str) -> str:
    """`text`, folded character by character: offsets in both are the same."""
    return text.lower() if text.isascii() else text.translate(_FOLDING)


def composed(text: str) -> tuple[str, list[tuple[int, int]]]:
    """`text` with letters and their accents as one character if there is one, and the bounds in `text` of the letter
    of each character.
    """
    starts = [at for at, character in enumerate(text) if not (at and (_is_accent(character) or _is_jamo(character)))]
    bounds = list(pairwise((*starts, len(text))))
    letters = [unicodedata.normalize("NFC", text[start:end]) for start, end in bounds]
    return "".join(letters), [bound for letter, bound in zip(letters, bounds, strict=True) for _ in letter]


def _is_accent(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def _is_jamo(character: str) -> bool:
    """Whether a character is the vowel or the end of a Korean syllable."""
    return "\u1160" <= character <= "\u11ff"
