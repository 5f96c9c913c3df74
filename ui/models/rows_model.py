"""ModelRowsModel: the Qt item model of a list of models. It runs on the GUI thread.

- A change of some rows is reported for those rows only, so that the list keeps its selection and scroll position.
- The filter is applied here. Every word of it must occur in the name, the detail or the id of a row.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from ui.models.row_words import second_line, spoken
from ui.state.models import ModelRow, ModelState
from ui.theme.tooltips import plain_tip

_Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


ROW_ROLE: Final[int] = Qt.ItemDataRole.UserRole + 1
"""The row that the delegate paints."""


class ModelRowsModel(QAbstractListModel):
    """The rows that match the filter, in the app's order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[ModelRow, ...] = ()
        self._words: tuple[str, ...] = ()
        self._shown: tuple[ModelRow, ...] = ()

    def show_rows(self, rows: tuple[ModelRow, ...]) -> None:
        """Replace all rows."""
        self._all = rows
        self._update()

    def set_filter(self, text: str) -> None:
        """Show only the rows that contain every word of `text`."""
        self._words = tuple(text.casefold().split())
        self._update()

    def _update(self) -> None:
        rows = tuple(row for row in self._all if self._matches(row))
        if [row.id for row in rows] != [row.id for row in self._shown]:
            self.beginResetModel()
            self._shown = rows
            self.endResetModel()
            return
        before, self._shown = self._shown, rows
        for number, (old, new) in enumerate(zip(before, rows, strict=True)):
            if old != new:
                self.dataChanged.emit(self.index(number, 0), self.index(number, 0))

    def _matches(self, row: ModelRow) -> bool:
        text = f"{row.name} {row.detail} {row.id}".casefold()
        return all(word in text for word in self._words)

    def shown(self) -> tuple[ModelRow, ...]:
        """The rows that match the filter."""
        return self._shown

    def row_at(self, index: _Index) -> ModelRow | None:
        """The row at `index`, None if the index is invalid."""
        return self._shown[index.row()] if index.isValid() else None

    def best(self) -> ModelRow | None:
        """The row to look at first: the loaded model, or the first one that can be used, or the first."""
        usable = [row for row in self._shown if row.state is ModelState.READY]
        loaded = [row for row in usable if row.loaded]
        return next(iter((*loaded, *usable, *self._shown)), None)

    def successor(self, gone: ModelRow) -> str:
        """The id of the row that stands for a model whose id has changed, because its download is done. Else the id of
        the model itself.
        """
        return next((row.id for row in self._shown if gone.repository and row.repository == gone.repository), gone.id)

    def index_of(self, model: str) -> QModelIndex:
        """The index of a model, invalid if it is not shown."""
        for number, row in enumerate(self._shown):
            if row.id == model:
                return self.index(number, 0)
        return QModelIndex()

    def rowCount(self, parent: _Index = _ROOT) -> int:  # noqa: N802 - Qt's name
        """The number of rows that match the filter."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One field of one row, or None."""
        row = self.row_at(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.name
            case Qt.ItemDataRole.AccessibleTextRole:
                return spoken(row)
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip("\n".join(filter(None, (row.name, second_line(row), row.fit.text))))
            case _ if role == ROW_ROLE:
                return row
            case _:
                return None
