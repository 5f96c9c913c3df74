"""Trims the newlines between the channels of a reply. Pure."""

from __future__ import annotations


class NewlineTrimmer:
    """The text of one channel, without the newlines that only separate it from other channels."""

    def __init__(self) -> None:
        self._started = self._trim_leading = self._other_follows = False
        self._gap = ""

    def add(self, text: str) -> str:
        """The text to emit. Newlines wait for the text after them."""
        whole = self._gap + (text.lstrip("\n") if self._trim_leading else text)
        body = whole.rstrip("\n")
        self._gap = whole[len(body) :]
        if body:
            self._started, self._trim_leading, self._other_follows = True, False, False
        return body

    def leave(self) -> None:
        """Another channel follows. Newlines before it count only if this channel continues, never at its beginning."""
        self._other_follows = True
        self._trim_leading = self._trim_leading or not self._started
        self._gap = self._gap if self._started else ""

    def set_apart(self) -> None:
        """Start a new paragraph with the next text."""
        self._gap = "\n\n" if self._started else ""
        self._trim_leading = self._other_follows = True

    def finish(self) -> str:
        """The newlines at the end of the text."""
        gap = "" if self._other_follows else self._gap
        self._gap = self._gap.removesuffix(gap)
        return gap
