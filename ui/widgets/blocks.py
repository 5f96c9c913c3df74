"""Blocks: a widget of coloured rectangles, for bars and maps."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

from ui.theme.appearance import appearance
from ui.widgets.shapes import draw_shape, smooth_painter

_BAR_PX = 8


class Block(NamedTuple):
    """A rectangle in a colour of the theme, by its name, with corners of this radius."""

    place: QRectF
    colour: str
    radius: float = 0.0


class Blocks(QWidget):
    """Paints its blocks in their order, inside of rounded ends if `end_px` says so."""

    end_px = 0.0

    @abstractmethod
    def blocks(self) -> Iterable[Block]:
        """What is painted now."""

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the blocks."""
        painter = smooth_painter(self)
        if self.end_px:
            ends = QPainterPath()
            ends.addRoundedRect(QRectF(self.rect()), self.end_px, self.end_px)
            painter.setClipPath(ends)
        for place, colour, radius in self.blocks():
            draw_shape(painter, place, radius, getattr(appearance.theme, colour))


class UsageBar(Blocks):
    """A thin bar that shows how full something is. It fills from the left."""

    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        self.setFixedHeight(_BAR_PX)

    def set_share(self, share: float) -> None:
        """Set how much is used, from 0 to 1. Larger values show a full bar."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def blocks(self) -> Iterable[Block]:
        """The trough and the used part. A very small part is still a dot."""
        yield Block(QRectF(self.rect()), "field", _BAR_PX / 2)
        if self._share:
            used = QRectF(0, 0, max(_BAR_PX, self.width() * self._share), _BAR_PX)
            yield Block(used, "accent", _BAR_PX / 2)
