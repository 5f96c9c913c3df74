"""What the library holds, as the window shows it. Owns the translation of rows into view values; pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from app import figures, tool_calls, turns
from ui.phrases import thought_line
from ui.state import ConversationRow, MessageState, MessageView

if TYPE_CHECKING:
    from storage.library.rows import Conversation, Message, Summary

UNTITLED = "New chat"

_STATES = {state.value: state for state in MessageState}


def row(summary: Summary) -> ConversationRow:
    """A line pair of the sidebar, in local time."""
    updated = datetime.fromtimestamp(summary.updated / 1000, UTC).astimezone()
    return ConversationRow(summary.id, summary.title or UNTITLED, summary.snippet, updated)


def branch(conversation: Conversation, messages: tuple[Message, ...]) -> tuple[MessageView, ...]:
    """A whole transcript; what the model does not read any more is marked."""
    unread = len(messages) - len(turns.read_part(conversation, messages))
    shown = map(message, messages)
    return tuple(replace(view, unread=place < unread) for place, view in enumerate(shown))


def message(stored: Message) -> MessageView:
    """A message of the transcript; a state that is not known counts as done, so that its text is always shown."""
    role: Literal["user", "assistant"] = "user" if stored.role == "user" else "assistant"
    state = _STATES.get(stored.state, MessageState.DONE)
    return MessageView(
        stored.id,
        role,
        stored.content,
        state,
        footer="" if state is MessageState.OPEN else figures.footer(stored.usage),
        error=stored.error,
        reasoning=stored.aside.reasoning,
        thought=_thought(stored, state) if stored.aside.reasoning else "",
        tools=tool_calls.views(tool_calls.decode(stored.aside.tool_calls)),
        place=stored.place,
        places=stored.places,
    )


def _thought(stored: Message, state: MessageState) -> str:
    if stored.aside.thought_ms:
        return thought_line(stored.aside.thought_ms / 1000)
    return "Thinking…" if state is MessageState.OPEN else "Thought"
