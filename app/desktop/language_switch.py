"""Changes the language of a window that is open: every part of it is built anew, and the app shows its views again."""

from __future__ import annotations

from app.desktop.wiring import AppParts
from engine.protocol.messages import Ping
from resources.language.text import present


def follow(parts: AppParts) -> None:
    """Speak the language that the user chose."""
    if parts.speech.speak(parts.workspace.settings.preferences.language):
        tabs = parts.window.chats.arranged()
        parts.window.rebuild()
        _show_again(parts)
        parts.workspace.reopen_tabs(parts.conversations, tabs)


def _show_again(parts: AppParts) -> None:
    conversations, models = parts.conversations, parts.models
    parts.connection.send(Ping(present().code))  # an engine that starts later learns it from its environment
    parts.connection.show_again()
    conversations.settings.presets.show()
    conversations.list.refresh()
    parts.hub_token.show_again()
    parts.finder.show_again()
    models.show_again()
    models.refresh()  # the built-in model has a name in each language
    parts.welcome.show_again()
