"""Markers: what divides a reply into channels. Types shared by the grammars and `engine.output.parser`.

A marker is text. If it consists of special tokens that the vocabulary adds, only those tokens count: a reply that
spells the same text letter by letter quotes it. So that markers remain plain strings, each such token is represented by
one lone surrogate (a symbol), a character that no decoded text contains.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_FIRST = 0xDC00

TextChannel = Literal["answer", "reasoning"]
"""The channels that are emitted as they come."""

ParserMode = Literal["answer", "reasoning", "tool", "header"]


class ParserState(NamedTuple):
    """The place in a reply: in one of its channels, or in a header that will name one.

    `name` belongs to the grammar. `origin` is the channel that gets the text of a call that turns out not to be one. If
    `apart`, the text from here on starts a new paragraph of its channel.
    """

    kind: ParserMode
    name: str = ""
    origin: TextChannel = "answer"
    apart: bool = False


class Symbols:
    """The special tokens that count as markers. `added` maps the texts of a vocabulary's added tokens to ids."""

    def __init__(self, added: Mapping[str, int]) -> None:
        self._added = added
        self._tokens: dict[int, tuple[str, str]] = {}
        self._texts: dict[int, str] = {}

    def spell(self, mark: str) -> str:
        """`mark` in symbols. Its added tokens count as symbols from now on."""
        inside = sorted((text for text in self._added if text and text in mark), key=len, reverse=True)
        return re.sub("|".join(map(re.escape, inside)), self._symbol, mark) if inside else mark

    def in_symbols(self, token: int, segment: str) -> str:
        """`segment`, the text that came with `token`, in symbols."""
        if token not in self._tokens:
            return segment
        text, symbol = self._tokens[token]
        return segment.removesuffix(text) + symbol

    def text(self, symbols: str) -> str:
        """The plain text for `symbols`."""
        return symbols.translate(self._texts)

    def unmarked(self, symbols: str) -> str:
        """`symbols` if it holds no symbol; else an empty string."""
        return "" if any(ord(letter) in self._texts for letter in symbols) else symbols

    def _symbol(self, found: re.Match[str]) -> str:
        text = found.group()
        _, symbol = self._tokens.setdefault(self._added[text], (text, chr(_FIRST + len(self._tokens))))
        self._texts[ord(symbol)] = text
        return symbol
