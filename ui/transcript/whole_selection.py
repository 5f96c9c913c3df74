"""WholeSelection: all of a chat as the selection of its page, which may hold only a part of the chat.

Runs on the GUI thread. Invariants:
- If the selection covers the page, it stands for the whole chat until the user selects something else. Older messages
  that come on the page are selected with it. New ones at the end remove it.
- To copy a whole chat, the messages that are not loaded are requested, and each message is written into a document that
  is never shown, one at a time, so that the window stays responsive.
- The clipboard has the part on the page at once. The whole chat replaces that, unless something else was copied since.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextDocument

from ui.transcript.document_writer import DocumentWriter
from ui.transcript.formats import Formats
from ui.transcript.messages import ShownMessages
from ui.transcript.older_messages import WholeChat
from ui.transcript.selected_text import selected_html, selected_text
from ui.widgets.copied_text import copied_text

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript


class WholeSelection(QObject):
    """Watches the selection of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._is_whole = False
        self._is_kept = False
        transcript.selectionChanged.connect(self._note)

    def _note(self) -> None:
        if not self._is_kept:
            cursor, end = self._transcript.textCursor(), self._transcript.document().characterCount() - 1
            self._is_whole = 0 == cursor.selectionStart() < cursor.selectionEnd() == end

    def end(self) -> None:
        """Messages come or go at the end: remove a selection that reaches to there, lest it grows into them."""
        cursor = self._transcript.textCursor()
        if cursor.hasSelection() and cursor.selectionEnd() == self._transcript.document().characterCount() - 1:
            self._transcript.select(cursor.position(), cursor.position())

    def keep(self) -> None:
        """The document is about to be changed: that is not the user who selects something else."""
        self._is_kept = True

    def extend(self) -> None:
        """The document was changed: select what came above, without moving the view."""
        cursor = self._transcript.textCursor()
        if self._is_whole and cursor.selectionStart() > 0:
            self._transcript.select(0, cursor.selectionEnd())
        self._is_kept = False

    def copy(self) -> None:
        """The selection is on the clipboard as it is on the page. Replace it by the whole chat if that is meant."""
        transcript = self._transcript
        is_all_here = len(transcript.loaded) == len(transcript.messages) and not transcript.has_earlier
        if not self._is_whole or is_all_here:
            return
        copy = WholeCopy(transcript)
        transcript.busy_sign.begin()
        WholeChat(transcript, copy.begin, copy.end).start()


class WholeCopy(QObject):
    """Makes one copy of all messages, and deletes itself."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._document = QTextDocument()
        theme = transcript.look.theme
        self._writer = DocumentWriter(self._document, Formats(theme, theme.reading.column))
        self._writer.insert(0)
        self._replaced = QGuiApplication.clipboard().text()
        self._texts: list[str] = []
        self._pieces: list[str] = []

    def begin(self, messages: ShownMessages) -> None:
        """All messages are here."""
        self._timer = self._transcript.timer(partial(self._add, messages))
        self._add(messages)

    def _add(self, messages: ShownMessages) -> None:
        index, clipboard = len(self._texts), QGuiApplication.clipboard()
        if index < len(messages):
            self._writer.write(0, messages.lines(index))
            cursor = QTextCursor(self._document)
            cursor.select(QTextCursor.SelectionType.Document)
            self._texts.append(selected_text(cursor))
            self._pieces.append(selected_html(cursor))
            self._timer.start(0)
            return
        if clipboard.text() == self._replaced:
            clipboard.setMimeData(copied_text("\n\n".join(filter(None, self._texts)), "".join(self._pieces)))
        self.end()

    def end(self) -> None:
        """All is copied, or some messages cannot be read, and the part on the page stays on the clipboard."""
        self._transcript.busy_sign.end()
        self.deleteLater()
