"""Paints the buttons of the models page: as widgets, and inside the rows of a list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from ui.theme.theme import draw_icon, ui_font

if TYPE_CHECKING:
    from ui.theme.theme import Theme

HEIGHT_PX = 33
_RADIUS_PX = 10
_PAD_PX = 14
_ICON_PX = 15
_GAP_PX = 8


@dataclass(frozen=True, slots=True)
class ButtonFace:
    """A button's content: an icon, a text or both. A primary one is filled with the accent colour."""

    text: str = ""
    icon: str = ""
    primary: bool = False

    def width(self) -> int:
        """The width that the content needs. A face without a text is square."""
        if not self.text:
            return HEIGHT_PX
        icon = _ICON_PX + _GAP_PX if self.icon else 0
        return round(2 * _PAD_PX + icon + QFontMetricsF(face_font()).horizontalAdvance(self.text) + 0.5)


@dataclass(frozen=True, slots=True)
class ButtonLook:
    """How the button is used now."""

    hovered: bool = False
    pressed: bool = False
    focused: bool = False
    enabled: bool = True


def face_font() -> QFont:
    """The font of every button of this kind."""
    return ui_font(13, QFont.Weight.Medium)


def paint_face(painter: QPainter, rect: QRectF, face: ButtonFace, look: ButtonLook, theme: Theme) -> None:
    """Paint a button that fills `rect`."""
    painter.save()
    painter.setOpacity(1.0 if look.enabled else 0.45)
    rim = theme.accent if look.focused or face.primary else theme.rim
    painter.setPen(QColor(rim))
    painter.setBrush(_surface(face, look, theme))
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, _RADIUS_PX)
    if look.focused and face.primary:  # its rim has the colour of its surface, so the ring is inside
        painter.setPen(QColor(theme.page))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(rect.adjusted(2.5, 2.5, -2.5, -2.5), _RADIUS_PX - 2, _RADIUS_PX - 2)
    _paint_content(painter, rect, face, theme)
    painter.restore()


def _surface(face: ButtonFace, look: ButtonLook, theme: Theme) -> QColor:
    if face.primary:
        colour = QColor(theme.accent)
        return colour.darker(112) if look.pressed else colour.lighter(106) if look.hovered else colour
    return QColor(theme.selected_row if look.pressed else theme.hovered_row if look.hovered else theme.raised)


def _paint_content(painter: QPainter, rect: QRectF, face: ButtonFace, theme: Theme) -> None:
    colour = theme.page if face.primary else theme.text
    metrics = QFontMetricsF(face_font())
    icon = _ICON_PX + (_GAP_PX if face.text else 0) if face.icon else 0
    room = rect.width() - 2 * _PAD_PX - icon + 1
    text = metrics.elidedText(face.text, Qt.TextElideMode.ElideRight, room)
    left = rect.left() + (rect.width() - icon - metrics.horizontalAdvance(text)) / 2
    if face.icon:
        draw_icon(painter, face.icon, colour, _ICON_PX, QPointF(left, rect.center().y() - _ICON_PX / 2))
    painter.setFont(face_font())
    painter.setPen(QColor(colour))
    line = QRectF(left + icon, rect.top(), metrics.horizontalAdvance(text) + 2, rect.height())
    painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
