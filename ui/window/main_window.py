"""MainWindow: lays out the window's parts and connects them. It runs on the GUI thread.

- Intents go up: `requested` carries every `Intent` of every part.
- View values come down: the app calls the parts, or the methods here if several parts change.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QMainWindow

from resources.language.text import tr
from ui.context import Context, follow
from ui.intents.chat import InChat, Open
from ui.intents.library import Attend, LookUp
from ui.intents.models import ChatWith, FinishWelcome, PickModel
from ui.intents.settings import SetPreferences
from ui.models.models_page import LOCAL, ModelsPage
from ui.models.welcome_page import WelcomePage
from ui.palette.command_palette import CommandPalette
from ui.sidebar.sidebar import Sidebar
from ui.state.engine import EngineState
from ui.state.preferences import Preferences, zoomed
from ui.store import Store
from ui.theme.appearance import appearance
from ui.theme.long_texts import cut
from ui.theme.reading import chosen_theme, looks
from ui.theme.theme import system_theme, ui_font
from ui.window import palette_entries
from ui.window.actions import Actions
from ui.window.alt_key import AltKey
from ui.window.chat_desk import ChatDesk
from ui.window.chat_pages import ChatPages
from ui.window.dialogs import Dialogs
from ui.window.home import HomePage
from ui.window.menu_commands import MenuCommands
from ui.window.notice_bar import NoticeBar
from ui.window.notifier import Notifier
from ui.window.open_chats import OpenChats
from ui.window.private_chats import PrivateChats
from ui.window.rebuilding import WindowArrangement, take_down
from ui.window.stage import Stage
from ui.window.tab_row import TabRow
from ui.window.title_bar import TitleBar

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.intents.models import ModelIntent
    from ui.intents.notice import Notice
    from ui.state.chat import ChatStatus
    from ui.theme.theme import Theme


def local_now() -> datetime:
    """The current time in the local time zone."""
    return datetime.now().astimezone()


class MainWindow(QMainWindow):
    """The window. `closing` is emitted once the drafts are saved. `system` returns the theme of the system now."""

    requested = Signal(object)
    closing = Signal()

    def __init__(self, clock: Callable[[], datetime] = local_now, system: Callable[[], Theme] = system_theme) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setMinimumSize(720, 520)
        self.resize(1280, 840)
        self.setFont(ui_font(13))
        self._system = system
        self._clock = clock
        self.store = Store()
        self._context = Context(self.store, self.requested.emit)
        self._looks = looks(self.store.preferences.now)
        appearance.changed.connect(self._follow_theme)  # before any part: a new style sheet restores old palettes
        appearance.turn_to(system())
        self._first = self.children()
        self._build(clock)
        self.requested.connect(lambda intent: self.desk.save_before(intent))  # noqa: PLW0108 - the desk is made anew
        self._connect()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self.sidebar.list.setFocus()  # otherwise the first button shows the focus ring at the start
        self.chats.show_current()

    def _build(self, clock: Callable[[], datetime]) -> None:
        context = self._context
        of_models = Context(self.store, self._send_of_models)
        self.sidebar = Sidebar(context, clock)
        self.tab_row = TabRow(context)
        self.tabs = self.tab_row.tabs
        self.home = HomePage(context)
        self.pages = ChatPages(self.home, context)
        self.chats = OpenChats(context, self.tabs, self.pages, self)
        self.notices = NoticeBar(context, self.pages)
        self.models = ModelsPage(of_models)
        self.welcome = WelcomePage(of_models)
        self.desk = ChatDesk(context, self.tab_row, self.pages)
        self.stage = Stage(self.store, self.sidebar, self.desk, self.models, self.welcome)
        self.setCentralWidget(self.stage)
        TitleBar(self, self.sidebar, self.stage.sidebar_place, self.tab_row)
        self.actions_by_name = Actions(self)
        self.dialogs = Dialogs(self, context)
        self.palette_box = CommandPalette(self)
        self.alt_key = AltKey(self)
        self.notifier = Notifier(self)
        self._attended = Attend((), is_active=False)
        self.commands = MenuCommands(self)
        self.private_chats = PrivateChats(self)

    def _connect(self) -> None:
        self.sidebar.export_requested.connect(self.ask_export)
        self.sidebar.settings_requested.connect(self.dialogs.open_settings)
        for hidden in (self.sidebar.hide_requested, self.tab_row.sidebar_requested, self.models.sidebar_requested):
            hidden.connect(self.toggle_sidebar)
        self.chats.opened.connect(self.sidebar.note_opened)
        self.chats.wanted.connect(self.stage.show_chats)
        self.chats.turned.connect(self.stage.show_chats)
        self.chats.shown.connect(self._follow_tab)
        self.chats.turned.connect(self.notices.clear_read)
        for left in (self.notices.left, self.sidebar.search.left, self.stage.turned):
            left.connect(self._follow_stage)
        self.chats.turned.connect(lambda: self.desk.follow(self.chats.current()))
        self.desk.inspected.connect(self.chats.take_focus)
        self.pages.sight_changed.connect(self._refresh)
        self.chats.changed.connect(self._refresh)
        self.tabs.menu_requested.connect(self.commands.open_tab_menu)
        self.stage.welcome_left.connect(lambda: self.requested.emit(FinishWelcome()))
        self.pages.models_requested.connect(self.show_models)
        for asked in (self.welcome.models_requested, self.dialogs.models_requested):
            asked.connect(lambda: self.show_models(place=LOCAL))
        self.stage.sidebar_place.turned.connect(self._offer_sidebar)
        self.chats.wanted.connect(self.stage.sidebar_place.leave)
        self.notifier.opened.connect(lambda chat: self.requested.emit(InChat(chat, Open())))
        self.palette_box.searched.connect(lambda words: self.requested.emit(LookUp(words)))
        self._follow_views()

    def _follow_views(self) -> None:
        part, store = self.stage, self.store  # when the parts are made anew, this one no longer follows
        unload, found = self.actions_by_name["unload"], self.palette_box.show_found
        follow(part, store.conversations, lambda _rows: self.commands.refresh())
        follow(part, store.models, lambda _models: self._refresh_models())
        follow(part, store.unread, self.tabs.set_unread)
        follow(part, store.unread, lambda unread: self.notifier.set_count(len(unread)))
        follow(part, store.engine, lambda view: unload.setEnabled(view.state is EngineState.READY))
        follow(part, store.looked_up, lambda look: found(look[0], palette_entries.hits(self, look[1])))
        follow(part, store.preferences, self._follow_preferences)

    def _refresh_models(self) -> None:
        self.desk.inspector.set_models(*self.pages.models_of(self.chats.current()))

    def rebuild(self) -> None:
        """Make every part anew, because the language has changed. Then the app shows its views again."""
        arranged = WindowArrangement(self)
        take_down(self, self._first)
        self._build(self._clock)
        self._connect()
        self._follow_theme()
        arranged.apply(self)

    def open_palette(self) -> None:
        """Offer everything that can be done now, to be found by its name."""
        self.palette_box.open(palette_entries.entries(self, self._clock()))

    def show_draft(self, conversation: str, words: str) -> None:
        """Show in a chat's row what was typed there and not sent."""
        self.sidebar.model.show_draft(conversation, words)

    def _follow_preferences(self, preferences: Preferences) -> None:
        self.actions_by_name.set_shortcuts(dict(preferences.shortcuts))
        self.dialogs.list_shortcuts(self.actions_by_name.specs())
        self.pages.name_shortcuts(self.actions_by_name.first_keys())
        if looks(preferences) != self._looks:
            self._looks = looks(preferences)
            self._follow_system()

    def zoom(self, steps: int) -> None:
        """Make the text some steps larger or smaller; 0 is its usual size."""
        zoom = zoomed(self.store.preferences.now.zoom, steps) if steps else 100
        self.requested.emit(SetPreferences(replace(self.store.preferences.now, zoom=zoom)))

    def ask_export(self, conversation: str) -> None:
        """Ask for a file to export a chat to."""
        row = self.sidebar.model.row_of(conversation)
        self.dialogs.ask_export(conversation, row.title if row else self.tabs.title_of(conversation))

    def notify(self, conversation: str, title: str, text: str) -> None:
        """Let the system say that an answer has ended."""
        self.notifier.notify(conversation, title, text)

    def _attend(self) -> None:
        """Tell the app what the user looks at, if that has changed."""
        is_active = self.isActiveWindow()
        attended = Attend(self.chats.in_view() if is_active and self.stage.shows_chats() else (), is_active)
        if attended != self._attended:
            self._attended = attended
            self.requested.emit(attended)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """See whether the window comes to the front or leaves it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange:
            self._attend()
            if self.isActiveWindow():
                self.notifier.put_away()

    def copy_text(self, text: str) -> None:
        """Copy to the clipboard."""
        QGuiApplication.clipboard().setText(text)

    def _follow_tab(self) -> None:
        self.sidebar.select(self.chats.current())
        self._refresh()

    def _refresh(self) -> None:
        current = self.chats.current()
        self.notices.turn_to(*(self.chats.in_view() if self.stage.shows_chats() else ()))
        shown = "" if self.stage.shows_welcome() else current
        title = self.tabs.title_of(shown) or "Hearth"
        self.setWindowTitle(tr("Private chat") if self.tabs.is_private(shown) else cut(title))
        self.models.set_has_chat(bool(current))
        self._refresh_models()
        self.commands.refresh()
        self._attend()

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Show what the model does for a conversation: in the sidebar's row, and in the tab if it is open."""
        self.sidebar.set_status(conversation, status)
        self.chats.set_status(conversation, status)

    def show_models(self, *, place: int | None = None) -> None:
        """Turn to the models page, and there to one of its lists or to the one that was in front."""
        self.stage.show_models()
        self.models.enter(place)

    def _send_of_models(self, intent: ModelIntent) -> None:
        """Pass on an intent. A model that is picked on the models page ends the welcome, too."""
        self.requested.emit(intent)
        if isinstance(intent, PickModel | ChatWith) and self.stage.is_welcoming and self.stage.place() is self.models:
            self.requested.emit(FinishWelcome())

    def _follow_stage(self) -> None:
        self.notices.move_to(self.pages if self.stage.shows_chats() else self.stage.place())
        if self.stage.shows_welcome():
            self.welcome.take_focus()
        if self.stage.shows_chats():
            self.chats.take_focus()
        self._refresh()

    def show_notice(self, notice: Notice) -> None:
        """Show a notice, in the open dialog that it is about or above the page. It replaces one with the same key."""
        if not self.dialogs.tell(notice):
            self.notices.show_notice(notice)

    def clear_notice(self, key: str) -> None:
        """Remove a notice."""
        self.notices.clear_notice(key)

    def toggle_sidebar(self) -> None:
        """Show or hide the sidebar."""
        self.stage.sidebar_place.toggle()

    def _offer_sidebar(self, shown: bool) -> None:  # noqa: FBT001 - a signal's value
        for button in (self.tab_row.sidebar_button, self.models.sidebar_button):
            button.setHidden(shown)

    def _follow_theme(self) -> None:
        self.setStyleSheet(appearance.theme.qss())
        self.setPalette(appearance.theme.palette())

    def _follow_system(self) -> None:
        appearance.turn_to(chosen_theme(self.store.preferences.now, self._system()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """See whether Alt is tapped. What is typed beside any field goes into the message."""
        if event.key() == Qt.Key.Key_Alt:
            self.alt_key.pressed()
        if event.key() == Qt.Key.Key_Escape:
            self.stage.sidebar_place.leave()
        if not (self.stage.shows_chats() and self.chats.take_typed(event)):
            super().keyPressEvent(event)

    def leave(self) -> None:
        """Close without a question."""
        self.private_chats.are_given_up = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Save what is typed, then announce that the window closes. If private chats would be erased, ask first."""
        if not self.private_chats.may_quit():
            event.ignore()
            return
        self.pages.flush_drafts()
        self.desk.inspector.flush()
        self.dialogs.flush()
        self.closing.emit()
