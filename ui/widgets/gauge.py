"""Gauge: a bar of parts from left to right, above a legend with two parts a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from ui.theme.phrases import size
from ui.theme.theme import ui_font
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import Block, Blocks
from ui.widgets.elided_text import shortened
from ui.widgets.settings_group import plain_label

_BAR_PX = 12
_LEAST_PX = 4
_FIRST_LINE_PX = 17
_LEGEND_PX = 23
_SWATCH_PX = 9
_TEXT_PX = 15
_COLUMN_GAP_PX = 16


class Part(NamedTuple):
    """A part of what the gauge measures: its name, its bytes and the theme's name of its colour."""

    name: str
    bytes: int
    colour: str

    @property
    def words(self) -> str:
        """The entry of the legend."""
        return f"{self.name} {size(self.bytes)}"


class Gauge(Blocks):
    """Shows nothing until it has parts."""

    def __init__(self) -> None:
        super().__init__()
        self._labels: list[QLabel] = []
        self._bar = _Bar(self)

    def show_parts(self, parts: tuple[Part, ...], name: str, tip: str) -> None:
        """Show these parts. A screen reader says `name`, and `tip` is shown under the pointer."""
        self._bar.parts = parts
        while len(self._labels) < len(parts):
            self._labels.append(label := plain_label("detailMuted", 13))
            label.setParent(self)
        for place, label in enumerate(self._labels):
            label.setVisible(place < len(parts))
        self.setFixedHeight(_FIRST_LINE_PX + _LEGEND_PX * ((len(parts) + 1) // 2) - 1)
        self.setAccessibleName(name)
        self.setToolTip(plain_tip(tip))
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Use the room."""
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        self._bar.setGeometry(0, 0, self.width(), _BAR_PX)
        for label, part, place in zip(self._labels, self._bar.parts, self._places(), strict=False):
            room = place.adjusted(_TEXT_PX, 0, 0, 0)
            label.setGeometry(room)
            label.setText(shortened(part.words, label.font(), room.width()))
        self.update()

    def _places(self) -> list[QRect]:
        """The places of the legend's entries."""
        second = self.second_column()
        columns = ((0, second), (second, self.width() - second))
        tops = range(_FIRST_LINE_PX, self.height(), _LEGEND_PX)
        places = [QRect(left, top, width, _LEGEND_PX) for top in tops for left, width in columns]
        return places[: len(self._bar.parts)]

    def second_column(self) -> int:
        """Where the second column of the legend begins: in the middle, or further on if the first one needs that and
        the second one leaves it.
        """
        metrics = QFontMetrics(ui_font(13))
        needed = [_TEXT_PX + metrics.horizontalAdvance(part.words) + _COLUMN_GAP_PX for part in self._bar.parts]
        first, second = max(needed[::2], default=0), max(needed[1::2], default=0)
        middle = self.width() // 2 + 4
        return first if middle < first <= self.width() - second + _COLUMN_GAP_PX else middle

    def blocks(self) -> Iterable[Block]:
        """The samples of the colours in the legend."""
        for part, place in zip(self._bar.parts, self._places(), strict=True):
            sample = QRectF(place.left(), place.top() + (_LEGEND_PX - _SWATCH_PX) / 2, _SWATCH_PX, _SWATCH_PX)
            yield Block(sample, part.colour, 3)


class _Bar(Blocks):
    end_px = _BAR_PX / 2

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.parts: tuple[Part, ...] = ()

    def blocks(self) -> Iterable[Block]:
        yield Block(QRectF(self.rect()), "field")
        total, left = sum(part.bytes for part in self.parts), 0.0
        for part in self.parts:
            width = max(self.width() * part.bytes / total, _LEAST_PX) if part.bytes else 0.0
            yield Block(QRectF(left, 0, width, _BAR_PX), part.colour)
            left += width
