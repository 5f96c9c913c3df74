"""Intents: what the user asks of the app, as frozen values. A widget sends them through its `Context`.

The window emits only an `Intent`, on its signal `requested`. The app matches every kind: `app.desktop.dispatch`. No Qt.

They are `Struct`s, because a start defines more than a hundred of them, and a dataclass takes 0.5 ms to be defined.
"""

from __future__ import annotations

from ui.intents.chat import ChatIntent, InChat
from ui.intents.chat_settings import PresetIntent
from ui.intents.library import ChosenIntent, ListIntent, PromptIntent, SearchIntent, TrashIntent
from ui.intents.macs import MacsIntent
from ui.intents.models import ModelIntent
from ui.intents.settings import SettingsIntent
from ui.intents.voice import VoiceIntent

LibraryIntent = ListIntent | ChosenIntent | SearchIntent | TrashIntent | PresetIntent | PromptIntent
Intent = InChat | LibraryIntent | ModelIntent | MacsIntent | SettingsIntent | VoiceIntent
PageIntent = ChatIntent | ModelIntent | VoiceIntent
"""What the page of a chat sends. It does not know its chat."""
