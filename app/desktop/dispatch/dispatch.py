"""Carries out what the user asks of the window: every `Intent` leads to one use case. Runs on the window's thread.

Each match is exhaustive: mypy refuses an intent that no case handles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from app.desktop.dispatch.chat import ChatDispatch
from app.desktop.dispatch.library import LibraryDispatch
from app.desktop.dispatch.macs import MacsDispatch
from app.desktop.dispatch.models import ModelDispatch
from app.desktop.dispatch.settings import SettingsDispatch
from ui.intents.chat import InChat
from ui.intents.intent import LibraryIntent
from ui.intents.macs import MacsIntent
from ui.intents.models import ModelIntent
from ui.intents.settings import SettingsIntent

if TYPE_CHECKING:
    from app.desktop.wiring import AppParts
    from ui.intents.intent import Intent


class Dispatch:
    """Gives each intent to the dispatcher of its topic."""

    def __init__(self, parts: AppParts) -> None:
        self._chat = ChatDispatch(parts)
        self._library = LibraryDispatch(parts)
        self._models = ModelDispatch(parts)
        self._macs = MacsDispatch(parts)
        self._settings = SettingsDispatch(parts)

    def handle(self, intent: Intent) -> None:
        """Do what the user asks."""
        if isinstance(intent, InChat):
            self._chat.handle(intent.conversation, intent.intent)
        elif isinstance(intent, LibraryIntent):
            self._library.handle(intent)
        elif isinstance(intent, ModelIntent):
            self._models.handle(intent)
        elif isinstance(intent, MacsIntent):
            self._macs.handle(intent)
        elif isinstance(intent, SettingsIntent):
            self._settings.handle(intent)
        else:
            assert_never(intent)
