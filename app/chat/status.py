"""Status: a chat's figures as the window shows them, made from the engine's numbers. Pure."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Annotated

import msgspec

from engine.protocol.messages import Delta, FinishReason, Progress, Tokens, Usage, Warmed
from resources.language.sentence import Sentence
from resources.language.text import mark, plural, tr
from storage.library.rows import Message
from storage.untrusted import UntrustedDataError, decode_json
from ui.state.chat import ChatPhase, ChatStatus, Warmth
from ui.theme.phrases import restored_line, writing_rate

_NEW = "new"  # the first turn of a conversation is neither warm nor cold, and nothing of it was read before
_OFF = "off"  # nor is a chat of which nothing is to be kept: the strip says so
_UNKEPT = {_OFF: Warmth.UNKNOWN, "unsupported": Warmth.COLD}
"""The causes for which nothing is kept of an answer, and how warm the chat is after it."""
TOO_LONG = "message_too_long"
"""The engine's code for a prompt whose newest message alone is longer than the context."""
LENGTH_CODES = frozenset({"context_full", TOO_LONG})
"""The codes of prompts that do not fit. The same prompt again cannot fit either."""
_CLOSING_TOKENS = 4
"""The most tokens with which a chat template closes an answer, such as a line break. The answer's own figures do not
have them, and the number on the screen must not change for them.
"""
_LIMITS = {"length": mark("cut at the length limit"), "context": mark("the model's context is full")}
_ENDINGS = {"stopped": mark("Stopped"), "interrupted": mark("Interrupted")}


_Milliseconds = Annotated[float, msgspec.Meta(ge=0, lt=1e12)]


class SavedWait(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wait before an answer that state from disk saved. `restored_ms` is what it took to restore the state (0: none
    came from disk), and `saved_ms` how much longer the model would have taken to read the same tokens, at the speed
    that was measured on this machine (0: not longer, or no speed is known).
    """

    restored_ms: _Milliseconds = 0.0
    saved_ms: _Milliseconds = 0.0

    @classmethod
    def of(cls, tokens: int, restored_ms: float, reading_rate: float) -> SavedWait:
        """The wait for so many kept tokens. `reading_rate` is in tokens per second, 0 if it was not measured."""
        reading_ms = 1000 * tokens / reading_rate if reading_rate > 0 and restored_ms else 0.0
        return cls(round(restored_ms, 1), round(max(0.0, reading_ms - restored_ms), 1))

    @property
    def instead_s(self) -> float:
        """The seconds that the model would have read; 0 if that is not longer, or not known."""
        return (self.restored_ms + self.saved_ms) / 1000 if self.saved_ms else 0.0


NO_WAIT = SavedWait()


class StoredUsage(msgspec.Struct, frozen=True, omit_defaults=True):
    """The figures of an answer that the library keeps. `code` is the engine's for an answer that failed, and `told`
    says why, in no language yet. `before` are the tokens that it had when it was continued; None if they are not
    known. `wait` is the wait that kept state saved.
    """

    usage: Usage
    reason: FinishReason
    code: str = ""
    before: Tokens | None = 0
    told: Sentence | str = ""
    wait: SavedWait = NO_WAIT

    @property
    def tokens(self) -> int | None:
        """The tokens of the whole answer; None if they are not known."""
        return None if self.before is None else self.before + self.usage.completion_tokens


_UNREADABLE = StoredUsage(Usage(), "stop", before=None)


def stored_usage(
    usage: Usage,
    reason: FinishReason,
    code: str = "",
    before: int | None = 0,
    told: Sentence | str = "",
    wait: SavedWait = NO_WAIT,
) -> str:
    """The figures, encoded for the library."""
    return msgspec.json.encode(StoredUsage(usage, reason, code, before, told, wait)).decode()


def saved_wait(reply: Message) -> SavedWait:
    """The wait before this reply that kept state saved."""
    return _decoded(reply.usage).wait


def tokens_of(reply: Message) -> int | None:
    """The tokens of a reply; None if they are not known, as after a crash."""
    return 0 if reply.silent else _decoded(reply.usage).tokens


def stored_code(stored: str) -> str:
    """The engine's code for a stored answer that failed; "" if there is none that is readable."""
    return _decoded(stored).code


def stored_error(reply: Message) -> str:
    """Why an answer failed, in the user's language if that can be said: an import may bring the sentence alone."""
    return str(reply.error and _decoded(reply.usage).told) or reply.error


def tokens_until(stored: str) -> int:
    """How many tokens the conversation had at the end of an answer; 0 if its figures are not readable."""
    usage = _decoded(stored).usage
    return usage.prompt_tokens + usage.completion_tokens


def footer(reply: Message) -> str:
    """The line beside an answer, such as "412 tokens · restored in 74 ms instead of about 7 s", with the reason why the
    answer has no proper end. Figures that are not readable are omitted.
    """
    kept, parts, ending = _decoded(reply.usage), [], _ENDINGS.get(reply.state)
    if kept.usage.completion_tokens:
        if kept.tokens is not None:
            parts.append(plural("{count} token", "{count} tokens", kept.tokens))
        if kept.wait.restored_ms and kept.wait.instead_s >= 1:  # a shorter wait is not worth a word
            parts.append(restored_line(kept.wait.restored_ms, kept.wait.instead_s))
        ending = _LIMITS.get(kept.reason, ending)
    return " · ".join((*parts, *([tr(ending)] if ending else [])))


def usage_of(reply: Message) -> Usage:
    """The figures of a reply; zeros if they are not known."""
    return _decoded(reply.usage).usage


def rate(reply: Message) -> str:
    """How fast an answer was written, "" if that is not known."""
    return writing_rate(usage_of(reply).decode_tps)


def _decoded(stored: str) -> StoredUsage:
    """The figures, or none if they are not readable."""
    if stored:
        with suppress(UntrustedDataError):
            return decode_json(stored, StoredUsage)
    return _UNREADABLE


def waiting(status: ChatStatus) -> ChatStatus:
    """A turn began: clear the figures of the last answer."""
    return replace(
        status,
        phase=ChatPhase.QUEUED,
        tokens_per_second=None,
        prefill_done=0,
        prefill_total=0,
        cause="",
        never_read=False,
    )


def progressed(status: ChatStatus, progress: Progress) -> ChatStatus:
    """The request entered a phase or moved on in it."""
    is_prefill, phase = progress.phase == "prefill", "generating" if progress.phase == "decode" else progress.phase
    is_whole = is_prefill and 0 < progress.total == progress.cached_tokens  # it is kept, so nothing of it is read
    context = progress.total or status.context_tokens
    if progress.phase == "decode":  # it counts the prompt alone, and the answer has tokens of its own
        context = max(status.context_tokens, progress.total)
    return replace(
        status,
        phase=ChatPhase.RESTORING if is_whole else ChatPhase(phase),
        warmth=_progress_warmth(status.warmth, progress),
        cached_tokens=progress.cached_tokens if is_prefill else status.cached_tokens,
        restore_ms=progress.restore_ms or status.restore_ms,
        context_tokens=context,
        prefill_done=progress.done,
        prefill_total=progress.total,
        cause=_cause(progress.miss_cause),
    )


def _cause(code: str) -> str:
    """The code if something needs saying."""
    return "" if code == _NEW else code


def _progress_warmth(before: Warmth, progress: Progress) -> Warmth:
    if progress.phase == "restoring":
        return Warmth.RESTORING
    if progress.phase == "prefill" and progress.cached_tokens:
        return Warmth.WARM
    if progress.phase == "prefill":
        return Warmth.UNKNOWN if progress.miss_cause in {_NEW, _OFF} else Warmth.COLD
    return before


def generating(status: ChatStatus, row: Delta) -> ChatStatus:
    """Tokens are being decoded, so the whole prompt is read. It is kept unless nothing of this chat is."""
    is_kept = status.prefill_total > 0 and status.cause not in _UNKEPT
    return replace(
        status,
        phase=ChatPhase.GENERATING,
        warmth=Warmth.WARM if is_kept and status.warmth is Warmth.COLD else status.warmth,
        cached_tokens=max(status.cached_tokens, status.prefill_total) if is_kept else status.cached_tokens,
        tokens_per_second=row.tps or status.tokens_per_second,
        context_tokens=status.prefill_total + row.tokens if status.prefill_total else status.context_tokens,
    )


def finished(status: ChatStatus, usage: Usage) -> ChatStatus:
    """The answer ended, and has the figures of its own wait. All of the answer is in the hot cache, unless this model
    or request is not cached. Of a request that was stopped before its first token, only what it found there is. A
    request that ended while it was queued has no tokens, and changed nothing.
    """
    tokens = usage.prompt_tokens + usage.completion_tokens
    if not tokens:
        return idle(status)
    kept = tokens if usage.completion_tokens else usage.cached_tokens
    return replace(
        idle(status),
        warmth=_UNKEPT.get(usage.miss_cause, Warmth.WARM if kept else Warmth.COLD),
        cached_tokens=0 if usage.miss_cause in _UNKEPT else kept,
        restore_ms=None,
        instead_seconds=None,
        tokens_per_second=usage.decode_tps or None,
        context_tokens=tokens,
        cause=_cause(usage.miss_cause),
    )


def withdrawn(status: ChatStatus, before: ChatStatus) -> ChatStatus:
    """The question of a turn was taken back, so the chat is what it was `before` the turn. The model may be another."""
    return replace(idle(before), context_limit=status.context_limit, draft=status.draft)


def opened(status: ChatStatus, messages: tuple[Message, ...]) -> ChatStatus:
    """The chat opens with these messages at its end. Its length is that of the last answer with figures: a last answer
    that failed may have none. A length that is known already stays.
    """
    if status.context_tokens:
        return status
    lengths = (tokens_until(message.usage) for message in reversed(messages))
    return replace(status, context_tokens=next(filter(None, lengths), 0))


def of_reply(status: ChatStatus, stored: str) -> ChatStatus:
    """The answer with these figures ends the branch that is shown. Figures that it does not have are omitted."""
    usage = _decoded(stored).usage
    tokens = usage.prompt_tokens + usage.completion_tokens or status.context_tokens
    is_all_cached = 0 < status.context_tokens <= status.cached_tokens
    return replace(
        status,
        cached_tokens=tokens if is_all_cached else min(status.cached_tokens, tokens),
        tokens_per_second=usage.decode_tps or None,
        context_tokens=tokens,
    )


def idle(status: ChatStatus) -> ChatStatus:
    """Nothing is in progress. The figures stay."""
    return replace(status, phase=ChatPhase.IDLE, prefill_done=0, prefill_total=0)


def away(status: ChatStatus) -> ChatStatus:
    """The engine has nothing of this conversation in memory. Whether it is on disk shows when it is warmed."""
    return replace(
        idle(status), warmth=Warmth.UNKNOWN, cached_tokens=0, restore_ms=None, instead_seconds=None, cause=""
    )


def forgotten(status: ChatStatus, reading_rate: float) -> ChatStatus:
    """What the engine had of this conversation was erased, so the next message reads all of it. `reading_rate` is in
    tokens per second, 0 if it was not measured.
    """
    if not status.context_tokens:
        return away(status)
    seconds = status.context_tokens / reading_rate if reading_rate > 0 else None
    return replace(away(status), warmth=Warmth.COLD, reread_seconds=seconds)


def warmed(status: ChatStatus, event: Warmed, reading_rate: float, *, never_read: bool = False) -> ChatStatus:
    """The cache was restored before the next message, up to the stored tokens. `reading_rate` is in tokens per second,
    0 if it was not measured. A chat that was `never_read` has none to restore.
    """
    left = event.prompt_tokens - event.cached_tokens
    known = status.context_tokens
    wait = SavedWait.of(event.cached_tokens, event.restore_ms, reading_rate)
    stays = event.cached_tokens and not event.restore_ms  # it is still in memory since an earlier return
    lengths = (known, event.cached_tokens, event.prompt_tokens)
    context = next(length for length in lengths if 0 <= event.prompt_tokens - length <= _CLOSING_TOKENS)
    return replace(
        status,
        warmth=Warmth.WARM if event.cached_tokens else Warmth.COLD,
        cached_tokens=min(event.cached_tokens, context),
        restore_ms=status.restore_ms if stays else wait.restored_ms or None,
        instead_seconds=status.instead_seconds if stays else wait.instead_s or None,
        context_tokens=context,
        cause="" if never_read else _cause(event.miss_cause),
        never_read=never_read,
        reread_seconds=left / reading_rate if reading_rate > 0 else None,
    )
