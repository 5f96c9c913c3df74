"""Short constructors of the views that the app passes to the window."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ui.state.chat import ChatPhase, ChatStatus, ChatView, MessageState, MessageView
from ui.state.chat_settings import PresetView
from ui.state.engine import ModelView
from ui.state.library import ConversationRow

NOW = datetime(2026, 9, 9, 10, 0, tzinfo=UTC)
TINY = ModelView("tiny", "Tiny", "for tests")
LARGE = ModelView("large", "Large & slow", "for patience")
PRESETS = tuple(PresetView(name, name.title()) for name in ("precise", "balanced", "creative"))
GENERATING = ChatStatus(phase=ChatPhase.GENERATING, tokens_per_second=64.2)


def clock() -> datetime:
    return NOW


def row(name: str, days: float = 0, title: str = "") -> ConversationRow:
    return ConversationRow(name, title or f"Title {name}", f"Snippet {name}", NOW - timedelta(days=days))


def asked(name: str, text: str = "Why?") -> MessageView:
    return MessageView(name, "user", text)


def answered(name: str, text: str = "Because.") -> MessageView:
    return MessageView(name, "assistant", text)


def answering(name: str) -> MessageView:
    return MessageView(name, "assistant", "", state=MessageState.OPEN)


def chat(name: str, *messages: MessageView, draft: str = "", status: ChatStatus | None = None) -> ChatView:
    return ChatView(name, f"Title {name}", messages, draft, status=status or ChatStatus())
