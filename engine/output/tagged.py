"""The grammar of tagged replies: channels between tags, as most models write them.

The tags are those that mlx-lm knows for a tokenizer. The transitions are those of mlx-lm's server with three
exceptions, so that a reply that quotes tags loses as little as possible:
- After an answer has begun, a tag that would open the reasoning is text.
- A call inside the reasoning returns to the reasoning.
- If such a call never ends, the end of the reasoning ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.output.markers import ParserState
from engine.output.tool_calls import is_json, read_calls

if TYPE_CHECKING:
    from engine.output.markers import ParserMode, Symbols
    from engine.protocol.messages import ToolCall

_KINDS: dict[str, ParserMode] = {"normal": "answer", "reasoning": "reasoning", "tool": "tool"}
"""mlx-lm's states. Any other state belongs to a response format and is not shown."""


class Tagged:
    """The grammar of one tokenizer, mlx-lm's wrapper."""

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

    def begin(self, *, reasoning: bool) -> ParserState:
        """A response format defines its own first state."""
        return _state(self._begin or ("reasoning" if reasoning and self.thinks else "normal"))

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

    def calls(self, state: ParserState, body: str, tools: Any) -> tuple[ToolCall, ...]:  # noqa: ARG002 - one parser for all
        """The calls that mlx-lm's parser for this tokenizer finds."""
        return read_calls(self._parse, body, tools)

    def unended_calls(self, state: ParserState, body: str, tools: Any) -> tuple[ToolCall, ...]:
        """Calls, if they have no end tag or the body is JSON: most parsers accept half a call as a whole one."""
        return () if self.call_ends and not is_json(body) else self.calls(state, body, tools)

    def opens_reasoning(self, tail: str) -> bool:
        """A start tag without its end."""
        return self._think is not None and tail.rfind(self._think[0]) > tail.rfind(self._think[1])

    def _reasoning_ends(self) -> list[str]:
        return [mark for mark, target in self._transitions.get("reasoning", {}).items() if target == "normal"]


def _state(name: str) -> ParserState:
    kind = _KINDS.get(name, "header")
    return ParserState(kind, name, apart=kind == "reasoning")


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
