"""Answer: one reply that is being generated, its text so far, and the message that it becomes when it ends. Pure.

Tool calls are a part of it, as the library stores them and the window shows them. Raw text that did not become a call,
because it was cut short, is stored as a call without a name. It is shown, but not sent to the model.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from app.base.errors import advice, advised
from app.base.ports import TurnEnd
from app.chat import status
from engine.protocol.messages import Delta, FinishReason, ToolCall, TurnFinished, Usage
from resources.language.sentence import Sentence
from storage.library.rows import ClosedState, Message
from storage.untrusted import UntrustedDataError, decode_json, parse_json
from ui.state.chat import ToolView

_LONGEST_INDENTED: Final = 1 << 14
"""Characters. Deep nesting makes indented text hundreds of times as long as it was."""


Calls = tuple[ToolCall, ...]


def encode_calls(calls: Calls) -> str:
    """The calls, encoded for the library; "" for no calls."""
    return msgspec.json.encode(calls).decode() if calls else ""


def decode_calls(stored: str) -> Calls:
    """The stored calls; empty if they are not readable."""
    try:
        return decode_json(stored, Calls) if stored else ()
    except UntrustedDataError:
        return ()


def named_calls(calls: Calls) -> Calls:
    """The calls that go into the next prompt."""
    return tuple(call for call in calls if call.name)


def calls_with_raw(calls: Calls, raw: str) -> Calls:
    """The calls, and the raw text behind them if it is not blank."""
    return (*calls, ToolCall("", raw)) if raw.strip() else calls


def call_views(calls: Calls) -> tuple[ToolView, ...]:
    """The calls, for the window."""
    return tuple(ToolView(call.name, _indented(call.arguments)) for call in calls)


def _indented(arguments: str) -> str:
    if len(arguments) > _LONGEST_INDENTED:
        return arguments
    try:
        return json.dumps(parse_json(arguments), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return arguments


_CLOSED_AS: dict[FinishReason, ClosedState] = {"stop": "done", "failed": "failed"}
"""All other replies were stopped, by the user or by a limit."""

_NO_FIGURES = Usage()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a reply ends. `error` is a sentence for the user, in no language yet if the engine told it, and `code` the
    engine's code for it. `wait` is the wait that kept state saved.
    """

    reason: FinishReason
    usage: Usage = _NO_FIGURES
    ledger: str = ""
    error: Sentence | str = ""
    calls: Calls = ()
    code: str = ""
    wait: status.SavedWait = status.NO_WAIT

    @classmethod
    def of(cls, event: TurnFinished) -> Ending:
        """The ending that the engine reports."""
        error = advised(event.told or event.message, advice(event.code)) if event.reason == "failed" else ""
        return cls(event.reason, event.usage, event.ledger, error, event.tool_calls, event.code)


@dataclass(slots=True)
class Answer:
    """`reply` is the message as it was when the turn began; `saved` is the last version given to the library, which is
    still at work on it while `saving` and has refused it if `unsaved`, and `synced` the last one that a power loss
    cannot take. `calls` is the raw text of the tool channel. `rated` is the time at which the rate was last shown.
    Times are in seconds of the app's clock.
    """

    request: str
    reply: Message
    saved: Message
    synced: Message
    text: str
    reasoning: str
    calls: str = ""
    rated: float = 0.0
    saving: bool = False
    unsaved: bool = False
    thought_s: float = 0.0
    thinking_since: float | None = None

    @classmethod
    def to(cls, request: str, reply: Message) -> Answer:
        """The answer to `request`. A reply that already has text is continued."""
        return cls(request, reply, reply, reply, reply.content, reply.reasoning)

    @property
    def silent(self) -> bool:
        """Whether no text has come in any channel."""
        return not (self.text or self.reasoning or self.calls or self.reply.tool_calls)

    def append(self, row: Delta, now: float) -> None:
        """Add new text. Thinking lasts from the first word of reasoning to the first word of another channel."""
        if row.channel == "reasoning":
            self.reasoning += row.text
            self.thinking_since = now if self.thinking_since is None else self.thinking_since
            return
        self._stop_thinking(now)
        if row.channel == "tool":
            self.calls += row.text
        else:
            self.text += row.text

    def live(self, calls: Calls = ()) -> Message:
        """The reply as it is now. Raw text stands for calls that the engine has not parsed yet."""
        before = decode_calls(self.reply.tool_calls)
        kept = encode_calls((*named_calls(before), *calls) if calls else calls_with_raw(before, self.calls))
        thought = self.reply.thought_ms + round(self.thought_s * 1000)
        return replace(self.reply, content=self.text, reasoning=self.reasoning, tool_calls=kept, thought_ms=thought)

    def interrupted(self, now: float) -> Message:
        """The reply if the engine was lost. The new tokens are not known; an older ledger stays valid."""
        self._stop_thinking(now)
        return replace(self.live(), state="interrupted", error="")

    def ended(self, ending: Ending, now: float) -> Message:
        """The reply as it ended."""
        self._stop_thinking(now)
        return replace(
            self.live(ending.calls),
            state=_CLOSED_AS.get(ending.reason, "stopped"),
            ledger=ending.ledger or self.reply.ledger,
            usage=status.stored_usage(
                ending.usage, ending.reason, ending.code, status.tokens_of(self.reply), ending.error, ending.wait
            ),
            error=str(ending.error),
        )

    def turn_end(self, ending: Ending | None) -> TurnEnd:
        """The end of the turn for its listener. None: the engine or the app ended first."""
        reason, usage, error = (ending.reason, ending.usage, str(ending.error)) if ending else (None, Usage(), "")
        calls = named_calls(ending.calls) if ending else ()
        reply = self.reply
        return TurnEnd(
            reply.conversation, self.text, reason, usage, error, self.reasoning, calls, question=reply.parent or ""
        )

    def _stop_thinking(self, now: float) -> None:
        if self.thinking_since is not None:
            self.thought_s += max(now - self.thinking_since, 0.001)  # at least 1 ms: 0 means that it was not measured
            self.thinking_since = None
