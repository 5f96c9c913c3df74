"""ModelList: the card that lists models. A row has buttons; the list finds them under the mouse."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QListView, QSizePolicy, QWidget

from resources.language.text import tr
from ui.models.row_delegate import ROW_PX, RowDelegate, lay_out
from ui.models.row_words import RowAction, actions, menu_actions, why_kept
from ui.models.rows_model import ModelRowsModel
from ui.state.models import ModelRow
from ui.widgets.menu import Menu

_LEAST_ROWS = 2


class ModelList(QListView):
    """A list of models. Enter does a row's main action. The menu of a row has all its actions.

    `chosen` carries the id of the row that the user selected, `acted` a `ModelRow` and a `RowAction`, `opened` the id
    of a row that the user clicked or opened by the space bar.
    """

    chosen = Signal(str)
    opened = Signal(str)
    acted = Signal(object, object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ModelRowsModel(self)
        self._selected = ""
        self.delegate = RowDelegate(self)
        self.setObjectName("models")
        self.setAccessibleName(name)
        self.setModel(self.rows)
        self.setItemDelegate(self.delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.selectionModel().currentChanged.connect(self._note_choice)

    def show_rows(self, rows: tuple[ModelRow, ...]) -> None:
        """List `rows`. The selection and the scroll position stay."""
        self._keeping_place(lambda: self.rows.show_rows(rows))

    def set_filter(self, text: str) -> None:
        """List only the rows that match `text`."""
        self._keeping_place(lambda: self.rows.set_filter(text))

    def _keeping_place(self, change: Callable[[], object]) -> None:
        top = self.verticalScrollBar().value()
        before = self.rows.row_at(self.currentIndex())
        change()
        self.select(self._selected)
        if before is not None and not self.currentIndex().isValid():
            self.select(self.rows.successor(before))
        self.setMaximumHeight(max(1, self.rows.rowCount()) * ROW_PX + 2)
        self.updateGeometry()
        self.verticalScrollBar().setValue(top)

    def select(self, model: str) -> None:
        """Highlight a model without a signal. It stays highlighted if it is listed later."""
        self._selected = model
        index = self.rows.index_of(model)
        if index.isValid() and index.row() != self.currentIndex().row():
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def current(self) -> str:
        """The id of the highlighted row, "" for none."""
        row = self.rows.row_at(self.currentIndex())
        return row.id if row is not None else ""

    def _note_choice(self, index: QModelIndex) -> None:
        row = self.rows.row_at(index)
        if row is not None and row.id != self._selected:
            self._selected = row.id
            self.chosen.emit(row.id)

    def button(self, model: str, action: RowAction) -> QRect:
        """The place of a row's button in the viewport; empty if the row has no such button."""
        index = self.rows.index_of(model)
        row = self.rows.row_at(index)
        if row is None:
            return QRect()
        parts = lay_out(row, self.visualRect(index))
        return next((rect for name, rect in parts.buttons if name is action), QRect())

    def _hit(self, point: QPoint) -> tuple[ModelRow | None, RowAction | None]:
        index = self.indexAt(point)
        row = self.rows.row_at(index)
        if row is None:
            return None, None
        return row, lay_out(row, self.visualRect(index)).action_at(point.x(), point.y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Light the button under the mouse. The list is no target for a drag."""
        self._light(*self._hit(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Light no button."""
        self._light(None, None)
        super().leaveEvent(event)

    def _light(self, row: ModelRow | None, action: RowAction | None) -> None:
        hovered = (row.id, action) if row is not None and action is not None else ("", None)
        if hovered != self.delegate.hovered:
            self.delegate.hovered = hovered
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Press a button, or select a row. Ignore other mouse buttons than the left one."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        row, action = self._hit(event.position().toPoint())
        self.delegate.pressed = (row.id, action) if row is not None else ("", None)
        if action is None:
            super().mousePressEvent(event)
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Do what a button says if it was pressed and released, or open the row that was clicked."""
        row, action = self._hit(event.position().toPoint())
        pressed, self.delegate.pressed = self.delegate.pressed, ("", None)
        self.viewport().update()
        super().mouseReleaseEvent(event)
        if row is None or pressed != (row.id, action):
            return
        if action is None:
            self.opened.emit(row.id)
        elif action is RowAction.MORE:
            button = self.button(row.id, action)
            self.menu_for(row).open_beside(button.translated(self.viewport().mapToGlobal(QPoint(0, 0))))
        else:
            self.acted.emit(row, action)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter does the main action, space opens, other keys move."""
        row = self.rows.row_at(self.currentIndex())
        if row is not None and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            for action in actions(row)[:1]:
                self.acted.emit(row, action)
        elif row is not None and event.key() == Qt.Key.Key_Space:
            self.opened.emit(row.id)
        else:
            super().keyPressEvent(event)

    def _show_menu(self, point: QPoint) -> None:
        row = self.rows.row_at(self.indexAt(point))
        if row is not None and menu_actions(row):
            self.menu_for(row).open_at(self.viewport().mapToGlobal(point))

    def menu_for(self, row: ModelRow) -> Menu:
        """The menu of a row. It deletes itself when it closes."""
        menu = Menu(parent=self)
        menu.setObjectName("modelMenu")
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        for action in menu_actions(row):
            act = partial(self.acted.emit, row, action)
            if action is RowAction.REMOVE:
                remove = menu.add_destructive(tr(action), act)
                remove.setEnabled(not why_kept(row))
                remove.setToolTip(why_kept(row))
            else:
                menu.addAction(tr(action), act)
        return menu

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """All rows."""
        return QSize(400, self.rows.rowCount() * ROW_PX + 2)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Two rows, or one if there are no more."""
        return QSize(200, min(_LEAST_ROWS, max(1, self.rows.rowCount())) * ROW_PX + 2)
