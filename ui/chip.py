"""Chip: owns the pill button that opens a menu of choices; what the choices are is its user's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QActionGroup, QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from ui.theme import icon_pixmap, ui_font

if TYPE_CHECKING:
    from ui.theme import Theme

_HEIGHT_PX = 26
_PAD_PX = 13
_WIDEST_PX = 300
_ICON_PX = 14
_ICON_ROOM_PX = 18


class Chip(QPushButton):
    """Shows one choice, opens all. `icon` stands before the text; "" puts a chevron behind it instead."""

    picked = Signal(str)

    def __init__(self, icon: str, label: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self._label = label
        self._theme = theme
        self.setFont(ui_font(12))
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setToolTip(label)
        self._menu = QMenu(self)
        self._group = QActionGroup(self)
        self.clicked.connect(self._open)

    def set_choices(self, choices: tuple[tuple[str, str, str], ...], current: str) -> None:
        """Offer (key, name, detail) and show the name of the key `current`, or nothing for an unknown key."""
        self._menu.clear()
        for key, name, detail in choices:
            self._add_choice(key, name, detail, current)
        self.show_name(next((name for key, name, _ in choices if key == current), self._label))

    def _add_choice(self, key: str, name: str, detail: str, current: str) -> None:
        action = self._menu.addAction("  —  ".join(filter(None, (name, detail))).replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(key == current)
        action.setData(key)
        self._group.addAction(action)
        action.triggered.connect(lambda: self.picked.emit(key))

    def show_name(self, name: str) -> None:
        """Show `name` as the current choice."""
        self.setText(name)
        self.setAccessibleName(f"{self._label}: {name}")
        self.updateGeometry()

    def choices(self) -> QMenu:
        """The menu."""
        return self._menu

    def _open(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, -self._menu.sizeHint().height() - 4)))

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Room for icon, text and chevron; a very long name is elided."""
        text = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(min(_WIDEST_PX, text + 2 * _PAD_PX + _ICON_ROOM_PX), _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Text is elided down to a few letters."""
        return QSize(min(96, self.sizeHint().width()), _HEIGHT_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the pill; a native button would be grey and square."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(self._theme.accent if self.hasFocus() else self._theme.hairline))
        painter.setBrush(QColor(self._theme.hovered_row if self.underMouse() else self._theme.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _HEIGHT_PX / 2, _HEIGHT_PX / 2)
        self._paint_text(painter)

    def _paint_text(self, painter: QPainter) -> None:
        line = self.rect().adjusted(_PAD_PX, 0, -_PAD_PX, 0)
        top = (_HEIGHT_PX - _ICON_PX) // 2
        icon = icon_pixmap(self._icon_name or "chevron-down", self._theme.muted, _ICON_PX, self.devicePixelRatioF())
        if self._icon_name:
            painter.drawPixmap(QPoint(line.left(), top), icon)
            line.setLeft(line.left() + _ICON_ROOM_PX)
        else:
            painter.drawPixmap(QPoint(line.right() - _ICON_PX + 3, top + 1), icon)
            line.setRight(line.right() - _ICON_ROOM_PX)
        self._draw_name(painter, line)

    def _draw_name(self, painter: QPainter, line: QRect) -> None:
        painter.setFont(self.font())
        painter.setPen(QColor(self._theme.muted))
        name = QFontMetrics(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, line.width() + 1)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, name)
