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
from ui.widgets.settings_group import SettingsGroup, text_label

if TYPE_CHECKING:
    from ui.theme.theme import Theme

_BARS_PX: Final = 30
_BAR_PX: Final = 6
_GAP_PX: Final = 3
_LEAST_PX: Final = 2


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
        self.first, self.last = text_label("", "rowAbout", 11), text_label(tr("Today"), "rowAbout", 11)
        self.groups[1].add(_part(self.month, self.bars, self._axis()))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(14)
        line.addWidget(self.groups[0], 2)
        line.addWidget(self.groups[1], 3)

    def _axis(self) -> QWidget:
        """The first and the last day, below their bars."""
        axis = QWidget()
        line = QHBoxLayout(axis)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.first)
        line.addStretch(1)
        line.addWidget(self.last)
        for label in (self.first, self.last):
            label.setWordWrap(False)
        return axis

    def show_written(self, today: int, days: tuple[int, ...]) -> None:
        """Show the bytes of today and of each of the last days. They are empty before they are known."""
        self.today.setText(size(today))
        self.first.setText(tr("{days} days ago", days=len(days) - 1) if days else "")
        self.last.setVisible(bool(days))
        self.month.setText(tr("Last 30 days · {size}", size=size(sum(days))))
        self.bars.show_days(days)

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        self.bars.set_theme(theme)
        for group in self.groups:
            group.set_theme(theme)


def _part(*lines: QWidget) -> QWidget:
    part = QWidget()
    column = QVBoxLayout(part)
    column.setContentsMargins(14, 10, 14, 10)
    column.setSpacing(4)
    for line in lines:
        column.addWidget(line)
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
        for bar, day in zip(self.bars(), self._days, strict=True):
            painter.setBrush(QColor(self._theme.accent if day else self._theme.rim))
            painter.drawRoundedRect(bar, 2, 2)

    def bars(self) -> list[QRectF]:
        """A bar for each day, the newest at the end, and a stroke for one without a write. They fill the width; edges
        lie between two pixels.
        """
        most = max(self._days, default=0) or 1
        pitch = (self.width() + _GAP_PX) / max(1, len(self._days))
        heights = (max(_LEAST_PX, round(_BARS_PX * day / most)) for day in self._days)
        edges = [round(number * pitch) for number in range(len(self._days) + 1)]
        return [
            QRectF(left, _BARS_PX - height, right - left - _GAP_PX, height)
            for (left, right), height in zip(pairwise(edges), heights, strict=True)
        ]
