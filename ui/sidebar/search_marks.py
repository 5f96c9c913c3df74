"""The matches of a search as marked ranges of a plain line of text. No Qt."""

from __future__ import annotations

from ui.markdown.plain import plain
from ui.theme.long_texts import LONGEST

Marks = tuple[tuple[int, int], ...]
"""Ranges of a text as (start, end) in characters, in ascending order."""
_OPEN, _CLOSE = "\U00010000", "\U00010001"
"""Letters, because `plain` looks at the neighbours of syntax. Texts contain no letters of a dead script."""


def plain_with_marks(text: str, marks: Marks) -> tuple[str, Marks]:
    """`text` without Markdown syntax, and the marks moved to their new ranges. Invalid marks are dropped, and so is
    what no line has room for.
    """
    if marks and marks[0][0] > LONGEST // 2:
        text, marks = cut_before_mark(text, marks, marks[0][0] - LONGEST // 2)
    text = text[:LONGEST]
    if _OPEN in text or _CLOSE in text:
        return plain(text), ()
    return _extract_marks(plain(_insert_marks(text, marks)))


def _insert_marks(text: str, marks: Marks) -> str:
    parts, end = [], 0
    for start, stop in marks:
        if end <= start < stop <= len(text):
            parts += [text[end:start], _OPEN, text[start:stop], _CLOSE]
            end = stop
    return "".join((*parts, text[end:]))


def _extract_marks(text: str) -> tuple[str, Marks]:
    letters: list[str] = []
    marks: list[tuple[int, int]] = []
    start = -1
    for letter in text:
        if letter == _OPEN:
            start = len(letters)
        elif letter == _CLOSE:
            marks += [(start, len(letters))] if 0 <= start < len(letters) else []
            start = -1
        else:
            letters.append(letter)
    return "".join(letters), tuple(marks)


def cut_before_mark(text: str, marks: Marks, start: int) -> tuple[str, Marks]:
    """Cut `text` before the first word at or after `start`, and begin with an ellipsis. The first mark is never cut."""
    first = marks[0][0] if marks else len(text)
    blank = text.find(" ", start, first)
    cut = min(blank + 1 if blank >= 0 else start, first)
    if cut <= 0:
        return text, marks
    return "…" + text[cut:], tuple((begin - cut + 1, end - cut + 1) for begin, end in marks)
