"""The line that shows why a conversation was found: owns where words stand in a text as the search index sees them.

What is found at all is left to `storage.library.search`. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LENGTH: Final = 160
_LEAD: Final = 24
"""Characters before the first hit, so that it is seen in a narrow list too."""

_LOOKED_AT: Final = 50_000
"""Characters of a text in which hits are looked for."""

_NEAR: Final = _LENGTH // 2
_HITS: Final = 30
"""Hits in one text that are weighed against each other, the first."""

_WORD: Final = re.compile(r"[^\W_]+")
_NOWHERE: Final = "(?!)"

Marks = tuple[tuple[int, int], ...]


class _Folding(dict[int, int]):
    """Every character as the index sees it: one small letter without its accents, and signs as they are."""

    def __missing__(self, code: int) -> int:
        plain = unicodedata.normalize("NFKD", chr(code))[:1].lower()
        self[code] = ord(plain) if len(plain) == 1 and chr(code).isalnum() else code
        return self[code]


_FOLDING: Final = _Folding()


class Words:
    """What the user looks for. `terms` are the words of it; without any, its `signs` are looked for as they stand."""

    def __init__(self, text: str) -> None:
        line = _line(text)
        self.terms = tuple(term for term in line.split() if any(map(str.isalnum, term)))
        self.signs = () if self.terms else tuple(line.split())
        signs = "|".join(map(re.escape, self.signs))
        self._hit = re.compile(_pattern(_WORD.findall(_folded(" ".join(self.terms)))) or signs or _NOWHERE)

    def snippet(self, text: str) -> tuple[str, Marks]:
        """A part of `text` in one line around its best hit (without any: its start), and where the hits are in it."""
        line = _line(text[:_LOOKED_AT])
        start = self._best(line)
        shown = line[start : start + _LENGTH].rstrip()
        before, after = "…" if start else "", "…" if start + _LENGTH < len(line) or len(text) > _LOOKED_AT else ""
        marks = tuple(
            (hit.start() + len(before), hit.end() + len(before)) for hit in self._hit.finditer(_folded(shown))
        )
        return before + shown + after, marks

    def _best(self, line: str) -> int:
        """Where to begin: before the first place behind which most of the different words stand."""
        hits = [
            (hit.start(), hit.group()) for hit, _ in zip(self._hit.finditer(_folded(line)), range(_HITS), strict=False)
        ]
        if not hits:
            return 0
        near = {start: {word for at, word in hits if 0 <= at - start <= _NEAR} for start, _ in hits}
        first = max(near, key=lambda start: len(near[start]))
        return 0 if first <= _NEAR else _word_before(line, first)


def _word_before(line: str, hit: int) -> int:
    """Where the first whole word begins that is not too far before `hit`."""
    if hit <= _LEAD:
        return 0
    space = line.find(" ", hit - _LEAD, hit)
    return hit if space < 0 else space + 1


def _line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _folded(line: str) -> str:
    """As long as `line`, so that places in one are places in the other."""
    return line.lower() if line.isascii() else line.translate(_FOLDING)


def _pattern(words: list[str]) -> str:
    """Whole words but for the last, which the user may still be typing."""
    if not words:
        return ""
    either = [*map(re.escape, words[:-1]), re.escape(words[-1]) + r"[^\W_]*"]
    return rf"(?<![^\W_])(?:{'|'.join(either)})(?![^\W_])"
