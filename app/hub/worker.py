"""The process that downloads one model, as the window sees it. Runs on the window's thread and never blocks it.

The process is `hearth models fetch`. It is ended by a kill, which is the normal case: a later one continues. It holds
the other end of a pipe, so it ends with the window's process, however that ends.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QProcess, Signal

from app.hub.fetch import progress
from engine.protocol.framing import Lines
from storage.untrusted import UntrustedDataError

if TYPE_CHECKING:
    from app.base.program import Program

_LONGEST: Final = 1 << 20
_END_MS: Final = 2000
"""A killed process ends within this time, unless a faulty disk holds it."""
_log = logging.getLogger(__name__)


class Worker(QObject):
    """One process at a time. `reported` carries each `Report`; `ended` is emitted when the process is gone."""

    reported = Signal(object)
    ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._process: QProcess | None = None
        self._lines = Lines(_LONGEST)

    @property
    def pid(self) -> int:
        """The process id; 0 if there is no process."""
        return self._process.processId() if self._process is not None else 0

    def start(self, program: Program) -> None:
        """Start the process."""
        assert self._process is None, "one process at a time"
        self._lines = Lines(_LONGEST)
        self._process = process = QProcess(self)
        process.setWorkingDirectory(str(program.folder))
        own_session = QProcess.UnixProcessParameters()
        own_session.flags = QProcess.UnixProcessFlag.CreateNewSession  # the terminal's Ctrl+C is for the app alone
        process.setUnixProcessParameters(own_session)
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._read_log)
        process.finished.connect(self._gone)
        process.errorOccurred.connect(self._troubled)
        process.start(program.program, list(program.arguments))

    def kill(self) -> None:
        """End the process at once. `ended` follows."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process at once, and report nothing more."""
        process, self._process = self._process, None
        if process is not None:
            process.blockSignals(True)  # noqa: FBT003 - Qt's own parameter
            process.kill()
            process.waitForFinished(_END_MS)

    def _read(self) -> None:
        if self._process is None:
            return
        for line in self._lines.feed(bytes(self._process.readAllStandardOutput().data())):
            self._report(line or b"")

    def _report(self, line: bytes) -> None:
        try:
            report = progress.decode(line)
        except UntrustedDataError:
            _log.warning("a line of %d bytes from a download is no report", len(line))
            return
        self.reported.emit(report)

    def _read_log(self) -> None:
        if self._process is not None:
            text = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
            for line in text.splitlines():
                _log.warning("the download says: %s", line)

    def _troubled(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            _log.error("the download's program cannot be started")
            self._gone()

    def _gone(self) -> None:
        if self._process is not None:
            self._read()
            self._read_log()
            self._process.deleteLater()
            self._process = None
            self.ended.emit()
