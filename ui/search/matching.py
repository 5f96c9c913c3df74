"""Finds words in a text as people mean them: without regard to case, accents or the kind of white space. No Qt."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from resources.language.folding import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOWHERE: Final = "(?!)"
_SIGNS: Final = re.compile(r"[\W_]+")


class Matcher:
    """Finds each of `terms`. Of terms that begin at the same place, the longest wins. Blank terms match nothing."""

    def __init__(self, terms: tuple[str, ...]) -> None:
        self.terms = tuple(filter(None, (" ".join(term.split()) for term in terms)))
        wanted = sorted(set(map(folded, self.terms)), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_pattern, wanted)) or _NOWHERE)
        self._letters = tuple(_SIGNS.sub("", term) for term in wanted)

    def ranges(self, text: str) -> Iterator[tuple[int, int]]:
        """The hits in `text` as (start, end) in characters, in order. They do not overlap."""
        return (hit.span() for hit in self._pattern.finditer(folded(text)))

    def count(self, text: str) -> int:
        """The number of hits in `text`."""
        return sum(1 for _ in self.ranges(text))

    def may_occur(self, source: str) -> bool:
        """Whether the text that the Markdown `source` shows may have a hit. Markup can split a word, but adds no
        letters to it.
        """
        letters = _SIGNS.sub("", folded(source))
        return any(term in letters for term in self._letters)


def _pattern(term: str) -> str:
    return r"\s+".join(map(re.escape, term.split(" ")))
