"""The mouse over the transcript's page: what it is on, and presses that ask for more than a click does.

Owns no meaning: it tells an anchor's address and a place in the document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTextBrowser

LONG_PRESS_MS = 500
_SLACK_PX = 4


class Pointer(QObject):
    """Watches a page's viewport. `moved` says that `href` or `block` is another; `more_wanted` carries an anchor's
    address and the place on the screen, after a long press or a click with the Alt key.
    """

    moved = Signal()
    more_wanted = Signal(str, QPoint)

    def __init__(self, page: QTextBrowser) -> None:
        super().__init__(page)
        self._page = page
        self._point: QPoint | None = None
        self._pressed: QPoint | None = None
        self._was_long = False
        self._seen = (self.href, self.block)
        self._hold = QTimer(self, singleShot=True, interval=LONG_PRESS_MS)
        self._hold.timeout.connect(self._held)
        page.viewport().setMouseTracking(True)
        page.viewport().installEventFilter(self)
        page.verticalScrollBar().valueChanged.connect(self._look)

    @property
    def href(self) -> str:
        """The address under the mouse, "" for none."""
        return "" if self._point is None else self._page.anchorAt(self._point)

    @property
    def block(self) -> int:
        """The number of the document's block that the mouse is nearest to, -1 while it is elsewhere."""
        return -1 if self._point is None else self._page.cursorForPosition(self._point).blockNumber()

    @property
    def is_holding(self) -> bool:
        """Whether a press of the mouse may still become a long one."""
        return self._hold.isActive()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Look only, but for a click that was taken for more."""
        if event.type() == QEvent.Type.Leave:
            self._point = None
            self._look()
        if not isinstance(event, QMouseEvent):
            return False
        point = event.position().toPoint()
        match event.type():
            case QEvent.Type.MouseMove:
                self._point = point
                self._look()
                self._let_go_of(point)
            case QEvent.Type.MouseButtonPress:
                return self._press(event, point)
            case QEvent.Type.MouseButtonRelease:
                self._hold.stop()
                return self._was_long
        return False

    def _look(self) -> None:
        """Painting all that is seen at every step of the mouse would be too much."""
        before, self._seen = self._seen, (self.href, self.block)
        if self._seen != before:
            self.moved.emit()

    def _let_go_of(self, point: QPoint) -> None:
        """Who moves while pressing selects text."""
        if self._pressed is not None and (point - self._pressed).manhattanLength() > _SLACK_PX:
            self._hold.stop()

    def _press(self, event: QMouseEvent, point: QPoint) -> bool:
        self._was_long = False
        self._pressed = point
        href = self._page.anchorAt(point)
        if event.button() != Qt.MouseButton.LeftButton or not href:
            return False
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._was_long = True
            self.more_wanted.emit(href, event.globalPosition().toPoint())
            return True
        self._hold.start()
        return False

    def _held(self) -> None:
        if self._pressed is not None:
            self._was_long = True
            place = self._page.viewport().mapToGlobal(self._pressed)
            self.more_wanted.emit(self._page.anchorAt(self._pressed), place)
