"""Paints the rows of the dialog of deleted chats."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ui.theme.appearance import appearance
from ui.theme.theme import ui_font
from ui.widgets.elided_text import draw_elided, draw_written

if TYPE_CHECKING:
    from PySide6.QtCore import QObject


_PAD_PX = 14


class DeletedRole(IntEnum):
    """The data of an item, in addition to its title."""

    ID = Qt.ItemDataRole.UserRole
    SNIPPET = Qt.ItemDataRole.UserRole + 1
    DAYS = Qt.ItemDataRole.UserRole + 2


class DeletedDelegate(QStyledItemDelegate):
    """Paints the title and the days left above the snippet."""

    HEIGHT_PX = 54

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._title_font = ui_font(13, QFont.Weight.Medium)
        self._detail_font = ui_font(12)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint one row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        self._paint_surface(painter, rect, option.state)
        line = QRect(rect.left() + _PAD_PX, rect.top() + 7, rect.width() - 2 * _PAD_PX, 20)
        days = str(index.data(DeletedRole.DAYS))
        draw_elided(painter, self._at_right(line, days), days, self._detail_font, appearance.theme.faint)
        title = line.adjusted(0, 0, -QFontMetrics(self._detail_font).horizontalAdvance(days) - 14, 0)
        draw_written(painter, title, str(index.data()), self._title_font, appearance.theme.text)
        below = line.translated(0, 20)
        draw_written(painter, below, str(index.data(DeletedRole.SNIPPET)), self._detail_font, appearance.theme.muted)
        painter.restore()

    def _at_right(self, line: QRect, text: str) -> QRect:
        width = QFontMetrics(self._detail_font).horizontalAdvance(text) + 1
        return QRect(line.right() - width, line.top(), width, line.height())

    def _paint_surface(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(appearance.theme.selected_row))
            painter.drawRoundedRect(QRectF(rect).adjusted(4, 1.5, -4, -1.5), 8, 8)
