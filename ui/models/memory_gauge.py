"""MemoryGauge: a bar that shows what a model would take of this machine's memory, with its legend."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from resources.language.text import mark, tr
from ui.state.models import FitView
from ui.theme.appearance import appearance
from ui.theme.phrases import of_machine, size
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.elided_text import draw_elided

_NAME = mark("Memory on this Mac: {said}"), mark("Memory on this computer: {said}")
_BAR_PX = 12
_HEIGHT_PX = 62
_FIRST_LINE_PX = 17
_LINE_PX = 23
_SWATCH_PX = 9
_TEXT_PX = 15
_COLUMN_GAP_PX = 8


class Part(NamedTuple):
    """A part of the memory: its name, its bytes and the theme's name of its colour."""

    name: str
    bytes: int
    colour: str


def parts(fit: FitView) -> tuple[Part, ...]:
    """The parts from left to right."""
    return (
        Part(tr("weights"), fit.weights, "accent"),
        Part(tr("chats"), fit.caches, "chats_share"),
        Part(tr("other apps"), fit.others, "others_share"),
        Part(tr("free", "memory"), fit.free, "field"),
    )


class MemoryGauge(QWidget):
    """The bar above two lines with two parts each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fit = FitView()
        self.setFixedHeight(_HEIGHT_PX)

    def set_fit(self, fit: FitView) -> None:
        """Show these figures."""
        self._fit = fit
        said = ", ".join(map(_words, parts(fit)))
        self.setAccessibleName(of_machine(*_NAME, said=said))
        self.setToolTip(plain_tip(fit.text))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the bar and the legend."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_bar(painter)
        second = self.second_column()
        for number, part in enumerate(parts(self._fit)):
            column, line = number % 2, number // 2
            room = self.width() - second if column else second
            place = QRect(column * second, _FIRST_LINE_PX + line * _LINE_PX, room, _LINE_PX)
            self._paint_legend(painter, place, part)

    def second_column(self) -> int:
        """Where the second column of the legend begins: in the middle, or further on if the first one needs that and
        the second one leaves it.
        """
        metrics = QFontMetrics(ui_font(13))
        needed = [_TEXT_PX + metrics.horizontalAdvance(_words(part)) + _COLUMN_GAP_PX for part in parts(self._fit)]
        first, second, middle = max(needed[::2]), max(needed[1::2]), self.width() // 2 + 4
        return first if middle < first <= self.width() - second + _COLUMN_GAP_PX else middle

    def _paint_bar(self, painter: QPainter) -> None:
        bar = QRectF(0, 0, self.width(), _BAR_PX)
        clip = QPainterPath()
        clip.addRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)
        painter.save()
        painter.setClipPath(clip)
        painter.fillRect(bar, QColor(appearance.theme.field))
        total, left = sum(part.bytes for part in parts(self._fit)), 0.0
        for part in parts(self._fit):
            width = self.width() * part.bytes / total if total else 0.0
            painter.fillRect(QRectF(left, 0, width, _BAR_PX), QColor(getattr(appearance.theme, part.colour)))
            left += width
        painter.restore()

    def _paint_legend(self, painter: QPainter, place: QRect, part: Part) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(appearance.theme, part.colour)))
        swatch = QRectF(place.left(), place.top() + (_LINE_PX - _SWATCH_PX) / 2, _SWATCH_PX, _SWATCH_PX)
        painter.drawRoundedRect(swatch, 3, 3)
        draw_elided(painter, place.adjusted(_TEXT_PX, 0, 0, 0), _words(part), ui_font(13), appearance.theme.muted)


def _words(part: Part) -> str:
    return f"{part.name} {size(part.bytes)}"
