"""ChatPages: one page for each open chat, and the home page. It passes on what is the same for all chats."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from ui.chat.chat_tab import ChatTab
from ui.intents.chat import InChat
from ui.intents.models import ModelIntent, ShowModels
from ui.state.engine import EngineState, EngineView

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from ui.intents.chat import ChatIntent
    from ui.state.chat import ChatView
    from ui.state.chat_settings import PresetView
    from ui.state.engine import ModelCapabilities, ModelView
    from ui.state.library import ConversationRow
    from ui.theme.theme import Theme


class ChatPages(QStackedWidget):
    """A stack of chat pages, and `home` for no open chat. `requested` adds the conversation to each intent.

    `models_requested` is emitted instead of ShowModels: the models page asks for the models itself when it opens.
    """

    requested = Signal(object)
    models_requested = Signal()

    def __init__(self, home: QWidget, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("pages")
        self._home = home
        self._blank = QWidget()
        self._empty: QWidget = home
        self._theme = theme
        self._open: dict[str, ChatTab] = {}
        self._models: tuple[tuple[ModelView, ...], str] = ((), "")
        self._capabilities: ModelCapabilities | None = None
        self._presets: tuple[PresetView, ...] = ()
        self._send_key: Literal["return", "command"] = "return"
        self._engine = EngineView(EngineState.READY)
        self.addWidget(home)
        self.addWidget(self._blank)

    def tab(self, conversation: str) -> ChatTab | None:
        """The open tab of a conversation."""
        return self._open.get(conversation)

    def add(self, view: ChatView) -> ChatTab:
        """Create the page of a conversation without showing it."""
        tab = ChatTab(view, self._theme)
        tab.requested.connect(partial(self._pass_on, view.id))
        tab.composer.set_models(*self._models)
        tab.composer.set_presets(self._presets)
        tab.composer.edit.set_send_key(self._send_key)
        if self._capabilities is not None:
            tab.composer.set_capabilities(self._capabilities)
        tab.set_engine(self._engine)
        self._open[view.id] = tab
        self.addWidget(tab)
        return tab

    def _pass_on(self, conversation: str, intent: ChatIntent | ModelIntent | ShowModels) -> None:
        """Add the conversation to the intent. The model is the same for all conversations."""
        if isinstance(intent, ShowModels):
            self.models_requested.emit()
        else:
            self.requested.emit(intent if isinstance(intent, ModelIntent) else InChat(conversation, intent))

    def remove(self, conversation: str) -> None:
        """Delete the page of a conversation."""
        tab = self._open.pop(conversation)
        self.removeWidget(tab)
        tab.hide()
        tab.deleteLater()

    def turn_to(self, conversation: str) -> None:
        """Show the page of a conversation, or home if it has none."""
        self.setCurrentWidget(self._open.get(conversation, self._empty))

    def set_awaiting(self, awaiting: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Say whether tabs are about to open. Meanwhile an empty page stands in the place of home."""
        self._empty = self._blank if awaiting else self._home

    def flush_drafts(self) -> None:
        """Save every draft now."""
        for tab in self._open.values():
            tab.composer.flush_draft()

    def set_kept(self, rows: Iterable[ConversationRow]) -> None:
        """Update how the open chats among these rows are stored."""
        for row in rows:
            if (tab := self._open.get(row.id)) is not None:
                tab.set_kept(private=False, cached=row.cached)

    def models(self) -> tuple[tuple[ModelView, ...], str]:
        """The models in every picker, and the id of the current one."""
        return self._models

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Offer `models` in every picker."""
        self._models = (models, current)
        for tab in self._open.values():
            tab.composer.set_models(models, current)

    def set_presets(self, presets: tuple[PresetView, ...]) -> None:
        """Offer these presets in every chat."""
        self._presets = presets
        for tab in self._open.values():
            tab.composer.set_presets(presets)

    def set_send_key(self, key: Literal["return", "command"]) -> None:
        """Send messages with this key."""
        self._send_key = key
        for tab in self._open.values():
            tab.composer.edit.set_send_key(key)

    def set_capabilities(self, capabilities: ModelCapabilities) -> None:
        """Offer what the loaded model can do."""
        self._capabilities = capabilities
        for tab in self._open.values():
            tab.composer.set_capabilities(capabilities)

    def set_engine(self, view: EngineView) -> None:
        """Show the engine's state."""
        self._engine = view
        for tab in self._open.values():
            tab.set_engine(view)

    def set_theme(self, theme: Theme) -> None:
        """Repaint every page in `theme`, except home: the window repaints that."""
        self._theme = theme
        for tab in self._open.values():
            tab.set_theme(theme)
