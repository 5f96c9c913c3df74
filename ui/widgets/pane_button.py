"""The button of one settings page: an icon above a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from ui.theme.theme import icon_pixmap, ui_font

if TYPE_CHECKING:
    from ui.theme.theme import Theme

_HEIGHT_PX = 52
_ICON_PX = 22
_LEAST_PX = 72
_PAD_PX = 10
_RADIUS_PX = 8


class PaneButton(QAbstractButton):
    """One of several exclusive buttons."""

    def __init__(self, icon: str, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self._theme = theme
        self.setText(name)
        self.setFont(ui_font(11))
        self.setAccessibleName(name)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedSize(self.sizeHint())

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the name, but not below a minimum."""
        width = QFontMetrics(self.font()).horizontalAdvance(self.text()) + 2 * _PAD_PX
        return QSize(max(_LEAST_PX, width), _HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the background, the focus ring, the icon and the name."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        if on or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self._theme.selected_tab if on else self._theme.hovered_row))
            painter.drawRoundedRect(QRectF(self.rect()), _RADIUS_PX, _RADIUS_PX)
        if self.hasFocus():
            painter.setPen(QColor(self._theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, _RADIUS_PX)
        colour = self._theme.accent if on else self._theme.muted
        icon = icon_pixmap(self._icon_name, colour, _ICON_PX, self.devicePixelRatioF())
        painter.drawPixmap(QPointF((self.width() - _ICON_PX) / 2, 7), icon)
        painter.setPen(QColor(colour))
        painter.drawText(self.rect().adjusted(0, 32, 0, -4), Qt.AlignmentFlag.AlignCenter, self.text())
