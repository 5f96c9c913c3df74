"""Stop sequences: finds where a growing text must end, and holds back no more than necessary. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Match(NamedTuple):
    """The text before `start` contains no searched string, whatever follows.

    `text` is the string found at `start`. If it is empty, the text from `start` on may still become a match.
    """

    start: int
    text: str


def search(text: str, sought: Iterable[str]) -> Match:
    """The first of the strings `sought` in a growing `text`: the one with the earliest start, then the shortest."""
    wanted = tuple(sought)
    if not wanted:
        return Match(len(text), "")
    opening = len(text) - max(_overlap(text, string) for string in wanted)
    start, _, text = first(text, wanted)
    return Match(start, text) if start <= opening else Match(opening, "")


def first(text: str, sought: Iterable[str]) -> tuple[int, int, str]:
    """Start, length and text of the first of `sought` in a complete `text`; the end of `text` if there is no match."""
    hits = ((at, len(string), string) for string in sought if (at := text.find(string)) >= 0)
    return min(hits, default=(len(text), 0, ""))


def _overlap(text: str, string: str) -> int:
    """The length of the longest end of `text` that is a proper prefix of `string`."""
    longest = min(len(text), len(string) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(string[:n])), 0)


class StopSequences:
    """Ends a text at the first of its stop sequences."""

    def __init__(self, stop: Iterable[str]) -> None:
        self.stopped = False
        self._stop = tuple(string for string in stop if string)
        self._held = ""

    def add(self, text: str) -> str:
        """What can be shown after `text` was added."""
        if self.stopped:
            return ""
        held = self._held + text
        found = search(held, self._stop)
        self._held = held[found.start :]
        self.stopped = bool(found.text)
        return held[: found.start]

    def finish(self) -> str:
        """The text held back that can be shown, now that nothing follows."""
        if self.stopped:
            return ""
        start, _, text = first(self._held, self._stop)
        self.stopped = bool(text)
        return self._held[:start]
