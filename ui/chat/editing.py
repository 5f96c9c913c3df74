"""Editing: the user's earlier message that is being edited in the composer."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QToolTip

from resources.language.text import tr
from ui.composer.composer import Composer
from ui.state.chat import Edits
from ui.theme.long_texts import is_slow_to_break
from ui.transcript.transcript import Transcript
from ui.widgets.text_field import LONGEST


class Editing(QObject):
    """Edits one message at a time. If the user turns to another message, the composer keeps the text of the first edit
    until the user returns.
    """

    turned = Signal(object)  # to this message, or to None at the end of an edit

    def __init__(self, transcript: Transcript, composer: Composer, parent: QObject) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._composer = composer
        self._is_sent = False
        transcript.edit_started.connect(self.begin)
        composer.edit.last_requested.connect(self.begin_newest)
        composer.edit_sent.connect(self._note_sent)
        composer.edit_ended.connect(lambda: transcript.mark_edited(""))
        composer.edit_ended.connect(lambda: self.turned.emit(None))

    def begin_newest(self) -> None:
        """Edit the user's newest message, if there is one."""
        if (question := self._transcript.messages.newest_of("user")) is not None:
            self.begin(question.id)

    def begin(self, message: str) -> None:
        """Edit this message. If it is unknown or already being edited, only focus the text field. One that the field
        cannot hold, as an import may bring it, is not edited.
        """
        composer, question = self._composer, self._transcript.messages.find(message)
        if question is None or message == composer.edited:
            composer.edit.setFocus()
            return
        if len(question.text) > LONGEST or is_slow_to_break(question.text):
            QToolTip.showText(
                composer.edit.mapToGlobal(QPoint()), tr("This message is too long to be edited."), composer
            )
            return
        composer.begin_edit(message, question.text, question.attachments)
        self._transcript.mark_edited(message)
        self.turned.emit(question)

    def settle(self) -> bool:
        """End the edit of a message that is gone. Its words wait for the message, which may come back. Returns whether
        an edit was sent since the last call.
        """
        if self._composer.edited and self._transcript.messages.find(self._composer.edited) is None:
            self._composer.put_edit_by()
        is_sent, self._is_sent = self._is_sent, False
        return is_sent

    def take_up(self, edits: Edits) -> None:
        """Go on with the last of these edits, which the composer keeps."""
        if edits:
            self.begin(edits[-1][0])

    def _note_sent(self) -> None:
        self._is_sent = True
