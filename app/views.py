"""What the library holds, as the window shows it. Owns the translation of rows into view values; pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from app import figures
from ui.state import ConversationRow, MessageState, MessageView

if TYPE_CHECKING:
    from storage.library.rows import Message, Summary

UNTITLED = "New chat"

_STATES = {state.value: state for state in MessageState}


def row(summary: Summary) -> ConversationRow:
    """A line pair of the sidebar, in local time."""
    updated = datetime.fromtimestamp(summary.updated / 1000, UTC).astimezone()
    return ConversationRow(summary.id, summary.title or UNTITLED, summary.snippet, updated)


def message(stored: Message) -> MessageView:
    """A message of the transcript; a state that is not known counts as done, so that its text is always shown."""
    role: Literal["user", "assistant"] = "user" if stored.role == "user" else "assistant"
    state = _STATES.get(stored.state, MessageState.DONE)
    footer = "" if state is MessageState.OPEN else figures.footer(stored.usage)
    return MessageView(stored.id, role, stored.content, state, footer, stored.error)
