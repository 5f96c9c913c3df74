"""FaceButton: a button with an icon, a text or both. The style sheet paints its surface, by the property `kind`."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QStyle, QStyleOptionButton, QWidget

from ui.theme.appearance import appearance
from ui.theme.theme import draw_icon
from ui.widgets.elided_text import draw_line, shortened
from ui.widgets.push_button import PushButton


class FaceButton(PushButton):
    """The icon stands before the text, or a chevron behind it. A text that has no room is elided.

    Subclasses set the sizes, and the colours of icon and text by the button's state.
    """

    PAD_PX = 12
    ICON_PX = 14
    GAP_PX = 4
    IS_CENTRED = False
    OFF_OPACITY = 1.0

    def __init__(self, kind: str, icon: str = "", text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent=parent)
        self.setProperty("kind", kind)
        self.icon_name = icon

    def label_font(self) -> QFont:
        """The font of the text."""
        return self.font()

    def inks(self, state: QStyle.StateFlag) -> tuple[str, str]:  # noqa: ARG002 - for subclasses
        """The colours of the icon and of the text in this state."""
        return appearance.theme.text, appearance.theme.text

    def elided(self, text: str, room: int) -> str:
        """`text` if it fits into so many pixels, else a part of it."""
        return shortened(text, self.label_font(), room)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the button."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        self.draw(QPainter(self), option)

    def draw(self, painter: QPainter, option: QStyleOptionButton) -> None:
        """Paint the button in the place and the state of `option`: here, or in a row of a list."""
        painter.save()
        if not option.state & QStyle.StateFlag.State_Enabled:
            painter.setOpacity(self.OFF_OPACITY)
        self.style().drawControl(QStyle.ControlElement.CE_PushButtonBevel, option, painter, self)
        self._draw_face(painter, option)
        painter.restore()

    def _draw_face(self, painter: QPainter, option: QStyleOptionButton) -> None:
        rect, font, icon = QRectF(option.rect), self.label_font(), self.icon_name
        icon_ink, ink = self.inks(option.state)
        line = rect.adjusted(self.PAD_PX, 0, -self.PAD_PX, 0)
        beside = self.ICON_PX + self.GAP_PX if icon or not self.IS_CENTRED else 0
        text = self.elided(option.text, round(line.width() - beside) + 1) if option.text else ""
        top = rect.top() + (option.rect.height() - self.ICON_PX + 1) // 2
        if self.IS_CENTRED:
            width = QFontMetricsF(font).horizontalAdvance(text) + (beside if text else self.ICON_PX)
            line.setLeft(rect.left() + (rect.width() - width) / 2)
        if icon:
            draw_icon(painter, icon, icon_ink, self.ICON_PX, QPointF(line.left(), top))
            line.setLeft(line.left() + beside)
        elif not self.IS_CENTRED:
            corner = QPointF(line.right() - self.ICON_PX + 2, top + 1)
            draw_icon(painter, "chevron-down", icon_ink, self.ICON_PX, corner)
        draw_line(painter, line.adjusted(0, 0, 2, 0), text, font, ink)
