"""The grammars of replies: which marks divide a reply into channels, and where they lead.

A marker is text. If it consists of special tokens that the vocabulary adds, only those tokens count: a reply that
spells the same text letter by letter quotes it. So that markers remain plain strings, each such token is represented by
one lone surrogate (a symbol), a character that no decoded text contains.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, NamedTuple

from engine.protocol.errors import FOREIGN
from engine.protocol.messages import ToolCall
from storage.untrusted import parse_json

Parser = Callable[[str, Any], Any]
"""A `parse_tool_call` of mlx-lm: from text and schemas to one call or a list of calls, each a dict."""

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


_KINDS: dict[str, ParserMode] = {"normal": "answer", "reasoning": "reasoning", "tool": "tool"}
"""mlx-lm's states. Any other state belongs to a response format and is not shown."""
_LONGEST_PARSED = 4096
"""Characters. Many of mlx-lm's parsers take time by the second or third power of a text that is no call."""


class Tagged:
    """The grammar of channels between tags, as most models write them. The tags are those that mlx-lm knows for its
    wrapper of a tokenizer.

    The transitions are those of mlx-lm's server with three exceptions, so that a reply that quotes tags loses as little
    as possible:
    - After an answer has begun, a tag that would open the reasoning is text.
    - A call inside the reasoning returns to the reasoning.
    - If such a call never ends, the end of the reasoning ends it.
    """

    def __init__(self, tokenizer: Any, symbols: Symbols) -> None:
        self.thinks = tokenizer.has_thinking or "reasoning" in _targets(tokenizer)
        self._think = (tokenizer.think_start, tokenizer.think_end) if tokenizer.has_thinking else None
        self._begin = tokenizer.response_initial_state
        self._parse = tokenizer.tool_parser
        self._transitions = {
            state: {symbols.spell(mark): target for mark, target in edges if mark}
            for state, edges in _transitions_of(tokenizer).items()
        }
        self.call_ends = {mark for mark, target in self._transitions.get("tool", {}).items() if target == "normal"}

    def begin(self, header: str) -> ParserState:
        """In the reasoning, if the header has a start tag without its end. A response format defines its own state."""
        opened = self._think is not None and header.rfind(self._think[0]) > header.rfind(self._think[1])
        return _state(self._begin or ("reasoning" if opened else "normal"))

    def marks(self, state: ParserState, *, begun: bool) -> tuple[str, ...]:
        """The tags that count: fewer inside an answer, one more in a call inside the reasoning."""
        transitions = self._transitions.get(state.name, {})
        if state.kind == "answer" and begun:
            return tuple(mark for mark, target in transitions.items() if target != "reasoning")
        if state.kind == "tool" and state.origin == "reasoning":
            return (*transitions, *self._reasoning_ends())
        return tuple(transitions)

    def after(self, state: ParserState, mark: str, body: str) -> ParserState:  # noqa: ARG002 - what stands between tags leads nowhere
        """The target of the tag; after a call, the channel in which it was opened."""
        if state.kind == "tool":
            ended = mark not in self.call_ends or state.origin == "answer"
            return _state("normal" if ended else "reasoning")._replace(apart=False)
        target = _state(self._transitions[state.name][mark])
        return target._replace(origin="reasoning") if target.kind == "tool" and state.kind == "reasoning" else target

    def may_be_header(self, state: ParserState, body: str) -> bool:  # noqa: ARG002 - nothing tells before its mark has come
        """A response format's headers can be anything."""
        return True

    def calls(self, state: ParserState, body: str, tools: Any, *, ended: bool) -> tuple[ToolCall, ...]:  # noqa: ARG002 - one parser for all
        """The calls that mlx-lm's parser for this tokenizer finds. A very long one has to be JSON, and so has one
        without its end tag: most parsers accept half a call as a whole one.
        """
        has_to_be_json = len(body) > _LONGEST_PARSED or (self.call_ends and not ended)
        return read_calls(_json if has_to_be_json else self._parse, body, tools)

    def _reasoning_ends(self) -> list[str]:
        return [mark for mark, target in self._transitions.get("reasoning", {}).items() if target == "normal"]


def _state(name: str) -> ParserState:
    kind = _KINDS.get(name, "header")
    return ParserState(kind, name, apart=kind == "reasoning")


def _json(body: str, _tools: Any) -> Any:
    return parse_json(body)


def _targets(tokenizer: Any) -> set[str]:
    return {target for edges in tokenizer.response_transitions.values() for _, target in edges}


def _transitions_of(tokenizer: Any) -> dict[str, list[tuple[str, str]]]:
    """From each state, the tags and their targets, as in mlx-lm's make_text_state_machine."""
    transitions: dict[str, list[tuple[str, str]]] = {"normal": [], "reasoning": [], "tool": []}
    if tokenizer.has_thinking:
        transitions["normal"].append((tokenizer.think_start, "reasoning"))
        transitions["reasoning"].append((tokenizer.think_end, "normal"))
    if tokenizer.has_tool_calling:
        start = (tokenizer.tool_call_start, "tool")
        transitions["normal"] += [] if "tool" in _targets(tokenizer) else [start]
        transitions["reasoning"] += [start] if tokenizer.has_thinking else []
        transitions["tool"].append((tokenizer.tool_call_end, "normal"))
    transitions["normal"] += [(mark, "normal") for mark in tokenizer.structural_markers]
    for state, edges in tokenizer.response_transitions.items():
        transitions.setdefault(state, []).extend(edges)
    return transitions


_NEEDED = frozenset({"<|start|>", "<|channel|>", "<|message|>", "<|end|>"})
_REASONING = ParserState("reasoning", apart=True)
_ANSWER = ParserState("answer", apart=True)
_BEGIN = ParserState("header", "begin")
_ROLE = ParserState("header", "role")
_WORD = r"[^\s\ud800-\udfff]"
_LONGEST_HEADER = 256
"""Characters. To refuse a header takes time by the third power of its length."""


def is_harmony(added: Collection[str]) -> bool:
    """Whether a model with these added tokens writes harmony."""
    return all(text in added for text in _NEEDED)


class Harmony:
    """The grammar of harmony, gpt-oss's format, in the `symbols` of the tokenizer: a reply is a sequence of messages
    with headers.

    A header names a channel (analysis, commentary, final) and perhaps a recipient. A message to a recipient is a tool
    call: the header names the function, the message is its arguments. The prompt writes the role of the first header.
    """

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

    def begin(self, header: str) -> ParserState:
        """Inside the analysis, if its header ends the prompt, or at the first header."""
        return _REASONING if header.rstrip().endswith("<|channel|>analysis<|message|>") else _BEGIN

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
        return len(body) <= _LONGEST_HEADER and self._partial[state].fullmatch(body) is not None

    def calls(self, state: ParserState, body: str, tools: Any, *, ended: bool) -> tuple[ToolCall, ...]:  # noqa: ARG002 - half an object is no JSON
        """One call: the name from the header, the arguments from the message. A reply may end without the mark: half an
        object is not valid JSON.
        """
        return read_calls(lambda text, _: {"name": state.name, "arguments": text}, body, tools)

    def _named(self, header: str) -> ParserState:
        if recipient := self._recipient.search(header):
            return ParserState("tool", recipient.group(1).removeprefix("functions."))
        channel = self._channel.search(header)
        return _REASONING if channel and channel.group(1) == "analysis" else _ANSWER


def read_calls(parse: Parser, text: str, tools: Any) -> tuple[ToolCall, ...]:
    """The calls in `text`; empty if any of it cannot be parsed."""
    try:
        read = parse(text, tools)
        return tuple(_call(made) for made in (read if isinstance(read, list) else [read]))
    except FOREIGN:
        return ()


def _call(made: Any) -> ToolCall:
    """Raises one of FOREIGN if `made` is not a call. Some models write `parameters` for the arguments."""
    name, arguments = made["name"], made.get("arguments", made.get("parameters", {}))
    if isinstance(arguments, str):
        arguments = parse_json(arguments)
    if not (isinstance(name, str) and name and isinstance(arguments, dict)):
        raise TypeError(made)
    written = json.dumps(arguments, ensure_ascii=False, allow_nan=False)
    (name + written).encode()
    return ToolCall(name, written)
