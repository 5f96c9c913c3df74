"""ScrollArea: a page that scrolls up and down alone, without a frame of its own."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea


class ScrollArea(QScrollArea):
    """Its content is as wide as itself. The keyboard goes to what is in it. The style sheet finds it by its `name`."""

    def __init__(self, name: str) -> None:
        super().__init__(widgetResizable=True)
        self.setObjectName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
