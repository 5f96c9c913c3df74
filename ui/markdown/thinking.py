"""Reasoning that a reply writes into its own text, between `<think>` and `</think>` at its beginning. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

Part = Literal["answer", "reasoning"]

_OPEN, _CLOSE = "<think>", "</think>"


class SplitReply(NamedTuple):
    """A reply's own reasoning and the rest of its text."""

    reasoning: str
    answer: str


def split(text: str) -> SplitReply:
    """Split a whole text."""
    splitter = Splitter()
    parts = [*splitter.feed(text), *splitter.rest()]
    return SplitReply(*("".join(piece for part, piece in parts if part == which) for which in ("reasoning", "answer")))


class Splitter:
    """Splits a text that arrives in deltas. The parts do not depend on how the text was cut."""

    def __init__(self) -> None:
        self._part: Part | None = None
        self._held = ""

    def feed(self, text: str) -> Iterator[tuple[Part, str]]:
        """The parts that are decided now."""
        self._held += text
        if self._part is None:
            start = self._held.lstrip()
            if start.startswith(_OPEN):
                self._part, self._held = "reasoning", start.removeprefix(_OPEN)
            elif not _OPEN.startswith(start):
                self._part = "answer"
        if self._part == "reasoning":
            yield from self._reason()
        if self._part == "answer" and self._held:
            yield "answer", self._held
            self._held = ""

    def rest(self) -> Iterator[tuple[Part, str]]:
        """The text that was held back, at the end of the whole text."""
        if self._held:
            yield self._part or "answer", self._held
            self._held = ""

    def _reason(self) -> Iterator[tuple[Part, str]]:
        inside, close, after = self._held.partition(_CLOSE)
        if close:
            self._part, self._held = "answer", after
        else:
            held = next((size for size in range(len(_CLOSE) - 1, 0, -1) if inside.endswith(_CLOSE[:size])), 0)
            inside, self._held = inside[: len(inside) - held], inside[len(inside) - held :]
        if inside:
            yield "reasoning", inside
