"""LayerStrip: one cell for each layer of a model, coloured by what the layer keeps of a chat."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from resources.language.text import tr
from ui.theme.tooltips import plain_tip
from ui.widgets.blocks import Block, Blocks

_HEIGHT_PX = 16
_GAP_PX = 2.0
_LEAST_CELL_PX = 3.0
_COLOURS = {
    "attention": "accent",
    "window": "window_layer",
    "recurrent": "recurrent_layer",
    "mixed": "mixed_layer",
    "none": "field",
}


class LayerStrip(Blocks):
    """Cells of one width from the first layer to the last. If there are very many, the gaps shrink."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layers: tuple[str, ...] = ()
        self.setFixedHeight(_HEIGHT_PX)

    def set_layers(self, layers: tuple[str, ...], text: str) -> None:
        """Show these kinds of layers; `text` says them in words."""
        self._layers = layers
        self.setAccessibleName(tr("Layers: {text}", text=text))
        self.setToolTip(plain_tip(text))
        self.update()

    def cells(self) -> list[QRectF]:
        """The cells from left to right."""
        count = len(self._layers)
        if not count:
            return []
        gap = min(_GAP_PX, max(0.0, (self.width() - count * _LEAST_CELL_PX) / count))
        width = (self.width() + gap) / count
        return [QRectF(number * width, 0, width - gap, _HEIGHT_PX) for number in range(count)]

    def blocks(self) -> Iterable[Block]:
        """The cells in the colours of their layers."""
        for layer, cell in zip(self._layers, self.cells(), strict=True):
            yield Block(cell, _COLOURS.get(layer, "field"), 2)
