"""ConversationList: owns mouse and keyboard in the sidebar's list; what opens, folds or moves is the sidebar's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QCursor, QDrag
from PySide6.QtWidgets import QFrame, QListView, QWidget

from ui.sidebar.conversations_model import ConversationRole
from ui.sidebar.sections import HeadingKind

if TYPE_CHECKING:
    from PySide6.QtGui import QDragLeaveEvent, QDragMoveEvent, QDropEvent, QKeyEvent, QMouseEvent

_FOLDS = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}  # and whether it has to be folded for the key to do anything


class ConversationList(QListView):
    """Opens on a click and on Enter; F2 edits. On macOS Qt alone would let Enter edit and nothing open.

    The heading of a folder is toggled by a click, by Enter and blank, and by the arrows to the sides.
    """

    opened = Signal(QModelIndex)
    toggled = Signal(QModelIndex)
    aimed = Signal(QModelIndex)  # the line under what is dragged; an invalid one for none
    let_go = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed = QPersistentModelIndex()
        self.setObjectName("conversations")
        self.setAccessibleName("Chats")
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.setDragDropMode(QListView.DragDropMode.DragDrop)
        self.setDragDropOverwriteMode(True)  # onto a line, not between two
        self.setDropIndicatorShown(False)
        self.clicked.connect(self.opened)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter opens, F2 edits, the rest moves."""
        index = self.currentIndex()
        if _is_folder(index) and self._folds(index, Qt.Key(event.key())):
            self.toggled.emit(index)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit(index)
        elif event.key() == Qt.Key.Key_F2 and index.data(ConversationRole.ID):
            self.edit(index)
        else:
            super().keyPressEvent(event)

    def _folds(self, folder: QModelIndex, key: Qt.Key) -> bool:
        is_folded = folder.data(ConversationRole.HEADING).folded
        return key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space} or _FOLDS.get(key) is is_folded

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """The right button asks for a menu. Neither it nor a heading makes another row current than the shown one."""
        index = self.indexAt(event.position().toPoint())
        self._pressed = QPersistentModelIndex()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if _is_folder(index):
            self._pressed = QPersistentModelIndex(index)
        else:
            super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A heading is toggled where the button goes up on it again."""
        index = self.indexAt(event.position().toPoint())
        if not self._pressed.isValid():
            super().mouseReleaseEvent(event)
        elif self._pressed == index:
            self._pressed = QPersistentModelIndex()
            self.toggled.emit(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """On a heading two quick clicks are two clicks."""
        if _is_folder(self.indexAt(event.position().toPoint())):
            self.mousePressEvent(event)
        else:
            super().mouseDoubleClickEvent(event)

    def startDrag(self, actions: Qt.DropAction) -> None:  # noqa: N802 - Qt's name
        """Drag the row as it looks. Qt alone would clear its words once it is let go."""
        row = self.visualRect(self.currentIndex())
        drag = QDrag(self)
        drag.setMimeData(self.model().mimeData([self.currentIndex()]))
        drag.setPixmap(self.viewport().grab(row))
        drag.setHotSpot(self.viewport().mapFromGlobal(QCursor.pos()) - row.topLeft())
        drag.exec(actions)
        self.let_go.emit()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802 - Qt's name
        """Follow with the mark of the line under the mouse."""
        super().dragMoveEvent(event)
        self.aimed.emit(self.indexAt(event.position().toPoint()) if event.isAccepted() else QModelIndex())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        """Nothing is aimed at any more."""
        super().dragLeaveEvent(event)
        self.aimed.emit(QModelIndex())

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """As above."""
        super().dropEvent(event)
        self.aimed.emit(QModelIndex())


def _is_folder(index: QModelIndex) -> bool:
    heading = index.data(ConversationRole.HEADING)
    return heading is not None and heading.kind is HeadingKind.FOLDER
