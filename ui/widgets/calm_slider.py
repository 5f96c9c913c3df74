"""CalmSlider: a slider that leaves the mouse wheel to the page under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSlider, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QWheelEvent


class CalmSlider(QSlider):
    """A wheel changes it only while it has the focus. Otherwise, the page under the pointer scrolls, so that no value
    changes because a slider came under the pointer.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Let the page scroll, unless the focus is here."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
