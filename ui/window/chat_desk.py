"""ChatDesk: the tabs and the chat in front, with the inspector at their right.

If two chats do not fit beside the inspector, the one in front stands there alone. If that one does not fit either, the
inspector lies over it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QWidget

from ui.chat.chat_tab import ChatTab
from ui.context import WindowContext, follow
from ui.inspector.inspector import Inspector
from ui.intents.chat import CloseTab, InChat
from ui.intents.chat_settings import HideChatSettings, ShowChatSettings
from ui.intents.intent import Intent
from ui.intents.library import DeleteChats, NewChat
from ui.intents.settings import ExchangeIntent
from ui.state.chat_memory import ChatMemoryView
from ui.state.chat_settings import ChatSettingsView
from ui.state.library import ConversationRow
from ui.widgets.layouts import Placed, in_column, in_row
from ui.window.chat_pages import ChatPages
from ui.window.tab_row import TabRow


class ChatDesk(QWidget):
    """The chats with the inspector beside them. `inspected` is emitted when the inspector was opened or closed."""

    inspected = Signal()

    def __init__(self, context: WindowContext, tab_row: TabRow, pages: ChatPages) -> None:
        super().__init__()
        self._context = context
        self._tab_row = tab_row
        self._pages = pages
        self._conversation = ""
        self.inspector = Inspector(context)
        self.inspector.hide()
        self._column = in_column(tab_row, Placed(pages))
        self._row = in_row(Placed(self._column), self.inspector, of=self)
        self.inspector.width_changed.connect(self._place_inspector)
        self.inspector.left.connect(lambda: self.set_inspecting(inspecting=False))
        self.inspector.memory.map.chosen.connect(self._go_to)
        follow(self, context.store.chat_settings, self._show_settings)
        follow(self, context.store.chat_memory, self._show_memory)
        follow(self, context.store.conversations, self._show_labels)
        tab_row.inspector_button.clicked.connect(lambda: self.set_inspecting(inspecting=True))

    @property
    def inspecting(self) -> bool:
        """Whether the inspector is open."""
        return not self.inspector.isHidden()

    def event(self, event: QEvent) -> bool:
        """Place the inspector again if the room or a part has another size."""
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self._place_inspector()
        return done

    def _place_inspector(self) -> None:
        """Beside the chats if there is room, else over them, below the row of tabs and its buttons."""
        room = self.width() - self.inspector.width()
        self._pages.set_tight(is_tight=self.inspecting and room < self._pages.least_width)
        is_over = self.inspecting and self.width() < self._column.minimumSize().width() + self.inspector.width()
        if is_over is not (self._row.indexOf(self.inspector) < 0):
            if is_over:
                self._row.removeWidget(self.inspector)
            else:
                self._row.addWidget(self.inspector)
        if is_over:
            top, width = self._tab_row.geometry().bottom() + 1, self.inspector.width()
            self.inspector.setGeometry(self.width() - width, top, width, self.height() - top)
            self.inspector.raise_()

    def toggle_inspector(self) -> None:
        """Open or close the inspector."""
        self.set_inspecting(inspecting=not self.inspecting)

    def reveal(self, name: str) -> None:
        """Open the inspector at one of its parts."""
        self.set_inspecting(inspecting=True)
        self.inspector.reveal(name)

    def set_inspecting(self, *, inspecting: bool) -> None:
        """Open or close the inspector."""
        if not inspecting:
            self.inspector.flush()
        self.inspector.setVisible(inspecting)
        self._place_inspector()
        if not inspecting and self._conversation:
            self._context.send(InChat(self._conversation, HideChatSettings()))
        self._tab_row.inspector_button.setHidden(inspecting)
        self._ask()
        self.inspected.emit()

    def follow(self, conversation: str) -> None:
        """Another chat is in front; "" for none. Until the app shows its settings, it has those that its tab knows."""
        tab = self._pages.open.get(conversation)
        self.inspector.turn(None if tab is None else tab.settings)
        self._conversation = conversation
        self._tab_row.inspector_button.setEnabled(bool(conversation))
        self._ask()

    def save_before(self, intent: Intent) -> None:
        """Save every draft before a new chat is asked for, which uses an untouched one again, and before chats go, or
        the whole library. Save what was typed in the inspector before a tab closes: a chat without a word is deleted
        then.
        """
        if isinstance(intent, NewChat | DeleteChats | ExchangeIntent):
            self._pages.flush_drafts()
        if isinstance(intent, InChat) and isinstance(intent.intent, CloseTab):
            self.inspector.flush()

    def _show_settings(self, view: ChatSettingsView) -> None:
        if view.conversation == self._conversation:
            self.inspector.show_settings(view)

    def _show_memory(self, view: ChatMemoryView) -> None:
        if view.conversation == self._conversation:
            self.inspector.show_memory(view)

    def _show_labels(self, rows: Iterable[ConversationRow]) -> None:
        row, shown = next((row for row in rows if row.id == self._conversation), None), self.inspector.view
        if row is not None and shown is not None and shown.conversation == row.id:
            labels = replace(shown, folder=row.folder, tags=row.tags, pinned=row.pinned, cached=row.cached)
            if labels != shown:
                self.inspector.show_known(labels)

    def _go_to(self, message: str) -> None:
        page = self._pages.currentWidget()
        if isinstance(page, ChatTab):
            page.transcript.scrolling.to_message(message)

    def _ask(self) -> None:
        if self.inspecting and self._conversation:
            self._context.send(InChat(self._conversation, ShowChatSettings()))
