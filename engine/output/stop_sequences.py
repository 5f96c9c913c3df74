"""Stop sequences: where a text that still grows has to end. Owns the search that holds back no more than it must.

Pure. Which text is searched, and what follows from an end, is the caller's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Match(NamedTuple):
    """`start`: everything before it is free of what is sought, whatever follows. `what` stands there, or is empty: then
    the text from `start` on may still become one, or is empty too.
    """

    start: int
    what: str


def search(text: str, sought: Iterable[str]) -> Match:
    """The first of the strings `sought` in `text`, which may go on: that with the earliest start, then the shortest."""
    wanted = tuple(sought)
    opening = len(text) - max((_overlap(text, string) for string in wanted), default=0)
    start, _, what = first(text, wanted)
    return Match(start, what) if start <= opening else Match(opening, "")


def first(text: str, sought: Iterable[str]) -> tuple[int, int, str]:
    """Start, length and words of the first of `sought` in a `text` that is complete; its end where there is none."""
    hits = ((at, len(string), string) for string in sought if (at := text.find(string)) >= 0)
    return min(hits, default=(len(text), 0, ""))


def _overlap(text: str, string: str) -> int:
    """The length of the longest end of `text` that `string` begins with and goes beyond."""
    longest = min(len(text), len(string) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(string[:n])), 0)


class StopSequences:
    """A text up to the first of its stop sequences."""

    def __init__(self, stop: Iterable[str]) -> None:
        self.stopped = False
        self._stop = tuple(string for string in stop if string)
        self._held = ""

    def add(self, text: str) -> str:
        """What can be shown now that `text` has come."""
        if self.stopped:
            return ""
        held = self._held + text
        found = search(held, self._stop)
        self._held = held[found.start :]
        self.stopped = bool(found.what)
        return held[: found.start]

    def finish(self) -> str:
        """What was held back and can be shown, now that nothing follows."""
        if self.stopped:
            return ""
        start, _, what = first(self._held, self._stop)
        self.stopped = bool(what)
        return self._held[:start]
