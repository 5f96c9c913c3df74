"""What a chat template does with messages: the shape in which it wants them, the conversion to that shape, and how it
treats a reply once the conversation continues. Pure: the template comes in as a function.

Published templates differ in where they expect reasoning, in the form of a call's arguments, and in whether they know
the role of the system. Nothing is concluded from a template's name. It is probed with short conversations, one of them
of four turns, each prompt of which is compared with the one before. Whether one real reply stands is decided by its
ledger entry.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.protocol.errors import PromptRefused
from engine.protocol.messages import ChatMessage, History, ToolCall
from resources.language.sentence import sentence
from storage.untrusted import parse_json

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


# --- the fate of replies

_WORDS = ("Firstword", "Secondword", "Thirdword", "Fourthword")
_THOUGHTWORD = "Thoughtword"
_SYSTEMWORD = ChatMessage("system", "Systemword.")
_CALL = ToolCall("toolword", '{"argumentword": 1}')
_TOOLS = '[{"name": "toolword", "description": "A tool.", "parameters": {"type": "object", "properties": {}}}]'
_WORST: tuple[History, ...] = ("kept", "stripped", "rewritten")


RenderText = Callable[..., str]
"""A template as a function: `ChatTemplate.text`."""


@dataclass(frozen=True, slots=True)
class TemplateProbe:
    """The behaviour of a template.

    - `history` is the fate of an ordinary reply: with reasoning if the model `thinks`, else without. "kept": it stands
      as it was generated. "stripped": its reasoning, or that of the header, is left out. "rewritten": something else
      changes, such as the token that ends it.
    - `plain` is the fate of a reply without reasoning.
    - `trims`: spaces and line breaks around a text are cut off, so a reply that has some does not stand.
    - `tools`: it takes tools, calls and results.
    """

    history: History = "rewritten"
    plain: History = "rewritten"
    thinks: bool = False
    trims: bool = False
    tools: bool = False

    @property
    def stands(self) -> bool:
        """Whether every reply goes into the next prompt as it was generated."""
        return self.history == self.plain == "kept" and not self.trims


def probe_template(text: RenderText, ends: Sequence[str]) -> TemplateProbe:
    """Probe the template behind `text`. `ends` are the texts of the tokens that end a reply (empty: unknown).

    A template that refuses even this conversation gets the default: every reply counts as rewritten.
    """
    try:
        thinks = _thinks(text)
        plain = _fate(text, ends, "", thinking=False)
        return TemplateProbe(
            history=_fate(text, ends, _THOUGHTWORD, thinking=True) if thinks else plain,
            plain=plain,
            thinks=thinks,
            trims=_trims(text),
            tools=_takes_tools(text),
        )
    except PromptRefused:
        return TemplateProbe()


def _thinks(text: RenderText) -> bool:
    """Whether new reasoning is shown, or the header asks for it."""
    on, off = (text([_question(0)], asking=True, thinking=thinking) for thinking in (True, False))
    new = text([_question(0), _reply(0, _THOUGHTWORD)], asking=False, thinking=True)
    return _THOUGHTWORD in new or on != off or on.rstrip().endswith("<think>")


def _fate(text: RenderText, ends: Sequence[str], reasoning: str, *, thinking: bool) -> History:
    """The worst fate of three replies."""
    said = [_SYSTEMWORD, _question(0)]
    fates: list[History] = []
    for number in range(3):
        reply, following = _reply(number, reasoning), _question(number + 1)
        header, turn = (text(said, asking=asking, thinking=thinking) for asking in (True, False))
        now = text([*said, reply], asking=False, thinking=thinking)
        later = text([*said, reply, following], asking=False, thinking=thinking)
        shared = header[: common(header, turn)]
        at_end = now.rfind(reply.content) + len(reply.content)
        closing = now[at_end:].rstrip()
        ended = not ends or closing.startswith(tuple(ends))
        if not ended or not later.startswith(shared):
            fates.append("rewritten")
        elif now.startswith(header) and reasoning in now and later.startswith(now[:at_end] + closing):
            fates.append("kept")
        else:
            fates.append("stripped" if reply.content + closing in later[len(shared) :] else "rewritten")
        said += [reply, following]
    return max(fates, key=_WORST.index)


def _trims(text: RenderText) -> bool:
    padded = f"  {_WORDS[0]} \n"
    return padded not in text([_question(0), ChatMessage("assistant", padded), _question(1)], asking=False)


def _takes_tools(text: RenderText) -> bool:
    called = [_question(0), ChatMessage("assistant", "", tool_calls=(_CALL,)), ChatMessage("tool", _WORDS[1])]
    try:
        shown = text([_SYSTEMWORD, _question(0)], asking=True, tools=_TOOLS)
        done = text(called, asking=True, thinking=True, tools=_TOOLS)
    except PromptRefused:
        return False
    return _CALL.name in shown and "argumentword" in done and _WORDS[1] in done


def _question(number: int) -> ChatMessage:
    return ChatMessage("user", f"{_WORDS[number]}?")


def _reply(number: int, reasoning: str) -> ChatMessage:
    return ChatMessage("assistant", f"Reply to {_WORDS[number]}.", reasoning=reasoning)


def common(a: Sequence[object], b: Sequence[object]) -> int:
    """The length of the common prefix of two texts, or of two lists of tokens."""
    return bisect_left(range(1, min(len(a), len(b)) + 1), x=True, key=lambda n: a[:n] != b[:n])
