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
    from ui.state.chat import ChatStatus
    from ui.state.chat_memory import ChatMemoryView
    from ui.state.chat_settings import ChatSettingsView, PresetView
    from ui.state.engine import EngineView, MemoryView, ModelCapabilities, ModelView
    from ui.state.library import ConversationRow, DeletedRow
    from ui.state.models import HubView, LocalModelsView, ModelDetail, SwitchQuestion, WelcomeView
    from ui.state.notice import Notice
    from ui.state.prompts import PromptView
    from ui.state.settings import StorageView
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
        self._preferences = Preferences()
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
        self.sidebar = Sidebar(clock)
        self.tab_row = TabRow()
        self.tabs = self.tab_row.tabs
        self.home = HomePage()
        self.pages = ChatPages(self.home)
        self.chats = OpenChats(self.tabs, self.pages, self)
        self.notices = NoticeBar(self.pages)
        self.models = ModelsPage()
        self.welcome = WelcomePage()
        self.desk = ChatDesk(self.tab_row, self.pages)
        self.stage = Stage(self.sidebar, self.desk, self.models, self.welcome)
        self.setCentralWidget(self.stage)
        TitleBar(self, self.sidebar, self.stage.sidebar_place, self.tab_row)
        self.actions_by_name = Actions(self)
        self.dialogs = Dialogs(self)
        self.palette_box = CommandPalette(self)
        self.alt_key = AltKey(self)
        self.notifier = Notifier(self)
        self._attended = Attend((), is_active=False)
        self.commands = MenuCommands(self)
        self.private_chats = PrivateChats(self)

    def _connect(self) -> None:
        for part in (self.sidebar, self.tab_row, self.home, self.chats, self.notices, self.dialogs, self.desk):
            part.requested.connect(self.requested)
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
        for page in (self.models, self.welcome):
            page.requested.connect(self._ask_for_models)
        self.stage.welcome_left.connect(lambda: self.requested.emit(FinishWelcome()))
        self.pages.models_requested.connect(self.show_models)
        for asked in (self.welcome.models_requested, self.dialogs.models_requested):
            asked.connect(lambda: self.show_models(place=LOCAL))
        self.stage.sidebar_place.turned.connect(self._offer_sidebar)
        self.chats.wanted.connect(self.stage.sidebar_place.leave)
        self.notifier.opened.connect(lambda chat: self.requested.emit(InChat(chat, Open())))
        self.palette_box.searched.connect(lambda words: self.requested.emit(LookUp(words)))

    def rebuild(self) -> None:
        """Make every part anew, because the language has changed. Then the app shows its views again."""
        arranged = WindowArrangement(self)
        take_down(self, self._first)
        self._build(self._clock)
        self._connect()
        self.set_preferences(self._preferences)
        arranged.apply(self)

    def show_conversations(self, rows: tuple[ConversationRow, ...]) -> None:
        """List `rows` in the sidebar, in this order."""
        self.sidebar.show_conversations(rows)
        self.pages.set_kept(rows)
        self.desk.set_rows(rows)
        self.commands.refresh()

    @property
    def preferences(self) -> Preferences:
        """What the user chose in the settings."""
        return self._preferences

    def open_palette(self) -> None:
        """Offer everything that can be done now, to be found by its name."""
        self.palette_box.open(palette_entries.entries(self, self._clock()))

    def show_looked_up(self, words: str, rows: tuple[ConversationRow, ...]) -> None:
        """Offer the messages that have these words, in the command palette."""
        self.palette_box.show_found(words, palette_entries.hits(self, rows))

    def set_prompts(self, prompts: tuple[PromptView, ...]) -> None:
        """Offer the saved prompts."""
        self.dialogs.set_prompts(prompts)

    def show_draft(self, conversation: str, words: str) -> None:
        """Show in a chat's row what was typed there and not sent."""
        self.sidebar.model.show_draft(conversation, words)

    def show_folders(self, folders: tuple[str, ...]) -> None:
        """Offer these folders in the menus."""
        self.sidebar.show_folders(folders)
        self.desk.inspector.set_folders(folders)

    def show_chat_settings(self, view: ChatSettingsView) -> None:
        """Show how a conversation is answered: in its composer, and in the inspector if it is in front."""
        if (tab := self.chats.tab(view.conversation)) is not None:
            tab.show_settings(view)
        self.desk.show_settings(view)

    def show_chat_memory(self, view: ChatMemoryView) -> None:
        """Show in the inspector what is kept of a conversation, if it is in front."""
        self.desk.show_memory(view)

    def set_presets(self, presets: tuple[PresetView, ...]) -> None:
        """Offer these presets in every chat."""
        self.pages.set_presets(presets)
        self.desk.inspector.set_presets(presets)
        self.dialogs.set_presets(presets)

    def set_preferences(self, preferences: Preferences) -> None:
        """Follow what the user chose: colours, the size of the text, the key that sends, and shortcuts."""
        has_new_look = looks(preferences) != looks(self._preferences)
        self._preferences = preferences
        self.actions_by_name.set_shortcuts(dict(preferences.shortcuts))
        self.dialogs.set_preferences(preferences, self.actions_by_name.specs())
        self.pages.set_keys(preferences.send, self.actions_by_name.first_keys())
        if has_new_look:
            self._follow_system()

    def zoom(self, steps: int) -> None:
        """Make the text some steps larger or smaller; 0 is its usual size."""
        zoom = zoomed(self._preferences.zoom, steps) if steps else 100
        self.requested.emit(SetPreferences(replace(self._preferences, zoom=zoom)))

    def show_deleted(self, rows: tuple[DeletedRow, ...]) -> None:
        """List the deleted chats, if Recently Deleted is open."""
        self.dialogs.show_deleted(rows)

    def ask_export(self, conversation: str) -> None:
        """Ask for a file to export a chat to."""
        row = self.sidebar.model.row_of(conversation)
        self.dialogs.ask_export(conversation, row.title if row else self.tabs.title_of(conversation))

    def set_unread(self, unread: frozenset[str]) -> None:
        """Mark the chats with an answer that the user has not seen."""
        self.tabs.set_unread(unread)
        self.sidebar.set_unread(unread)
        self.notifier.set_count(len(unread))

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
        self.desk.inspector.set_models(*self.pages.models_of(current))
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

    def set_local_models(self, view: LocalModelsView) -> None:
        """List the models on this machine, on the models page, and count them in the settings."""
        self.models.set_local_models(view)
        self.dialogs.count_models(view)

    def set_model_detail(self, detail: ModelDetail | None) -> None:
        """Show everything about a model, if it is selected on the models page."""
        self.models.set_model_detail(detail)

    def set_hub(self, view: HubView) -> None:
        """Show the outcome of a search on the hub, on the models page."""
        self.models.set_hub(view)

    def set_token_place(self, where: str) -> None:
        """Show where the user's token for the hub is kept, on the models page."""
        self.models.set_token_place(where)

    def set_welcome(self, view: WelcomeView | None) -> None:
        """Show the welcome page, or take it away."""
        self.stage.set_welcome(view)

    def _ask_for_models(self, intent: ModelIntent) -> None:
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

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Offer `models` in every picker."""
        self.pages.set_models(models, current)
        self.desk.inspector.set_models(*self.pages.models_of(self.chats.current()))

    def set_capabilities(self, capabilities: ModelCapabilities) -> None:
        """Offer what the loaded model can do."""
        self.pages.set_capabilities(capabilities)
        self.desk.inspector.set_capabilities(capabilities)

    def set_engine(self, view: EngineView) -> None:
        """Show the engine's state."""
        self.sidebar.set_engine(view)
        self.pages.set_engine(view)
        self.actions_by_name["unload"].setEnabled(view.state is EngineState.READY)

    def set_memory(self, view: MemoryView) -> None:
        """Show how much memory is used."""
        self.sidebar.set_memory(view)

    def show_unload_after(self, minutes: int) -> None:
        """Show in the settings after how many minutes an unused model is unloaded."""
        self.dialogs.show_unload_after(minutes)

    def ask_switch(self, question: SwitchQuestion | None) -> None:
        """Ask whether a change of the model shall stop answers. None takes the question back."""
        self.dialogs.ask_switch(question)

    def show_storage(self, view: StorageView) -> None:
        """Show the disk usage, if the settings are open."""
        self.dialogs.show_storage(view)

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
        appearance.turn_to(chosen_theme(self._preferences, self._system()))

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
