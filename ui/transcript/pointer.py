"""The anchors of the transcript's page: the one under the mouse, with long presses, Alt clicks and tool tips, and the
one with the keyboard focus. A tip names the key that does the same for the newest message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QToolTip

from ui.transcript.anchors import WHOLE_MESSAGE, parse_action

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

LONG_PRESS_MS = 500
_SLACK_PX = 4
_STEPS = {-1: "previous_alternative", 1: "next_alternative"}


class Pointer(QObject):
    """Watches the viewport of a page. `keys` are the shortcuts of the menu's actions by name, as people write them.

    `moved` is emitted when `href` or `block` changes, and when the text changes below a mouse that is on an anchor: Qt
    repaints the changed lines only, and the mark of an anchor is larger than its line. `menu_requested` is emitted
    after a long press or an Alt click on an anchor, with the anchor's address and the position on the screen.
    """

    moved = Signal()
    menu_requested = Signal(str, QPoint)

    def __init__(self, page: Transcript) -> None:
        super().__init__(page)
        self.keys: Mapping[str, str] = {}
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
        """Watch the events of the mouse. Consume only a click that already opened a menu, and the request for a tip: Qt
        itself would look at the character before the one under the mouse.
        """
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip_at(event.pos()), self._page.viewport())
            return True
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
                if self._pressed is not None and (point - self._pressed).manhattanLength() > _SLACK_PX:
                    self._hold.stop()  # a press that moves selects text
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
        before, self._seen = self._seen, (self.href, self.block)
        if before[0] or self._seen[0]:
            self.moved.emit()

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

    def tip_at(self, point: QPoint) -> str:
        """The tool tip at a point of the viewport, "" for none."""
        page = self._page
        place = QPointF(point) + QPointF(page.sideways.shift_at(point), page.verticalScrollBar().value())
        form = page.document().documentLayout().formatAt(place).toCharFormat()
        return "\n".join(filter(None, (form.toolTip(), self._keys_of(form.anchorHref()))))

    def _keys_of(self, href: str) -> str:
        """The keys of the menu's action that does the same as an anchor. It serves one message only."""
        action, messages = parse_action(href), self._page.messages
        if action is None:
            return ""
        match action.verb, action.number:
            case "copy", number if number == WHOLE_MESSAGE:
                name, served = "copy_answer", messages.newest_of("assistant")
            case "alternatives", _:
                name, served = "regenerate", messages.newest()
            case "choose", _:
                name, served = "alternatives", messages.newest()
            case "fork", _:
                name, served = "fork", messages.newest()
            case "step", by:
                name, served = _STEPS[by], messages.newest_with_alternatives()
            case "edit", _:
                name, served = "edit_last", messages.newest_of("user")
            case _:
                return ""
        return self.keys.get(name, "") if served is not None and served.id == action.message else ""


class AnchorFocus:
    """Tracks the anchor that has the keyboard focus.

    Qt shows the focused anchor by selecting its text. This class remembers the anchor instead and restores the
    selection.
    """

    def __init__(self, page: Transcript) -> None:
        self._page = page
        self._cursor: QTextCursor | None = None
        self.href = ""

    def move(self, step: Callable[[], bool], *, forward: bool) -> bool:
        """Move to the next anchor with Qt's own `step`, starting at the anchors in view. Return False at the last
        anchor.
        """
        before = self._page.textCursor()
        edge = QPoint(0, 0) if forward else self._page.viewport().rect().bottomRight()
        start = self._cursor or self._page.cursorForPosition(edge)
        if not start.hasSelection():
            start.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
        self._page.select(start.anchor(), start.position())
        moved = step()
        found = self._page.textCursor()
        self.leave()
        if moved and found.hasSelection():
            self._cursor = QTextCursor(found)
            found.setPosition(found.selectionEnd())  # charFormat() is that of the character before the cursor
            self.href = found.charFormat().anchorHref()
        else:
            found = before
        self._page.select(found.anchor(), found.position())
        return moved

    @property
    def span(self) -> tuple[int, int]:
        """Where the focused anchor begins and ends in the document; (0, 0) without one."""
        return (self._cursor.selectionStart(), self._cursor.selectionEnd()) if self._cursor else (0, 0)

    def rect(self) -> QRectF:
        """The rectangle around the focused anchor, in the document's coordinates, before its card is scrolled."""
        places = self.span if self._cursor else ()
        return reduce(QRectF.united, map(self._page.rect_at, places), QRectF())

    def leave(self) -> None:
        """Focus no anchor."""
        self._cursor = None
        self.href = ""
