"""MenuCommands: what each menu action does, and when it is enabled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMessageBox

from resources.language.text import mark, tr
from ui.chat.chat_tab import ChatTab
from ui.composer.prompt_edit import PromptEdit
from ui.dialogs.file_dialogs import ask_export, ask_export_all, ask_import
from ui.dialogs.shortcuts_dialog import ShortcutsDialog
from ui.dialogs.text_dialogs import ask_title
from ui.intents import chat
from ui.intents.chat_settings import SetSwitch
from ui.intents.library import DeleteChats, ExportChats, Import, NewChat, NewPrivateChat, PinChats
from ui.intents.models import FreeModel
from ui.intents.settings import SetPreferences
from ui.intents.voice import StopReading
from ui.state.chat import ChatPhase, MessageState, VoiceView
from ui.state.preferences import zoomed
from ui.theme.theme import MAC
from ui.widgets.menu import context_menu
from ui.window import palette_entries
from ui.window.actions import COMPOSER_KEYS, SPECS, TABS, edit
from ui.window.window_parts import WindowParts

if TYPE_CHECKING:
    from ui.window.paper import Paper

_ABOUT = mark("Hearth\n\nA chat app for models that run on this computer, in which every chat stays ready.")
ALTERNATIVES = 3


class MenuCommands(QObject):
    """Runs the menu actions on the tab in front."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window)
        self._window = window
        self._send = window.context.send
        self._actions = window.actions_by_name
        self._chats = window.chats
        self._chats.slashed.connect(self._offer_prompts)
        for name, command in self._commands().items():
            self._actions[name].triggered.connect(command)
        window.tab_row.more.clicked.connect(self._open_menu)
        window.tab_row.split_button.clicked.connect(self._actions["split"].trigger)
        if not MAC:  # platform: the menu bar is always there
            self._actions["menu"].triggered.connect(self._open_menu)
            window.alt_key.tapped.connect(self._open_menu)
        for index, spec in enumerate(TABS):
            self._actions[spec.name].triggered.connect(partial(window.tabs.setCurrentIndex, index))

    def _offer_prompts(self) -> None:
        """The user typed a slash into an empty message box."""
        self._window.palette_box.open(palette_entries.after_slash(self._window), tr("Search prompts"))

    def _commands(self) -> dict[str, Callable[..., object]]:
        window = self._window
        return {
            "new_chat": partial(self._send, NewChat()),
            "new_private": partial(self._send, NewPrivateChat()),
            "import": lambda: ask_import(window, lambda path: self._send(Import(path))),
            "export": lambda: self.ask_export(window.tabs.current()),
            "export_pdf": lambda: self._in_tab(lambda tab: self._paper(tab).ask_file()),
            "print": lambda: self._in_tab(lambda tab: self._paper(tab).ask_printer()),
            "export_all": lambda: ask_export_all(window, lambda path: self._send(ExportChats((), path))),
            "prompts": window.dialogs.open_prompts,
            "deleted": window.dialogs.open_deleted,
            "settings": window.dialogs.open_settings,
            "close_tab": lambda: window.chats.close(window.tabs.current()),
            "reopen_tab": window.chats.reopen,
            "quit": window.close,  # the app quits once everything is saved
            "models": window.stage.show_models,
            "unload": partial(self._send, FreeModel()),
            "palette": partial(self.open_palette, ""),
            "search": self._search,
            "undo": self._undo,
            "quote": lambda: self._in_tab(lambda tab: tab.text_menu.quote()),
            "find": lambda: self._in_tab(lambda tab: tab.finding.begin()),
            "find_next": lambda: self._in_tab(lambda tab: tab.finding.step(1)),
            "find_previous": lambda: self._in_tab(lambda tab: tab.finding.step(-1)),
            "previous_message": lambda: self._in_tab(lambda tab: tab.transcript.scrolling.to_previous()),
            "next_message": lambda: self._in_tab(lambda tab: tab.transcript.scrolling.to_next()),
            "scroll_to_top": lambda: self._in_tab(lambda tab: tab.transcript.scrolling.to_top()),
            "scroll_to_newest": lambda: self._in_tab(lambda tab: tab.transcript.scrolling.to_newest()),
            "toggle_sidebar": window.stage.sidebar_place.toggle,
            "zoom_in": partial(self._zoom, 1),
            "zoom_out": partial(self._zoom, -1),
            "zoom_reset": partial(self._zoom, 0),
            "toggle_inspector": window.desk.toggle_inspector,
            "split": window.chats.toggle_split,
            # a maximised window is maximised again afterwards
            "full_screen": lambda: window.setWindowState(window.windowState() ^ Qt.WindowState.WindowFullScreen),
            "stop": self._stop,
            "regenerate": lambda: self._in_tab(partial(self._regenerate, 1)),
            "alternatives": lambda: self._in_tab(partial(self._regenerate, ALTERNATIVES)),
            "previous_alternative": lambda: self._in_tab(partial(self._step_message, -1)),
            "next_alternative": lambda: self._in_tab(partial(self._step_message, 1)),
            "edit_last": lambda: self._in_tab(lambda tab: tab.editing.begin_newest()),
            "attach": lambda: self._in_tab(lambda tab: tab.composer.ask_files()),
            "attach_folder": lambda: self._in_tab(lambda tab: tab.composer.ask_folder()),
            "fork": lambda: self._in_tab(self._fork),
            "copy_answer": lambda: self._in_tab(_copy_answer),
            "read_aloud": lambda: self._in_tab(_read_answer),
            "rename": lambda: self.rename(window.tabs.current()),
            "pin": self._pin,
            "folder": lambda: window.sidebar.ask_folder(window.tabs.current()),
            "tags": lambda: window.sidebar.ask_tags(window.tabs.current()),
            "copy_link": lambda: QGuiApplication.clipboard().setText(f"hearth://chat/{window.tabs.current()}"),
            "keep_warm": lambda is_kept: self._ask_in_chat(SetSwitch("cached", is_kept)),
            "delete": self._delete,
            "minimise": window.showMinimized,
            "move_tab_left": partial(window.tabs.move_current, -1),
            "move_tab_right": partial(window.tabs.move_current, 1),
            "next_tab": partial(self._step_tab, 1),
            "previous_tab": partial(self._step_tab, -1),
            "shortcuts": lambda: ShortcutsDialog(
                self._actions.groups(COMPOSER_KEYS[window.store.preferences.now.send]), window
            ).open(),
            "about": self._about,
        }

    def _paper(self, tab: ChatTab) -> Paper:
        from ui.window.paper import Paper  # it loads Qt's library for printers

        window = self._window
        return Paper(tab.transcript, window.tabs.title_of(tab.conversation), window, window.notices.show_notice)

    def refresh(self) -> None:
        """Enable the actions that apply to what is in front."""
        window, shows_chats = self._window, self._window.stage.shows_chats()
        tab = self._chats.current_tab() if shows_chats else None
        row = window.sidebar.model.known.get(window.tabs.current()) if shows_chats else None
        met = {
            "desk": not window.stage.shows_welcome(),
            "tab": tab is not None,
            "row": row is not None,
            "messages": tab is not None and len(tab.transcript.messages) > 0,
            "chat": False,
        }
        possible = {spec.name: met[spec.needs] for spec in SPECS if spec.needs}
        if tab is not None:
            possible |= _possible(tab, window.store.voice.now)
        for name, is_possible in possible.items():
            self._actions[name].setEnabled(is_possible)
        self._actions["reopen_tab"].setEnabled(met["desk"] and bool(self._chats.closed))
        self._actions["pin"].setText(tr("Unpin chat") if row is not None and row.pinned else tr("Pin chat"))
        self._actions["keep_warm"].setChecked(row is not None and row.cached)
        self._actions["split"].setChecked(window.pages.is_split)
        for index, spec in enumerate(TABS):
            self._actions[spec.name].setVisible(index < window.tabs.count())

    def open_palette(self, words: str = "") -> None:
        """Offer everything that can be done now, to be found by its name, such as by these words."""
        self._window.palette_box.open(palette_entries.entries(self._window))
        self._window.palette_box.field.setText(words)

    def ask_export(self, conversation: str) -> None:
        """Ask for a file to export a chat to."""
        row = self._window.sidebar.model.known.get(conversation)
        title = row.title if row else self._window.tabs.title_of(conversation)
        ask_export(self._window, title, lambda path: self._send(ExportChats((conversation,), path)))

    def _zoom(self, steps: int) -> None:
        """Make the text some steps larger or smaller; 0 is its usual size."""
        preferences = self._window.store.preferences.now
        self._send(SetPreferences(replace(preferences, zoom=zoomed(preferences.zoom, steps) if steps else 100)))

    def _search(self) -> None:
        if self._window.sidebar.isHidden():
            self._window.stage.sidebar_place.toggle()
        self._window.sidebar.search.setFocus()
        self._window.sidebar.search.selectAll()

    def _undo(self) -> None:
        """Undo what came last: what a notice offers to undo, or what was typed into the message box since."""
        card, field = self._window.notices.newest_undo(), QApplication.focusWidget()
        is_typed_since = isinstance(field, PromptEdit) and field.has_changed_since(card.since if card else 0)
        if card is not None and not is_typed_since:
            card.act()
        else:
            edit("undo")

    def _in_tab(self, do: Callable[[ChatTab], object]) -> None:
        if (tab := self._chats.current_tab()) is not None:
            do(tab)

    def _step_tab(self, by: int) -> None:
        tabs = self._window.tabs
        tabs.setCurrentIndex((tabs.currentIndex() + by) % tabs.count())

    def _regenerate(self, count: int, tab: ChatTab) -> None:
        if (answer := tab.transcript.messages.newest_of("assistant")) is not None:
            self._ask_in_chat(chat.Regenerate(answer.id, count))

    def _step_message(self, by: int, tab: ChatTab) -> None:
        if (message := tab.transcript.messages.newest_with_alternatives()) is not None:
            self._ask_in_chat(chat.Step(message.id, by))

    def _fork(self, tab: ChatTab) -> None:
        if (message := tab.transcript.messages.newest()) is not None:
            self._ask_in_chat(chat.Fork(message.id))

    def rename(self, conversation: str) -> None:
        """Ask for another title of an open chat."""
        title = self._window.tabs.title_of(conversation)
        ask_title(self._window, title, lambda words: self._send(chat.InChat(conversation, chat.Rename(words))))

    def open_tab_menu(self, conversation: str, place: QPoint) -> None:
        """Open the menu of a tab, its neighbours and its chat."""
        chats, menu = self._chats, context_menu("tabMenu", self._window)
        order, is_alone = chats.tabs.order(), chats.tabs.count() == 1
        others = [other for other in order if other != conversation]
        right = order[order.index(conversation) + 1 :]
        menu.addAction(tr("Close tab"), partial(chats.close, conversation))
        menu.addAction(tr("Close other tabs"), partial(chats.close_all, others)).setDisabled(is_alone)
        menu.addAction(tr("Close tabs to the right"), partial(chats.close_all, right)).setEnabled(bool(right))
        menu.addAction(tr("Reopen closed tab"), chats.reopen).setEnabled(bool(chats.closed))
        menu.addSeparator()
        beside = menu.addAction(tr("Open beside"), partial(chats.open_beside, conversation))
        beside.setDisabled(is_alone or chats.pages.is_split)
        menu.addAction(tr("Rename…"), partial(self.rename, conversation))
        menu.addAction(tr("Copy as Markdown"), partial(self._send, chat.InChat(conversation, chat.CopyAsMarkdown())))
        menu.addAction(tr("Export…"), partial(self.ask_export, conversation))
        if not chats.tabs.is_private(conversation):
            menu.add_destructive(tr("Delete chat"), partial(self._send, DeleteChats((conversation,))))
        menu.open_at(place)

    def _stop(self) -> None:
        """Stop the voice first if one is reading, else the answer."""
        if self._window.store.voice.now.message:
            self._send(StopReading())
        else:
            self._ask_in_chat(chat.Stop())

    def _pin(self) -> None:
        row = self._window.sidebar.model.known.get(self._window.tabs.current())
        if row is not None:
            self._send(PinChats((row.id,), not row.pinned))

    def _delete(self) -> None:
        window = self._window
        if window.tabs.is_private(window.tabs.current()):
            window.chats.close(window.tabs.current())  # closing a private chat erases it
        else:
            self._send(DeleteChats((window.tabs.current(),)))

    def _ask_in_chat(self, intent: chat.ChatIntent) -> None:
        self._send(chat.InChat(self._window.tabs.current(), intent))

    def _open_menu(self) -> None:
        """Open the menu below its button, or in that corner of a page without the button."""
        menu, button = self._actions.menu, self._window.tab_row.more
        if button.isVisible():
            menu.open_below(button)
        else:
            menu.open_at(self._window.mapToGlobal(self._window.rect().topRight()))
        menu.activate_first()

    def _about(self) -> None:
        box = QMessageBox(QMessageBox.Icon.NoIcon, tr("About Hearth"), tr(_ABOUT), parent=self._window)
        box.finished.connect(box.deleteLater)
        box.open()


def _copy_answer(tab: ChatTab) -> None:
    if (answer := tab.transcript.messages.newest_of("assistant")) is not None:
        QGuiApplication.clipboard().setText(tab.transcript.messages.text_of(answer.id))


def _read_answer(tab: ChatTab) -> None:
    if (answer := tab.transcript.messages.newest_of("assistant")) is not None:
        tab.text_menu.read_aloud(answer)


def _possible(tab: ChatTab, voice: VoiceView) -> dict[str, bool]:
    """Whether each action that needs more than a chat would do anything to this one."""
    messages = tab.transcript.messages
    stepped, newest = messages.newest_with_alternatives(), messages.newest()
    is_ended_reply = newest is not None and newest.role == "assistant" and newest.state is not MessageState.OPEN
    can_regenerate = tab.phase is ChatPhase.IDLE and is_ended_reply
    return {
        "stop": tab.phase is not ChatPhase.IDLE or bool(voice.message),
        "read_aloud": messages.newest_of("assistant") is not None,
        "regenerate": can_regenerate,
        "alternatives": can_regenerate,
        "previous_alternative": stepped is not None and stepped.place > 1,
        "next_alternative": stepped is not None and stepped.place < stepped.places,
        "edit_last": messages.newest_of("user") is not None,
        "copy_answer": messages.newest_of("assistant") is not None,
        "fork": newest is not None,
    }
