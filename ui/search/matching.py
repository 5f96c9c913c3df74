"""Finds words in a text as people mean them: without regard to case, accents or the kind of white space. No Qt.

It also counts the hits in messages that are not on the page, and knows which hit of a conversation the user looks at.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Final, NamedTuple

from resources.language.folding import POINTS, composed, folded
from ui.markdown.grammar import clean
from ui.markdown.lines import Line, LineKind, lines
from ui.markdown.spans import text_of
from ui.state.chat import LONGEST_QUESTION, LONGEST_REASONING, MessageView

_NOWHERE: Final = "(?!)"
_SIGNS: Final = re.compile(r"[\W_]+")
_NUMBER: Final = re.compile(r"^\d{1,2}(?!\d)")
"""May be that of a list's item, which may have another one in the source."""
_MARKUP: Final = re.compile(
    r"(?i)(?P<code>`[^`\n]+`)|(?P<entity>&#?\w+;)|\]\((?:[^()\s]|\([^()\s]*+\))*+(?:\s++\"[^\"]*+\")?\)"
    r"|\]\[[^\][]*+\](?!\()|</?(?:br|sub|sup|kbd)[ \t]*+/?>"
)
"""What comes between the letters that the page shows: addresses and tags. Code has none."""
_CODE: Final = re.compile(
    r"(?ms)^ {0,3}```\S*+[^\n`]*+\n(?P<rows>.*?)(?P<end>\n {0,3}```[ \t]*$|\Z)|(?<!`)`(?P<words>[^`\n]+)`(?!`)",
)
"""Code in a question. The page does not show the marks around it: a sign without a width stands for a fence."""


class Matcher:
    """Finds each of `terms`. Of terms that begin at the same place, the longest wins. Blank terms match nothing."""

    def __init__(self, terms: tuple[str, ...]) -> None:
        self.terms = tuple(filter(None, (" ".join(term.split()) for term in terms)))
        wanted = sorted(filter(None, set(map(_folded, self.terms))), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_pattern, wanted)) or _NOWHERE)
        self._letters = tuple(_SIGNS.sub("", _NUMBER.sub("", term)) for term in wanted)

    def ranges(self, text: str) -> Iterator[tuple[int, int]]:
        """The hits in `text` as (start, end) in characters, in order. They do not overlap."""
        if unicodedata.is_normalized("NFC", text) and not POINTS.search(text):
            return (hit.span() for hit in self._pattern.finditer(folded(text)))
        letters, bounds = composed(text)
        hits = self._pattern.finditer(folded(letters))
        return ((bounds[hit.start()][0], bounds[hit.end() - 1][1]) for hit in hits)

    def count(self, text: str) -> int:
        """The number of hits in `text`."""
        return sum(1 for _ in self.ranges(text))

    def may_occur(self, source: str) -> bool:
        """Whether the Markdown `source` may show a hit: in its letters with addresses and entities, or without."""
        shown = _MARKUP.sub(lambda found: found["code"] or unescape(found["entity"] or ""), source)
        letters = [_SIGNS.sub("", _folded(text)) for text in {source, shown}]
        is_open = "![" in source or "](" in shown  # words beside an image, or an address that is none
        return is_open or any(term in text for term in self._letters for text in letters)


def _folded(text: str) -> str:
    return folded(POINTS.sub("", unicodedata.normalize("NFC", text)))


def _pattern(term: str) -> str:
    return r"\s+".join(map(re.escape, term.split(" ")))


class Place(NamedTuple):
    """One hit: the number `number`, from 0, in the message `message`."""

    message: str
    number: int


class Hits(NamedTuple):
    """The messages that have hits, in the order of the conversation, each with their number."""

    counts: tuple[tuple[str, int], ...] = ()

    @property
    def total(self) -> int:
        """The number of all hits."""
        return sum(count for _, count in self.counts)

    def position(self, place: Place) -> int:
        """The number of a hit among all hits, from 1. 0 if its message has no hits any more."""
        before = 0
        for message, count in self.counts:
            if message == place.message:
                return before + min(place.number, count - 1) + 1
            before += count
        return 0

    def at(self, position: int) -> Place | None:
        """The hit at a position, counted from 1. Positions go around: 0 is the last hit. None without hits."""
        if not self.total:
            return None
        number = (position - 1) % self.total
        for message, count in self.counts:
            if number < count:
                return Place(message, number)
            number -= count
        raise AssertionError("the position is below the total")


def count(view: MessageView, matcher: Matcher) -> int:
    """The hits in what the page can show of a message: in the text of a question; in reasoning, answer and tool
    arguments of a reply.
    """
    if view.role == "user":
        return matcher.count(_CODE.sub(_without_marks, clean(view.text[:LONGEST_QUESTION])))
    called = sum(matcher.count(row) for tool in view.tools for row in tool.shown.splitlines())
    return in_reasoning(view, matcher) + _in_markdown(view.text, matcher) + called


def _without_marks(found: re.Match[str]) -> str:
    return found["words"] or (f"\u200b{found['rows']}\u200b" if found["end"] else found[0])


def in_reasoning(view: MessageView, matcher: Matcher) -> int:
    """The hits in the reasoning of a reply, folded or not."""
    return _in_markdown(view.reasoning[:LONGEST_REASONING], matcher)


def _in_markdown(source: str, matcher: Matcher) -> int:
    return sum(map(matcher.count, _texts(lines(source)))) if matcher.may_occur(source) else 0


def _texts(shown: Iterable[Line]) -> Iterator[str]:
    for line in shown:
        if line.kind is LineKind.TABLE:
            yield from (text_of(cell) for row in line.rows for cell in row)
        elif line.kind is not LineKind.CODE_HEAD:
            yield f"{line.marker}\t{line.text}" if line.marker else line.text
