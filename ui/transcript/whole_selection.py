"""WholeSelection: all of a chat as the selection of its page, which may hold only a part of the chat.

Runs on the GUI thread. Invariants:
- If the selection covers the page, it stands for the whole chat until the user selects something else. Older messages
  that come on the page are selected with it. New ones at the end remove it.
- To copy a whole chat, the messages that are not loaded are requested, and each message is written into a document that
  is never shown, one at a time, so that the window stays responsive.
- The clipboard has the part on the page at once. The whole chat replaces that, unless something else was copied since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication, QTextCursor, QTextDocument

from ui.theme.theme import Theme
from ui.transcript.document_writer import DocumentWriter
from ui.transcript.formats import Formats
from ui.transcript.messages import ShownMessages
from ui.transcript.older_messages import WholeChat
from ui.transcript.selected_text import selected_html, selected_text
from ui.widgets.copied_text import copied_text

if TYPE_CHECKING:
    from ui.transcript.transcript import Transcript

_BETWEEN: Final = "\n\n"


class WholeSelection(QObject):
    """Watches the selection of one transcript."""

    def __init__(self, transcript: Transcript) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._is_whole = False
        self._is_kept = False
        self._copy: WholeCopy | None = None
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

    def copy(self, theme: Theme) -> None:
        """The selection is on the clipboard as it is on the page. Replace it by the whole chat if that is meant."""
        transcript = self._transcript
        is_all_here = len(transcript.loaded) == len(transcript.messages) and not transcript.has_earlier
        if not self._is_whole or is_all_here:
            return
        self._copy = WholeCopy(transcript, theme)
        transcript.busy_sign.begin()
        WholeChat(transcript, self._copy.begin, self._copy.end).start()


class WholeCopy(QObject):
    """Makes one copy of all messages, and deletes itself."""

    def __init__(self, transcript: Transcript, theme: Theme) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._document = QTextDocument()
        self._writer = DocumentWriter(self._document, Formats(theme, theme.reading.column))
        self._writer.insert(0)
        self._replaced = QGuiApplication.clipboard().text()
        self._texts: list[str] = []
        self._pieces: list[str] = []
        self._messages: ShownMessages | None = None
        self._timer = transcript.timer(self._add)

    def begin(self, messages: ShownMessages) -> None:
        """All messages are here."""
        self._messages = messages
        self._add()

    def _add(self) -> None:
        messages, index = self._messages, len(self._texts)
        if messages is None or index >= len(messages):
            self._hand_over()
            return
        self._writer.write(0, messages.lines(index))
        cursor = QTextCursor(self._document)
        cursor.select(QTextCursor.SelectionType.Document)
        self._texts.append(selected_text(cursor))
        self._pieces.append(selected_html(cursor))
        self._timer.start(0)

    def _hand_over(self) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard.text() == self._replaced:
            clipboard.setMimeData(copied_text(_BETWEEN.join(filter(None, self._texts)), "".join(self._pieces)))
        self.end()

    def end(self) -> None:
        """All is copied, or some messages cannot be read, and the part on the page stays on the clipboard."""
        self._transcript.busy_sign.end()
        self.deleteLater()
