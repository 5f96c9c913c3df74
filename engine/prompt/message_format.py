"""The dialect of a chat template: in which shape it wants messages. Owns the translation from ours to that; rendering
is the template's.

Published templates differ in where they read reasoning, in the form of a call's arguments, and in whether they know the
role of the system. What one wants is found by trying, not by its name.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from engine.protocol.errors import PromptRefused
from storage.foreign import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.protocol.messages import ChatMessage, ToolCall

TemplateMessages = list[dict[str, Any]]
"""Messages as templates take them."""

_SYSTEM, _ASKED, _THOUGHT, _ANSWERED = "Rulestone.", "Askstone?", "Thoughtstone.", "Answerstone."
_ARGUMENTS = '{"argstone":"ü"}'
_TOOL = {"type": "function", "function": {"name": "toolstone", "description": "A tool.", "parameters": {}}}


@dataclass(frozen=True, slots=True)
class MessageFormat:
    """`system`: a role of its own, or folded into the first user message. `reasoning`: in a field of its own, inline
    before the content, or nowhere. `arguments`: as the model wrote them, or parsed. `terse`: a call takes no reasoning
    beside content. `marks`: what encloses inline reasoning.
    """

    system: Literal["own", "folded"] = "own"
    reasoning: Literal["field", "inline", "none"] = "field"
    arguments: Literal["text", "object"] = "object"
    terse: bool = False
    marks: tuple[str, str] = ("<think>", "</think>")

    def put(self, messages: Sequence[ChatMessage]) -> TemplateMessages:
        """The messages in this dialect. Raises PromptRefused where a system prompt has no message to go into."""
        open_calls: list[dict[str, Any]] = []
        said: TemplateMessages = []
        for message in messages:
            entry: dict[str, Any] = {"role": message.role, "content": message.content}
            if message.role == "tool" and open_calls:
                call = open_calls.pop(0)
                entry |= {"name": call["function"]["name"], "tool_call_id": call["id"]}
            if message.role == "assistant":
                self._think(entry, message)
                if message.tool_calls:
                    first = sum(len(s.get("tool_calls", ())) for s in said)
                    entry["tool_calls"] = [self._call(c, first + i) for i, c in enumerate(message.tool_calls)]
                    open_calls = list(entry["tool_calls"])
            said.append(entry)
        return _folded(said) if self.system == "folded" else said

    def _think(self, entry: dict[str, Any], message: ChatMessage) -> None:
        if not message.reasoning or (self.terse and message.tool_calls and message.content):
            return
        if self.reasoning == "field":
            entry["reasoning_content"] = message.reasoning
        elif self.reasoning == "inline":
            opening, closing = self.marks
            entry["content"] = f"{opening}\n{message.reasoning}\n{closing}\n\n{message.content}"

    def _call(self, call: ToolCall, number: int) -> dict[str, Any]:
        arguments = call.arguments if self.arguments == "text" else _parsed(call.arguments)
        # nine letters and digits: some templates refuse any other id
        return {
            "id": f"call{number:05d}",
            "type": "function",
            "function": {"name": call.name, "arguments": arguments},
        }


def _parsed(arguments: str) -> dict[str, Any]:
    """The arguments as an object, in the order in which they were written; broken ones stay readable."""
    try:
        value = parse_json(arguments) if arguments.strip() else {}
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"arguments": arguments}


def _folded(said: TemplateMessages) -> TemplateMessages:
    if not said or said[0]["role"] != "system":
        return said
    system, rest = said[0]["content"], said[1:]
    first = next((i for i, entry in enumerate(rest) if entry["role"] == "user"), None)
    if first is None:
        raise PromptRefused("This model's chat template takes a system prompt only with a message of the user.")
    user = rest[first]
    return [*rest[:first], {**user, "content": f"{system}\n\n{user['content']}"}, *rest[first + 1 :]]


def tool_schemas(tools: str) -> list[dict[str, Any]] | None:
    """The schemas in the JSON array `tools`, each wrapped as a function; None where there are none.

    Raises PromptRefused where it is no such array.
    """
    if not tools.strip():
        return None
    try:
        schemas = parse_json(tools)
    except ValueError as error:
        raise PromptRefused("The tools are not valid JSON.") from error
    if not isinstance(schemas, list) or not all(isinstance(schema, dict) for schema in schemas):
        raise PromptRefused("The tools must be a JSON array of function schemas.")
    return [s if "function" in s else {"type": "function", "function": s} for s in schemas] or None


def probe_format(
    apply: Callable[[TemplateMessages, list[dict[str, Any]] | None], str], source: str, marks: tuple[str, str]
) -> MessageFormat:
    """The dialect of the template behind `apply` (messages, tools), whose text is `source`."""

    def shows(what: str, *said: dict[str, Any]) -> bool:
        try:
            return what in apply([{"role": "user", "content": _ASKED}, *said], [_TOOL])
        except PromptRefused:
            return False

    def call(arguments: Any, **more: str) -> dict[str, Any]:
        entry = {"id": "call00000", "type": "function", "function": {"name": "toolstone", "arguments": arguments}}
        return {"role": "assistant", "content": "", "tool_calls": [entry], **more}

    field = shows(_THOUGHT, {"role": "assistant", "content": _ANSWERED, "reasoning_content": _THOUGHT})
    inlined = f"{marks[0]}\n{_THOUGHT}\n{marks[1]}\n\n{_ANSWERED}"
    inline = marks[1] in source and shows(_THOUGHT, {"role": "assistant", "content": inlined})
    parsed = _parsed(_ARGUMENTS)
    full = call(parsed, content=_ANSWERED, reasoning_content=_THOUGHT)
    only_text = shows("argstone", call(_ARGUMENTS)) and not shows("argstone", call(parsed))
    return MessageFormat(
        system="own" if _takes_system(apply) else "folded",
        reasoning="field" if field else "inline" if inline else "none",
        arguments="text" if shows(_ARGUMENTS, call(_ARGUMENTS)) or only_text else "object",
        terse=field and shows("toolstone", call(parsed)) and not shows("toolstone", full),
        marks=marks,
    )


def _takes_system(apply: Callable[[TemplateMessages, list[dict[str, Any]] | None], str]) -> bool:
    try:
        return _SYSTEM in apply([{"role": "system", "content": _SYSTEM}, {"role": "user", "content": _ASKED}], None)
    except PromptRefused:
        return False


def common(a: str, b: str) -> int:
    """The length of the common prefix of two texts."""
    return bisect_left(range(1, min(len(a), len(b)) + 1), x=True, key=lambda n: a[:n] != b[:n])
