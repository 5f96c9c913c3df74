"""A small button with round ends, as used in the composer."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme.appearance import appearance
from ui.theme.long_texts import cut
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_elided
from ui.widgets.push_button import PushButton

_HEIGHT_PX = 26
_PAD_PX = 13
_WIDEST_PX = 300
_ICON_PX = 14
_ICON_ROOM_PX = 18


class Pill(PushButton):
    """A painted button, because a native one would be grey and square.

    `icon` is drawn before the text. If it is "", a chevron is drawn after the text. A checked pill is filled. A short
    one keeps its text for screen readers.
    """

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._icon_name = icon
        self._is_short = False
        self.setFont(ui_font(12))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard in the text field
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str) -> None:
        """Show another icon."""
        self._icon_name = name
        self.update()

    def set_short(self, is_short: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show the icon alone, as long as there is no room for the words."""
        if is_short is not self._is_short:
            self._is_short = is_short
            self.updateGeometry()
            self.update()

    def whole_width(self) -> int:
        """The width with icon, words and chevron. A very long text is elided."""
        return min(
            _WIDEST_PX, QFontMetrics(self.font()).horizontalAdvance(cut(self.text())) + 2 * _PAD_PX + _ICON_ROOM_PX
        )

    def short_width(self) -> int:
        """The width with the icon alone."""
        return 2 * _PAD_PX + _ICON_PX

    @property
    def has_icon(self) -> bool:
        """Whether it can be short."""
        return bool(self._icon_name)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Space for all that is shown."""
        return QSize(self.short_width() if self._is_short else self.whole_width(), _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Never narrower than the size hint."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the pill, its icon and its text."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        surface = self._surface()
        rim = surface if self.isChecked() else appearance.theme.rim
        painter.setPen(QColor(appearance.theme.accent if self.hasFocus() else rim))
        painter.setBrush(QColor(surface))
        radius = self.height() / 2  # dialogs make their buttons higher
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        self._paint_text(painter)

    def _surface(self) -> str:
        if self.isChecked():
            return appearance.theme.selected_row if self.underMouse() else appearance.theme.selected_tab
        return appearance.theme.hovered_row if self.underMouse() else appearance.theme.raised

    def _paint_text(self, painter: QPainter) -> None:
        colour = appearance.theme.text if self.isChecked() or self.underMouse() else appearance.theme.muted
        line = self.rect().adjusted(_PAD_PX, 0, -_PAD_PX, 0)
        top = (self.height() - _ICON_PX) // 2
        if self._icon_name:
            draw_icon(painter, self._icon_name, colour, _ICON_PX, QPoint(line.left(), top))
            line.setLeft(line.left() + _ICON_ROOM_PX)
        else:
            draw_icon(painter, "chevron-down", colour, _ICON_PX, QPoint(line.right() - _ICON_PX + 3, top + 1))
            line.setRight(line.right() - _ICON_ROOM_PX)
        if not self._is_short:
            draw_elided(painter, line.adjusted(0, 0, 1, 0), self.text(), self.font(), colour)
