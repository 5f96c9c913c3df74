"""The message format of a chat template: the shape in which it wants its messages, and the conversion to it. Pure.

Published templates differ in where they expect reasoning, in the form of a call's arguments, and in whether they know
the role of the system. The format is found by probing the template, not by its name.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from engine.protocol.errors import PromptRefused
from resources.language.sentence import sentence
from storage.untrusted import parse_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.protocol.messages import ChatMessage, ToolCall

TemplateMessages = list[dict[str, Any]]
"""Messages in the shape that templates take."""

Apply = Callable[[TemplateMessages, "list[dict[str, Any]] | None"], str]
"""A template as a function of messages and tools."""

_SYSTEM, _ASKED, _THOUGHT, _ANSWERED = "Rulestone.", "Askstone?", "Thoughtstone.", "Answerstone."
_ARGUMENTS = '{"argstone":"ü"}'
_TOOL = {"type": "function", "function": {"name": "toolstone", "description": "A tool.", "parameters": {}}}


@dataclass(frozen=True, slots=True)
class MessageFormat:
    """The shape of messages that a template wants.

    - `system`: the system prompt has a role of its own, or is folded into the first user message.
    - `reasoning`: in a field of its own, inline before the content, or nowhere.
    - `arguments` of a call: as the text that the model wrote, or parsed.
    - `terse`: a message with calls takes no reasoning beside content.
    - `think_tags` enclose inline reasoning.
    """

    system: Literal["own", "folded"] = "own"
    reasoning: Literal["field", "inline", "none"] = "field"
    arguments: Literal["text", "object"] = "object"
    terse: bool = False
    think_tags: tuple[str, str] = ("<think>", "</think>")

    def convert(self, messages: Sequence[ChatMessage]) -> TemplateMessages:
        """The messages in this format. Raises PromptRefused if no user message can take a folded system prompt."""
        open_calls: list[dict[str, Any]] = []
        converted: TemplateMessages = []
        for message in messages:
            entry: dict[str, Any] = {"role": message.role, "content": message.content}
            if message.role == "tool" and open_calls:
                call = open_calls.pop(0)
                entry |= {"name": call["function"]["name"], "tool_call_id": call["id"]}
            if message.role == "assistant":
                self._think(entry, message)
                if message.tool_calls:
                    first = sum(len(s.get("tool_calls", ())) for s in converted)
                    entry["tool_calls"] = [self._call(c, first + i) for i, c in enumerate(message.tool_calls)]
                    open_calls = list(entry["tool_calls"])
            converted.append(entry)
        return _folded(converted) if self.system == "folded" else converted

    def _think(self, entry: dict[str, Any], message: ChatMessage) -> None:
        if not message.reasoning or (self.terse and message.tool_calls and message.content):
            return
        if self.reasoning == "field":
            entry["reasoning_content"] = message.reasoning
        elif self.reasoning == "inline":
            opening, closing = self.think_tags
            entry["content"] = f"{opening}\n{message.reasoning}\n{closing}\n\n{message.content}"

    def _call(self, call: ToolCall, number: int) -> dict[str, Any]:
        arguments = call.arguments if self.arguments == "text" else parse_arguments(call.arguments)
        # nine letters and digits: some templates refuse any other id
        return {
            "id": f"call{number:05d}",
            "type": "function",
            "function": {"name": call.name, "arguments": arguments},
        }


def parse_arguments(arguments: str) -> dict[str, Any]:
    """The arguments as an object, in the order in which they were written. An object holds invalid ones as text."""
    try:
        value = parse_json(arguments) if arguments.strip() else {}
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"arguments": arguments}


def _folded(converted: TemplateMessages) -> TemplateMessages:
    if not converted or converted[0]["role"] != "system":
        return converted
    system, rest = converted[0]["content"], converted[1:]
    first = next((i for i, entry in enumerate(rest) if entry["role"] == "user"), None)
    if first is None:
        raise PromptRefused(
            sentence("This model's chat template takes a system prompt only with a message of the user.")
        )
    user = rest[first]
    return [*rest[:first], {**user, "content": f"{system}\n\n{user['content']}"}, *rest[first + 1 :]]


def tool_schemas(tools: str) -> list[dict[str, Any]] | None:
    """The schemas in the JSON array `tools`, each wrapped as a function. None for an empty array or text.

    Raises PromptRefused if `tools` is not such an array.
    """
    if not tools.strip():
        return None
    try:
        schemas = parse_json(tools)
    except ValueError as error:
        raise PromptRefused(sentence("The tools are not valid JSON.")) from error
    if not isinstance(schemas, list) or not all(isinstance(schema, dict) for schema in schemas):
        raise PromptRefused(sentence("The tools must be a JSON array of function schemas."))
    return [s if "function" in s else {"type": "function", "function": s} for s in schemas] or None


def probe_format(apply: Apply, source: str, think_tags: tuple[str, str]) -> MessageFormat:
    """The format that the template behind `apply` wants. `source` is the template's text."""

    def shows(what: str, *converted: dict[str, Any]) -> bool:
        try:
            return what in apply([{"role": "user", "content": _ASKED}, *converted], [_TOOL])
        except PromptRefused:
            return False

    def call(arguments: Any, **more: str) -> dict[str, Any]:
        entry = {"id": "call00000", "type": "function", "function": {"name": "toolstone", "arguments": arguments}}
        return {"role": "assistant", "content": "", "tool_calls": [entry], **more}

    field = shows(_THOUGHT, {"role": "assistant", "content": _ANSWERED, "reasoning_content": _THOUGHT})
    inlined = f"{think_tags[0]}\n{_THOUGHT}\n{think_tags[1]}\n\n{_ANSWERED}"
    inline = think_tags[1] in source and shows(_THOUGHT, {"role": "assistant", "content": inlined})
    parsed = parse_arguments(_ARGUMENTS)
    full = call(parsed, content=_ANSWERED, reasoning_content=_THOUGHT)
    only_text = shows("argstone", call(_ARGUMENTS)) and not shows("argstone", call(parsed))
    return MessageFormat(
        system="own" if _takes_system(apply) else "folded",
        reasoning="field" if field else "inline" if inline else "none",
        arguments="text" if shows(_ARGUMENTS, call(_ARGUMENTS)) or only_text else "object",
        terse=field and shows("toolstone", call(parsed)) and not shows("toolstone", full),
        think_tags=think_tags,
    )


def _takes_system(apply: Apply) -> bool:
    try:
        return _SYSTEM in apply([{"role": "system", "content": _SYSTEM}, {"role": "user", "content": _ASKED}], None)
    except PromptRefused:
        return False


def common(a: Sequence[object], b: Sequence[object]) -> int:
    """The length of the common prefix of two texts, or of two lists of tokens."""
    return bisect_left(range(1, min(len(a), len(b)) + 1), x=True, key=lambda n: a[:n] != b[:n])
