"""The list view of the sidebar: mouse, keyboard, and drag and drop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import (
    QCursor,
    QDrag,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
)
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QFrame, QListView, QWidget

from resources.language.text import tr
from ui.sidebar.conversations_model import ConversationRole
from ui.sidebar.sections import HeadingKind
from ui.theme.theme import MAC
from ui.widgets.focus_ring import KEY_REASONS
from ui.widgets.settings_group import named

_Index = QModelIndex | QPersistentModelIndex
_CHOOSING = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
_LEAVING = {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.MouseFocusReason}
_FOLDS = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}  # whether a folder must be folded for the key to toggle it


class ConversationList(QListView):
    """Opens a conversation on a click or Enter, and edits its title on F2. By default Qt on macOS would edit on Enter.

    A click, Enter, space, or the left and right arrows toggle the heading of a folder. A click with shift or control
    selects several conversations and opens none.
    """

    opened = Signal(QModelIndex)
    toggled = Signal(QModelIndex)
    drop_target_changed = Signal(QModelIndex)  # the line under the dragged row, or an invalid index
    drag_ended = Signal()
    delete_pressed = Signal()
    left = Signal()  # the keyboard moved on, Escape while several are selected, or a click below the last line
    edited = Signal()  # the field of a title has closed
    pointer_left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._pressed = QPersistentModelIndex()
        self._is_choosing = False
        self._is_set_by_app = False
        self.is_keyed = False  # whether the keyboard moves here, so that the current row has a ring
        named(self, "conversations", label=tr("Chats"))
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.setDragDropMode(QListView.DragDropMode.DragDrop)
        self.setDragDropOverwriteMode(True)  # onto a line, not between two lines
        self.setDropIndicatorShown(False)
        self.clicked.connect(self._open_clicked)

    def leaveEvent(self, _event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Report that the pointer is elsewhere."""
        self.pointer_left.emit()

    @property
    def is_editing(self) -> bool:
        """Whether the user is changing a title."""
        return self.state() is QListView.State.EditingState

    def closeEditor(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:  # noqa: N802 - Qt's name
        """Report that the field of a title has closed."""
        super().closeEditor(editor, hint)
        self.edited.emit()

    def _open_clicked(self, index: QModelIndex) -> None:
        if not self._is_choosing:
            self.opened.emit(index)

    def chosen(self) -> tuple[str, ...]:
        """The selected conversations, from top to bottom."""
        found = sorted(self.selectedIndexes(), key=QModelIndex.row)
        return tuple(str(index.data(ConversationRole.ID)) for index in found if index.data(ConversationRole.ID))

    def choose(self, indexes: Iterable[QModelIndex]) -> None:
        """Select these lines, if they exist. The current one stays."""
        selection = QItemSelection()
        for index in filter(QModelIndex.isValid, indexes):
            selection.select(index, index)
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def setCurrentIndex(self, index: _Index) -> None:  # noqa: N802 - Qt's name
        """Make this line the current one, and select it alone. Qt would read the modifiers of the keyboard, and extend
        the selection while the shortcut of a tab is held down.
        """
        self._is_set_by_app = True
        super().setCurrentIndex(index)
        self._is_set_by_app = False

    def selectionCommand(  # noqa: N802 - Qt's name
        self, index: _Index, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Only clicks and keys on the list itself select several lines."""
        if self._is_set_by_app:
            return QItemSelectionModel.SelectionFlag.ClearAndSelect
        return super().selectionCommand(index, event)

    def dataChanged(self, first: _Index, last: _Index, roles: Sequence[int] = ()) -> None:  # noqa: N802 - Qt's name
        """Repaint what changed. All rows have one height, but QListView would ask each of 10,000 for its own again."""
        QAbstractItemView.dataChanged(self, first, last, roles)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Note whether the keyboard brought the focus. A click shows no ring."""
        self.is_keyed = event.reason() in KEY_REASONS
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter opens, F2 edits, other keys move. A key that the title's field leaves over does nothing."""
        index, self.is_keyed = self.currentIndex(), True
        if self.is_editing:
            event.accept()
        elif _folds(index, Qt.Key(event.key())):
            self.toggled.emit(index)
        elif event.key() == Qt.Key.Key_Escape and len(self.chosen()) > 1:
            self.left.emit()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.opened.emit(index)
        elif _deletes(event) and self.chosen():
            self.delete_pressed.emit()
        elif event.key() == Qt.Key.Key_F2 and index.data(ConversationRole.ID):
            self.edit(index)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """Report that the keyboard is elsewhere. A menu, a field in the list and another window take it for a while."""
        super().focusOutEvent(event)
        if event.reason() in _LEAVING and not self.is_editing and len(self.chosen()) <= 1:
            self.left.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Ignore other buttons than the left one, and remember a pressed heading. Neither changes the current row."""
        index, self.is_keyed = self.indexAt(event.position().toPoint()), False
        self._pressed = QPersistentModelIndex()
        self._is_choosing = bool(event.modifiers() & _CHOOSING)
        if event.button() != Qt.MouseButton.LeftButton:
            return
        if _is_folder(index):
            self._pressed = QPersistentModelIndex(index)
        elif index.isValid():
            super().mousePressEvent(event)
        else:  # Qt would select nothing, as if no chat were open
            self.left.emit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Toggle a heading if the button is released on the heading where it was pressed."""
        index = self.indexAt(event.position().toPoint())
        if not self._pressed.isValid():
            super().mouseReleaseEvent(event)
        elif self._pressed == index:
            self._pressed = QPersistentModelIndex()
            self.toggled.emit(index)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Treat a double click on a heading as two clicks."""
        if _is_folder(self.indexAt(event.position().toPoint())):
            self.mousePressEvent(event)
        else:
            super().mouseDoubleClickEvent(event)

    def startDrag(self, actions: Qt.DropAction) -> None:  # noqa: N802 - Qt's name
        """Drag a picture of the row. Qt's own drag would remove the row's text after the drop."""
        row = self.visualRect(self.currentIndex())
        drag = QDrag(self)
        drag.setMimeData(self.model().mimeData(self.selectedIndexes() or [self.currentIndex()]))
        drag.setPixmap(self.viewport().grab(row))
        drag.setHotSpot(self.viewport().mapFromGlobal(QCursor.pos()) - row.topLeft())
        drag.exec(actions)
        self.drag_ended.emit()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:  # noqa: N802 - Qt's name
        """Report the line under the mouse."""
        super().dragMoveEvent(event)
        self.drop_target_changed.emit(self.indexAt(event.position().toPoint()) if event.isAccepted() else QModelIndex())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        """Report that no line is under the mouse."""
        super().dragLeaveEvent(event)
        self.drop_target_changed.emit(QModelIndex())

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Report that no line is under the mouse any more."""
        super().dropEvent(event)
        self.drop_target_changed.emit(QModelIndex())


def _deletes(event: QKeyEvent) -> bool:
    """Whether a key is the one for deleting a row: Delete, and on a Mac, as in Finder, Command and Backspace. One that
    is held down deletes no other row.
    """
    if event.isAutoRepeat():
        return False
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if MAC and event.key() == Qt.Key.Key_Backspace:  # platform: Qt's Control is the Command key there
        return modifiers == Qt.KeyboardModifier.ControlModifier
    return event.key() == Qt.Key.Key_Delete and not modifiers


def _folds(index: QModelIndex, key: Qt.Key) -> bool:
    is_known = key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}
    return _is_folder(index) and (is_known or _FOLDS.get(key) is index.data(ConversationRole.HEADING).folded)


def _is_folder(index: QModelIndex) -> bool:
    heading = index.data(ConversationRole.HEADING)
    return heading is not None and heading.kind is HeadingKind.FOLDER
