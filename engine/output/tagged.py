"""Tagged replies: channels between tags, as most models write them. Owns their grammar; the tags are those that mlx-lm
knows for a tokenizer, and what leads where is as in its server but for three things.

A reply that quotes tags should lose no more than it must: once an answer has begun, a tag that would open the reasoning
is text; a call inside the reasoning returns to it; and where such a call never ends, the end of the reasoning ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.output.markers import ParserState
from engine.output.tool_calls import is_json, read_calls

if TYPE_CHECKING:
    from engine.output.markers import ParserMode, Symbols
    from engine.protocol.messages import ToolCall

_KINDS: dict[str, ParserMode] = {"normal": "answer", "reasoning": "reasoning", "tool": "tool"}
"""mlx-lm's states; any other is one of a response format's own, and shown nowhere."""


class Tagged:
    """The grammar of one tokenizer, mlx-lm's wrapper."""

    def __init__(self, tokenizer: Any, symbols: Symbols) -> None:
        self.thinks = tokenizer.has_thinking or "reasoning" in _targets(tokenizer)
        self._think = (tokenizer.think_start, tokenizer.think_end) if tokenizer.has_thinking else None
        self._begin = tokenizer.response_initial_state
        self._parse = tokenizer.tool_parser
        self._ways = {
            state: {symbols.spell(mark): target for mark, target in edges if mark}
            for state, edges in _transitions(tokenizer).items()
        }
        self.call_ends = {mark for mark, target in self._ways.get("tool", {}).items() if target == "normal"}

    def begin(self, *, reasoning: bool) -> ParserState:
        """A response format says itself how it begins."""
        return _state(self._begin or ("reasoning" if reasoning and self.thinks else "normal"))

    def marks(self, state: ParserState, *, begun: bool) -> tuple[str, ...]:
        """The tags that count: fewer inside an answer, one more inside a call that stands in the reasoning."""
        ways = self._ways.get(state.name, {})
        if state.kind == "answer" and begun:
            return tuple(mark for mark, target in ways.items() if target != "reasoning")
        if state.kind == "tool" and state.origin == "reasoning":
            return (*ways, *self._reasoning_ends())
        return tuple(ways)

    def after(self, state: ParserState, mark: str, body: str) -> ParserState:  # noqa: ARG002 - what stands between tags leads nowhere
        """Where the tag leads, and from a call back to where it was opened."""
        if state.kind == "tool":
            ended = mark not in self.call_ends or state.origin == "answer"
            return _state("normal" if ended else "reasoning")._replace(apart=False)
        target = _state(self._ways[state.name][mark])
        return target._replace(origin="reasoning") if target.kind == "tool" and state.kind == "reasoning" else target

    def may_be_header(self, state: ParserState, body: str) -> bool:  # noqa: ARG002 - nothing tells before its mark has come
        """A response format's headers can be anything."""
        return True

    def calls(self, state: ParserState, body: str, tools: Any) -> tuple[ToolCall, ...]:  # noqa: ARG002 - one parser for all
        """The calls as mlx-lm's parser for this tokenizer reads them."""
        return read_calls(self._parse, body, tools)

    def unended_calls(self, state: ParserState, body: str, tools: Any) -> tuple[ToolCall, ...]:
        """Where calls have no end tag, or the body is JSON: most parsers take half a call for a whole one."""
        return () if self.call_ends and not is_json(body) else self.calls(state, body, tools)

    def opened(self, tail: str) -> bool:
        """A start tag without its end."""
        return self._think is not None and tail.rfind(self._think[0]) > tail.rfind(self._think[1])

    def _reasoning_ends(self) -> list[str]:
        return [mark for mark, target in self._ways.get("reasoning", {}).items() if target == "normal"]


def _state(name: str) -> ParserState:
    kind = _KINDS.get(name, "header")
    return ParserState(kind, name, apart=kind == "reasoning")


def _targets(tokenizer: Any) -> set[str]:
    return {target for edges in tokenizer.response_transitions.values() for _, target in edges}


def _transitions(tokenizer: Any) -> dict[str, list[tuple[str, str]]]:
    """From each state, the tags and where they lead: those of mlx-lm's make_text_state_machine."""
    ways: dict[str, list[tuple[str, str]]] = {"normal": [], "reasoning": [], "tool": []}
    if tokenizer.has_thinking:
        ways["normal"].append((tokenizer.think_start, "reasoning"))
        ways["reasoning"].append((tokenizer.think_end, "normal"))
    if tokenizer.has_tool_calling:
        start = (tokenizer.tool_call_start, "tool")
        ways["normal"] += [] if "tool" in _targets(tokenizer) else [start]
        ways["reasoning"] += [start] if tokenizer.has_thinking else []
        ways["tool"].append((tokenizer.tool_call_end, "normal"))
    ways["normal"] += [(mark, "normal") for mark in tokenizer.structural_markers]
    for state, edges in tokenizer.response_transitions.items():
        ways.setdefault(state, []).extend(edges)
    return ways
