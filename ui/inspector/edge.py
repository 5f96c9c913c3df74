"""Edge: the inner edge of the inspector, which the pointer or the arrow keys move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtWidgets import QStyle, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent

_GRIP_PX = 6


class Edge(QWidget):
    """A strip over the pane's inner rim. `dragged` carries how far the pointer moved into the pane."""

    dragged = Signal(int)

    def __init__(self, pane: QWidget) -> None:
        super().__init__(pane)
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self._from: float | None = None
        pane.installEventFilter(self)

    def eventFilter(self, pane: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Stay at the rim, above the pane's content."""
        if event.type() is QEvent.Type.Resize and isinstance(pane, QWidget):
            rim = QRect(0, 0, _GRIP_PX, pane.height())
            self.setGeometry(QStyle.visualRect(pane.layoutDirection(), pane.rect(), rim))
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
            self.dragged.emit(-by if self.isRightToLeft() else by)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Stop dragging."""
        self._from = None
