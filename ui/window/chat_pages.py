"""ChatPages: owns the open chats as pages, and what all of them are told; which one is shown is the window's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget, QWidget

from ui.chat.chat_tab import ChatTab
from ui.state import EngineState, EngineView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ui.state import ChatView, ConversationRow, ModelCapabilities, ModelView
    from ui.theme.theme import Theme
    from ui.window.window_signals import WindowSignals


class ChatPages(QStackedWidget):
    """A page for each open chat, and `home` for none. What the chats say is said by the window, their id first."""

    def __init__(self, window: WindowSignals, home: QWidget, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("pages")
        self._window = window
        self._home = home
        self._theme = theme
        self._open: dict[str, ChatTab] = {}
        self._models: tuple[tuple[ModelView, ...], str] = ((), "")
        self._capabilities: ModelCapabilities | None = None
        self._engine = EngineView(EngineState.READY)
        self.addWidget(home)

    def tab(self, conversation: str) -> ChatTab | None:
        """The open tab of a conversation."""
        return self._open.get(conversation)

    def add(self, view: ChatView) -> ChatTab:
        """Make the page of a conversation, without showing it."""
        tab = ChatTab(view, self._theme)
        self._connect(view.id, tab)
        tab.set_models(*self._models)
        if self._capabilities is not None:
            tab.set_capabilities(self._capabilities)
        tab.set_engine(self._engine)
        self._open[view.id] = tab
        self.addWidget(tab)
        return tab

    def _connect(self, conversation: str, tab: ChatTab) -> None:
        window = self._window
        for signal, out in (
            (tab.submitted, window.submitted),
            (tab.continue_requested, window.continue_requested),
            (tab.retry_requested, window.retry_requested),
            (tab.alternatives_requested, window.alternatives_requested),
            (tab.edit_requested, window.edit_requested),
            (tab.fork_requested, window.fork_requested),
            (tab.step_requested, window.step_requested),
            (tab.thinking_changed, window.thinking_changed),
            (tab.draft_changed, window.draft_changed),
            (tab.preset_picked, window.preset_picked),
            (tab.stop_requested, window.stop_requested),
            (tab.pause_requested, window.pause_requested),
            (tab.resume_requested, window.resume_requested),
            (tab.attach_requested, window.attach_requested),
            (tab.detach_requested, window.detach_requested),
            (tab.earlier_requested, window.earlier_requested),
        ):
            signal.connect(partial(out.emit, conversation))
        tab.model_picked.connect(window.model_picked)
        tab.kv_bits_picked.connect(window.kv_bits_picked)

    def remove(self, conversation: str) -> None:
        """Take the page of a conversation away."""
        tab = self._open.pop(conversation)
        self.removeWidget(tab)
        tab.hide()
        tab.deleteLater()

    def turn_to(self, conversation: str) -> None:
        """Show the page of a conversation, home where it has none."""
        self.setCurrentWidget(self._open.get(conversation, self._home))

    def flush_drafts(self) -> None:
        """Announce every draft now."""
        for tab in self._open.values():
            tab.flush_draft()

    def set_kept(self, rows: Iterable[ConversationRow]) -> None:
        """Let the chats among these say what is not kept of them."""
        for row in rows:
            if (tab := self._open.get(row.id)) is not None:
                tab.set_kept(private=False, cached=row.cached)

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Offer `models` in every picker."""
        self._models = (models, current)
        for tab in self._open.values():
            tab.set_models(models, current)

    def set_capabilities(self, capabilities: ModelCapabilities) -> None:
        """Offer what the loaded model can do."""
        self._capabilities = capabilities
        for tab in self._open.values():
            tab.set_capabilities(capabilities)

    def set_engine(self, view: EngineView) -> None:
        """Show how the engine is."""
        self._engine = view
        for tab in self._open.values():
            tab.set_engine(view)

    def set_theme(self, theme: Theme) -> None:
        """Repaint everything in `theme`, but for home, which is the window's own."""
        self._theme = theme
        for tab in self._open.values():
            tab.set_theme(theme)
