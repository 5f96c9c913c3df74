"""The button of one settings page: an icon and a name, in the list at the left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from ui.theme.appearance import appearance
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_elided
from ui.widgets.return_key import pressed_by_return

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent


_HEIGHT_PX = 34
_ICON_PX = 17
_PAD_PX = 12
_TEXT_PX = 39
_RADIUS_PX = 9


class PaneButton(QAbstractButton):
    """One of several exclusive buttons. Tab reaches the checked one, and the arrow keys check its neighbours."""

    def __init__(self, icon: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self.setText(name)
        self.setFont(ui_font(14))
        self.setAccessibleName(name)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self._follow_check(self.isChecked())
        self.toggled.connect(self._follow_check)
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Let Return press the button, as Space does."""
        if not pressed_by_return(self, event):
            super().keyPressEvent(event)

    def _follow_check(self, is_checked: bool) -> None:  # noqa: FBT001 - what Qt's signal carries
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if is_checked else Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the name."""
        return QSize(_TEXT_PX + self.fontMetrics().horizontalAdvance(self.text()) + _PAD_PX, _HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the background, the focus ring, the icon and the name."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        rect = QRectF(self.rect())
        if on or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(appearance.theme.selected_row if on else appearance.theme.hovered_row))
            painter.drawRoundedRect(rect, _RADIUS_PX, _RADIUS_PX)
        if self.hasFocus():
            painter.setPen(QColor(appearance.theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, _RADIUS_PX)
        colour = appearance.theme.accent if on else appearance.theme.muted
        corner = QPoint(_PAD_PX, (self.height() - _ICON_PX + 1) // 2)
        draw_icon(painter, self._icon_name, colour, _ICON_PX, corner)
        words = self.rect().adjusted(_TEXT_PX, 0, -_PAD_PX, 0)
        draw_elided(painter, words, self.text(), self.font(), appearance.theme.text)
