"""Texts from outside on their way into a label, a menu, a tool tip or an item: the beginning of long ones. No Qt."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

_LONG_WORD = re.compile(r"\S{24}(?=\S)")
LONGEST: Final = 1_000
"""The most characters of a text in a label, a menu or a tool tip. More cannot be read there. Qt lays out some texts in
time with the square of their length: those that alternate two alphabets, direction marks, and line breaks alone.
"""
_ROW = 25
"""A text that is cut at N characters is also cut at N / _ROW rows."""
_LONG_ROW = re.compile(rf"[^\n]{{{LONGEST}}}\S{{,50}}\s?")


def shortened(text: str, longest: int) -> str:
    """`text` without its middle if it is longer than `longest`, as both ends of a name say more than its middle."""
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half].rstrip()}…{text[half - longest + 1 :].lstrip()}"


def cut(text: str, longest: int = LONGEST) -> str:
    """The beginning of a text that comes from outside, for a label, a menu, a tool tip or an item. What is copied,
    saved or edited is the whole text.
    """
    rows = longest // _ROW
    shown = "\n".join(text[:longest].split("\n", rows)[:rows])
    return text if len(shown) == len(text) else f"{shown.rstrip()}…"


def breakable(text: str, longest: int = LONGEST) -> str:
    """The beginning of `text` with break points in very long words, because a label would cut them off. Very long rows
    that are not ASCII are broken, too: Qt takes long for rows of several alphabets.
    """
    shown = cut(text, longest)
    rows = shown if shown.isascii() else _LONG_ROW.sub("\\g<0>\n", shown)
    return _LONG_WORD.sub("\\g<0>\u200b", rows)


LETTERS: Final = "[^\\s\u2e80-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
"""The pattern of a character of a word. Chinese, Japanese and Korean lines break anywhere."""
_MIXED_WORD: Final = re.compile(LETTERS + "{51,}")
_MOST_WORK: Final = 10_000_000
"""Some tenths of a second."""


def is_slow_to_break(text: str) -> bool:
    """Whether a field takes long to break this text between words: Qt looks at the rest of a word at each change of
    its alphabet.
    """
    if text.isascii():
        return False
    return sum(len(word) * switches(word) for word in _MIXED_WORD.findall(text)) > _MOST_WORK


def switches(word: str) -> int:
    """How often a letter of another alphabet follows, about: alphabets begin at multiples of 128."""
    return sum(ord(one) >> 7 != ord(next_) >> 7 for one, next_ in pairwise(word))
