"""The grammar of harmony, gpt-oss's format: a reply is a sequence of messages with headers.

A header names a channel (analysis, commentary, final) and perhaps a recipient. A message to a recipient is a tool call:
the header names the function, the message is its arguments. The prompt writes the role of the first header.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from engine.output.markers import ParserState
from engine.output.tool_calls import named_call

if TYPE_CHECKING:
    from collections.abc import Collection

    from engine.output.markers import Symbols
    from engine.protocol.messages import ToolCall

_NEEDED = frozenset({"<|start|>", "<|channel|>", "<|message|>", "<|end|>"})
_REASONING = ParserState("reasoning", apart=True)
_ANSWER = ParserState("answer", apart=True)
_BEGIN = ParserState("header", "begin")
_ROLE = ParserState("header", "role")
_WORD = r"[^\s\ud800-\udfff]"


def is_harmony(added: Collection[str]) -> bool:
    """Whether a model with these added tokens writes harmony."""
    return all(text in added for text in _NEEDED)


class Harmony:
    """The grammar, in the `symbols` of the tokenizer."""

    thinks = True

    def __init__(self, symbols: Symbols) -> None:
        self._start, self._message = symbols.spell("<|start|>"), symbols.spell("<|message|>")
        self.call_ends = tuple(symbols.spell(mark) for mark in ("<|end|>", "<|call|>", "<|return|>"))
        channel, constrain = (re.escape(symbols.spell(mark)) for mark in ("<|channel|>", "<|constrain|>"))
        recipient = rf"(?:\s*t(?:o(?:={_WORD}*)?)?)?"
        rest = rf"{recipient}\s*(?:{channel}\w*{recipient}\s*(?:{constrain})?\s*{_WORD}*\s*)?"
        self._partial = {_BEGIN: re.compile(rest), _ROLE: re.compile(rf"\w*{rest}")}
        self._recipient = re.compile(rf"to=({_WORD}+)")
        self._channel = re.compile(rf"{channel}(\w+)")

    def begin(self, *, reasoning: bool) -> ParserState:
        """Inside the analysis that the prompt has opened, or at the first header."""
        return _REASONING if reasoning else _BEGIN

    def marks(self, state: ParserState, *, begun: bool) -> tuple[str, ...]:  # noqa: ARG002 - answers are messages of their own
        """The end of the header, or of the message."""
        return (self._message, self._start) if state.kind == "header" else (*self.call_ends, self._start)

    def after(self, state: ParserState, mark: str, body: str) -> ParserState:
        """After a header, its channel; after a message, the next header."""
        if mark == self._start:
            return _ROLE
        return self._named(body) if state.kind == "header" else _BEGIN

    def may_be_header(self, state: ParserState, body: str) -> bool:
        """Whether `body` so far follows the grammar of a header."""
        return self._partial[state].fullmatch(body) is not None

    def calls(self, state: ParserState, body: str, tools: Any) -> tuple[ToolCall, ...]:  # noqa: ARG002 - JSON knows its types
        """One call: the name from the header, the arguments from the message."""
        return named_call(state.name, body)

    def unended_calls(self, state: ParserState, body: str, tools: Any) -> tuple[ToolCall, ...]:
        """As `calls`: a reply may end without the mark, and half an object is not valid JSON."""
        return self.calls(state, body, tools)

    def opens_reasoning(self, tail: str) -> bool:
        """An analysis header at the very end."""
        return tail.rstrip().endswith("<|channel|>analysis<|message|>")

    def _named(self, header: str) -> ParserState:
        if recipient := self._recipient.search(header):
            return ParserState("tool", recipient.group(1).removeprefix("functions."))
        channel = self._channel.search(header)
        return _REASONING if channel and channel.group(1) == "analysis" else _ANSWER
