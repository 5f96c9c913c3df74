"""Fuzzy matching: ranks short texts by how well a query fits them. Pure.

- The letters of each word of the query must be in the text in their order; words may be in any order.
- Letters at the starts of words and letters that follow each other count more; a text with fewer gaps is better, and
  a whole word is better than the beginning of a longer one.
- A text that is the query itself is better than all others.
- Dots at the end of a word do not matter if nothing has them: a menu's "…" has no key, so people type three dots.
- A text may have synonyms. A word of the query that begins one fits, but less well than a word of the text itself.
- Texts of equal rank keep their order, so that recent ones stay first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from resources.language.folding import folded

_LETTER: Final = 1
_FOLLOWING: Final = 4
_WORD_START: Final = 6
_TEXT_START: Final = 3
_GAP: Final = -1
_SYNONYM: Final = 5
_WHOLE_WORD: Final = 4
"""More than for the start of a text."""
_WHOLE: Final = 1000
"""More than any other fit of a query that a person types."""
_DOTS: Final = ".…"
_SCATTERED: Final = 300
"""Texts without the query in one piece that are compared. They matter only if few others fit."""

Marks = tuple[tuple[int, int], ...]


class Fit(NamedTuple):
    """How well a query fits a text. `marks` are the matching parts as (start, end), in order."""

    score: int
    marks: Marks


class Ranked(NamedTuple):
    """A text, by its place in the list, and how it fits."""

    place: int
    fit: Fit


def fit(query: str, text: str) -> Fit | None:
    """How well `query` fits `text`; None if it does not."""
    words, line = folded(query).split(), folded(text)
    return _fit(words, line) or _fit(_without_dots(words), line)


class Catalogue:
    """A list of texts that is searched again for each key. `synonyms` are those of each text; most have none."""

    def __init__(self, texts: Iterable[str], synonyms: Iterable[str] = ()) -> None:
        self._lines = [folded(text) for text in texts]
        self._synonyms = {place: folded(words) for place, words in enumerate(synonyms) if words}

    def rank(self, query: str, most: int) -> list[Ranked]:
        """The best `most` texts for a query, the best first. A blank query takes the first ones."""
        words = folded(query).split()
        if not words:
            return [Ranked(place, Fit(0, ())) for place in range(min(most, len(self._lines)))]
        return self._ranked(words, most) or self._ranked(_without_dots(words), most)

    def _ranked(self, words: Sequence[str], most: int) -> list[Ranked]:
        places = self._with_pieces(words)
        if len(places) < most:
            places = [*places, *self._scattered(words)]
        places = sorted({*places, *self._synonyms})
        fits = ((place, _fit(words, self._lines[place], self._synonyms.get(place, ""))) for place in places)
        found = [Ranked(place, one) for place, one in fits if one is not None]
        return sorted(found, key=lambda ranked: -ranked.fit.score)[:most]

    def _with_pieces(self, words: Sequence[str]) -> list[int]:
        """The texts that have each word in one piece. Of too many the exact ones, and those where a word begins so."""
        places = [place for place, line in enumerate(self._lines) if words[0] in line]
        for word in words[1:]:
            places = [place for place in places if word in self._lines[place]]
        if len(places) > _SCATTERED:
            begins = re.compile(r"(?<![^\W_])" + re.escape(words[0]))
            starting = [place for place in places if begins.search(self._lines[place])]
            exact = " ".join(words)
            places = sorted(starting or places, key=lambda at: self._lines[at].rstrip(_DOTS) != exact)[:_SCATTERED]
        return places

    def _scattered(self, words: Sequence[str]) -> list[int]:
        """The texts that have the letters of each word in their order. A pattern gives back no letter that it has
        passed: of a text with very many of them, that would take years.
        """
        patterns = [re.compile("".join(f"[^{sign}]*+{sign}" for sign in map(re.escape, word))) for word in words]
        found: list[int] = []
        for place, line in enumerate(self._lines):
            if all(pattern.match(line) for pattern in patterns):
                found.append(place)
                if len(found) == _SCATTERED:
                    break
        return found


def _without_dots(words: Sequence[str]) -> list[str]:
    return [word.rstrip(_DOTS) or word for word in words]


def _fit(words: Sequence[str], line: str, synonyms: str = "") -> Fit | None:
    score, places = _WHOLE if " ".join(words) == line.rstrip(_DOTS) else 0, set[int]()
    for word in words:
        also = ((_SYNONYM * len(word), ()),) if f" {word}" in f" {synonyms}" else ()
        best = max((*also, *(_scored(line, chosen) for chosen in _choices(word, line))), default=None)
        if best is None:
            return None
        score += best[0]
        places.update(best[1])
    return Fit(score, _ranges(sorted(places)))


def _choices(word: str, line: str) -> Iterable[tuple[int, ...]]:
    """Ways to find the letters of `word`: in one piece at a word's start, in one piece, by initials, and anyhow."""
    start = re.search(r"(?<![^\W_])" + re.escape(word), line)
    at = start.start() if start is not None else line.find(word)
    if at >= 0:
        yield tuple(range(at, at + len(word)))
        return
    for prefers_starts in (True, False):
        if chosen := _walk(word, line, prefers_starts=prefers_starts):
            yield chosen


def _walk(word: str, line: str, *, prefers_starts: bool) -> tuple[int, ...]:
    """The places of the letters from left to right; () if one is missing. A letter that begins no further word is not
    looked for again: a long title and a long query would take seconds.
    """
    chosen: list[int] = []
    at, beginning = 0, set(word) if prefers_starts else set[str]()
    for letter in word:
        place = line.find(letter, at)
        if place != at and letter in beginning:
            start = _next_start(line, letter, at)
            place = start if start >= 0 else place
            beginning -= {letter} if start < 0 else set()
        if place < 0:
            return ()
        chosen.append(place)
        at = place + 1
    return tuple(chosen)


def _next_start(line: str, letter: str, at: int) -> int:
    """The next word from `at` on that begins with `letter`, -1 if there is none."""
    place = line.find(letter, at)
    while place >= 0 and not _is_start(line, place):
        place = line.find(letter, place + 1)
    return place


def _is_start(line: str, place: int) -> bool:
    return place == 0 or not line[place - 1].isalnum()


def _scored(line: str, chosen: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    score = _LETTER * len(chosen) + _WORD_START * sum(_is_start(line, place) for place in chosen)
    score += sum(_FOLLOWING if place == before + 1 else _GAP for before, place in pairwise(chosen))
    is_piece, end = chosen[-1] - chosen[0] < len(chosen), chosen[-1] + 1
    if is_piece and _is_start(line, chosen[0]) and not line[end : end + 1].isalnum():
        score += _WHOLE_WORD
    return score + (_TEXT_START if chosen[0] == 0 else 0), chosen


def _ranges(places: Sequence[int]) -> Marks:
    ranges: list[tuple[int, int]] = []
    for place in places:
        if ranges and ranges[-1][1] == place:
            ranges[-1] = ranges[-1][0], place + 1
        else:
            ranges.append((place, place + 1))
    return tuple(ranges)
