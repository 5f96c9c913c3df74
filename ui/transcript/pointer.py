"""The mouse over the transcript's page: which anchor it is on, long presses, Alt clicks and tool tips. A tip names the
key that does the same for the newest message.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QTextBrowser, QToolTip

from ui.state.chat import MessageView
from ui.transcript.anchors import AnchorAction, parse_action
from ui.transcript.messages import ShownMessages

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

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


_STEPS = {-1: "previous_alternative", 1: "next_alternative"}


class Tips(QObject):
    """Shows the tool tips of one transcript. `keys` are the shortcuts of the menu's actions by name, as people write
    them. Qt itself would look at the character before the one under the mouse.
    """

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self.keys: Mapping[str, str] = {}
        transcript.viewport().installEventFilter(self)

    def at(self, point: QPoint) -> str:
        """The tool tip at a point of the viewport, "" for none."""
        page = self._transcript
        place = QPointF(point) + QPointF(page.sideways.shift_at(point), page.verticalScrollBar().value())
        form = page.document().documentLayout().formatAt(place).toCharFormat()
        keys = self._keys_of(form.anchorHref())
        return "\n".join(filter(None, (form.toolTip(), keys)))

    def _keys_of(self, href: str) -> str:
        action = parse_action(href)
        return "" if action is None else self.keys.get(command_of(action, self._transcript.messages), "")

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """Show the tool tip that is asked for, in Qt's place."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.at(event.pos()), self._transcript.viewport())
            return True
        return False


_WRITING = {"alternatives": "regenerate", "choose": "alternatives"}


def command_of(action: AnchorAction, messages: ShownMessages) -> str:
    """The name of the menu's action that does the same as an anchor, "" if none does: it serves one message only."""
    name, served = _served(action, messages)
    return name if served is not None and served.id == action.message else ""


def _served(action: AnchorAction, messages: ShownMessages) -> tuple[str, MessageView | None]:
    match action.verb:
        case "copy" if action.number < 0:
            return "copy_answer", messages.newest_of("assistant")
        case "alternatives" | "choose":
            return _WRITING[action.verb], messages.newest()
        case "fork":
            return "fork", messages.newest()
        case "step":
            return _STEPS[action.number], messages.newest_with_alternatives()
        case "edit":
            return "edit_last", messages.newest_of("user")
    return "", None
