"""The keyboard focus among the links and icons of a transcript."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QTextCursor

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript


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
