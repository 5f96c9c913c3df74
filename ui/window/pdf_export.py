"""Writes the chat of a tab as a PDF, after its earlier messages have been loaded."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from ui.intents.chat import ShowEarlier
from ui.transcript.pdf import PdfNotWritten, write_pdf

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.transcript.transcript import Transcript

_LOOK_MS = 50
_PATIENCE = 100
"""How many looks without a new message it waits for before it gives up."""


class PdfExport(QObject):
    """One export. It deletes itself at its end."""

    def __init__(self, transcript: Transcript, title: str, window: QWidget, path: str) -> None:
        super().__init__(transcript)
        self._transcript = transcript
        self._title = title
        self._window = window
        self._path = path
        self._asked_before = ""
        self._looks = 0
        self._timer = transcript.timer(self.start)

    def start(self) -> None:
        """Write the file if all messages are there, else ask for the messages before the first one and wait."""
        messages = self._transcript.messages
        if not self._transcript.has_earlier or not len(messages) or self._looks > _PATIENCE:
            self._write()
            return
        first = messages.view(0).id
        self._looks += 1
        if first != self._asked_before:
            self._asked_before, self._looks = first, 0
            self._transcript.requested.emit(ShowEarlier(first))
        self._timer.start(_LOOK_MS)

    def _write(self) -> None:
        try:
            write_pdf(self._path, self._transcript.messages, self._title, datetime.now().astimezone())
        except PdfNotWritten as error:
            box = QMessageBox(QMessageBox.Icon.Warning, self._window.windowTitle(), str(error), parent=self._window)
            box.setObjectName("pdfError")
            box.finished.connect(box.deleteLater)
            box.open()
        self.deleteLater()
