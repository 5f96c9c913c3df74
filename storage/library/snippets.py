"""The snippet of a search result: one line of text around the best hit, and the hits in it. Pure functions."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_LENGTH: Final = 160
_LEAD: Final = 24
"""At most this many characters precede the first hit, so that a narrow list shows it."""

_LOOKED_AT: Final = 50_000
"""Characters of a text that are searched for hits."""

_NEAR: Final = _LENGTH // 2
_HITS: Final = 30
"""The number of hits in one text that are compared."""

_WORD: Final = re.compile(r"[^\W_]+")
_NOWHERE: Final = "(?!)"

Marks = tuple[tuple[int, int], ...]


class _Folding(dict[int, int]):
    """Folds a character as the search index does: lower case without accents; signs stay."""

    def __missing__(self, code: int) -> int:
        plain = unicodedata.normalize("NFKD", chr(code))[:1].lower()
        self[code] = ord(plain) if len(plain) == 1 and chr(code).isalnum() else code
        return self[code]


_FOLDING: Final = _Folding()


class Words:
    """A search text. `terms` are its words; if it has none, `signs` are its parts, which match literally."""

    def __init__(self, text: str) -> None:
        line = _line(text)
        self.terms = tuple(term for term in line.split() if any(map(str.isalnum, term)))
        self.signs = () if self.terms else tuple(line.split())
        signs = "|".join(map(re.escape, self.signs))
        self._hit = re.compile(_pattern(_WORD.findall(_folded(" ".join(self.terms)))) or signs or _NOWHERE)

    def snippet(self, text: str) -> tuple[str, Marks]:
        """One line of `text` around its best hit (without a hit: its start), and the hits in that line."""
        line = _line(text[:_LOOKED_AT])
        start = self._best(line)
        shown = line[start : start + _LENGTH].rstrip()
        before, after = "…" if start else "", "…" if start + _LENGTH < len(line) or len(text) > _LOOKED_AT else ""
        marks = tuple(
            (hit.start() + len(before), hit.end() + len(before)) for hit in self._hit.finditer(_folded(shown))
        )
        return before + shown + after, marks

    def _best(self, line: str) -> int:
        """The start of the snippet: before the first hit that is followed by most different words."""
        hits = [
            (hit.start(), hit.group()) for hit, _ in zip(self._hit.finditer(_folded(line)), range(_HITS), strict=False)
        ]
        if not hits:
            return 0
        near = {start: {word for at, word in hits if 0 <= at - start <= _NEAR} for start, _ in hits}
        first = max(near, key=lambda start: len(near[start]))
        return 0 if first <= _NEAR else _word_before(line, first)


def _word_before(line: str, hit: int) -> int:
    """The start of the first whole word at most _LEAD characters before `hit`."""
    if hit <= _LEAD:
        return 0
    space = line.find(" ", hit - _LEAD, hit)
    return hit if space < 0 else space + 1


def _line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _folded(line: str) -> str:
    """`line`, folded character by character: offsets in both are the same."""
    return line.lower() if line.isascii() else line.translate(_FOLDING)


def _pattern(words: list[str]) -> str:
    """A pattern of whole words; the last is a prefix, because the user may still be typing."""
    if not words:
        return ""
    either = [*map(re.escape, words[:-1]), re.escape(words[-1]) + r"[^\W_]*"]
    return rf"(?<![^\W_])(?:{'|'.join(either)})(?![^\W_])"
