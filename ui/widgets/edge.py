"""Edge: the inner edge of a pane at the side of the window, which the pointer drags."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

_GRIP_PX = 4


class Edge(QWidget):
    """A strip over the inner rim of a pane, which stands at the window's `side`: AlignLeft or AlignRight.

    `dragged` carries by how many pixels the pane is to grow. `reset` is emitted by a double click.
    """

    dragged = Signal(int)
    reset = Signal()

    def __init__(self, pane: QWidget, side: Qt.AlignmentFlag) -> None:
        super().__init__(pane)
        self._is_left = side == Qt.AlignmentFlag.AlignLeft
        self.setCursor(Qt.CursorShape.SplitHCursor)
        self._from: float | None = None
        pane.installEventFilter(self)

    def eventFilter(self, pane: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Stay at the rim, above the pane's content."""
        if event.type() is QEvent.Type.Resize and isinstance(pane, QWidget):
            self.setGeometry(pane.width() - _GRIP_PX if self._is_left else 0, 0, _GRIP_PX, pane.height())
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
            self.dragged.emit(by if self._is_left else -by)

    def mouseDoubleClickEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Ask for the usual width."""
        self.reset.emit()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Stop dragging."""
        self._from = None
