"""The context menus of the sidebar: of a conversation and of a folder."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from resources.language.text import tr
from ui.intents.chat import Delete, KeepWarm, MoveToFolder, Open, Pin
from ui.widgets.menu import Menu

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.state.library import ConversationRow


class ConversationMenu(Menu):
    """The actions of one conversation. The menu deletes itself when it closes."""

    requested = Signal(object)
    rename_requested = Signal()
    new_folder_requested = Signal()  # the folder's name is not known yet
    tags_requested = Signal()
    export_requested = Signal()

    def __init__(self, row: ConversationRow, folders: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent=parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.addAction(tr("Open"), partial(self.requested.emit, Open()))
        self.addAction(tr("Rename"), self.rename_requested.emit)
        self.addSeparator()
        self.addAction(tr("Unpin") if row.pinned else tr("Pin"), partial(self.requested.emit, Pin(not row.pinned)))
        self.addMenu(self._folder_menu(row, folders))
        self.addAction(tr("Tags…"), self.tags_requested.emit)
        keep = self.addAction(tr("Keep ready on disk"))
        keep.setCheckable(True)
        keep.setChecked(row.cached)
        keep.toggled.connect(lambda cached: self.requested.emit(KeepWarm(cached)))
        self.addSeparator()
        self.addAction(tr("Export…"), self.export_requested.emit)
        self.add_destructive(tr("Delete chat"), partial(self.requested.emit, Delete()))

    def _folder_menu(self, row: ConversationRow, folders: tuple[str, ...]) -> Menu:
        menu = Menu(tr("Folder"), self)
        for name in ("", *sorted({row.folder, *folders} - {""}, key=str.casefold)):
            action = menu.addAction(name.replace("&", "&&") or tr("None"))
            action.setCheckable(True)
            action.setChecked(name == row.folder)
            action.triggered.connect(partial(self._move, name))
        menu.addSeparator()
        menu.addAction(tr("New folder…"), self.new_folder_requested.emit)
        return menu

    def _move(self, folder: str) -> None:
        self.requested.emit(MoveToFolder(folder))


class FolderMenu(Menu):
    """The actions of a folder. The menu deletes itself when it closes."""

    rename_requested = Signal()
    remove_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.addAction(tr("Rename folder…"), self.rename_requested.emit)
        self.addAction(tr("Remove folder, keep its chats"), self.remove_requested.emit)
