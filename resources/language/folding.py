"""Folds text as people compare it. A change of it needs a step of the library's schema (`storage/searchable.py`).

A letter and its accents are one character (NFC), or several, as in file names of a Mac and in the text of many PDFs.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import Final

POINTS: Final = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]")
"""The vowels of Hebrew and Arabic. Few people type them, and few texts have them."""
_SIGNS: Final = str.maketrans("‘’‚ʼ`“”„‐‑–ς", "'''''\"\"\"---σ")  # noqa: RUF001 - they are meant
"""Quotes and hyphens that a keyboard lacks, and the Greek letter that has a form for the end of a word."""


class _Folding(dict[int, int]):
    """Folds a character to its lower case without accents, in its usual width, if that is one character."""

    def __missing__(self, code: int) -> int:
        parts = unicodedata.normalize("NFKD", chr(code))
        plain = parts[0].lower()
        is_letter = chr(code).isalnum() and all(map(_is_accent, parts[1:]))
        is_width = len(parts) == 1 and unicodedata.decomposition(chr(code)).startswith(("<wide>", "<narrow>"))
        self[code] = ord(plain) if len(plain) == 1 and (is_letter or is_width) else code
        return self[code]


_FOLDING: Final = _Folding(_SIGNS)


def folded(text: str) -> str:
    """`text`, folded character by character: offsets in both are the same."""
    return text.lower().replace("`", "'") if text.isascii() else text.translate(_FOLDING)


def composed(text: str) -> tuple[str, list[tuple[int, int]]]:
    """`text` with letters and their accents as one character if there is one and without `POINTS`, and the bounds in
    `text` of the letter of each character.
    """
    starts = [at for at, character in enumerate(text) if not (at and (_is_accent(character) or _is_jamo(character)))]
    bounds = list(pairwise((*starts, len(text))))
    letters = [POINTS.sub("", unicodedata.normalize("NFC", text[start:end])) for start, end in bounds]
    return "".join(letters), [bound for letter, bound in zip(letters, bounds, strict=True) for _ in letter]


def _is_accent(character: str) -> bool:
    return unicodedata.category(character).startswith("M")


def _is_jamo(character: str) -> bool:
    """Whether a character is the vowel or the end of a Korean syllable."""
    return "\u1160" <= character <= "\u11ff"
