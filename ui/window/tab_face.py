"""TabFace: what one tab looks like, and how it is painted."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen

from ui.theme.theme import Theme, draw_icon, ui_font
from ui.widgets.elided_text import draw_elided

PAD_PX = 12
CLOSE_PX = 20
_DOT_PX = 7
_DOT_ROOM_PX = 15
_MASK_PX = 14
_MASK_ROOM_PX = 20
_RADIUS_PX = 7


def bold_font() -> QFont:
    """The font of the current tab, and of one with a new answer."""
    return ui_font(13, QFont.Weight.Medium)


@dataclass(frozen=True, slots=True)
class TabFace:
    """One tab: its title, and what is to be seen of its state. `close` is the place of the cross, if it has one."""

    title: str
    is_current: bool = False
    is_hovered: bool = False
    is_live: bool = False
    is_unread: bool = False
    is_private: bool = False
    has_keyboard: bool = False
    is_lifted: bool = False
    close: QRect | None = None
    is_on_close: bool = False

    def width(self) -> int:
        """As wide as the marks, the title and the cross. A dot that comes and goes moves no cross."""
        text = QFontMetrics(bold_font()).horizontalAdvance(self.title)
        return 2 * PAD_PX + self.mark_room() + text + CLOSE_PX

    def mark_room(self) -> int:
        """The part of the width that the mask takes and the dot may take."""
        return _DOT_ROOM_PX + (_MASK_ROOM_PX if self.is_private else 0)

    def paint(self, painter: QPainter, pill: QRect, theme: Theme) -> None:
        """Paint the tab into `pill`."""
        self._paint_surface(painter, pill, theme)
        if self.is_private and not self.has_keyboard:
            painter.setPen(QPen(QColor(theme.button_off), 1, Qt.PenStyle.DashLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(pill).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, _RADIUS_PX)
        line = pill.adjusted(PAD_PX, 0, -PAD_PX, 0)
        line.setLeft(self._paint_marks(painter, line, theme))
        if self.close is not None:
            self._paint_close(painter, self.close, theme)
            line.setRight(self.close.left() - 6)
        is_bold = self.is_current or self.is_unread
        font, colour = (bold_font(), theme.text) if is_bold else (ui_font(13), theme.muted)
        draw_elided(painter, line, self.title, font, colour)

    def _paint_surface(self, painter: QPainter, pill: QRect, theme: Theme) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        if self.is_current or self.is_lifted:
            painter.setBrush(QColor(theme.selected_tab))
        elif self.is_hovered:
            painter.setBrush(QColor(theme.hovered_row))
        else:
            return
        painter.drawRoundedRect(pill, _RADIUS_PX, _RADIUS_PX)
        if self.has_keyboard:
            painter.setPen(QColor(theme.accent))
            painter.drawRoundedRect(QRectF(pill).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, _RADIUS_PX)

    def _paint_marks(self, painter: QPainter, line: QRect, theme: Theme) -> int:
        """Paint the dot and the mask. Returns where the title begins."""
        left, middle = line.left(), line.center().y()
        if self.is_live or self.is_unread:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent if self.is_live else theme.success))
            painter.drawEllipse(QRectF(left, middle - _DOT_PX / 2 + 1, _DOT_PX, _DOT_PX))
            left += _DOT_ROOM_PX
        if self.is_private:
            colour = theme.text if self.is_current else theme.muted
            draw_icon(painter, "eye-off", colour, _MASK_PX, QPoint(left, middle - _MASK_PX // 2 + 1))
            left += _MASK_ROOM_PX
        return left

    def _paint_close(self, painter: QPainter, close: QRect, theme: Theme) -> None:
        if self.is_on_close:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.hairline))
            painter.drawRoundedRect(close, 5, 5)
        draw_icon(painter, "x", theme.muted, 14, close.topLeft() + QPoint(3, 3))
