"""The chat template: messages to text, and where in that text the turns end. Owns every call of the model's template.

How it wants its messages is told by `engine.prompt.message_format`, what it makes of a conversation by
`engine.prompt.template_probe`; what the text becomes as tokens is left to `engine.prompt.layout`.
"""

from __future__ import annotations

import logging
import re
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import jinja2
from msgspec.structs import replace

from engine.prompt.message_format import MessageFormat, TemplateMessages, common, probe_format, tool_schemas
from engine.prompt.rendered import Rendered
from engine.prompt.template_limits import bounded, install
from engine.prompt.template_probe import measure
from engine.protocol.errors import ChatTemplateUnusable, NoChatTemplate, PromptRefused, TemplateOverrun
from engine.protocol.messages import ChatMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

log = logging.getLogger(__name__)

install()

_REFUSALS = (
    jinja2.TemplateError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
)
"""What templates, in Jinja or in Python, raise at messages that they do not take."""

_LONGEST_SOURCE = 1 << 20
_LONGEST_REASON = 200

_DIRECTIVES = "aAbBcdHIjmMpSUwWxXyYZ"
_OWN_CLOCK = (
    "{% macro strftime_now(format) %}{% set told = namespace(day=format) %}"
    "{% for directive, value in day_told.items() %}{% set told.day = told.day.replace(directive, value) %}{% endfor %}"
    "{{ told.day }}{% endmacro %}\n"
)
"""Put before a template that asks for the time: a conversation keeps the day on which it began, as a head that changes
overnight would cost all that is kept of it.
"""

_TAIL_CHARS = 200
"""Where marks are looked for: between a reply and the next user's text no template writes more."""


class Tokenizer(Protocol):
    """The part of a tokenizer that is needed to render: of Hugging Face's, or of mlx-lm's wrapper around it."""

    chat_template: Any

    def apply_chat_template(self, conversation: TemplateMessages, **options: Any) -> str:
        """The conversation as text."""


class PromptRequest(Protocol):
    """What is asked of a template: the commands Generate and Warm are."""

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """The branch, from its first message on."""

    @property
    def thinking(self) -> bool:
        """Whether the model may reason first."""

    @property
    def tools(self) -> str:
        """A JSON array of function schemas; empty: none."""


class ChatTemplate:
    """The template of one loaded model; `contract` tells what it does to a conversation as it goes on,
    `closing` what it writes after a user's text.

    Raises NoChatTemplate if the model brings none, ChatTemplateUnusable if it does not come to an end.
    """

    def __init__(self, tokenizer: Tokenizer) -> None:
        if not getattr(tokenizer, "has_chat_template", tokenizer.chat_template):
            raise NoChatTemplate("This model brings no chat template, so it cannot hold a conversation.")
        self._tokenizer = tokenizer
        if len(self._source) > _LONGEST_SOURCE:
            raise ChatTemplateUnusable
        try:
            self._measure()
        except TemplateOverrun as error:
            raise ChatTemplateUnusable from error

    def _measure(self) -> None:
        """Find out by rendering what the template does."""
        tokenizer = self._tokenizer
        marks = (
            getattr(tokenizer, "think_start", None) or "<think>",
            getattr(tokenizer, "think_end", None) or "</think>",
        )
        self._format = MessageFormat()
        self._format = probe_format(
            lambda said, tools: self._apply(said, thinking=True, tools=tools), self._source, marks
        )
        self._marks = _marks(tokenizer, self._source + self._sample())
        self.probe = measure(self.text, _ends(tokenizer), folded=self._format.system == "folded")
        self.closing = self._measure_closing()
        self._shared = lru_cache(maxsize=64)(self._measure_shared)
        self._settled = lru_cache(maxsize=8)(self._measure_settled)
        self._opening = lru_cache(maxsize=2)(self._measure_opening)

    def _sample(self) -> str:
        """A little of what the template writes: names of marks may come from variables."""
        said = (ChatMessage("user", "A"), ChatMessage("assistant", "B"), ChatMessage("user", "C"))
        try:
            return self.text(said, asking=True)
        except PromptRefused:
            return ""

    @property
    def _source(self) -> str:
        template = self._tokenizer.chat_template
        return "".join(template.values()) if isinstance(template, dict) else template or ""

    def text(
        self, messages: Sequence[ChatMessage], *, asking: bool, thinking: bool = False, tools: str = "", day: str = ""
    ) -> str:
        """The conversation as the template writes it, with the header of the next reply if `asking`.

        `day` is an ISO date, empty for today. Raises PromptRefused where the template does not take these messages.
        """
        said = self._format.put(messages)
        return self._apply(said, asking=asking, thinking=thinking, tools=tool_schemas(tools), day=day)

    def render(self, asked: PromptRequest, day: str = "", raw: str = "") -> Rendered:
        """The prompt that asks for the next reply, or for the rest of the last one, of which `raw` was written.

        Raises PromptRefused where the template does not take these messages.
        """
        messages = asked.messages
        partial = messages[-1] if messages and messages[-1].role == "assistant" else None
        said = messages[:-1] if partial else messages
        if not said or said[-1].role not in ("user", "tool"):
            raise PromptRefused("There is no message to answer.")
        header = self._of(asked, said, day, asking=True)
        turn = self._turn(asked, said, day, header)
        begun = (raw or self._begun(asked, partial, header, day)) if partial else ""
        shared = self._shared_by(asked, day)
        return Rendered(
            text=header + begun,
            system_chars=shared if shared < turn else 0,
            turn_chars=turn,
            start_chars=len(header),
            day=day,
        )

    def _turn(self, asked: PromptRequest, said: Sequence[ChatMessage], day: str, header: str) -> int:
        """The end of the last turn: as it always is where the prompt ends so, else by another rendering."""
        opening = self._opening(thinking=asked.thinking)
        if opening and said[-1].role == "user" and header.endswith(said[-1].content + self.closing + opening):
            return len(header) - len(opening)
        return common(header, self._of(asked, said, day, asking=False))

    def render_history(self, asked: PromptRequest, day: str = "") -> Rendered:
        """A conversation as it stands, the last reply complete."""
        text = self._of(asked, asked.messages, day, asking=False)
        return Rendered(text, min(self._shared_by(asked, day), len(text)), len(text), len(text), day=day)

    def unfinished(self, messages: Sequence[ChatMessage]) -> str:
        """A conversation as far as the text of its last message goes, as mlx-lm writes what it reads ahead.

        Raises PromptRefused where the template does not take these messages.
        """
        said: TemplateMessages = [{"role": message.role, "content": message.content} for message in messages]
        return self._rendered(said, add_generation_prompt=False, continue_final_message=True)

    def settled(self, asked: PromptRequest, messages: Sequence[ChatMessage], day: str = "") -> tuple[str, int]:
        """What all prompts have in common in which a user has gone on after `messages`, and the last place in it where
        no tokenizer joins what stands before with whatever comes (0: none).
        """
        return self._settled(tuple(messages), thinking=asked.thinking, tools=asked.tools, day=day)

    def _measure_settled(
        self, messages: tuple[ChatMessage, ...], *, thinking: bool, tools: str, day: str
    ) -> tuple[str, int]:
        first, second = (
            self.text([*messages, ChatMessage("user", c)], asking=False, thinking=thinking, tools=tools, day=day)
            for c in "AZ"
        )
        text = first[: common(first, second)]
        return text, self._stable(text)

    def render_settled(self, asked: PromptRequest, text: str, day: str = "") -> Rendered:
        """`text`, which `settled` has found, as a prompt that ends there."""
        end = len(text)
        return Rendered(text, min(self._shared_by(asked, day), end), end, end, settled_chars=end, day=day)

    def _begun(self, asked: PromptRequest, partial: ChatMessage, header: str, day: str) -> str:
        """What is there of a reply whose raw text is not known: as the template would write it."""
        field = "reasoning" if partial.reasoning and not partial.content else "content"
        probe = replace(partial, **{field: _PLACE})
        try:
            form = self._of(asked, [*asked.messages[:-1], probe], day, asking=False)
        except PromptRefused:
            form = ""
        at = form.rfind(_PLACE)
        before = form[len(header) : at] if form.startswith(header) and at >= len(header) else ""
        return before + str(getattr(partial, field))

    def _shared_by(self, asked: PromptRequest, day: str) -> int:
        first = asked.messages[0] if asked.messages else None
        system = first.content if first and first.role == "system" else None
        return self._shared(system, thinking=asked.thinking, tools=asked.tools, day=day)

    def _measure_shared(self, system: str | None, *, thinking: bool, tools: str, day: str) -> int:
        """The characters that all first prompts under `system` have in common: two that differ from the user's first
        letter on show it, for any template.
        """
        before = [ChatMessage("system", system)] if system is not None else []
        first, second = (
            self.text([*before, ChatMessage("user", c)], asking=False, thinking=thinking, tools=tools, day=day)
            for c in "AZ"
        )
        return self._stable(first[: common(first, second)])

    def _measure_closing(self) -> str:
        """What the template writes after a user's text, before the header of a reply."""
        try:
            now, header = (self.text([ChatMessage("user", _PLACE)], asking=asking) for asking in (False, True))
        except PromptRefused:
            return ""
        return now[now.rfind(_PLACE) + len(_PLACE) : common(now, header)]

    def _measure_opening(self, *, thinking: bool) -> str:
        """The header of a reply."""
        said = [ChatMessage("user", _PLACE)]
        try:
            now, header = (self.text(said, asking=asking, thinking=thinking) for asking in (False, True))
        except PromptRefused:
            return ""
        return header.removeprefix(now) if header.startswith(now) else ""

    def _stable(self, text: str) -> int:
        """The last place in `text` where a cut changes no token, whatever follows: after a mark, which tokenizers never
        join with anything, or else before the last word.
        """
        found = list(self._marks.finditer(text, max(0, len(text) - _TAIL_CHARS))) if self._marks else []
        if found:
            return found[-1].end()
        last = re.search(r"\s*\S+\s*\Z", text)
        return last.start() if last else 0

    def _of(self, asked: PromptRequest, messages: Sequence[ChatMessage], day: str, *, asking: bool) -> str:
        return self.text(messages, asking=asking, thinking=asked.thinking, tools=asked.tools, day=day)

    def _apply(
        self, said: TemplateMessages, *, asking: bool = False, thinking: bool = False, tools: Any = None, day: str = ""
    ) -> str:
        options = self._with_day(tools, day)
        return self._rendered(said, tools=tools, add_generation_prompt=asking, enable_thinking=thinking, **options)

    def _rendered(self, said: TemplateMessages, **options: Any) -> str:
        try:
            return bounded(lambda: self._tokenizer.apply_chat_template(said, tokenize=False, **options))
        except _REFUSALS as error:
            log.info("the chat template refuses a conversation: %s", type(error).__name__)  # not its text: users' words
            raise PromptRefused(f"The model's chat template refuses this conversation{_reason(error)}.") from error

    def _with_day(self, tools: Any, day: str) -> dict[str, Any]:
        if "strftime_now" not in self._source:
            return {}
        template = self._tokenizer.chat_template
        if isinstance(template, dict):
            template = template["tool_use"] if tools and "tool_use" in template else template["default"]
        told = date.fromisoformat(day) if day else date.today()  # noqa: DTZ011 # the user's own day
        values = {f"%{d}": told.strftime(f"%{d}") for d in _DIRECTIVES} | {"%-d": str(told.day)}
        return {"chat_template": _OWN_CLOCK + template, "day_told": values}


def _reason(error: Exception) -> str:
    """What the template itself says, for whoever reads the refusal. A library's words are for the log."""
    said = " ".join(str(error).split()).rstrip(".") if type(error) is jinja2.TemplateError else ""
    return f": {said[:_LONGEST_REASON]}" if said else ""


_PLACE = "\u2060here\u2060"
"""Stands for a text whose place in the template's form is looked for."""


def _marks(tokenizer: Tokenizer, written: str) -> re.Pattern[str] | None:
    """The tokens among what the template has `written` that tokenizers cut out of a text before all else."""
    known: dict[str, int] = getattr(tokenizer, "get_added_vocab", dict)()
    marks = sorted((m for m in known if m.strip() and m in written), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, marks))) if marks else None


def _ends(tokenizer: Tokenizer) -> tuple[str, ...]:
    """The texts of the tokens that end a reply."""
    ids = getattr(tokenizer, "eos_token_ids", ())
    return tuple(str(tokenizer.decode([i])) for i in ids) if ids else ()  # type: ignore[attr-defined] # both or neither
