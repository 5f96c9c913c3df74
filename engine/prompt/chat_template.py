"""The chat template: the first step of preparing a prompt, from messages and their ledger to text, and the positions in
that text at which turns end.

On the main thread, where the limits for templates work. All calls of a model's template are made here.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any, Final

import jinja2
from msgspec import structs

from engine.prompt.control_tokens import BREAK, ControlTokens, control_tokens_in
from engine.prompt.ledger import Ledger, LedgerEntry
from engine.prompt.message_format import (
    MessageFormat,
    TemplateMessages,
    common,
    probe_format,
    probe_template,
    tool_schemas,
)
from engine.prompt.template_watch import USUAL, Limits, bounded
from engine.protocol.errors import (
    FOREIGN,
    ChatTemplateUnusable,
    NoChatTemplate,
    PromptRefused,
    TemplateOverrun,
    panics_as_errors,
)
from engine.protocol.messages import ChatMessage, Generate, ToolCall, Warm
from resources.language.sentence import sentence
from resources.language.text import tr

log = logging.getLogger(__name__)

_LONGEST_SOURCE = 1 << 17
"""Published templates have up to 40,000 characters. Python compiles them in one instruction, which cannot be ended."""
_LONGEST_TEXT = 1 << 26
_PROBE: Final = Limits(seconds=2.0, bytes=1 << 27)
"""For all renderings of a template's probe, of a few words. Published templates need some hundredths of a second."""
_LONGEST_REASON = 200

_DIRECTIVES = "aAbBcdHIjmMpSUwWxXyYZ"
_DAY_MACRO = (
    "{% macro strftime_now(format) %}{% set written = namespace(day=format) %}"
    "{% for directive, value in day_parts.items() %}"
    "{% set written.day = written.day.replace(directive, value) %}"
    "{% endfor %}{{ written.day }}{% endmacro %}\n"
)
"""Put before a template that asks for the time: a conversation keeps the day on which it began. A prompt whose head
changed overnight would share no prefix with the day before.
"""

_TAIL_CHARS = 200
"""Control tokens are looked for in so many characters: no template writes more between two messages."""


PromptRequest = Generate | Warm
"""A conversation to render."""

_NO_LEDGER: Final = Ledger()


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt as text. Positions are lengths of its prefixes in characters.

    - `system_chars` ends what every conversation with this system prompt has in common (0: nothing).
    - `turn_chars` ends the last user turn, before the assistant's header.
    - `start_chars` starts the reply. Behind it stands the text of a reply that is being continued.
    - `history_form_chars` ends the history form of the last finished reply: all later prompts have the text up to there
      in common. 0: the reply stands as it was generated, or no reply is finished.
    - `day` is the date that the template was given.
    """

    text: str
    system_chars: int
    turn_chars: int
    start_chars: int
    history_form_chars: int = 0
    day: str = ""


class ChatTemplate:
    """The template of one loaded model, whose tokenizer is Hugging Face's or mlx-lm's wrapper. `probe` describes how it
    treats replies, `closing` is what it writes after a user's text. Each rendering has `limits`; those of each half of
    the probe share `probe`.

    Raises NoChatTemplate if the model has none, ChatTemplateUnusable if it exceeds its limits or refuses even one
    message of a user.
    """

    def __init__(self, tokenizer: Any, limits: Limits = USUAL, probe: Limits = _PROBE) -> None:
        if not getattr(tokenizer, "has_chat_template", tokenizer.chat_template):
            raise NoChatTemplate(tr("This model brings no chat template, so it cannot hold a conversation."))
        self._tokenizer = tokenizer
        self._limits = limits
        if len(self._source) > _LONGEST_SOURCE:
            raise ChatTemplateUnusable
        try:
            sample = bounded(self._probe_format, probe)
            self.control_tokens = control_tokens_in(tokenizer, self._source + sample)
            bounded(self._probe_template, probe)
        except TemplateOverrun as error:
            raise ChatTemplateUnusable from error

    def _probe_format(self) -> str:
        """Find the format by rendering short conversations. Returns one of them."""
        tokenizer = self._tokenizer
        think_tags = (
            getattr(tokenizer, "think_start", None) or "<think>",
            getattr(tokenizer, "think_end", None) or "</think>",
        )
        self._format, self.control_tokens = MessageFormat(), ControlTokens({})
        self._format = probe_format(
            lambda messages, tools: self._rendered(messages, tools, add_generation_prompt=False, enable_thinking=True),
            self._source,
            think_tags,
        )
        self._check_plainest()
        return self._sample()

    def _probe_template(self) -> None:
        """Find out what becomes of replies, and what is written behind a user's text."""
        self.probe = probe_template(self.text, _ends(self._tokenizer))
        self.closing = self._measure_closing()
        self._beginning = lru_cache(maxsize=16)(self._measure_beginning)
        self._whole = lru_cache(maxsize=2)(self.text)  # what `_safe` has rendered is rendered next

    def _check_plainest(self) -> None:
        """Raise ChatTemplateUnusable if the template refuses one message of a user: no chat could ever begin."""
        try:
            self.text((ChatMessage("user", "A"),), asking=True)
        except PromptRefused as error:
            why = _reason(error.__cause__) if isinstance(error.__cause__, Exception) else ""
            raise ChatTemplateUnusable(
                tr("Its chat template refuses even a single message: {why}.", why=why)
                if why
                else tr("Its chat template refuses even a single message.")
            ) from error

    def _sample(self) -> str:
        """A short rendered conversation: the names of control tokens may come from variables."""
        messages = (ChatMessage("user", "A"), ChatMessage("assistant", "B"), ChatMessage("user", "C"))
        try:
            return self.text(messages, asking=True)
        except PromptRefused:
            return ""

    @property
    def _source(self) -> str:
        template = self._tokenizer.chat_template
        return "".join(template.values()) if isinstance(template, dict) else template or ""

    def text(
        self, messages: Sequence[ChatMessage], *, asking: bool, thinking: bool = False, tools: str = "", day: str = ""
    ) -> str:
        """The conversation as the template writes it. If `asking`, the header of the next reply follows.

        `day` is an ISO date, empty for today. Raises PromptRefused if the template refuses these messages.
        """
        converted, schemas = self._format.convert(messages), tool_schemas(tools)
        return self._rendered(converted, schemas, day, add_generation_prompt=asking, enable_thinking=thinking)

    def render(self, request: PromptRequest, ledger: Ledger = _NO_LEDGER) -> Rendered:
        """The prompt that asks for the next reply, or for the rest of the last one.

        Raises PromptRefused if the template refuses these messages.
        """
        request, ledger = self._safe(request, ledger)
        messages, day = request.messages, ledger.day
        partial = messages[-1] if messages and messages[-1].role == "assistant" else None
        answered = messages[:-1] if partial else messages
        if not answered or answered[-1].role not in ("user", "tool"):
            raise PromptRefused(sentence("There is no message to answer."))
        header = self._render(request, answered, day, asking=True)
        turn = common(header, self._render(request, answered, day, asking=False))
        begun = self._begun(request, partial, header, ledger) if partial else ""
        shared = self._shared_by(request, day)
        rendered = Rendered(
            text=header + begun,
            system_chars=shared if shared < turn else 0,
            turn_chars=turn,
            start_chars=len(header),
            day=day,
        )
        return self._with_history_form(request, ledger, rendered)

    def render_history(self, request: PromptRequest, ledger: Ledger = _NO_LEDGER) -> Rendered:
        """The conversation as it stands, its last reply complete. Raises PromptRefused."""
        request, ledger = self._safe(request, ledger)
        text = self._render(request, request.messages, ledger.day, asking=False)
        return self._with_history_form(request, ledger, self._complete(request, text, ledger.day))

    def render_history_form(self, request: PromptRequest, ledger: Ledger) -> Rendered | None:
        """The text that every prompt begins with after the user has answered the last message, a reply, whatever the
        user writes. None if that reply stands as it was written, and if something else than a user's message comes
        next. Raises PromptRefused.
        """
        request, ledger = self._safe(request, ledger)
        messages = request.messages
        if not messages or messages[-1].role != "assistant" or messages[-1].tool_calls:
            return None
        beginning, end = self._common_beginning(request, messages, ledger.day)
        entry = ledger.entries.get(len(messages) - 1)
        if not end or (entry and entry.stands_in(beginning)):
            return None
        return replace(self._complete(request, beginning[:end], ledger.day), history_form_chars=end)

    def _complete(self, request: PromptRequest, text: str, day: str) -> Rendered:
        """`text`, in which no reply is asked for."""
        return Rendered(text, min(self._shared_by(request, day), len(text)), len(text), len(text), day=day)

    def _with_history_form(self, request: PromptRequest, ledger: Ledger, rendered: Rendered) -> Rendered:
        """`rendered` with the end of the history form of the last reply that a user has answered, unless that stands
        as it was written.
        """
        pairs = enumerate(pairwise(request.messages), 1)
        count = max((i for i, (a, b) in pairs if (a.role, b.role) == ("assistant", "user")), default=0)
        entry = ledger.entries.get(count - 1)
        if not count or (entry and entry.stands_in(rendered.text)):
            return rendered
        beginning, end = self._common_beginning(request, request.messages[:count], ledger.day)
        return replace(rendered, history_form_chars=end) if rendered.text.startswith(beginning[:end]) else rendered

    def unfinished(self, messages: Sequence[ChatMessage]) -> str:
        """A conversation up to the text of its last message, as mlx-lm renders it for a prompt cache.

        Raises PromptRefused if the template refuses these messages.
        """
        converted: TemplateMessages = [{"role": message.role, "content": message.content} for message in messages]
        return self._rendered(converted, add_generation_prompt=False, continue_final_message=True)

    def _common_beginning(self, request: PromptRequest, messages: Sequence[ChatMessage], day: str) -> tuple[str, int]:
        """The text that all prompts have in common in which a user's message follows `messages`, and the last position
        in it at which a cut changes no token, whatever follows (0: none).
        """
        return self._beginning(tuple(messages), thinking=request.thinking, tools=request.tools, day=day)

    def _measure_beginning(
        self, messages: tuple[ChatMessage, ...], *, thinking: bool, tools: str, day: str
    ) -> tuple[str, int]:
        first, second = (
            self.text([*messages, ChatMessage("user", c)], asking=False, thinking=thinking, tools=tools, day=day)
            for c in "AZ"
        )
        text = first[: common(first, second)]
        return text, self._stable(text)

    def _begun(self, request: PromptRequest, partial: ChatMessage, header: str, ledger: Ledger) -> str:
        """The beginning of a reply as the model wrote it, or as the template would, if that is unknown."""
        noted = ledger.begun(partial)
        if noted is not None:
            return noted
        field = "reasoning" if partial.reasoning and not partial.content else "content"
        probe = structs.replace(partial, **{field: _PLACEHOLDER})
        try:
            form = self._render(request, [*request.messages[:-1], probe], ledger.day, asking=False)
        except PromptRefused:
            form = ""
        at = form.rfind(_PLACEHOLDER)
        before = form[len(header) : at] if form.startswith(header) and at >= len(header) else ""
        return self.control_tokens.mended(before + str(getattr(partial, field)))

    def _safe(self, request: PromptRequest, ledger: Ledger) -> tuple[PromptRequest, Ledger]:
        """What `_broken` returns if a text spells a control token, or if the template makes one of it. Else the request
        as it is, because a break may hide from the template what it looks for in texts.
        """
        broken, kept = self._broken(request, ledger)
        if broken == request:
            return request, ledger
        foreign = (one for at, one in enumerate(request.messages) if at not in kept.entries)
        texts = (text for one in foreign for text in (one.content, one.reasoning))
        if any(BREAK in text or self.control_tokens.spelled_in(text) for text in texts):
            return broken, kept
        asking = bool(request.messages) and request.messages[-1].role != "assistant"
        try:
            plain, safe = (self._render(one, one.messages, ledger.day, asking=asking) for one in (request, broken))
        except PromptRefused:
            return broken, kept
        makes_none = self.control_tokens.spelled_in(plain) == self.control_tokens.spelled_in(safe)
        return (request, ledger) if makes_none else (broken, kept)

    def _broken(self, request: PromptRequest, ledger: Ledger) -> tuple[PromptRequest, Ledger]:
        """`request` with the control tokens in its texts broken, and `ledger` without the replies whose text was.

        The content and the reasoning of a reply stay as they are if the model drew each control token in them: the box
        around a result, for example, may mean something to it. What it spelled with ordinary tokens is broken.
        """
        broken, in_json = self.control_tokens.broken, self.control_tokens.broken_in_json
        messages, entries = [], dict(ledger.entries)
        for at, one in enumerate(request.messages):
            calls = tuple(ToolCall(broken(call.name), in_json(call.arguments)) for call in one.tool_calls)
            texts = {"content": broken(one.content), "reasoning": broken(one.reasoning)}
            if entry := entries.get(at):
                if self._drew_control_tokens(entry, one):
                    texts = {}
                else:
                    del entries[at]
            messages.append(structs.replace(one, **texts, tool_calls=calls))
        request = structs.replace(request, messages=tuple(messages), tools=in_json(request.tools))
        return request, replace(ledger, entries=entries)

    @panics_as_errors()
    def _drew_control_tokens(self, entry: LedgerEntry, reply: ChatMessage) -> bool:
        """Whether the model drew each control token in the texts of `reply`, and spelled none."""
        text = reply.reasoning + reply.content
        spelled = self.control_tokens.spelled_in(text.replace(BREAK, ""))
        if not spelled:
            return True
        drawn, ordinary = self.control_tokens.split(entry.ids)
        return (
            BREAK not in text
            and spelled <= drawn
            and not self.control_tokens.spelled_in(str(self._tokenizer.decode(ordinary)))
        )

    def _shared_by(self, request: PromptRequest, day: str) -> int:
        """The characters that all prompts under the request's system prompt have in common."""
        first = request.messages[:1]
        return self._common_beginning(request, first if first and first[0].role == "system" else (), day)[1]

    def _measure_closing(self) -> str:
        """The text that the template writes after a user's text, before the header of a reply."""
        try:
            now, header = (self.text([ChatMessage("user", _PLACEHOLDER)], asking=asking) for asking in (False, True))
        except PromptRefused:
            return ""
        return now[now.rfind(_PLACEHOLDER) + len(_PLACEHOLDER) : common(now, header)]

    def _stable(self, text: str) -> int:
        """The last position in `text` at which a cut changes no token, whatever follows: after a control token, which
        tokenizers never merge with its neighbours, or else before the last word.
        """
        if end := self.control_tokens.last_end(text, max(0, len(text) - _TAIL_CHARS)):
            return end
        before = text.rsplit(maxsplit=1)[:-1]
        return len(before[0]) if before else 0

    def _render(self, request: PromptRequest, messages: Sequence[ChatMessage], day: str, *, asking: bool) -> str:
        options = {"thinking": request.thinking, "tools": request.tools, "day": day}
        return self._whole(tuple(messages), asking=asking, **options)

    def _rendered(self, messages: TemplateMessages, tools: Any = None, day: str = "", **options: bool) -> str:
        given = {"tools": tools, **options, **self._with_day(tools, day)}
        try:
            apply = partial(self._tokenizer.apply_chat_template, messages, tokenize=False, **given)
            text: str = bounded(apply, self._limits)
        except (jinja2.TemplateError, *FOREIGN) as error:
            # Only the error's type is logged: its text may quote the user.
            log.info("the chat template refuses a conversation: %s", type(error).__name__)
            why = _reason(error)
            raise PromptRefused(
                sentence("The model's chat template refuses this conversation: {why}.", why=why)
                if why
                else sentence("The model's chat template refuses this conversation.")
            ) from error
        if len(text) > _LONGEST_TEXT:
            raise TemplateOverrun
        encodable = text.encode("utf-8", "replace").decode()  # a call may hold half a character as an escape
        return self.control_tokens.mended(encodable)

    def _with_day(self, tools: Any, day: str) -> dict[str, Any]:
        if "strftime_now" not in self._source:
            return {}
        template = self._tokenizer.chat_template
        if isinstance(template, dict):
            template = template["tool_use"] if tools and "tool_use" in template else template["default"]
        given = date.fromisoformat(day) if day else date.today()  # noqa: DTZ011 # the user's own day
        values = {f"%{d}": given.strftime(f"%{d}") for d in _DIRECTIVES} | {"%-d": str(given.day)}
        return {"chat_template": _DAY_MACRO + template, "day_parts": values}


def _reason(error: Exception) -> str:
    """The template's own message, for the user. Messages of libraries are only logged."""
    messages = " ".join(str(error).split()).rstrip(".") if type(error) is jinja2.TemplateError else ""
    return messages[:_LONGEST_REASON]


_PLACEHOLDER = "\u2060here\u2060"
"""A placeholder: its position in the rendered text shows where the template writes a message."""


def _ends(tokenizer: Any) -> tuple[str, ...]:
    """The texts of the tokens that end a reply."""
    ids = getattr(tokenizer, "eos_token_ids", ())
    return tuple(str(tokenizer.decode([i])) for i in ids) if ids else ()
