"""MainWindow: connects the window's parts. It runs on the GUI thread.

- Intents go up: `requested` carries every `Intent` of every part.
- Views come down: the app puts them into `store`, and the parts follow it. What is told once or changes many times a
  second comes by the methods here and by the tabs.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDialog

from resources.language.text import tr
from ui.context import follow
from ui.intents.library import Attend
from ui.intents.notice import Notice
from ui.models.models_page import LOCAL
from ui.state.chat import ChatStatus, ChatView
from ui.state.engine import EngineState
from ui.state.preferences import Preferences
from ui.theme.appearance import appearance, chosen_theme, looks
from ui.theme.long_texts import cut
from ui.theme.theme import Theme, system_theme, ui_font
from ui.transcript.scrolling import ReadingPlace
from ui.window import palette_entries
from ui.window.leaving import Leaving
from ui.window.menu_commands import MenuCommands
from ui.window.window_parts import WindowParts


def local_now() -> datetime:
    """The current time in the local time zone."""
    return datetime.now().astimezone()


class MainWindow(WindowParts):
    """The window, which implements the sinks of `app.base.ports`. `closing` is emitted once the drafts are saved.
    `system` returns the theme of the system now.
    """

    closing = Signal()

    def __init__(self, clock: Callable[[], datetime] = local_now, system: Callable[[], Theme] = system_theme) -> None:
        super().__init__(clock)
        self.setObjectName("window")
        self.setMinimumSize(720, 520)
        self.resize(1280, 840)
        self.setFont(ui_font(13))
        self._system = system
        self._looks = looks(self.store.preferences.now)
        appearance.turn_to(system())
        appearance.changed.connect(self._follow_theme)  # before any part: a new style sheet restores old palettes
        self._first = self.children()
        self.build()
        self.requested.connect(lambda intent: self.desk.save_before(intent))  # noqa: PLW0108 - the desk is made anew
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self.sidebar.list.setFocus()  # otherwise the first button shows the focus ring at the start
        self.chats.show_current()

    def build(self) -> None:
        """Make every part, and connect them."""
        super().build()
        self.commands = MenuCommands(self)
        self.leaving = Leaving(self, self.chats)
        self._attended = Attend((), is_active=False)
        self._connect()
        self._follow_theme()  # now: in a window with a style sheet, each part would be styled twice

    def _connect(self) -> None:
        self.sidebar.export_requested.connect(self.commands.ask_export)
        self.sidebar.palette_requested.connect(self.commands.open_palette)
        self.sidebar.footer.settings_button.clicked.connect(self.dialogs.open_settings)
        place = self.stage.sidebar_place
        self.sidebar.hide_button.clicked.connect(place.toggle)
        for button in (self.tab_row.sidebar_button, self.models.sidebar_button):
            button.clicked.connect(place.toggle)
            place.turned.connect(button.setHidden)
        self.chats.opened.connect(self.sidebar.note_opened)
        self.chats.wanted.connect(self.stage.show_chats)
        self.chats.shown.connect(lambda: self.sidebar.select(self.tabs.current()))
        self.chats.shown.connect(self._refresh)
        self.chats.turned.connect(self.notices.clear_read)
        for left in (self.notices.left, self.sidebar.search.left, self.stage.turned):
            left.connect(self._follow_stage)
        self.chats.turned.connect(lambda: self.desk.follow(self.tabs.current()))
        self.desk.inspected.connect(self.chats.take_focus)
        self.desk.inspected.connect(lambda: place.leave_room(self.desk.inspector.width() * self.desk.inspecting))
        self.pages.sight_changed.connect(self._refresh)
        self.chats.changed.connect(self._refresh)
        self.tabs.menu_requested.connect(self.commands.open_tab_menu)
        self.pages.models_requested.connect(self.stage.show_models)
        self.welcome.models_requested.connect(lambda place: self.stage.show_models(place=place))
        self.dialogs.models_requested.connect(lambda: self.stage.show_models(place=LOCAL))
        self.chats.wanted.connect(place.leave)
        part, store = self.stage, self.store  # when the parts are made anew, this one no longer follows
        unload, found = self.actions_by_name["unload"], self.palette_box.show_found
        follow(part, store.conversations, lambda _rows: self.commands.refresh())
        follow(part, store.voice, lambda _voice: self.commands.refresh())
        follow(part, store.models, lambda _models: self._refresh_models())
        follow(part, store.unread, self.tabs.set_unread)
        follow(part, store.unread, lambda unread: self.notifier.set_count(len(unread)))
        follow(part, store.engine, lambda view: unload.setEnabled(view.state is EngineState.READY))
        follow(part, store.looked_up, lambda look: found(look[0], palette_entries.hits(self, look[1])))
        follow(part, store.preferences, self._follow_preferences)

    def _refresh_models(self) -> None:
        current = self.tabs.current()
        models, answering = self.pages.models_of(current)
        self.desk.inspector.set_models(models, answering)
        self.models.pane.buttons.set_answering(answering if current else "")

    def rebuild(self) -> None:
        """Make every part anew, because the language has changed, and arrange the new parts as the former ones were.

        The app shows its views again, and reopens and arranges the tabs; here is what only the window knows. A chat
        gets back its place when its tab has opened.
        """
        shows_models, place = self.stage.place() is self.models, self.models.place()
        has_sidebar, sidebar_px = self.stage.sidebar_place.is_wanted, self.sidebar.width()
        folded, search = self.sidebar.model.folded(), self.sidebar.search.text()
        is_inspecting, inspector_px = self.desk.inspecting, self.desk.inspector.width()
        share, closed, places = self.pages.share, self.chats.closed, self.chats.places
        notices, has_settings, page = self.notices.notices(), self.dialogs.settings is not None, self.dialogs.page
        tabs = [(conversation, self.chats.tab(conversation)) for conversation in self.tabs.order()]
        reading = {conversation: ReadingPlace.of(tab.transcript) for conversation, tab in tabs if tab is not None}
        due = {one: tab.composer.attachments.draft for one, tab in tabs if tab is not None and tab.composer.is_due}
        self.pages.flush_drafts()
        self.desk.inspector.flush()
        self._take_down()
        self.build()
        self.sidebar.set_width(sidebar_px)
        if not has_sidebar:
            self.stage.sidebar_place.toggle()
        self.sidebar.fold(folded)
        self.desk.inspector.set_width(inspector_px)
        self.desk.set_inspecting(inspecting=is_inspecting)
        self.pages.set_share(share)
        self.chats.closed, self.chats.places = closed, places
        for notice in notices:
            self.notices.show_notice(notice)

        def reopened(view: ChatView) -> None:
            place, tab = reading.pop(view.id, None), self.chats.tab(view.id)
            if place is not None and tab is not None:
                place.restore(tab.transcript)
                if len(due.get(view.id, ())) == len(view.attachments) > 0:  # else one was refused meanwhile
                    tab.composer.submit()

        self.chats.opened.connect(reopened)
        once = Qt.ConnectionType.SingleShotConnection  # a chat that opens ends a search that does not list it
        self.chats.restored.connect(lambda: self.sidebar.search.setText(search), once)
        if shows_models:
            self.stage.show_models(place=place)
        self.dialogs.page = page
        if has_settings:
            self.dialogs.open_settings()

    def _take_down(self) -> None:
        """Delete every part. None of them emits anything from now on."""
        for dialog in self.findChildren(QDialog):
            dialog.close() or dialog.close()  # one may ask once more for what the user has begun there
        self.setStyleSheet("")  # else every new part would be styled twice
        for part in [part for part in self.children() if part not in self._first]:
            for one in (part, *part.findChildren(QObject)):
                one.blockSignals(True)  # noqa: FBT003 - Qt's own
            part.deleteLater()

    def show_draft(self, conversation: str, words: str) -> None:
        """Show in a chat's row what was typed there and not sent."""
        self.sidebar.model.show_draft(conversation, words)

    def _follow_preferences(self, preferences: Preferences) -> None:
        self.actions_by_name.set_shortcuts(dict(preferences.shortcuts))
        self.dialogs.list_shortcuts(self.actions_by_name.specs())
        keys = self.actions_by_name.first_keys()
        self.pages.name_shortcuts(keys)
        self.sidebar.hide_button.show_keys(keys["toggle_sidebar"])
        self.sidebar.footer.settings_button.show_keys(keys["settings"])
        for button in (self.sidebar.new_button, self.tab_row.plus):
            button.show_keys(keys["new_chat"])
        if looks(preferences) != self._looks:
            self._looks = looks(preferences)
            self._follow_system()

    def notify(self, conversation: str, title: str, text: str) -> None:
        """Let the system say that an answer has ended."""
        self.notifier.notify(conversation, title, text)

    def _attend(self) -> None:
        """Tell the app what the user looks at, if that has changed."""
        is_active = self.isActiveWindow()
        attended = Attend(self.pages.in_view() if is_active and self.stage.shows_chats() else (), is_active)
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

    def _refresh(self) -> None:
        current = self.tabs.current()
        self.notices.turn_to(*(self.pages.in_view() if self.stage.shows_chats() else ()))
        shown = "" if self.stage.shows_welcome() else current
        title = self.tabs.title_of(shown) or "Hearth"
        self.setWindowTitle(tr("Private chat") if self.tabs.is_private(shown) else cut(title))
        self.sidebar.footer.set_has_chat(bool(current) and self.stage.shows_chats())
        self._refresh_models()
        self.commands.refresh()
        self._attend()

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        """Show what the model does for a conversation: in the sidebar's row, and in the tab if it is open."""
        self.sidebar.model.set_status(conversation, status)
        self.chats.set_status(conversation, status)

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
        self.dialogs.clear(key)
        self.notices.clear_notice(key)

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
        tab = self.chats.current_tab() if self.stage.shows_chats() else None
        if tab is None or not tab.composer.edit.take_typed(event):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 - Qt's name
        """Save what is typed, then announce that the window closes. If words would be lost, ask first."""
        self.pages.flush_drafts()
        self.desk.inspector.flush()
        self.dialogs.flush()
        if self.leaving.may_quit(are_refused=self.are_words_refused()):
            self.closing.emit()
        else:
            event.ignore()
