"""Marks: what divides a reply into channels. Owns the words that grammars and `engine.output.parser` share.

A mark is text, but where it consists of tokens that the vocabulary adds for such purposes, only those tokens count: a
reply that spells one letter by letter quotes it. So that marks stay plain strings, each such token travels as one lone
surrogate, a character that no decoded text can contain.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from engine.protocol.messages import ToolCall

_FIRST = 0xDC00

TextChannel = Literal["answer", "reasoning"]
"""The channels that are told as they come."""

ParserMode = Literal["answer", "reasoning", "tool", "header"]


class ParserState(NamedTuple):
    """Where a reply is: in one of its channels, or in a header that will tell.

    `name` is the grammar's own; `origin` is where the text of a call belongs that turns out to be none. `apart`: what
    is said from here on is set off from what its channel said before.
    """

    kind: ParserMode
    name: str = ""
    origin: TextChannel = "answer"
    apart: bool = False


class Grammar(Protocol):
    """How the replies of one model are divided. All texts are in symbols but for those of calls and prompts."""

    @property
    def thinks(self) -> bool:
        """Whether it has a reasoning channel."""

    @property
    def call_ends(self) -> Collection[str]:
        """The marks that are part of the call that they end."""

    def begin(self, *, reasoning: bool) -> ParserState:
        """The state of a reply's first token; `reasoning` tells that the prompt has opened the reasoning."""

    def marks(self, state: ParserState, *, begun: bool) -> tuple[str, ...]:
        """The marks that count in `state`; `begun` tells that an answer has begun that only a call can interrupt."""

    def after(self, state: ParserState, mark: str, body: str) -> ParserState:
        """The state after `mark`, which follows `body` in `state`."""

    def may_be_header(self, state: ParserState, body: str) -> bool:
        """Whether `body` may still become a header."""

    def calls(self, state: ParserState, body: str, tools: Any) -> tuple[ToolCall, ...]:
        """The calls in `body`, none where it cannot be read. `tools` are the schemas that were offered."""

    def unended_calls(self, state: ParserState, body: str, tools: Any) -> tuple[ToolCall, ...]:
        """The calls in a `body` that nothing ended; none where it may be half of a call."""

    def opened(self, tail: str) -> bool:
        """Whether a prompt that ends with `tail` has opened the reasoning."""


class Symbols:
    """The tokens that stand for themselves. `added` maps the texts of the vocabulary's added tokens to their ids."""

    def __init__(self, added: Mapping[str, int]) -> None:
        self._added = added
        self._tokens: dict[int, tuple[str, str]] = {}
        self._texts: dict[int, str] = {}

    def spell(self, mark: str) -> str:
        """`mark` in symbols: its added tokens count as such from now on."""
        inside = sorted((text for text in self._added if text and text in mark), key=len, reverse=True)
        return re.sub("|".join(map(re.escape, inside)), self._symbol, mark) if inside else mark

    def heard(self, token: int, segment: str) -> str:
        """`segment`, the text that came with `token`, in symbols."""
        if token not in self._tokens:
            return segment
        text, symbol = self._tokens[token]
        return segment.removesuffix(text) + symbol

    def text(self, symbols: str) -> str:
        """What was spelled, as the text it stands for."""
        return symbols.translate(self._texts)

    def unmarked(self, symbols: str) -> str:
        """What was spelled if none of it is a mark's; else nothing."""
        return "" if any(ord(letter) in self._texts for letter in symbols) else symbols

    def _symbol(self, found: re.Match[str]) -> str:
        text = found.group()
        _, symbol = self._tokens.setdefault(self._added[text], (text, chr(_FIRST + len(self._tokens))))
        self._texts[ord(symbol)] = text
        return symbol
