"""The actions behind the links and icons of a transcript, their notation as addresses of anchors, and the keyboard
focus among those of the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, cast
from urllib.parse import quote, unquote

from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QTextCursor

from ui.intents.chat import CarryOn, ChatIntent, DeleteTurn, Extend, Fork, LeaveOut, ReadAll, Regenerate, ShowFile, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.transcript.transcript import Transcript


SCHEME = "hearth"
WHOLE_MESSAGE = -1
"""The number of an action that copies the whole message, not one of its code blocks."""

Verb = Literal[
    "copy",
    "regenerate",
    "extend",
    "alternatives",
    "choose",
    "fork",
    "step",
    "edit",
    "fold",
    "read-all",
    "delete",
    "leave-out",
    "carry-on",
    "file",
    "note",
    "note-back",
]


class AnchorAction(NamedTuple):
    """A verb and the message that it applies to.

    `number` depends on the verb. For "copy" it is the number of a code block or WHOLE_MESSAGE. For "alternatives" it is
    how many answers to generate; "choose" asks the user for that number. For "step" it is the direction, -1 or 1. Other
    verbs ignore it. For "file", `message` is the id of an attached file. "note" and "note-back" lead from a word
    to a footnote, by its number in the message, and back.
    """

    verb: Verb
    message: str
    number: int = WHOLE_MESSAGE

    @property
    def href(self) -> str:
        """The anchor's address. The text of a message cannot contain such an address: only web and mail addresses
        become links there.
        """
        return f"{SCHEME}:{self.verb}/{self.number}/{quote(self.message, safe='')}"

    def intent(self) -> ChatIntent | None:
        """What a click asks of the app. None if the transcript does it by itself."""
        made = _INTENTS.get(self.verb)
        return None if made is None else made(self)


_INTENTS: dict[Verb, Callable[[AnchorAction], ChatIntent]] = {
    "extend": lambda action: Extend(action.message),
    "regenerate": lambda action: Regenerate(action.message),
    "alternatives": lambda action: Regenerate(action.message, action.number),
    "fork": lambda action: Fork(action.message),
    "step": lambda action: Step(action.message, action.number),
    "read-all": lambda _action: ReadAll(),
    "delete": lambda action: DeleteTurn(action.message),
    "leave-out": lambda _action: LeaveOut(),
    "carry-on": lambda _action: CarryOn(),
    "file": lambda action: ShowFile(action.message),
}


def parse_action(href: str) -> AnchorAction | None:
    """The action behind an address, or None if the address is not an action."""
    scheme, _, rest = href.partition(":")
    parts = rest.split("/", 2)
    if scheme != SCHEME or len(parts) != 3:  # noqa: PLR2004 - verb, number, message
        return None
    return AnchorAction(cast("Verb", parts[0]), unquote(parts[2]), int(parts[1]))


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
        start = self._start(forward=forward) if self._cursor is None else self._cursor
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
        top = self._page.verticalScrollBar().value()
        around = QRectF()
        for place in (self._cursor.selectionStart(), self._cursor.selectionEnd()) if self._cursor else ():
            cursor = QTextCursor(self._page.document())
            cursor.setPosition(place)
            around = around.united(QRectF(self._page.cursorRect(cursor).translated(0, top)))
        return around

    def leave(self) -> None:
        """Focus no anchor."""
        self._cursor = None
        self.href = ""

    def _start(self, *, forward: bool) -> QTextCursor:
        view = self._page.viewport().rect()
        return self._page.cursorForPosition(QPoint(0, 0) if forward else view.bottomRight())
