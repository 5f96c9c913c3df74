"""WrittenCard: how much was written to disk today, and on each of the last days as bars."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from resources.language.text import tr
from ui.theme.phrases import size
from ui.theme.theme import title_font
from ui.widgets.mirrored import Mirrored
from ui.widgets.settings_group import SettingsGroup, text_label

if TYPE_CHECKING:
    from ui.theme.theme import Theme

_BARS_PX: Final = 30
_BAR_PX: Final = 6
_GAP_PX: Final = 3


class WrittenCard(QWidget):
    """Two cards beside each other."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.today = text_label("", "rowName", 18)
        self.today.setFont(title_font(18))
        self.month = text_label("", "rowAbout", 13)
        self.bars = _Bars(theme)
        self.groups = tuple(SettingsGroup(theme) for _ in range(2))
        self.groups[0].add(_part(text_label(tr("Written today"), "rowAbout", 13), self.today))
        self.groups[1].add(_part(self.month, self.bars))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(14)
        line.addWidget(self.groups[0], 2)
        line.addWidget(self.groups[1], 3)

    def show_written(self, today: int, days: tuple[int, ...]) -> None:
        """Show the bytes of today and of the last days with a write."""
        self.today.setText(size(today))
        self.month.setText(tr("Last 30 days · {size}", size=size(sum(days))))
        self.bars.show_days(days)

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        self.bars.set_theme(theme)
        for group in self.groups:
            group.set_theme(theme)


def _part(above: QWidget, below: QWidget) -> QWidget:
    part = QWidget()
    column = QVBoxLayout(part)
    column.setContentsMargins(14, 10, 14, 10)
    column.setSpacing(4)
    column.addWidget(above)
    column.addWidget(below)
    column.addStretch(1)
    return part


class _Bars(QWidget):
    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._days: tuple[int, ...] = ()
        self.setFixedHeight(_BARS_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_days(self, days: tuple[int, ...]) -> None:
        self._days = days
        self.setAccessibleName(tr("Written on each of {days} days", days=len(days)))
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(30 * (_BAR_PX + _GAP_PX), _BARS_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.accent))
        sheet = Mirrored(painter, self.rect())
        for bar in self.bars():
            painter.drawRoundedRect(sheet.place_f(bar), 2, 2)

    def bars(self) -> list[QRectF]:
        """A bar for each day, the newest at the end. They fill the width; edges lie between two pixels."""
        most = max(self._days, default=0) or 1
        pitch = (self.width() + _GAP_PX) / max(1, len(self._days))
        heights = (max(2, round(_BARS_PX * day / most)) for day in self._days)
        edges = [round(number * pitch) for number in range(len(self._days) + 1)]
        return [
            QRectF(left, _BARS_PX - height, right - left - _GAP_PX, height)
            for (left, right), height in zip(pairwise(edges), heights, strict=True)
        ]
