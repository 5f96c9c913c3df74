"""Found: owns where the words of a search stand in a plain line; who searches and paints is not its concern."""

from __future__ import annotations

from ui.markdown.plain import plain

Marks = tuple[tuple[int, int], ...]
"""Places in a text, from and to, in characters, one after the other."""

_OPEN, _CLOSE = "\U00010000", "\U00010001"  # letters, for `plain` treats marks beside a letter otherwise, and dead ones


def plain_with_marks(text: str, marks: Marks) -> tuple[str, Marks]:
    """`text` without Markdown's marks, and where in it the marked places are now. Impossible places are left out."""
    if _OPEN in text or _CLOSE in text:
        return plain(text), ()
    return _taken_out(plain(_put_in(text, marks)))


def _put_in(text: str, marks: Marks) -> str:
    parts, end = [], 0
    for start, stop in marks:
        if end <= start < stop <= len(text):
            parts += [text[end:start], _OPEN, text[start:stop], _CLOSE]
            end = stop
    return "".join((*parts, text[end:]))


def _taken_out(text: str) -> tuple[str, Marks]:
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


def from_word(text: str, marks: Marks, start: int) -> tuple[str, Marks]:
    """`text` from the first word at or after `start`, but no later than the first mark, behind an ellipsis."""
    first = marks[0][0] if marks else len(text)
    blank = text.find(" ", start, first)
    cut = min(blank + 1 if blank >= 0 else start, first)
    if cut <= 0:
        return text, marks
    return "…" + text[cut:], tuple((begin - cut + 1, end - cut + 1) for begin, end in marks)
