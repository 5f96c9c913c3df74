"""The tool tips of the transcript: those of its formats, with the key that does the same for the newest message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from ui.transcript.anchors import parse_action

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtCore import QPoint

    from ui.state.chat import MessageView
    from ui.transcript.anchors import AnchorAction
    from ui.transcript.messages import ShownMessages
    from ui.transcript.transcript import Transcript

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
