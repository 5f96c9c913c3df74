"""SelectButton: a wide field that shows one choice and opens a menu of all of them below."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Signal
from PySide6.QtGui import QActionGroup, QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.theme.appearance import appearance
from ui.theme.long_texts import cut
from ui.theme.theme import draw_icon, ui_font
from ui.widgets.elided_text import draw_elided, without_middle
from ui.widgets.menu import Menu
from ui.widgets.push_button import PushButton

_HEIGHT_PX = 34
_RADIUS_PX = 11
_PAD_PX = 12
_ICON_PX = 14
_NARROWEST_PX = 96


class SelectButton(PushButton):
    """`picked` carries the key of the choice that the user made. The app confirms it with `set_choices`."""

    picked = Signal(str)

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._label = label
        self._choices = Menu(parent=self)
        self._choices.setToolTipsVisible(True)
        self._group = QActionGroup(self)
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(ui_font(13))
        self.clicked.connect(self._open)

    def choices(self) -> Menu:
        """The menu."""
        return self._choices

    def set_choices(self, choices: tuple[tuple[str, str], ...], current: str, otherwise: str = "") -> None:
        """Offer choices as (key, name). Show the name of `current`, or `otherwise` if it is not among them."""
        self._choices.clear()
        for key, name in choices:
            action = self._choices.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(key == current)
            action.setData(key)
            self._group.addAction(action)
            action.triggered.connect(lambda _on=False, key=key: self.picked.emit(key))
        name = next((name for key, name in choices if key == current), otherwise)
        self.setText(name)
        self.setAccessibleName(f"{self._label}: {name}")

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As wide as the text, if there is room."""
        width = QFontMetrics(self.font()).horizontalAdvance(cut(self.text())) + 3 * _PAD_PX + _ICON_PX
        return QSize(max(width, _NARROWEST_PX), _HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """Long names are elided."""
        return QSize(_NARROWEST_PX, _HEIGHT_PX)

    def _open(self) -> None:
        self._choices.open_below(self, at_least=self.width())

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the field, the name and the chevron."""
        theme, painter = appearance.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.accent if self.hasFocus() else theme.rim))
        painter.setBrush(QColor(theme.hovered_row if self.underMouse() else theme.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, _RADIUS_PX)
        room = self.rect().adjusted(_PAD_PX, 0, -_PAD_PX, 0)
        corner = QPoint(room.right() - _ICON_PX + 1, (self.height() - _ICON_PX) // 2)
        draw_icon(painter, "chevron-down", theme.muted, _ICON_PX, corner)
        room.setRight(room.right() - _ICON_PX - 6)
        name = without_middle(self.text(), QFontMetrics(self.font()), room.width())
        draw_elided(painter, room, name, self.font(), theme.text if self.isEnabled() else theme.faint)
