"""What the library holds, as the window shows it. Owns the translation of rows into view values; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from app.chat import attachments, status, tool_calls
from app.chat.moments import local_time
from ui.state import ConversationRow, DeletedRow, MessageState, MessageView
from ui.theme.phrases import thought_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from storage.library.rows import Message, Summary

UNTITLED = "New chat"
_DAY_MS = 24 * 3600 * 1000
KEEP_DELETED_MS = 30 * _DAY_MS
"""How long a conversation stays in Recently Deleted."""

_STATES = {state.value: state for state in MessageState}


def row(summary: Summary) -> ConversationRow:
    """A line pair of the sidebar, in local time."""
    return ConversationRow(
        summary.id,
        summary.title or UNTITLED,
        summary.snippet,
        local_time(summary.updated),
        summary.pinned,
        summary.folder,
        summary.tags,
        summary.marks,
        summary.cached,
    )


def deleted_row(summary: Summary, now: int) -> DeletedRow:
    """A line of Recently Deleted; `now` in ms, UTC. The day on which it goes counts as one."""
    left = max(-((now - summary.updated - KEEP_DELETED_MS) // _DAY_MS), 0)
    return DeletedRow(summary.id, summary.title or UNTITLED, summary.snippet, left)


def messages(part: Sequence[Message], unread: int) -> tuple[MessageView, ...]:
    """A part of a transcript; the first `unread` of it, which the model does not read any more, are marked."""
    return tuple(replace(message(one), out_of_context=place < unread) for place, one in enumerate(part))


def message(stored: Message) -> MessageView:
    """A message of the transcript; a state that is not known counts as done, so that its text is always shown."""
    role: Literal["user", "assistant"] = "user" if stored.role == "user" else "assistant"
    state = _STATES.get(stored.state, MessageState.DONE)
    return MessageView(
        stored.id,
        role,
        stored.content,
        state,
        footer="" if state is MessageState.OPEN else status.footer(stored.usage),
        error=stored.error,
        reasoning=stored.aside.reasoning,
        thought=_thought(stored, state) if stored.aside.reasoning else "",
        tools=tool_calls.views(tool_calls.decode(stored.aside.tool_calls)),
        place=stored.place,
        places=stored.places,
        attachments=attachments.views(stored.attachments),
    )


def _thought(stored: Message, state: MessageState) -> str:
    if stored.aside.thought_ms:
        return thought_line(stored.aside.thought_ms / 1000)
    return "Thinking…" if state is MessageState.OPEN else "Thought"
