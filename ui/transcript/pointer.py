"""The mouse over the transcript's page: which anchor it is on, long presses and Alt clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QTextBrowser

LONG_PRESS_MS = 500
_SLACK_PX = 4


class Pointer(QObject):
    """Watches the viewport of a page.

    `moved` is emitted when `href` or `block` changes, and when the text changes below a mouse that is on an anchor: Qt
    repaints the changed lines only, and the mark of an anchor is larger than its line. `menu_requested` is emitted
    after a long press or an Alt click on an anchor, with the anchor's address and the position on the screen.
    """

    moved = Signal()
    menu_requested = Signal(str, QPoint)

    def __init__(self, page: QTextBrowser) -> None:
        super().__init__(page)
        self._page = page
        self._point: QPoint | None = None
        self._pressed: QPoint | None = None
        self._was_menu_requested = False
        self._seen = (self.href, self.block)
        self._hold = QTimer(self, singleShot=True, interval=LONG_PRESS_MS)
        self._hold.timeout.connect(self._report_long_press)
        page.viewport().setMouseTracking(True)
        page.viewport().installEventFilter(self)
        page.verticalScrollBar().valueChanged.connect(self._report_move)
        self._written = QTimer(self, singleShot=True, interval=0)
        self._written.timeout.connect(self._follow_text)
        page.document().contentsChanged.connect(self._note_text)

    @property
    def href(self) -> str:
        """The address under the mouse, "" outside of anchors."""
        return "" if self._point is None else self._page.anchorAt(self._point)

    @property
    def block(self) -> int:
        """The number of the block nearest to the mouse, or -1 if the mouse is outside the page."""
        return -1 if self._point is None else self._page.cursorForPosition(self._point).blockNumber()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Watch the events of the mouse. Consume only a click that already opened a menu."""
        if event.type() == QEvent.Type.Leave:
            self._point = None
            self._report_move()
        if not isinstance(event, QMouseEvent):
            return False
        point = event.position().toPoint()
        match event.type():
            case QEvent.Type.MouseMove:
                self._point = point
                self._report_move()
                self._cancel_hold_if_dragged(point)
            case QEvent.Type.MouseButtonPress:
                return self._press(event, point)
            case QEvent.Type.MouseButtonRelease:
                self._hold.stop()
                return self._was_menu_requested
        return False

    def _report_move(self) -> None:
        """Emit `moved` only for a change, as each emission repaints the page."""
        before, self._seen = self._seen, (self.href, self.block)
        if self._seen != before:
            self.moved.emit()

    def _note_text(self) -> None:
        """The lines have their new places only after the edit."""
        if self._point is not None:
            self._written.start()

    def _follow_text(self) -> None:
        was_on_anchor = bool(self._seen[0])
        self._seen = (self.href, self.block)
        if was_on_anchor or self._seen[0]:
            self.moved.emit()

    def _cancel_hold_if_dragged(self, point: QPoint) -> None:
        """A press that moves selects text and is no long press."""
        if self._pressed is not None and (point - self._pressed).manhattanLength() > _SLACK_PX:
            self._hold.stop()

    def _press(self, event: QMouseEvent, point: QPoint) -> bool:
        self._was_menu_requested = False
        self._pressed = point
        href = self._page.anchorAt(point)
        if event.button() != Qt.MouseButton.LeftButton or not href:
            return False
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._was_menu_requested = True
            self.menu_requested.emit(href, event.globalPosition().toPoint())
            return True
        self._hold.start()
        return False

    def _report_long_press(self) -> None:
        if self._pressed is not None:
            self._was_menu_requested = True
            place = self._page.viewport().mapToGlobal(self._pressed)
            self.menu_requested.emit(self._page.anchorAt(self._pressed), place)
