"""The context menus of the sidebar: of a conversation and of a folder."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

if TYPE_CHECKING:
    from ui.state import ConversationRow


class ConversationMenu(QMenu):
    """The actions of one conversation. The menu deletes itself when it closes."""

    opened = Signal(str)
    rename_requested = Signal(str)
    pin_changed = Signal(str, bool)
    folder_changed = Signal(str, str)
    new_folder_requested = Signal(str)  # its name is not known yet
    tags_requested = Signal(str)
    cached_changed = Signal(str, bool)
    export_requested = Signal(str)
    delete_requested = Signal(str)

    def __init__(self, row: ConversationRow, folders: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.addAction("Open", partial(self.opened.emit, row.id))
        self.addAction("Rename", partial(self.rename_requested.emit, row.id))
        self.addSeparator()
        self.addAction("Unpin" if row.pinned else "Pin", partial(self.pin_changed.emit, row.id, not row.pinned))
        self.addMenu(self._folder_menu(row, folders))
        self.addAction("Tags…", partial(self.tags_requested.emit, row.id))
        keep = self.addAction("Keep warm on disk")
        keep.setCheckable(True)
        keep.setChecked(row.cached)
        keep.toggled.connect(partial(self.cached_changed.emit, row.id))
        self.addSeparator()
        self.addAction("Export…", partial(self.export_requested.emit, row.id))
        self.addAction("Delete chat", partial(self.delete_requested.emit, row.id))

    def _folder_menu(self, row: ConversationRow, folders: tuple[str, ...]) -> QMenu:
        menu = QMenu("Folder", self)
        for name in ("", *sorted({row.folder, *folders} - {""}, key=str.casefold)):
            action = menu.addAction(name.replace("&", "&&") or "None")
            action.setCheckable(True)
            action.setChecked(name == row.folder)
            action.triggered.connect(partial(self._move, row.id, name))
        menu.addSeparator()
        menu.addAction("New folder…", partial(self.new_folder_requested.emit, row.id))
        return menu

    def _move(self, conversation: str, folder: str) -> None:
        self.folder_changed.emit(conversation, folder)


class FolderMenu(QMenu):
    """The actions of a folder. The menu deletes itself when it closes."""

    rename_requested = Signal()
    remove_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.addAction("Rename folder…", self.rename_requested.emit)
        self.addAction("Remove folder, keep its chats", self.remove_requested.emit)
