"""Edge: the left edge of the inspector, which the pointer or the arrow keys move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent

_GRIP_PX = 6


class Edge(QWidget):
    """A strip over the pane's left rim. `dragged` carries how far the pointer moved to the right."""

    dragged = Signal(int)

    def __init__(self, pane: QWidget) -> None:
        super().__init__(pane)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self._from: float | None = None
        pane.installEventFilter(self)

    def eventFilter(self, pane: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Stay at the rim, above the pane's content."""
        if event.type() is QEvent.Type.Resize and isinstance(pane, QWidget):
            self.setGeometry(0, 0, _GRIP_PX, pane.height())
            self.raise_()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Begin to drag."""
        self._from = event.globalPosition().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Report how far the pointer went."""
        if self._from is not None:
            by = round(event.globalPosition().x() - self._from)
            self._from += by
            self.dragged.emit(by)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Stop dragging."""
        self._from = None
