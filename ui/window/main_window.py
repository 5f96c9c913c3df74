"""MainWindow: lays out the window's parts and connects them. It runs on the GUI thread.

- Intents go up: `requested` carries every `Intent` of every part.
- View values come down: the app calls the parts, or the methods here if several parts change.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from ui.sidebar.sidebar import Sidebar
from ui.theme.theme import system_theme, ui_font
from ui.window.actions import Actions
from ui.window.chat_pages import ChatPages
from ui.window.dialogs import Dialogs
from ui.window.home import Home
from ui.window.menu_commands import MenuCommands
from ui.window.notice_bar import NoticeBar
from ui.window.open_chats import OpenChats
from ui.window.tab_row import TabRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.state import (
        ChatStatus,
        ConversationRow,
        DeletedRow,
        EngineView,
        MemoryView,
        ModelCapabilities,
        ModelView,
        Notice,
        StorageView,
        UpdateView,
    )
    from ui.theme.theme import Theme


class _Themed(Protocol):
    def set_theme(self, theme: Theme) -> None: ...


def local_now() -> datetime:
    """The current time in the local time zone."""
    return datetime.now().astimezone()


class MainWindow(QMainWindow):
    """The window. `closing` is emitted once the drafts are saved. `system` returns the theme of the system now."""

    requested = Signal(object)
    closing = Signal()

    def __init__(
        self,
        theme: Theme | None = None,
        clock: Callable[[], datetime] = local_now,
        system: Callable[[], Theme] = system_theme,
    ) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setMinimumSize(720, 520)
        self.resize(1280, 840)
        self.setFont(ui_font(13))
        self._system = system
        self._theme = theme or system()
        self._build(clock)
        self._connect()
        self.set_theme(self._theme)
        self.sidebar.list.setFocus()  # otherwise the first button shows the focus ring at the start
        self.chats.show_current()

    def _build(self, clock: Callable[[], datetime]) -> None:
        self.sidebar = Sidebar(self._theme, clock)
        self.tab_row = TabRow(self._theme)
        self.tabs = self.tab_row.tabs
        self.home = Home(self._theme)
        self.pages = ChatPages(self.home, self._theme)
        self.chats = OpenChats(self.tabs, self.pages, self)
        self.notices = NoticeBar(self._theme, self.pages)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self.tab_row)
        column.addWidget(self.pages, 1)
        central = QWidget()
        central.setObjectName("page")
        row = QHBoxLayout(central)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.sidebar)
        row.addLayout(column, 1)
        self.setCentralWidget(central)
        self.actions_by_name = Actions(self)
        self.dialogs = Dialogs(self, self._theme)
        self.commands = MenuCommands(self)

    def _connect(self) -> None:
        for part in (self.sidebar, self.tab_row, self.home, self.chats, self.notices, self.dialogs):
            part.requested.connect(self.requested)
        self.sidebar.export_requested.connect(self.ask_export)
        self.sidebar.settings_requested.connect(self.dialogs.open_settings)
        self.sidebar.hide_requested.connect(self.toggle_sidebar)
        self.tab_row.sidebar_requested.connect(self.toggle_sidebar)
        self.chats.opened.connect(lambda view: self.sidebar.set_status(view.id, view.status))
        self.chats.shown.connect(self._follow_tab)
        self.chats.turned.connect(self.notices.clear_read)
        self.chats.changed.connect(self._refresh)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    # --- conversations and tabs

    def show_conversations(self, rows: tuple[ConversationRow, ...]) -> None:
        """List `rows` in the sidebar, in this order."""
        self.sidebar.show_conversations(rows)
        self.pages.set_kept(rows)
        self.commands.refresh()

    def show_folders(self, folders: tuple[str, ...]) -> None:
        """Offer these folders in the menus."""
        self.sidebar.show_folders(folders)

    def show_deleted(self, rows: tuple[DeletedRow, ...]) -> None:
        """List the deleted chats, if Recently Deleted is open."""
        self.dialogs.show_deleted(rows)

    def ask_export(self, conversation: str) -> None:
        """Ask for a file to export a chat to."""
        row = self.sidebar.model.row_of(conversation)
        self.dialogs.ask_export(conversation, row.title if row else self.tabs.title_of(conversation))

    def _follow_tab(self) -> None:
        self.sidebar.select(self.chats.current())
        self._refresh()

    def _refresh(self) -> None:
        current = self.chats.current()
        private = " (private)" if self.tabs.is_private(current) else ""
        self.setWindowTitle(f"{self.tabs.title_of(current) or 'Hearth'}{private}")
        self.commands.refresh()

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Show what the model does for a conversation: in the sidebar's row, and in the tab if it is open."""
        self.sidebar.set_status(conversation, status)
        self.chats.set_status(conversation, status)

    # --- the engine and the window itself

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Offer `models` in every picker."""
        self.pages.set_models(models, current)

    def set_capabilities(self, capabilities: ModelCapabilities) -> None:
        """Offer what the loaded model can do."""
        self.pages.set_capabilities(capabilities)

    def set_engine(self, view: EngineView) -> None:
        """Show the engine's state."""
        self.sidebar.set_engine(view)
        self.pages.set_engine(view)

    def set_memory(self, view: MemoryView) -> None:
        """Show how much memory is used."""
        self.sidebar.set_memory(view)

    def show_storage(self, view: StorageView) -> None:
        """Show the disk usage, if the settings are open."""
        self.dialogs.show_storage(view)

    def show_update(self, view: UpdateView) -> None:
        """Show what is known about newer versions, if that dialog is open."""
        self.dialogs.show_update(view)

    def show_notice(self, notice: Notice) -> None:
        """Show a notice. It replaces one with the same key."""
        self.notices.show_notice(notice)

    def clear_notice(self, key: str) -> None:
        """Remove a notice."""
        self.notices.clear_notice(key)

    def toggle_sidebar(self) -> None:
        """Show or hide the sidebar."""
        hidden = not self.sidebar.isHidden()
        self.sidebar.setHidden(hidden)
        self.tab_row.sidebar_button.setVisible(hidden)

    def set_theme(self, theme: Theme) -> None:
        """Repaint everything in `theme`."""
        self._theme = theme
        self.setPalette(theme.palette())
        self.setStyleSheet(theme.qss())
        parts: tuple[_Themed, ...] = (self.sidebar, self.tab_row, self.home, self.notices, self.dialogs, self.pages)
        for part in parts:
            part.set_theme(theme)

    def _follow_system(self) -> None:
        self.set_theme(self._system())

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Save the drafts, then announce that the window closes."""
        self.pages.flush_drafts()
        self.closing.emit()
        event.accept()
