"""ReadAloud: reads answers with a voice of the system, by the program that it has for that. On the window's thread.

A Mac has such a program with all of its voices. Elsewhere it may be missing.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QProcess

from app.base.ports import ViewSink
from resources.language.text import mark, tr
from ui.intents.notice import Notice
from ui.markdown.plain import plain
from ui.state.chat import VoiceView

_PROGRAMS: Final = (("say", "-f", "-"), ("espeak-ng", "--stdin"))
"""Each reads what it gets on standard input, and ends when it has said all of it."""

_NONE: Final = "voice:none"
_NO_VOICE: Final = mark("This computer has no voice. Install “espeak-ng”, then open Hearth again.")
_END_MS: Final = 1000


def find_voice() -> tuple[str, ...]:
    """The program of this system with its arguments; none if there is none."""
    return next((command for command in _PROGRAMS if shutil.which(command[0])), ())


class ReadAloud(QObject):
    """Reads one text at a time, or says that there is no voice."""

    def __init__(self, sink: ViewSink, command: Sequence[str]) -> None:
        super().__init__()
        self._sink = sink
        self._process = QProcess(self)
        self._process.setProgram(command[0] if command else "")
        self._process.setArguments(list(command[1:]))
        self._process.setStandardOutputFile(QProcess.nullDevice())
        self._process.setStandardErrorFile(QProcess.nullDevice())
        self._process.finished.connect(lambda: self._show(""))
        self._process.errorOccurred.connect(self._failed)
        self._show("")

    def read(self, message: str, text: str) -> None:
        """Read this text of a message, in place of what is being read."""
        self.stop()
        if not self._process.program():
            self._sink.show_notice(Notice(_NONE, tr(_NO_VOICE), passing=True))
            return
        self._show(message)
        self._process.start()
        self._process.write(plain(text).encode())
        self._process.closeWriteChannel()

    def stop(self) -> None:
        """Say no more."""
        self._process.kill()
        self._process.waitForFinished(_END_MS)

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:  # any other one ends with `finished`
            self._show("")

    def _show(self, message: str) -> None:
        self._sink.store.voice.put(VoiceView(message))
