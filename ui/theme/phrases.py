"""Figures and states as short texts, for the sidebar, the status strip and the dialogs. No Qt widgets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ui.state.chat import ChatPhase, Warmth
from ui.state.engine import EngineState

if TYPE_CHECKING:
    from datetime import datetime

    from ui.state.chat import ChatStatus
    from ui.state.engine import EngineView, MemoryView

_ENGINE_LINES = {
    EngineState.STARTING: "Starting the engine…",
    EngineState.LOADING: "Loading the model…",
    EngineState.READY: "Ready",
    EngineState.RESTARTING: "Restarting the engine…",
    EngineState.FAILED: "The engine has stopped",
    EngineState.UNLOADED: "No model is in memory",
}
_FEW_LINES = 12
_ACTION_NAMES = {
    "copy": "Copy message {message}",
    "retry": "Try message {message} again",
    "continue": "Continue message {message}",
    "alternatives": "Write message {message} again",
    "fork": "Fork from message {message}",
    "edit": "Edit message {message}",
    "read-all": "Let the model read the messages above message {message} again",
    "fold": "Show or hide more of message {message}",
}
_ACTIVITIES = {
    ChatPhase.QUEUED: "Waiting",
    ChatPhase.RESTORING: "Getting ready",
    ChatPhase.PREFILL: "Reading",
    ChatPhase.GENERATING: "Generating",
    ChatPhase.PAUSED: "Paused",
}
_GIB = 1024**3
_UNITS = ((_GIB, "GB"), (1024**2, "MB"), (1024, "KB"))
_TENTHS_BELOW = 9.95  # which rounds to 10
_THOUSAND = 1000
_NEARLY_FULL = 0.85
_MINUTE_S = 60
_MOST_SECONDS = 90
_WEEK_DAYS = 7
_MONTH_DAYS = 30
_LONG_WORD = re.compile(r"\S{24}(?=\S)")


class Badge(NamedTuple):
    """The pill of the status strip: its text and the tone of its colours."""

    text: str
    tone: str  # "success", "accent", "quiet", "warning" or "danger"


def message_name(number: int, role: str) -> str:
    """The name of a message for a screen reader."""
    return f"Message {number}, from you" if role == "user" else f"Message {number}, answer"


def action_name(verb: str, choice: int, message: int) -> str:
    """The name of a button in message number `message` for a screen reader. `choice` is the number in its address."""
    match verb:
        case "copy" if choice >= 0:
            return f"Copy code block {choice + 1} of message {message}"
        case "step":
            return (
                f"Next alternative of message {message}" if choice > 0 else f"Previous alternative of message {message}"
            )
        case _:
            return _ACTION_NAMES.get(verb, "Open message {message}").format(message=message)


def show_all(lines: int, characters: int) -> str:
    """The words that unfold a long question. One of few lines is long by its characters."""
    return f"Show all {lines:,} lines" if lines > _FEW_LINES else f"Show all {characters:,} characters"


def is_busy(status: ChatStatus) -> bool:
    """Whether an answer is queued or being generated."""
    return status.phase is not ChatPhase.IDLE


def live_line(status: ChatStatus) -> str:
    """The current activity of a conversation's model, "" while it is idle."""
    match status.phase:
        case ChatPhase.QUEUED:
            return "Waiting"
        case ChatPhase.RESTORING:
            return "Getting ready"
        case ChatPhase.PREFILL:
            return f"Reading {status.prefill_done:,} of {status.prefill_total:,}" if status.prefill_total else "Reading"
        case ChatPhase.GENERATING:
            rate = status.tokens_per_second
            return "Generating" if rate is None else f"Generating · {rate:.0f} tok/s"
        case ChatPhase.PAUSED:
            return "Paused"
        case _:
            return ""


def activity(status: ChatStatus) -> str:
    """The current activity of a conversation's model without figures, "" while it is idle."""
    return _ACTIVITIES.get(status.phase, "")


def badge(status: ChatStatus, engine: EngineView) -> Badge:
    """The badge of the status strip.

    It shows the state of the engine unless it is ready, else the activity before the first token, else whether the
    chat is ready. Its text is "" if that is unknown.
    """
    if engine.state is not EngineState.READY:
        return Badge(engine_line(engine), "danger" if engine.state is EngineState.FAILED else "quiet")
    if status.phase is ChatPhase.PAUSED:
        return Badge("paused", "warning")
    if status.phase in {ChatPhase.QUEUED, ChatPhase.RESTORING, ChatPhase.PREFILL}:
        return Badge(live_line(status).lower(), "accent")
    return _warmth_badge(status)


def _warmth_badge(status: ChatStatus) -> Badge:
    match status.warmth:
        case Warmth.WARM:
            return Badge("ready at once", "success")
        case Warmth.RESTORING:
            return Badge("getting ready", "accent")
        case Warmth.COLD:
            return Badge(reread_line(status).lower(), "quiet")
        case _:
            return Badge("", "quiet")


def reread_line(status: ChatStatus) -> str:
    """What happens to a chat of which nothing is kept, with the time that takes if it is known."""
    if status.reread_seconds is None:
        return "Will be read again"
    return f"Will be read again, {about_time(status.reread_seconds)}"


def about_time(seconds: float) -> str:
    """An estimate: "under 1 s", "about 12 s", "about 3 min"."""
    if seconds < 1:
        return "under 1 s"
    whole = round(seconds)
    return f"about {whole} s" if whole <= _MOST_SECONDS else f"about {round(seconds / _MINUTE_S)} min"


def reread_reason(status: ChatStatus) -> str:
    """Why a chat, or a part of it, is read again, "" if it is not."""
    return f"Read again: {status.cause}" if status.cause else ""


def figures(status: ChatStatus) -> tuple[str, ...]:
    """The figures beside the badge, most important first."""
    speed = "" if status.tokens_per_second is None else f"{status.tokens_per_second:.1f} tok/s"
    return tuple(part for part in (meter(status).text, cost_line(status), speed) if part)


def meter(status: ChatStatus) -> Badge:
    """How much of what the model can read is used, with the draft. The tone warns near the limit and above it."""
    used, limit = status.context_tokens + status.draft.tokens, status.context_limit
    if not limit:
        return Badge("", "quiet")
    about = "" if status.draft.exact else "about "
    if used >= limit:
        return Badge(f"{about}{used:,} / {limit:,} context, too long", "danger")
    near = used >= _NEARLY_FULL * limit
    return Badge(f"{about}{used:,} / {limit:,} context", "warning" if near else "quiet")


def cost_line(status: ChatStatus) -> str:
    """What the draft takes: its tokens, and the time to read them if that is long."""
    draft = status.draft
    if not draft.tokens:
        return ""
    tokens = token_count(draft.tokens, exact=draft.exact)
    if draft.seconds is None or draft.seconds < 1:
        return f"this message: {tokens}"
    return f"this message: {tokens}, {about_time(draft.seconds)} to read"


def token_count(tokens: int, *, exact: bool = True) -> str:
    """A number of tokens, or an estimate of it."""
    return counted(tokens, "token") if exact else f"about {counted(tokens, 'token')}"


def engine_line(engine: EngineView) -> str:
    """The text that came with the engine's state, or a default text."""
    return engine.text or _ENGINE_LINES[engine.state]


def memory_lines(memory: MemoryView) -> tuple[str, str]:
    """The text of the sidebar's footer, and a shorter one for less space."""
    chats = "1 chat ready" if memory.warm_chats == 1 else f"{memory.warm_chats:,} chats ready"
    total = f"{memory.total_bytes / _GIB:.0f} GB"
    used = f"{memory.used_bytes / _GIB:.1f}" if memory.used_bytes >= _GIB else f"{memory.used_bytes >> 20} MB"
    short = used if used.endswith("MB") else f"{used} GB"
    return f"{used} of {total} · {chats}", f"{short} · {chats}"


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 chat", "12 chats"."""
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"


def waiting_line(count: int) -> str:
    """How many messages wait while an answer is being written."""
    return "Next message, sent when this answer ends" if count == 1 else f"Next {count:,} messages, sent one by one"


def paused_line(count: int) -> str:
    """How many messages were not sent, because an answer did not come to its end."""
    return "1 message was not sent yet" if count == 1 else f"{count:,} messages were not sent yet"


def size(number: int) -> str:
    """A number of bytes: "840 bytes", "12 KB", "1.2 MB"."""
    for unit, name in _UNITS:
        if number >= unit:
            count = number / unit
            tenths = f"{count:.1f}".removesuffix(".0") if count < _TENTHS_BELOW and name != "KB" else f"{count:.0f}"
            return f"{tenths} {name}"
    return f"{number} bytes"


def of_total(done: int, total: int) -> str:
    """`done` of `total` bytes. The unit is said once if both have the same."""
    have, want = size(done), size(total)
    number, unit = have.split(" ")
    return f"{number if unit == want.split(' ')[1] else have} of {want}"


def compact(tokens: int) -> str:
    """A number of tokens, short enough for a badge: "840", "1.2k", "12k"."""
    if tokens < _THOUSAND:
        return str(tokens)
    thousands = tokens / _THOUSAND
    return f"{thousands:.1f}k" if thousands < 9.95 else f"{thousands:.0f}k"  # noqa: PLR2004 - rounds to 10.0 from here


def duration(milliseconds: float) -> str:
    """A duration: "48 ms", "1.3 s"."""
    return f"{milliseconds:.0f} ms" if milliseconds < _THOUSAND else f"{milliseconds / _THOUSAND:.1f} s"


def thought_line(seconds: float) -> str:
    """How long a model thought: "Thought for 4 s", "Thought for 2 min 5 s"."""
    whole = max(1, round(seconds))
    if whole < _MINUTE_S:
        return f"Thought for {whole} s"
    minutes, rest = divmod(whole, _MINUTE_S)
    return f"Thought for {minutes} min {rest} s" if rest else f"Thought for {minutes} min"


def date_section(updated: datetime, now: datetime) -> str:
    """The date heading of a conversation that changed at `updated`, by calendar days in the time zone of `now`."""
    days = (now.date() - updated.astimezone(now.tzinfo).date()).days
    if days <= 0:
        return "Today"
    if days == 1:
        return "Yesterday"
    if days <= _WEEK_DAYS:
        return "Previous 7 days"
    return "Previous 30 days" if days <= _MONTH_DAYS else "Older"


def time_label(updated: datetime, now: datetime) -> str:
    """A time in its shortest form: "now", "09:41", "Tue", "3 May", "3 May 2024"."""
    local = updated.astimezone(now.tzinfo)
    days = (now.date() - local.date()).days
    if (now - local).total_seconds() < _MINUTE_S:
        return "now"
    if days <= 0:
        return f"{local:%H:%M}"
    if days < _WEEK_DAYS:
        return f"{local:%a}"
    return f"{local.day} {local:%b}" if local.year == now.year else f"{local.day} {local:%b %Y}"


def draft_line(words: str) -> str:
    """What was typed in a chat and not sent, in the chat's row."""
    return f"Draft: {one_line(words)}"


def one_line(text: str, otherwise: str = "") -> str:
    """`text` with each run of white space as one blank, so that a title never wraps."""
    return " ".join(text.split()) or otherwise


def shortened(text: str, longest: int) -> str:
    """`text` without its middle if it is longer than `longest`, as both ends of a name say more than its middle."""
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half].rstrip()}…{text[half - longest + 1 :].lstrip()}"


def breakable(text: str) -> str:
    """`text` with break points in very long words, because a label would cut them off."""
    return _LONG_WORD.sub("\\g<0>\u200b", text)
