"""ChatDesk: the tabs and the chat in front, with the inspector at their right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.inspector.inspector import Inspector
from ui.intents.chat import InChat
from ui.intents.chat_settings import HideChatSettings, ShowChatSettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ui.state.chat_memory import ChatMemoryView
    from ui.state.chat_settings import ChatSettingsView
    from ui.state.library import ConversationRow
    from ui.theme.theme import Theme
    from ui.window.tab_row import TabRow


class ChatDesk(QWidget):
    """`requested` carries an `Intent`. `inspected` is emitted when the inspector was opened or closed."""

    requested = Signal(object)
    inspected = Signal()

    def __init__(self, tab_row: TabRow, pages: QWidget, theme: Theme) -> None:
        super().__init__()
        self._tab_row = tab_row
        self._conversation = ""
        self._shown: ChatSettingsView | None = None
        self.inspector = Inspector(theme)
        self.inspector.hide()
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(tab_row)
        column.addWidget(pages, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addLayout(column, 1)
        row.addWidget(self.inspector)
        self.inspector.requested.connect(self.requested)
        self.inspector.left.connect(lambda: self.set_inspecting(inspecting=False))
        tab_row.inspector_button.clicked.connect(lambda: self.set_inspecting(inspecting=True))

    @property
    def inspecting(self) -> bool:
        """Whether the inspector is open."""
        return not self.inspector.isHidden()

    def toggle_inspector(self) -> None:
        """Open or close the inspector."""
        self.set_inspecting(inspecting=not self.inspecting)

    def set_inspecting(self, *, inspecting: bool) -> None:
        """Open or close the inspector."""
        if not inspecting:
            self.inspector.flush()
        self.inspector.setVisible(inspecting)
        if not inspecting and self._conversation:
            self.requested.emit(InChat(self._conversation, HideChatSettings()))
        self._tab_row.inspector_button.setHidden(inspecting)
        self._ask()
        self.inspected.emit()

    def follow(self, conversation: str) -> None:
        """Another chat is in front; "" for none."""
        self.inspector.flush()
        self._conversation = conversation
        self._tab_row.inspector_button.setEnabled(bool(conversation))
        if not conversation:
            self._shown = None
            self.inspector.show_nothing()
        self._ask()

    def show_settings(self, view: ChatSettingsView) -> None:
        """Show the settings of a conversation, if it is in front."""
        if view.conversation == self._conversation:
            self._shown = view
            self.inspector.show_settings(view)

    def show_memory(self, view: ChatMemoryView) -> None:
        """Show what is kept of a conversation, if it is in front."""
        if view.conversation == self._conversation:
            self.inspector.show_memory(view)

    def set_rows(self, rows: Iterable[ConversationRow]) -> None:
        """Show the labels that the sidebar shows."""
        row = next((row for row in rows if row.id == self._conversation), None)
        if row is not None and self._shown is not None and self._shown.conversation == row.id:
            labels = replace(self._shown, folder=row.folder, tags=row.tags, pinned=row.pinned, cached=row.cached)
            if labels != self._shown:
                self.show_settings(labels)

    def _ask(self) -> None:
        if self.inspecting and self._conversation:
            self.requested.emit(InChat(self._conversation, ShowChatSettings()))

    def set_theme(self, theme: Theme) -> None:
        """Repaint the inspector in `theme`."""
        self.inspector.set_theme(theme)
