"""Spacing: the newlines between the channels of a reply. Owns which of them are text; pure."""

from __future__ import annotations


class NewlineTrimmer:
    """The text of one channel without the newlines that only set it off from the others."""

    def __init__(self) -> None:
        self._started = self._trims = self._left = False
        self._gap = ""

    def add(self, text: str) -> str:
        """What can be told: newlines wait for what they lead to."""
        whole = self._gap + (text.lstrip("\n") if self._trims else text)
        body = whole.rstrip("\n")
        self._gap = whole[len(body) :]
        if body:
            self._started, self._trims, self._left = True, False, False
        return body

    def leave(self) -> None:
        """Another channel follows: newlines before it count only if this one goes on, and none as its beginning."""
        self._left = True
        self._trims = self._trims or not self._started
        self._gap = self._gap if self._started else ""

    def set_apart(self) -> None:
        """What comes next is a paragraph of its own."""
        self._gap = "\n\n" if self._started else ""
        self._trims = self._left = True

    def finish(self) -> str:
        """The newlines that ended the text."""
        gap = "" if self._left else self._gap
        self._gap = self._gap.removesuffix(gap)
        return gap
