"""MainWindow: owns the window's public face, keyed by conversation: plain values out by signals, view values in."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from ui.intents import CloseTab, FocusTab, InChat
from ui.sidebar.sidebar import Sidebar
from ui.theme.theme import system_theme, ui_font
from ui.window.actions import Actions
from ui.window.chat_pages import ChatPages
from ui.window.home import Home
from ui.window.menu_commands import MenuCommands
from ui.window.notice_bar import NoticeBar
from ui.window.sheets import Sheets
from ui.window.tab_row import TabRow

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.chat.chat_tab import ChatTab
    from ui.state import (
        AttachmentView,
        Channel,
        ChatStatus,
        ChatView,
        ConversationRow,
        DeletedRow,
        EngineView,
        MemoryView,
        MessageView,
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
    """The time in the user's own zone."""
    return datetime.now().astimezone()


class MainWindow(QMainWindow):
    """The window. It keeps no conversation's words beyond its open tabs and decides nothing about them."""

    requested = Signal(object)
    closing = Signal()

    def __init__(self, theme: Theme | None = None, clock: Callable[[], datetime] = local_now) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setMinimumSize(720, 520)
        self.resize(1280, 840)
        self.setFont(ui_font(13))
        self._theme = theme or system_theme()
        self._shown = ""
        self._build(clock)
        self._connect()
        self.set_theme(self._theme)
        self.sidebar.list.setFocus()  # else the first button would start with the keyboard's ring
        self._show_current()

    def _build(self, clock: Callable[[], datetime]) -> None:
        self.sidebar = Sidebar(self._theme, clock)
        self.tab_row = TabRow(self._theme)
        self.tabs = self.tab_row.tabs
        self.home = Home(self._theme)
        self.pages = ChatPages(self.home, self._theme)
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
        self.sheets = Sheets(self, self._theme)
        self.commands = MenuCommands(self)

    def _connect(self) -> None:
        for part in (self.sidebar, self.tab_row, self.home, self.pages, self.notices, self.sheets):
            part.requested.connect(self.requested)
        self.sidebar.export_requested.connect(self.ask_export)
        self.sidebar.settings_requested.connect(self.sheets.open_settings)
        self.sidebar.hide_requested.connect(self.toggle_sidebar)
        self.tab_row.sidebar_requested.connect(self.toggle_sidebar)
        self.tabs.shown.connect(self._show_current)
        self.tabs.close_requested.connect(self.close_tab)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    # --- conversations and tabs

    def show_conversations(self, rows: tuple[ConversationRow, ...]) -> None:
        """List `rows` in the sidebar, in the order given."""
        self.sidebar.show_conversations(rows)
        self.pages.set_kept(rows)
        self.commands.refresh()

    def show_folders(self, folders: tuple[str, ...]) -> None:
        """Offer these folders to put chats into."""
        self.sidebar.show_folders(folders)

    def show_deleted(self, rows: tuple[DeletedRow, ...]) -> None:
        """List what is in Recently Deleted, if the user looks at it."""
        self.sheets.show_deleted(rows)

    def ask_export(self, conversation: str) -> None:
        """Ask where to write a chat."""
        row = self.sidebar.model.row_of(conversation)
        self.sheets.ask_export(conversation, row.title if row else self.tabs.title_of(conversation))

    def open_chat(self, view: ChatView) -> None:
        """Make the tab of a conversation, or bring the one that exists up to date; show it and put the cursor there."""
        tab = self.tab(view.id)
        if tab is None:
            tab = self._add_tab(view)
        else:
            tab.show_view(view)
        self.set_title(view.id, view.title)
        self.set_status(view.id, view.status)
        self.tabs.show_tab(view.id)
        self._show_current()
        tab.composer.edit.setFocus()

    def _add_tab(self, view: ChatView) -> ChatTab:
        add = self.tabs.add_private if view.private else self.tabs.add
        add(view.id, view.title)
        return self.pages.add(view)

    def close_tab(self, conversation: str) -> None:
        """Close a tab because the user wants to. An answer on its way goes on; Reopen brings the tab back."""
        if (tab := self.tab(conversation)) is not None:
            tab.composer.flush_draft()
            if not self.tabs.is_private(conversation):  # which is gone with its tab
                self.commands.remember_closed(conversation)
            self._remove_tab(conversation)
            self.requested.emit(InChat(conversation, CloseTab()))
            self._show_current()

    def close_chat(self, conversation: str) -> None:
        """Take away the tab of a conversation that is no more."""
        self.commands.forget_closed(conversation)
        if self.tab(conversation) is not None:
            self._remove_tab(conversation)
        self._show_current()

    def _remove_tab(self, conversation: str) -> None:
        self.tabs.remove(conversation)
        self.pages.remove(conversation)

    def _show_current(self) -> None:
        conversation = self.tabs.current()
        tab, before = self.tab(conversation), self.tab(self._shown)
        if before is not None and before is not tab:
            before.composer.flush_draft()
        self.pages.turn_to(conversation)
        self.sidebar.select(conversation)
        self._retitle()
        self.commands.refresh()
        if conversation != self._shown:
            self._shown = conversation
            self.notices.turn_away()
            self.requested.emit(FocusTab(conversation))
            if tab is not None:
                tab.composer.edit.setFocus()

    def current(self) -> str:
        """The conversation whose tab is shown, "" for none."""
        return self.tabs.current()

    def tab(self, conversation: str) -> ChatTab | None:
        """The open tab of a conversation."""
        return self.pages.tab(conversation)

    def set_title(self, conversation: str, title: str) -> None:
        """Name a tab. The sidebar's rows come with `show_conversations`."""
        if self.tab(conversation) is not None:
            self.tabs.set_title(conversation, title)
            self._retitle()

    def _retitle(self) -> None:
        private = " (private)" if self.tabs.is_private(self.current()) else ""
        self.setWindowTitle(f"{self.tabs.title_of(self.current()) or 'Hearth'}{private}")

    # --- what happens in a conversation

    def add_message(self, conversation: str, view: MessageView) -> None:
        """Append a message to an open transcript."""
        self._tell(conversation, lambda tab: tab.add_message(view))

    def show_branch(self, conversation: str, messages: tuple[MessageView, ...]) -> None:
        """Show other messages in an open transcript; what stays of the former ones stays where it is."""
        self._tell(conversation, lambda tab: tab.show_branch(messages))

    def show_earlier(self, conversation: str, messages: tuple[MessageView, ...], earlier: bool) -> None:  # noqa: FBT001 - a fact about the chat, as in ChatView
        """Put messages above those of an open transcript; `earlier` tells that there are still more before them."""
        self._tell(conversation, lambda tab: tab.show_earlier(messages, earlier))

    def show_attachments(self, conversation: str, attachments: tuple[AttachmentView, ...]) -> None:
        """Show what goes with the draft of an open chat."""
        self._tell(conversation, lambda tab: tab.composer.set_attachments(attachments))

    def append_delta(self, conversation: str, message: str, text: str, channel: Channel = "answer") -> None:
        """Append to an open message. The hot path: nothing else is touched."""
        tab = self.tab(conversation)
        if tab is not None:
            tab.transcript.append_delta(message, text, channel)

    def replace_message(self, conversation: str, view: MessageView) -> None:
        """Take a message's new text and state."""
        self._tell(conversation, lambda tab: tab.replace_message(view))

    def remove_message(self, conversation: str, message: str) -> None:
        """Take a message away."""
        self._tell(conversation, lambda tab: tab.remove_message(message))

    def give_back(self, conversation: str, words: str) -> bool:
        """Put words that were not sent before what is being written. False where the chat is not open."""
        self._tell(conversation, lambda tab: tab.composer.give_back(words))
        return self.tab(conversation) is not None

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Let the sidebar's row follow, and tab, button and strip where the conversation is open."""
        self.sidebar.set_status(conversation, status)
        self.tabs.set_status(conversation, status)
        self._tell(conversation, lambda tab: tab.set_status(status))

    def _tell(self, conversation: str, what: Callable[[ChatTab], None]) -> None:
        tab = self.tab(conversation)
        if tab is not None:
            what(tab)
            if conversation == self.current():
                self.commands.refresh()

    # --- the engine and the window itself

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Offer `models` in every picker."""
        self.pages.set_models(models, current)

    def set_capabilities(self, capabilities: ModelCapabilities) -> None:
        """Offer what the loaded model can do."""
        self.pages.set_capabilities(capabilities)

    def set_engine(self, view: EngineView) -> None:
        """Show how the engine is."""
        self.sidebar.set_engine(view)
        self.pages.set_engine(view)

    def set_memory(self, view: MemoryView) -> None:
        """Show what is in memory."""
        self.sidebar.set_memory(view)

    def show_storage(self, view: StorageView) -> None:
        """Show in the settings what Hearth takes on this disk, if they are open."""
        self.sheets.show_storage(view)

    def show_update(self, view: UpdateView) -> None:
        """Show what is known of newer versions, if the user looks at it."""
        self.sheets.show_update(view)

    def show_notice(self, notice: Notice) -> None:
        """Show a notice, in the place of one with the same key."""
        self.notices.show_notice(notice)

    def clear_notice(self, key: str) -> None:
        """Take a notice away."""
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
        parts: tuple[_Themed, ...] = (self.sidebar, self.tab_row, self.home, self.notices, self.sheets, self.pages)
        for part in parts:
            part.set_theme(theme)

    def _follow_system(self) -> None:
        self.set_theme(system_theme())

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Say what was being written, then that the window goes."""
        self.pages.flush_drafts()
        self.closing.emit()
        event.accept()
