"""The sidebar: buttons, search field, list of conversations and footer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel

from resources.language.text import plural, tr
from ui.context import WindowContext, follow
from ui.dialogs.file_dialogs import ask_export_chosen
from ui.dialogs.text_dialogs import ask_folder, ask_folder_name, ask_tags
from ui.intents import library
from ui.intents.chat import ChatIntent, InChat, MoveToFolder, Open, OpenAt, Rename, SetTags
from ui.intents.chat_settings import SetSwitch
from ui.sidebar.conversation_delegate import ConversationDelegate
from ui.sidebar.conversation_list import ConversationList
from ui.sidebar.conversations_model import ConversationRole, ConversationsModel
from ui.sidebar.footer import SidebarFooter
from ui.sidebar.row_slide import RowSlide
from ui.sidebar.search_field import SearchField
from ui.sidebar.sections import Heading, HeadingKind
from ui.state.chat import ChatView
from ui.state.library import ConversationRow
from ui.theme.appearance import appearance
from ui.theme.theme import ui_font
from ui.widgets.edge import Edge
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, centred, in_column, in_row
from ui.widgets.menu import Menu, context_menu
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named

WIDTH_PX = 272
NARROWEST_PX = 216
WIDEST_PX = 440
_MINUTE_MS = 60_000


class Sidebar(QFrame):
    """Lists all conversations: pinned ones, folders, then the others by date, newest first."""

    export_requested = Signal(str)  # a conversation; the file is chosen later
    palette_requested = Signal(str)  # the words that no chat has

    def __init__(self, context: WindowContext, clock: Callable[[], datetime]) -> None:
        super().__init__()
        self._context = context
        self.setObjectName("sidebar")
        self.edge = Edge(self, Qt.AlignmentFlag.AlignLeft)
        self.set_width(WIDTH_PX)
        self.model = ConversationsModel(clock, self)
        self._selected = ""
        self._held: Callable[[], object] | None = None
        self.hide_button = IconButton("panel-left", tr("Hide sidebar"), name="hideSidebar")
        self.new_button = IconButton(
            "square-pen", tr("New chat"), name="newChat", act=lambda: context.send(library.NewChat())
        )
        self.footer = SidebarFooter(context.store)
        self.search = SearchField()
        self.list = ConversationList()
        self.slide = RowSlide(self.list)
        self.delegate = ConversationDelegate(self.model, self.slide, self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(self.delegate)
        nothing = QLabel(tr("No chats found"), alignment=Qt.AlignmentFlag.AlignHCenter)
        self.empty_label = named(nothing, "nothingFound")
        self.empty_label.setContentsMargins(0, 22, 0, 22)
        self.empty_label.hide()
        self.search_all = named(PushButton(tr("Search everything"), kind="fold"), "", 13)
        self.search_all.hide()
        head = in_row(Placed(), self.hide_button, self.new_button, spacing=11, margins=(12, 11, 11, 0))
        search = in_row(self.search, margins=(12, 10, 11, 9))
        in_column(head, search, self.empty_label, centred(self.search_all), Placed(self.list), self.footer, of=self)
        self._connect()
        follow(self, context.store.conversations, self.show_conversations)
        follow(self, context.store.unread, self.model.set_unread)
        appearance.follow(self._follow_theme)

    def _connect(self) -> None:
        self.edge.dragged.connect(lambda by: self.set_width(self.width() + by))
        self.edge.reset.connect(lambda: self.set_width(WIDTH_PX))
        self.list.opened.connect(self._open)
        self.list.toggled.connect(self._toggle)
        self.list.pointer_left.connect(lambda: self._keep_choice(self.model.refresh_times))
        self.list.drop_target_changed.connect(self._mark_drop_target)
        self.list.drag_ended.connect(lambda: self._keep_choice(lambda: None))
        self.list.left.connect(self._highlight)
        self.list.edited.connect(self._release)
        self.list.delete_pressed.connect(lambda: self._context.send(library.DeleteChats(self.list.chosen())))
        self.model.dropped.connect(self._move_all)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.model.renamed.connect(lambda chat, title: self._request(chat, Rename(title)))
        self.search.searched.connect(lambda words: self._context.send(library.Search(words)))
        self.search.down_pressed.connect(self._enter_list)
        self.search.best_wanted.connect(lambda: self._open(self._first_row()))
        self.search_all.clicked.connect(lambda: self.palette_requested.emit(self.search.query()))
        self.minute_timer = QTimer(self, interval=_MINUTE_MS)
        self.minute_timer.timeout.connect(lambda: self._keep_choice(self.model.refresh_times))
        self.minute_timer.start()

    def set_width(self, pixels: int) -> None:
        """Take this width, within limits."""
        self.setFixedWidth(min(max(pixels, NARROWEST_PX), WIDEST_PX))

    def show_conversations(self, rows: tuple[ConversationRow, ...]) -> None:
        """List `rows`. The selected conversation stays highlighted, and scrolls into view if it was not listed
        before. The list stays as it is while the user types a title in it.
        """
        if self.list.is_editing:
            self._held = partial(self.show_conversations, rows)
            return
        show = self.model.show_results if self.search.query() else self.model.show_rows
        self._keep_choice(partial(show, rows))
        self.empty_label.setText(tr("No chats found") if self.search.query() else tr("No chats yet"))
        self.empty_label.setVisible(not rows)
        self.search_all.setVisible(not rows and bool(self.search.query()))
        self.search.note_results()

    def fold(self, folders: tuple[str, ...]) -> None:
        """Fold these folders and unfold all others."""
        self.model.fold(folders)
        self._highlight()

    def current(self) -> str:
        """The highlighted conversation, "" for none."""
        return str(self.list.currentIndex().data(ConversationRole.ID) or "")

    def select(self, conversation: str) -> None:
        """Highlight `conversation`, which is in front now, or nothing if it is not listed. If it was in front before,
        what the user has selected stays: the Delete key deletes that.
        """
        if conversation != self._selected:
            self._selected = conversation
            self._highlight()

    def _keep_choice(self, change: Callable[[], object]) -> None:
        """Change the list. The selected conversation stays highlighted, and several stay selected. The keyboard stays
        at the row to which it was moved. While the pointer is in the list, no row moves away from under it; the others
        slide to their places.
        """
        if self.list.is_editing:
            return
        chosen, row = self.list.chosen(), self.current() if self.list.hasFocus() else ""
        was_listed, top = bool(self.current()), self.list.verticalScrollBar().value()
        before, self.model.is_still = self.slide.tops(), self.list.underMouse()
        change()
        self._highlight()
        if (index := self.model.index_of(row)).isValid():
            self.list.setCurrentIndex(index)
        if len(chosen) > 1:
            self.list.choose(map(self.model.index_of, chosen))
        if was_listed or not self.current():
            self.list.verticalScrollBar().setValue(top)
        self.slide.start_from({} if self.search.query() else before)

    def _highlight(self) -> None:
        if self.list.is_editing:
            self._held = self._held or self._highlight
            return
        index = self.model.index_of(self._selected)
        self.list.setCurrentIndex(index)
        if not index.isValid():
            self.list.clearSelection()

    def _release(self) -> None:
        """No title is being typed any more: show what came meanwhile."""
        held, self._held = self._held, None
        if held is not None:
            held()

    def note_opened(self, view: ChatView) -> None:
        """A chat has opened in a tab. If it is listed without the search alone, as a new chat is, the search ends."""
        self.model.set_status(view.id, view.status)
        if not view.private and self.model.known.get(view.id) is None:
            self.search.clear()

    def rename(self, conversation: str) -> None:
        """Let the user edit the title of a listed conversation in place."""
        index, is_editing = self.model.index_of(conversation), self.list.is_editing
        if not index.isValid() or (is_editing and self.current() == conversation):
            return
        self.list.setCurrentIndex(index)  # closes the field of another title; then the list may change
        if is_editing:
            QTimer.singleShot(0, self, partial(self.rename, conversation))
        else:
            self.list.edit(index)

    def _open(self, index: QModelIndex) -> None:
        """Open a conversation; the result of a search at the message that was found."""
        row = self.model.known.get(index.data(ConversationRole.ID) or "")
        if row is not None:
            self._request(row.id, OpenAt(row.hit, row.terms) if row.hit and self.search.query() else Open())

    def _first_row(self) -> QModelIndex:
        indexes = (self.model.index(number, 0) for number in range(self.model.rowCount()))
        return next((index for index in indexes if index.data(ConversationRole.ID)), QModelIndex())

    def _enter_list(self) -> None:
        if self._first_row().isValid():
            self.list.setCurrentIndex(self._first_row())
            self.list.setFocus()

    def _toggle(self, folder: QModelIndex) -> None:
        is_focused = folder == self.list.currentIndex()
        self.model.toggle(folder)
        if not is_focused:  # the selected conversation may have been hidden or shown
            self._highlight()

    def _mark_drop_target(self, index: QModelIndex) -> None:
        """Mark the heading under which the dragged conversation would be dropped."""
        while index.data(ConversationRole.ID):
            index = index.siblingAtRow(index.row() - 1)
        self.delegate.target = QPersistentModelIndex(index)
        self.list.viewport().update()

    def _move_all(self, conversations: tuple[str, ...], heading: Heading) -> None:
        """Thousands of requests, one for each chat, would occupy the library for minutes."""
        rows = [row for row in map(self.model.known.get, conversations) if row is not None]
        is_pinned, folder = heading.kind is HeadingKind.PINNED, heading.folder()
        if turned := tuple(row.id for row in rows if row.pinned is not is_pinned):
            self._context.send(library.PinChats(turned, is_pinned))
        if not is_pinned and (moved := tuple(row.id for row in rows if row.folder != folder)):
            self._context.send(library.FileChats(moved, folder))

    def _show_menu(self, position: QPoint) -> None:
        index = self.list.indexAt(position)
        heading = index.data(ConversationRole.HEADING)
        chosen = self.list.chosen()
        if conversation := index.data(ConversationRole.ID):
            several = len(chosen) > 1 and conversation in chosen
            menu = self.menu_for_several(chosen) if several else self.menu_for(conversation)
        elif heading is not None and heading.kind is HeadingKind.FOLDER:
            menu = self.menu_for_folder(heading.title)
        else:
            return
        menu.open_at(self.list.viewport().mapToGlobal(position))

    def menu_for(self, conversation: str) -> Menu:
        """The context menu of one conversation."""
        row = self.model.known.get(conversation)
        assert row is not None, "only a listed conversation has a menu"
        ask, menu = partial(self._request, conversation), context_menu("chatMenu", self)
        menu.addAction(tr("Open"), partial(ask, Open()))
        menu.addAction(tr("Rename"), partial(self.rename, conversation))
        menu.addSeparator()
        pin = library.PinChats((conversation,), not row.pinned)
        menu.addAction(tr("Unpin") if row.pinned else tr("Pin"), partial(self._context.send, pin))
        self._add_folders(menu, row.folder, partial(self._move_to, conversation))
        menu.addAction(tr("Tags…"), partial(self.ask_tags, conversation))
        keep = menu.addAction(tr("Keep ready on disk"))
        keep.setCheckable(True)
        keep.setChecked(row.cached)
        keep.toggled.connect(lambda is_kept: ask(SetSwitch("cached", is_kept)))
        menu.addSeparator()
        menu.addAction(tr("Export…"), partial(self.export_requested.emit, conversation))
        menu.add_destructive(tr("Delete chat"), partial(self._context.send, library.DeleteChats((conversation,))))
        return menu

    def menu_for_several(self, conversations: tuple[str, ...]) -> Menu:
        """The context menu of the selected conversations."""
        rows = tuple(row for row in map(self.model.known.get, conversations) if row is not None)
        chats, count, send = tuple(row.id for row in rows), len(rows), self._context.send
        menu = context_menu("chatsMenu", self)
        shall_pin, shared = not all(row.pinned for row in rows), {row.folder for row in rows}
        pin = plural("Pin {count} chat", "Pin {count} chats", count)
        unpin = plural("Unpin {count} chat", "Unpin {count} chats", count)
        menu.addAction(pin if shall_pin else unpin, partial(send, library.PinChats(chats, shall_pin)))
        self._add_folders(
            menu, shared.pop() if len(shared) == 1 else None, lambda name: send(library.FileChats(chats, name))
        )
        menu.addSeparator()
        export = plural("Export {count} chat…", "Export {count} chats…", count)
        menu.addAction(
            export, lambda: ask_export_chosen(self.window(), lambda path: send(library.ExportChats(chats, path)))
        )
        delete = plural("Delete {count} chat", "Delete {count} chats", count)
        menu.add_destructive(delete, partial(send, library.DeleteChats(chats)))
        return menu

    def menu_for_folder(self, folder: str) -> Menu:
        """The context menu of a folder."""
        menu = context_menu("folderMenu", self)
        rename = partial(self._rename_folder, folder)
        menu.addAction(tr("Rename folder…"), lambda: ask_folder_name(self.window(), folder, rename))
        menu.addAction(tr("Remove folder, keep its chats"), partial(self._remove_folder, folder))
        return menu

    def _add_folders(self, menu: Menu, current: str | None, move: Callable[[str], object]) -> None:
        """Add a submenu of all folders. `current` is marked; None marks none."""
        folders = Menu(tr("Folder"), menu)
        for name in ("", *sorted({current or "", *self._context.store.folders.now} - {""}, key=str.casefold)):
            action = folders.addAction(name.replace("&", "&&") or tr("None", "folder"), partial(move, name))
            action.setCheckable(True)
            action.setChecked(name == current)
        folders.addSeparator()
        folders.addAction(tr("New folder…"), lambda: ask_folder_name(self.window(), "", move))
        menu.addMenu(folders)

    def ask_tags(self, conversation: str) -> None:
        """Ask for the tags of a listed conversation."""
        if (row := self.model.known.get(conversation)) is not None:
            ask_tags(self.window(), row.tags, lambda tags: self._request(conversation, SetTags(tags)))

    def ask_folder(self, conversation: str) -> None:
        """Ask for a folder, existing or new, for a listed conversation."""
        if (row := self.model.known.get(conversation)) is not None:
            ask_folder(self.window(), self._context.store.folders.now, row.folder, partial(self._move_to, conversation))

    def _move_to(self, conversation: str, folder: str) -> None:
        self._request(conversation, MoveToFolder(folder))

    def _request(self, conversation: str, intent: ChatIntent) -> None:
        self._context.send(InChat(conversation, intent))

    def _rename_folder(self, folder: str, to: str) -> None:
        if to in self._context.store.folders.now and to != folder:
            self.model.note_emptied(folder)  # the other folder stays open or folded
        elif folder in (folded := self.model.folded()):
            self.fold(tuple(to if name == folder else name for name in folded))
        if folder != to:
            self._context.send(library.RenameFolder(folder, to))

    def _remove_folder(self, folder: str) -> None:
        self.model.note_emptied(folder)
        self._context.send(library.RemoveFolder(folder))

    def _follow_theme(self) -> None:
        self.empty_label.setFont(ui_font(appearance.theme.reading.pane_px(13)))
        self.list.scheduleDelayedItemsLayout()
        self.list.viewport().update()
