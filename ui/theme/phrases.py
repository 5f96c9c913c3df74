"""Figures and states as short texts, for the sidebar, the status strip and the dialogs. No Qt widgets."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from resources.language.text import mark, number, plural, present, tr
from ui.state.chat import ChatPhase, ChatStatus, Warmth
from ui.state.engine import EngineState, EngineView, MemoryView
from ui.theme.long_texts import shortened

_ENGINE_LINES = {
    EngineState.STARTING: mark("Starting the engine…"),
    EngineState.LOADING: mark("Loading the model…"),
    EngineState.READY: mark("Ready"),
    EngineState.RESTARTING: mark("Restarting the engine…"),
    EngineState.FAILED: mark("The engine has stopped"),
    EngineState.UNLOADED: mark("No model is in memory"),
}
_FEW_LINES = 12
_LONGEST_TITLE = 40
_ACTION_NAMES = {
    "copy": mark("Copy message {message}"),
    "regenerate": mark("Try message {message} again"),
    "extend": mark("Continue message {message}"),
    "alternatives": mark("Write message {message} again"),
    "choose": mark("Write several answers in place of message {message}"),
    "step": mark("Previous alternative of message {message}"),
    "fork": mark("Fork from message {message}"),
    "edit": mark("Edit message {message}"),
    "read-all": mark("Let the model read the messages above message {message} again"),
    "fold": mark("Show or hide more of message {message}"),
    "delete": mark("Delete the question of message {message}"),
    "leave-out": mark("Leave out the oldest turns, and try message {message} again"),
    "carry-on": mark("Answer message {message} in a new chat"),
    "file": mark("Show a file of message {message}"),
    "note": mark("Go to a footnote of message {message}"),
    "note-back": mark("Go back to the text of message {message}"),
}
_OPEN = mark("Open message {message}")
_ACTIVITIES = {
    ChatPhase.QUEUED: mark("Waiting"),
    ChatPhase.RESTORING: mark("Getting ready"),
    ChatPhase.PREFILL: mark("Reading"),
    ChatPhase.GENERATING: mark("Answering"),
}
TONES = {Warmth.UNKNOWN: "quiet", Warmth.COLD: "quiet", Warmth.RESTORING: "accent", Warmth.WARM: "success"}
"""The colours of the states of a chat, which are the same in every place that shows them."""
_GIB = 1024**3
_UNITS = ((_GIB, "GB"), (1024**2, "MB"), (1024, "KB"))
_WIDE_MIB, _WIDE_CHATS = 888, 88
"""Numbers as wide as those before the next unit, and as one mostly has."""
_TENTHS_BELOW = 9.95  # which rounds to 10
_THOUSAND = 1000
_NEARLY_FULL = 0.85
_MINUTE_S = 60
_BEFORE_UNIT = re.compile(r"(?<=[0-9]) (?=\w)")
_HOUR_MIN = 60
_MOST_SECONDS = 90
_WEEK_DAYS = 7
_MONTH_DAYS = 30
_IS_MAC = sys.platform == "darwin"  # platform: only a Mac is called one


class Badge(NamedTuple):
    """The pill of the status strip: its text and the tone of its colours."""

    text: str
    tone: str  # "success", "accent", "quiet", "warning" or "danger"


def of_machine(mac: str, other: str, **fields: object) -> str:
    """A marked text that names the machine: `mac` says "this Mac" and `other` "this computer"."""
    return tr(mac if _IS_MAC else other, **fields)


def message_name(number: int, role: str) -> str:
    """The name of a message for a screen reader."""
    is_own = role == "user"
    return tr("Message {number}, from you", number=number) if is_own else tr("Message {number}, answer", number=number)


def action_name(verb: str, choice: int, message: int) -> str:
    """The name of a button in message number `message` for a screen reader. `choice` is the number in its address."""
    if verb == "copy" and choice >= 0:
        return tr("Copy code block {choice} of message {message}", choice=choice + 1, message=message)
    if verb == "step" and choice > 0:
        return tr("Next alternative of message {message}", message=message)
    return tr(_ACTION_NAMES.get(verb, _OPEN), message=message)


def show_all(lines: int, characters: int) -> str:
    """The words that unfold a long question. One of few lines is long by its characters."""
    if lines > _FEW_LINES:
        return tr("Show all {lines} lines", lines=lines)
    return tr("Show all {characters} characters", characters=characters)


def is_busy(status: ChatStatus) -> bool:
    """Whether an answer is queued or being generated."""
    return status.phase is not ChatPhase.IDLE


def activity(status: ChatStatus) -> str:
    """The current activity of a conversation's model, "" while it is idle."""
    return tr(_ACTIVITIES[status.phase]) if status.phase in _ACTIVITIES else ""


def badge(status: ChatStatus, engine: EngineView) -> Badge:
    """The badge of the status strip.

    It shows the state of the engine unless it is ready, else the activity before the first token, else whether the
    chat is ready. Its text is "" if that is unknown, or if the meter says that the chat is too long.
    """
    if engine.state is not EngineState.READY:
        return Badge(engine_headline(engine), "danger" if engine.state is EngineState.FAILED else "quiet")
    words, tone, done, total = "", "quiet", status.prefill_done, status.prefill_total
    match status.phase, status.warmth:
        case ChatPhase.QUEUED, _:
            words, tone = tr("waiting", "badge"), "accent"
        case ChatPhase.PREFILL, _ if total:
            words, tone = tr("reading {done} of {total} tokens", "badge", done=done, total=total), "accent"
        case ChatPhase.PREFILL, _:
            words, tone = tr("reading", "badge"), "accent"
        case ChatPhase.IDLE, _ if meter(status).tone == "danger":
            pass
        case (ChatPhase.RESTORING, _) | (_, Warmth.RESTORING):
            words, tone = tr("getting ready", "badge"), TONES[Warmth.RESTORING]
        case _, Warmth.WARM:
            words, tone = _warm_line(status), TONES[Warmth.WARM]
        case _, Warmth.COLD:
            words = _cold_line(status)
    return Badge(words, tone)


def _warm_line(status: ChatStatus) -> str:
    """That a chat is kept. After a return the line says what that saved, until the next answer begins."""
    if is_busy(status) or not status.restore_ms or (status.instead_seconds or 0.0) < 1:
        return tr("ready at once")
    return restored_line(status.restore_ms, status.instead_seconds or 0.0)


def restored_line(restore_ms: float, instead_s: float) -> str:
    """How long it took to restore a chat, as `restore_time`."""
    return tr("restored in {time}", time=restore_time(restore_ms, instead_s))


def restore_time(restore_ms: float, instead_s: float) -> str:
    """The time of a restore, and what reading would have taken: "74 ms instead of about 7 s". `instead_s` is 0 if that
    is not longer, or not known.
    """
    took = duration(restore_ms)
    reading = about_time(instead_s) if instead_s >= 1 else tr("about {number}", number=duration(1000 * instead_s))
    return tr("{time} instead of {reading}", time=took, reading=reading) if instead_s else took


def _cold_line(status: ChatStatus) -> str:
    """What happens to a chat of which nothing is kept, with the time that takes if it is known."""
    if status.reread_seconds is None:
        return tr("will be read", "badge") if status.never_read else tr("will be read again", "badge")
    time = about_time(status.reread_seconds)
    if status.never_read:
        return tr("will be read, {time}", "badge", time=time)
    return tr("will be read again, {time}", "badge", time=time)


def warmth_meaning(status: ChatStatus) -> str:
    """What the badge of a chat at rest means, for someone who sees it for the first time; "" if it has none."""
    if is_busy(status) or meter(status).tone == "danger":
        return ""
    match status.warmth:
        case Warmth.WARM:
            return tr("What the model has read of this chat is kept, so it reads only your next message.")
        case Warmth.COLD if status.never_read:
            return tr("The model has not read this chat yet. It reads all of it before its next answer.")
        case Warmth.COLD:
            return tr("Nothing of this chat is kept, so the model reads all of it before its next answer.")
        case _:
            return ""


def about_time(seconds: float) -> str:
    """An estimate: "under 1 s", "about 12 s", "about 3 min", "about 3 h 12 min"."""
    if seconds < 1:
        return tr("under 1 s")
    whole = round(seconds)
    if whole <= _MOST_SECONDS:
        return tr("about {seconds} s", seconds=whole)
    hours, minutes = divmod(round(seconds / _MINUTE_S), _HOUR_MIN)
    if not hours:
        return tr("about {minutes} min", minutes=minutes)
    return tr("about {hours} h {minutes} min", hours=hours, minutes=minutes)


def figures(status: ChatStatus) -> tuple[str, ...]:
    """All figures of a chat, most important first."""
    rate = status.tokens_per_second or 0.0
    return tuple(filter(None, (meter(status).text, cost_line(status), writing_rate(rate))))


def note(status: ChatStatus) -> Badge:
    """What stands beside the badge: nothing at rest, unless the chat gets too long or the draft takes a while."""
    draft, context = status.draft, meter(status)
    is_long = draft.tokens >= _THOUSAND if draft.seconds is None else draft.seconds >= 1
    rate = writing_rate(status.tokens_per_second or 0.0) if is_busy(status) else ""
    shown = context.text if is_long or context.tone != "quiet" else "", cost_line(status) if is_long else "", rate
    return context._replace(text=" · ".join(filter(None, shown)))


def writing_rate(rate: float) -> str:
    """How fast an answer is written, "" if that is not known."""
    return tr("{rate:.1f} tok/s", rate=rate) if rate > 0 else ""


def meter(status: ChatStatus) -> Badge:
    """How much of what the model can read is used, with the draft. The tone warns near the limit and above it."""
    used, limit = status.context_tokens + status.draft.tokens, status.context_limit
    if not limit:
        return Badge("", "quiet")
    figure = number(used) if status.draft.exact else tr("about {number}", number=used)
    if used >= limit:
        return Badge(tr("{used} / {limit} context, too long", used=figure, limit=limit), "danger")
    near = used >= _NEARLY_FULL * limit
    return Badge(tr("{used} / {limit} context", used=figure, limit=limit), "warning" if near else "quiet")


def cost_line(status: ChatStatus) -> str:
    """What the draft takes: its tokens, and the time to read them if that is long."""
    draft = status.draft
    if not draft.tokens:
        return ""
    tokens = token_count(draft.tokens, exact=draft.exact)
    if draft.seconds is None or draft.seconds < 1:
        return tr("this message: {tokens}", tokens=tokens)
    return tr("this message: {tokens}, {time} to read", tokens=tokens, time=about_time(draft.seconds))


def token_count(tokens: int, *, exact: bool = True) -> str:
    """A number of tokens, or an estimate of it."""
    about = plural("about {count} token", "about {count} tokens", tokens)
    return plural("{count} token", "{count} tokens", tokens) if exact else about


def engine_line(engine: EngineView) -> str:
    """The text that came with the engine's state, or a default text."""
    return engine.text or tr(_ENGINE_LINES[engine.state])


def unloaded_line(model: str) -> str:
    """The state of a chat whose model is not in memory."""
    return tr("{name} is not in memory · the next message loads it", name=model)


def engine_headline(engine: EngineView) -> str:
    """The first sentence of it, for a place with little room: "The engine keeps stopping"."""
    return engine_line(engine).partition(". ")[0].removesuffix(".")


def memory_lines(memory: MemoryView) -> tuple[str, str]:
    """The text of the sidebar's footer, and a shorter one for less space."""
    chats = plural("{count} chat loaded", "{count} chats loaded", memory.warm_chats)
    used, total = memory.used_bytes / _GIB, memory.total_bytes / _GIB
    if used < 1:
        few = memory.used_bytes >> 20
        long = tr("{used} MB of {total:.0f} GB · {chats}", used=few, total=total, chats=chats)
        return long, tr("{used} MB · {chats}", used=few, chats=chats)
    long = tr("{used:.1f} of {total:.0f} GB · {chats}", used=used, total=total, chats=chats)
    return long, tr("{used:.1f} GB · {chats}", used=used, chats=chats)


def memory_meaning() -> str:
    """What the figures of the sidebar's footer mean."""
    return tr(
        "The model and the loaded chats take this much memory. It is not space on disk.\n"
        "A loaded chat is in memory, so its next answer starts at once."
    )


def widest_memory_lines(memory: MemoryView) -> tuple[str, str]:
    """The longest texts that `memory_lines` may come to while the model stays. By these the window decides which of the
    two has room, so that the wording does not change with each digit.
    """
    used = _WIDE_MIB << 20 if memory.used_bytes < _GIB else max(memory.used_bytes, memory.total_bytes)
    return memory_lines(replace(memory, used_bytes=used, warm_chats=max(memory.warm_chats, _WIDE_CHATS)))


def enumerated(parts: Sequence[str]) -> str:
    """Several things in one phrase: "A", "A and B", "A, B and C"."""
    if len(parts) == 1:
        return parts[0]
    return tr("{parts} and {last}", parts=", ".join(parts[:-1]), last=parts[-1])


def waiting_line(count: int) -> str:
    """How many messages wait while an answer is being written."""
    return plural("Next message, sent when this answer ends", "Next {count} messages, sent one by one", count)


def paused_line(count: int) -> str:
    """How many messages were not sent, because an answer did not come to its end."""
    return plural("{count} message was not sent yet", "{count} messages were not sent yet", count)


def size(bytes_: int) -> str:
    """A number of bytes: "840 bytes", "12 KB", "1.2 MB", "1,536 GB"."""
    for unit, name in _UNITS:
        if bytes_ >= unit:
            count = bytes_ / unit
            has_tenths = count < _TENTHS_BELOW and name != "KB" and round(count, 1) % 1
            return f"{number(count, '.1f' if has_tenths else ',.0f')} {name}"
    return plural("{count} byte", "{count} bytes", bytes_)


def undo_words(seconds: int) -> str:
    """A button that undoes something for so many seconds more."""
    return tr("Undo ({seconds} s)", seconds=seconds)


def of_total(done: int, total: int) -> str:
    """`done` of `total` bytes. The unit is said once if both have the same."""
    have, want = size(done), size(total)
    figure, unit = have.split(" ")
    return tr("{part} of {total}", part=figure if unit == want.split(" ")[1] else have, total=want)


def compact(tokens: int) -> str:
    """A number of tokens, short enough for a badge: "840", "1.2k", "12k"."""
    if tokens < _THOUSAND:
        return str(tokens)
    thousands = tokens / _THOUSAND
    return tr("{thousands}k", thousands=number(thousands, ".1f" if thousands < _TENTHS_BELOW else ".0f"))


def duration(milliseconds: float) -> str:
    """A duration: "48 ms", "1.3 s"."""
    if milliseconds < _THOUSAND:
        return tr("{milliseconds:.0f} ms", milliseconds=milliseconds)
    return tr("{seconds:.1f} s", seconds=milliseconds / _THOUSAND)


def whole_figures(text: str) -> str:
    """The text, in which no line ends between a number and its unit."""
    return _BEFORE_UNIT.sub("\u00a0", text)


def thought_line(seconds: float) -> str:
    """How long a model thought: "Thought for 4 s", "Thought for 2 min 5 s"."""
    whole = max(1, round(seconds))
    if whole < _MINUTE_S:
        return tr("Thought for {seconds} s", seconds=whole)
    minutes, rest = divmod(whole, _MINUTE_S)
    if not rest:
        return tr("Thought for {minutes} min", minutes=minutes)
    return tr("Thought for {minutes} min {seconds} s", minutes=minutes, seconds=rest)


def date_section(updated: datetime, now: datetime) -> str:
    """The date heading of a conversation that changed at `updated`, by calendar days in the time zone of `now`."""
    days = (now.date() - updated.astimezone(now.tzinfo).date()).days
    if days <= 0:
        return tr("Today")
    if days == 1:
        return tr("Yesterday")
    if days <= _WEEK_DAYS:
        return tr("Previous 7 days")
    return tr("Previous 30 days") if days <= _MONTH_DAYS else tr("Older")


def time_label(updated: datetime, now: datetime) -> str:
    """A time in its shortest form: "now", "09:41", "Tue", "3 May", "3 May 2024"."""
    local = updated.astimezone(now.tzinfo)
    days = (now.date() - local.date()).days
    if (now - local).total_seconds() < _MINUTE_S:
        return tr("now")
    formats = present().formats
    if days <= 0:
        return formats.time(local)
    if days < _WEEK_DAYS:
        return formats.weekdays[local.weekday()]
    return formats.date(local, has_year=local.year != now.year)


def date_and_time(at: datetime, *, is_exact: bool = False) -> str:
    """A local time with its date, such as "3 May 2024, 09:41". `is_exact`: with its seconds."""
    formats = present().formats
    time = formats.exact_time(at) if is_exact else formats.time(at)
    return tr("{date}, {time}", date=formats.date(at, has_year=True), time=time)


def draft_line(words: str, files: int) -> str:
    """What was typed in a chat and not sent, or its files if there are no words, in the chat's row. "" for neither."""
    if words:
        return tr("Draft: {words}", words=one_line(words))
    return plural("Draft: {count} file", "Draft: {count} files", files) if files else ""


def one_line(text: str, otherwise: str = "") -> str:
    """`text` with each run of white space as one blank, so that a title never wraps."""
    return " ".join(text.split()) or otherwise


def quoted(title: str) -> str:
    """A title within a sentence: on one line, not too long, in quotes."""
    return tr("“{title}”", title=shortened(one_line(title), _LONGEST_TITLE))
