"""Paints the lines of the command palette: icon, title with its fitting parts, detail, and the shortcut as a key."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from ui.palette.entries import PaletteEntry, Row
from ui.search.fuzzy import Marks
from ui.theme.appearance import appearance
from ui.theme.direction import is_right_to_left
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_elided, draw_written

ROW_PX = 38
HEADING_PX = 32
ROLE = Qt.ItemDataRole.UserRole
_INSET_PX = 7
_PAD_PX = 14
_ICON_PX = 17
_TEXT_LEFT_PX = 44
_GAP_PX = 10
_KEY_PX = 20
_Index = QModelIndex | QPersistentModelIndex


class PaletteDelegate(QStyledItemDelegate):
    """All lines of a kind have one height."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plain, self._bold = ui_font(14), ui_font(14, QFont.Weight.DemiBold)
        self._detail, self._heading = ui_font(13), ui_font(12, QFont.Weight.DemiBold)
        self._key = ui_font(12)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: N802 - Qt's name
        """A heading is lower than an entry."""
        row: Row = index.data(ROLE)
        return QSize(option.rect.width(), ROW_PX if row.entry else HEADING_PX)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one line."""
        row: Row = index.data(ROLE)
        rect = QRect(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.entry is None:
            line = rect.adjusted(_INSET_PX + _PAD_PX, 8, 0, 0)
            draw_elided(painter, line, row.heading, self._heading, appearance.theme.muted)
        else:
            if option.state & QStyle.StateFlag.State_Selected:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(appearance.theme.selected_row))
                painter.drawRoundedRect(QRectF(rect).adjusted(_INSET_PX, 0, -_INSET_PX, 0), 9, 9)
            self._paint_entry(painter, rect, row.entry, row.marks)
        painter.restore()

    def _paint_entry(self, painter: QPainter, rect: QRect, entry: PaletteEntry, marks: Marks) -> None:
        corner = QPoint(rect.left() + _INSET_PX + _PAD_PX, rect.center().y() - _ICON_PX // 2 + 1)
        draw_icon(painter, entry.icon, appearance.theme.muted, _ICON_PX, corner)
        line = rect.adjusted(_INSET_PX + _TEXT_LEFT_PX, 0, -_INSET_PX - _PAD_PX, 0)
        if entry.keys:
            line.setRight(self._paint_key(painter, line, entry.keys) - _GAP_PX)
        line.setLeft(self._paint_title(painter, line, entry.title, marks) + _GAP_PX)
        if line.width() > 0:
            draw_elided(painter, line, entry.about(), self._detail, appearance.theme.muted)

    def _paint_key(self, painter: QPainter, line: QRect, keys: str) -> int:
        """Paint a shortcut as a key at the end of the line. Returns where it begins."""
        width = QFontMetrics(self._key).horizontalAdvance(keys) + 14
        cap = QRectF(line.right() - width + 0.5, line.center().y() - _KEY_PX / 2 + 0.5, width, _KEY_PX)
        painter.setPen(QColor(appearance.theme.hairline))
        painter.setBrush(QColor(appearance.theme.raised))
        painter.drawRoundedRect(cap, 5, 5)
        painter.setFont(self._key)
        painter.setPen(QColor(appearance.theme.muted))
        painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, keys)
        return int(cap.left())

    def _paint_title(self, painter: QPainter, line: QRect, title: str, marks: Marks) -> int:
        """Paint the title with its marked parts in bold. Returns where it ends."""
        pieces = [(text, self._bold if is_bold else self._plain) for text, is_bold in _pieces(title, marks)]
        width = sum(QFontMetrics(font).horizontalAdvance(text) for text, font in pieces)
        whole = QRect(line.left(), line.top(), min(width + 2, line.width()), line.height())
        self._paint_pieces(painter, whole, pieces)
        return line.left() + whole.width()

    def _paint_pieces(self, painter: QPainter, room: QRect, pieces: Sequence[tuple[str, QFont]]) -> None:
        """Paint the parts of a title in the order in which its script is read."""
        from_right = is_right_to_left("".join(text for text, _ in pieces))
        for text, font in pieces:
            if room.width() <= 0:
                break
            draw_written(painter, room, text, font, appearance.theme.text)
            width = QFontMetrics(font).horizontalAdvance(text)
            room = room.adjusted(0, 0, -width, 0) if from_right else room.adjusted(width, 0, 0, 0)


def _pieces(text: str, marks: Marks) -> list[tuple[str, bool]]:
    """The parts of a text in order, and whether each is marked."""
    pieces, at = list[tuple[str, bool]](), 0
    for start, end in marks:
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [piece for piece in (*pieces, (text[at:], False)) if piece[0]]
