"""Views: the library's rows as view values for the window, with their moments in the local time zone. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from app.base.model_names import name_of
from app.chat import answer, attachments, status
from resources.language.text import tr
from storage.library.rows import NO_DRAFT, Message, SavedDraft, Summary, moment
from ui.state.chat import MOST_CALLS, MessageState, MessageView, TooLong
from ui.state.library import ConversationRow, DeletedRow
from ui.theme.phrases import thought_line


def local_time(milliseconds: int) -> datetime:
    """A time of the library (ms, UTC) in the local time zone."""
    return datetime.fromtimestamp(moment(milliseconds) / 1000, UTC).astimezone()


_DAY_MS = 24 * 3600 * 1000
KEEP_DELETED_MS = 30 * _DAY_MS
"""How long a conversation stays in Recently Deleted."""

_STATES = {state.value: state for state in MessageState}


def untitled() -> str:
    """The title of a chat that has none yet."""
    return tr("New chat")


def shown_draft(saved: SavedDraft) -> str:
    """A saved draft for the eye: its messages and what was typed, without edits."""
    return "\n\n".join(filter(None, (*(one.text for one in saved.queue), saved.typed))).strip()


def row(summary: Summary) -> ConversationRow:
    """A conversation's row in the sidebar, with local times."""
    return ConversationRow(
        summary.id,
        summary.title or untitled(),
        summary.snippet,
        local_time(summary.updated),
        summary.pinned,
        summary.folder,
        summary.tags,
        summary.marks,
        summary.switches.cached,
        summary.hit,
        summary.terms,
        shown_draft(summary.draft),
        summary.draft_files,
    )


def has_words(summary: Summary) -> bool:
    """Whether anything was written in a conversation or attached there."""
    texts = (summary.title, summary.snippet, summary.instructions)
    return any(texts) or summary.draft != NO_DRAFT or summary.draft_files > 0


def deleted_row(summary: Summary, now: int) -> DeletedRow:
    """A row of Recently Deleted. `now` in ms, UTC. The day on which the conversation is erased counts as one."""
    left = max(-((now - summary.updated - KEEP_DELETED_MS) // _DAY_MS), 0)
    words = summary.snippet or shown_draft(summary.draft) or summary.instructions
    return DeletedRow(summary.id, summary.title or untitled(), words, left)


def messages(part: Sequence[Message], left_out: int) -> tuple[MessageView, ...]:
    """A part of a transcript. Its first `left_out` messages are marked as outside of the model's context."""
    return tuple(replace(message(one), out_of_context=place < left_out) for place, one in enumerate(part))


def message(stored: Message) -> MessageView:
    """A message of the transcript. An unknown state counts as done, so that the text is always shown."""
    role: Literal["user", "assistant"] = "user" if stored.role == "user" else "assistant"
    state = _STATES.get(stored.state, MessageState.DONE)
    calls = answer.decode_calls(stored.tool_calls)
    return MessageView(
        stored.id,
        role,
        stored.content,
        state,
        footer="" if state is MessageState.OPEN else status.footer(stored),
        rate="" if state is MessageState.OPEN else status.rate(stored),
        error=status.stored_error(stored),
        reasoning=stored.reasoning,
        thought=_thought(stored, state) if stored.reasoning else "",
        tools=answer.call_views(calls[:MOST_CALLS]),
        more_calls=len(calls[MOST_CALLS:]),
        place=stored.place,
        places=stored.places,
        attachments=tuple(map(attachments.view, stored.attachments)),
        question=(stored.parent or "") if role == "assistant" else "",
        writer=name_of(Path(stored.model)) if role == "assistant" and stored.model else "",
        too_long=_too_long(stored) if state is MessageState.FAILED else "",
    )


def _too_long(stored: Message) -> TooLong:
    code = status.stored_code(stored.usage)
    if code == status.TOO_LONG:
        return "message"
    return "chat" if code in status.LENGTH_CODES else ""


def _thought(stored: Message, state: MessageState) -> str:
    if stored.thought_ms:
        return thought_line(stored.thought_ms / 1000)
    return tr("Thinking…") if state is MessageState.OPEN else tr("Thought")
