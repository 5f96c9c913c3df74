"""The context menus of the sidebar: of a conversation, of several ones, and of a folder."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from resources.language.text import plural, tr
from ui.intents.chat import Delete, MoveToFolder, Open, Pin
from ui.intents.chat_settings import SetSwitch
from ui.intents.library import DeleteChats, FileChats, PinChats
from ui.widgets.menu import Menu

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.context import ChatContext, WindowContext
    from ui.state.library import ConversationRow


class ConversationMenu(Menu):
    """The actions of one conversation. The menu deletes itself when it closes."""

    rename_requested = Signal()
    new_folder_requested = Signal()  # the folder's name is not known yet
    tags_requested = Signal()
    export_requested = Signal()

    def __init__(self, context: ChatContext, row: ConversationRow, folders: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent=parent)
        self._context = context
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.addAction(tr("Open"), partial(self._context.send, Open()))
        self.addAction(tr("Rename"), self.rename_requested.emit)
        self.addSeparator()
        self.addAction(tr("Unpin") if row.pinned else tr("Pin"), partial(self._context.send, Pin(not row.pinned)))
        folder = FolderChoice(row.folder, folders, self)
        folder.chosen.connect(lambda name: self._context.send(MoveToFolder(name)))
        folder.new_requested.connect(self.new_folder_requested)
        self.addMenu(folder)
        self.addAction(tr("Tags…"), self.tags_requested.emit)
        keep = self.addAction(tr("Keep ready on disk"))
        keep.setCheckable(True)
        keep.setChecked(row.cached)
        keep.toggled.connect(lambda is_kept: self._context.send(SetSwitch("cached", is_kept)))
        self.addSeparator()
        self.addAction(tr("Export…"), self.export_requested.emit)
        self.add_destructive(tr("Delete chat"), partial(self._context.send, Delete()))


class ChosenChatsMenu(Menu):
    """What can be done with several selected conversations at once. The menu deletes itself when it closes."""

    new_folder_requested = Signal()
    export_requested = Signal()

    def __init__(
        self, context: WindowContext, rows: tuple[ConversationRow, ...], folders: tuple[str, ...], parent: QWidget
    ) -> None:
        super().__init__(parent=parent)
        self._context = context
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        chats, count = tuple(row.id for row in rows), len(rows)
        shall_pin, shared = not all(row.pinned for row in rows), {row.folder for row in rows}
        pin = plural("Pin {count} chat", "Pin {count} chats", count)
        unpin = plural("Unpin {count} chat", "Unpin {count} chats", count)
        self.addAction(pin if shall_pin else unpin, partial(self._context.send, PinChats(chats, shall_pin)))
        folder = FolderChoice(shared.pop() if len(shared) == 1 else None, folders, self)
        folder.chosen.connect(lambda name: self._context.send(FileChats(chats, name)))
        folder.new_requested.connect(self.new_folder_requested)
        self.addMenu(folder)
        self.addSeparator()
        export = plural("Export {count} chat…", "Export {count} chats…", count)
        self.addAction(export, self.export_requested.emit)
        delete = plural("Delete {count} chat", "Delete {count} chats", count)
        self.add_destructive(delete, partial(self._context.send, DeleteChats(chats)))


class FolderChoice(Menu):
    """A submenu of all folders. `current` is marked; None marks none."""

    chosen = Signal(str)
    new_requested = Signal()  # the folder's name is not known yet

    def __init__(self, current: str | None, folders: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(tr("Folder"), parent)
        for name in ("", *sorted({current or "", *folders} - {""}, key=str.casefold)):
            action = self.addAction(name.replace("&", "&&") or tr("None", "folder"))
            action.setCheckable(True)
            action.setChecked(name == current)
            action.triggered.connect(partial(self.chosen.emit, name))
        self.addSeparator()
        self.addAction(tr("New folder…"), self.new_requested.emit)


class FolderMenu(Menu):
    """The actions of a folder. The menu deletes itself when it closes."""

    rename_requested = Signal()
    remove_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.addAction(tr("Rename folder…"), self.rename_requested.emit)
        self.addAction(tr("Remove folder, keep its chats"), self.remove_requested.emit)
