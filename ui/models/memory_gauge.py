"""MemoryGauge: a bar that shows what a model would take of this machine's memory, with its legend."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from resources.language.text import mark, tr
from ui.state.models import FitView
from ui.theme.phrases import of_machine, size
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import Block, Blocks
from ui.widgets.elided_text import shortened

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


class MemoryGauge(Blocks):
    """The bar above two lines with two parts each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._fit = FitView()
        self._bar = _Bar(self)
        self._labels = tuple(QLabel(self, textFormat=Qt.TextFormat.PlainText) for _ in parts(self._fit))
        for label in self._labels:
            label.setObjectName("detailMuted")
            label.setFont(ui_font(13))
        self.setFixedHeight(_HEIGHT_PX)

    def set_fit(self, fit: FitView) -> None:
        """Show these figures."""
        self._fit = self._bar.fit = fit
        said = ", ".join(map(_words, parts(fit)))
        self.setAccessibleName(of_machine(*_NAME, said=said))
        self.setToolTip(plain_tip(fit.text))
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Use the room."""
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        self._bar.setGeometry(0, 0, self.width(), _BAR_PX)
        for label, part, place in zip(self._labels, parts(self._fit), self._places(), strict=True):
            room = place.adjusted(_TEXT_PX, 0, 0, 0)
            label.setGeometry(room)
            label.setText(shortened(_words(part), label.font(), room.width()))
        self.update()

    def _places(self) -> list[QRect]:
        """The places of the legend's entries."""
        second = self.second_column()
        columns = ((0, second), (second, self.width() - second))
        tops = (_FIRST_LINE_PX, _FIRST_LINE_PX + _LINE_PX)
        return [QRect(left, top, width, _LINE_PX) for top in tops for left, width in columns]

    def second_column(self) -> int:
        """Where the second column of the legend begins: in the middle, or further on if the first one needs that and
        the second one leaves it.
        """
        metrics = QFontMetrics(ui_font(13))
        needed = [_TEXT_PX + metrics.horizontalAdvance(_words(part)) + _COLUMN_GAP_PX for part in parts(self._fit)]
        first, second, middle = max(needed[::2]), max(needed[1::2]), self.width() // 2 + 4
        return first if middle < first <= self.width() - second + _COLUMN_GAP_PX else middle

    def blocks(self) -> Iterable[Block]:
        """The samples of the colours in the legend."""
        for part, place in zip(parts(self._fit), self._places(), strict=True):
            sample = QRectF(place.left(), place.top() + (_LINE_PX - _SWATCH_PX) / 2, _SWATCH_PX, _SWATCH_PX)
            yield Block(sample, part.colour, 3)


class _Bar(Blocks):
    end_px = _BAR_PX / 2

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.fit = FitView()

    def blocks(self) -> Iterable[Block]:
        yield Block(QRectF(self.rect()), "field")
        total, left = sum(part.bytes for part in parts(self.fit)), 0.0
        for part in parts(self.fit):
            width = self.width() * part.bytes / total if total else 0.0
            yield Block(QRectF(left, 0, width, _BAR_PX), part.colour)
            left += width


def _words(part: Part) -> str:
    return f"{part.name} {size(part.bytes)}"
