"""A search text as its words, phrases, tags and signs, and the snippet of a result: one line of text around the best
hit, and the hits in it. Pure.

- `"two words"` is a phrase, also while its closing quote is missing.
- `#urgent` is a tag.
- If there is neither a word nor a tag, each part (emoji, signs) matches literally.
- Of a long text, as of a message that was pasted, the first MOST different parts count.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from resources.language.folding import POINTS, folded
from storage.searchable import shortened

MOST: Final = 64
"""Parts of a query. SQLite takes at most 127 arguments in some of its functions."""
_PART: Final = re.compile(r'"(?P<phrase>[^"]+)(?P<closed>")?|(?P<word>\S+)')
_LENGTH: Final = 160
_LEAD: Final = 24
"""At most this many characters precede the first hit, so that a narrow list shows it."""

_READ: Final = 2**20
"""Characters of a text that are read."""
_LOOKED_AT: Final = 50_000
"""Characters of a text, without the data of pictures, that are searched for hits."""

_NEAR: Final = _LENGTH // 2
_HITS: Final = 30
"""The number of hits in one text that are compared."""

_NOWHERE: Final = "(?!)"

Marks = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Query:
    """`terms` are words and phrases. The last one matches as a prefix if it `is_open`: the user may still be typing."""

    terms: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    is_open: bool = True

    @classmethod
    def of(cls, typed: str) -> Query:
        """The query of what the user typed."""
        found = {part[0]: part for part in _PART.finditer(" ".join(unicodedata.normalize("NFC", typed).split()))}
        parts = list(found.values())[:MOST]
        texts = [part["phrase"].strip() if part["phrase"] else part["word"] for part in parts]
        tags = tuple(folded(text[1:]) for text, part in zip(texts, parts, strict=True) if _is_tag(text, part))
        words = tuple(text for text, part in zip(texts, parts, strict=True) if not _is_tag(text, part))
        terms = tuple(word for word in words if any(map(str.isalnum, word)))
        signs = () if terms or tags else tuple(" ".join(words).split())[:MOST]
        return cls(terms, tags, signs, is_open=not (parts and parts[-1]["closed"]))

    def without_tags(self) -> Query:
        """The same query if no chat has these tags: they are words of a text, such as "#include"."""
        return replace(self, terms=(*self.terms, *(f"#{tag}" for tag in self.tags)), tags=())

    def respelled(self, words: Mapping[str, str]) -> Query:
        """The query with some of its terms in another spelling."""
        return replace(self, terms=tuple(words.get(term, term) for term in self.terms))


def _is_tag(text: str, part: re.Match[str]) -> bool:
    return not part["phrase"] and text.startswith("#") and any(map(str.isalnum, text))


class Words:
    """The hits of a query in a text. If the text has none of its words, the places inside words are the hits."""

    def __init__(self, query: Query) -> None:
        signs = "|".join(map(re.escape, map(folded, query.signs)))
        self._folded = tuple(map(_plain, query.terms))
        self._words = re.compile(_pattern(query) or signs or _NOWHERE)
        self._inside = re.compile("|".join(map(re.escape, self._folded)) or _NOWHERE)

    def are_inside(self, text: str) -> bool:
        """Whether every term of the query is somewhere in `text`, also inside a word."""
        line = _plain(_line(text))
        return all(term in line for term in self._folded)

    def snippet(self, text: str) -> tuple[str, Marks]:
        """One line of `text` around its best hit (without a hit: its start), and the hits in that line. A large
        picture hides no hit behind it.
        """
        text = shortened(text[:_READ])
        line = _line(text[:_LOOKED_AT])
        plain = folded(line)
        hit = self._words if self._words.search(plain) else self._inside
        start = _best(line, plain, hit)
        shown = line[start : start + _LENGTH].rstrip()
        before, after = "…" if start else "", "…" if start + _LENGTH < len(line) or len(text) > _LOOKED_AT else ""
        marks = tuple((one.start() + len(before), one.end() + len(before)) for one in hit.finditer(folded(shown)))
        return before + shown + after, marks


def _plain(text: str) -> str:
    return folded(POINTS.sub("", text))


def _best(line: str, plain: str, hit: re.Pattern[str]) -> int:
    """The start of the snippet: before the first hit that is followed by most different words."""
    hits = [(one.start(), one.group()) for one, _ in zip(hit.finditer(plain), range(_HITS), strict=False)]
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


def _pattern(query: Query) -> str:
    """A pattern of whole words and phrases; the last word of an open query is a prefix."""
    either = [word for term in query.terms for word in _words(term)]
    if not either:
        return ""
    if query.is_open:
        either[-1] += r"[^\W_]*"
    return rf"(?<![^\W_])(?:{'|'.join(either)})(?![^\W_])"


def _words(term: str) -> list[str]:
    """A phrase is one hit. The words of any other term ("it's") are hits of their own. Vowels of Hindi and Thai are
    marks, and part of a word.
    """
    found = ["".join(part) for is_word, part in groupby(folded(term), _is_part_of_word) if is_word]
    either = list(map(re.escape, found))
    return [r"[\W_]+".join(either)] if " " in term and either else either


def _is_part_of_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")
