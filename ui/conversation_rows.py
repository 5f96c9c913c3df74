"""ConversationRows: owns the look of the sidebar's lines and the field that edits a title; the model has the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui.models.conversations import Role
from ui.theme import ui_font

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from ui.theme import Theme

ROW_PX = 52
SECTION_PX = 31
_INSET_PX = 10
_TEXT_PX = 20
_DOT_PX = 7
_Index = QModelIndex | QPersistentModelIndex


class ConversationRows(QStyledItemDelegate):
    """Paints a row as title and time over snippet or live line, and a section as a small heading."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self._title_font = ui_font(13, QFont.Weight.Medium)
        self._detail_font = ui_font(12)
        self._time_font = ui_font(11)
        self._section_font = ui_font(11, QFont.Weight.DemiBold)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's name
        """All rows are equally high, so are all sections."""
        return QSize(option.rect.width(), ROW_PX if index.data(Role.ID) else SECTION_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one line."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRect(option.rect)
        rect.setWidth(option.widget.width())  # a scroll bar must not move what stands on the right
        if index.data(Role.ID):
            self._paint_surface(painter, rect, option.state)
            self._paint_row(painter, rect, index)
        else:
            self._paint_section(painter, rect, str(index.data()))
        painter.restore()

    def _paint_surface(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        if state & QStyle.StateFlag.State_Selected:
            colour = self.theme.selected_row
        elif state & QStyle.StateFlag.State_MouseOver:
            colour = self.theme.hovered_row
        else:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(rect).adjusted(_INSET_PX, 1.5, -_INSET_PX + 1, -1), 8, 8)

    def _paint_section(self, painter: QPainter, rect: QRect, heading: str) -> None:
        painter.setFont(self._section_font)
        painter.setPen(QColor(self.theme.faint))
        painter.drawText(rect.adjusted(18, 9, -18, 0), Qt.AlignmentFlag.AlignVCenter, heading)

    def _paint_row(self, painter: QPainter, rect: QRect, index: _Index) -> None:
        line = QRect(rect.left() + _TEXT_PX, rect.top() + 6, rect.width() - 2 * _TEXT_PX + 1, 20)
        time = str(index.data(Role.TIME))
        painter.setFont(self._time_font)
        painter.setPen(QColor(self.theme.faint))
        painter.drawText(line, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, time)
        line.setRight(line.right() - QFontMetrics(self._time_font).horizontalAdvance(time) - 10)
        _draw_elided(painter, line, str(index.data()), self._title_font, self.theme.text)
        line = QRect(rect.left() + _TEXT_PX, rect.top() + 26, rect.width() - 2 * _TEXT_PX - 12, 19)
        if index.data(Role.LIVE):
            self._paint_live(painter, line, str(index.data(Role.LIVE)))
        else:
            _draw_elided(painter, line, str(index.data(Role.SNIPPET)), self._detail_font, self.theme.muted)

    def _paint_live(self, painter: QPainter, line: QRect, text: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.accent))
        painter.drawEllipse(QRectF(line.left() + 0.5, line.center().y() - _DOT_PX / 2 + 0.5, _DOT_PX, _DOT_PX))
        _draw_elided(painter, line.adjusted(13, 0, 0, 0), text, self._detail_font, self.theme.accent)

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, _index: _Index) -> QWidget:  # noqa: N802 - Qt's name
        """A plain field over the title."""
        editor = QLineEdit(parent)
        editor.setObjectName("rename")
        editor.setAccessibleName("Title of the chat")
        editor.setFont(self._title_font)
        return editor

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, _index: _Index) -> None:  # noqa: N802 - Qt's name
        """Cover the title line alone."""
        rect: QRect = option.rect
        editor.setGeometry(rect.adjusted(_TEXT_PX - 6, 4, -_INSET_PX, -ROW_PX + 28))


def _draw_elided(painter: QPainter, line: QRect, text: str, font: QFont, colour: str) -> None:
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, line.width())
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
