"""LineProcess: a process of this app that writes lines, for the thread of the window, which it never blocks.

The process has a session of its own: the terminal's Ctrl+C is for the app alone. It holds the other end of a pipe, so
it can end with the app, however that ends. `ChildProcess` is for the other threads.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QProcess, Signal

from app.base.program import Program
from engine.protocol.framing import Lines

_END_MS: Final = 2000
"""A killed process ends within this time, unless a faulty disk holds it."""


class LineProcess(QObject):
    """One process at a time. A line of more than `longest` bytes is None.

    - `arrived` says that `lines` may return something.
    - `logged` carries each line of its stderr.
    - `ended` is emitted when the process is gone, with its status as `subprocess` has it (a negative number is a
      signal), or with None if the program cannot be started. `lines` still returns what was not read.
    """

    arrived = Signal()
    logged = Signal(str)
    ended = Signal(object)

    def __init__(self, longest: int) -> None:
        super().__init__()
        self._longest = longest
        self._process: QProcess | None = None
        self._splitter = Lines(longest)
        self._unread: list[bytes | None] = []
        self._half_logged = b""

    @property
    def pid(self) -> int:
        """The process id; 0 if there is no process."""
        return self._process.processId() if self._process is not None else 0

    @property
    def is_there(self) -> bool:
        """Whether a process was started and has not ended."""
        return self._process is not None

    def start(self, program: Program) -> None:
        """Start the process."""
        assert self._process is None, "one process at a time"
        self._splitter, self._unread = Lines(self._longest), []
        self._process = process = QProcess(self)
        process.setWorkingDirectory(str(program.folder))
        own_session = QProcess.UnixProcessParameters()
        own_session.flags = QProcess.UnixProcessFlag.CreateNewSession
        process.setUnixProcessParameters(own_session)
        process.readyReadStandardOutput.connect(self.arrived)
        process.readyReadStandardError.connect(self._log)
        process.finished.connect(self._finished)
        process.errorOccurred.connect(self._troubled)
        process.start(program.program, list(program.arguments))

    def write(self, data: bytes) -> None:
        """Write to its stdin."""
        if self._process is not None:
            self._process.write(data)

    def close_stdin(self) -> None:
        """Say that nothing more will be written."""
        if self._process is not None:
            self._process.closeWriteChannel()

    def lines(self) -> list[bytes | None]:
        """Return the lines that it wrote since the last call."""
        if self._process is not None:
            self._unread += self._splitter.feed(bytes(self._process.readAllStandardOutput().data()))
        lines, self._unread = self._unread, []
        return lines

    def kill(self) -> None:
        """End the process at once. `ended` follows."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process at once, and emit nothing more."""
        process, self._process = self._process, None
        if process is not None:
            process.blockSignals(True)  # noqa: FBT003 - Qt's own parameter
            process.kill()
            process.waitForFinished(_END_MS)

    def _log(self) -> None:
        if self._process is not None:
            *lines, half = (self._half_logged + bytes(self._process.readAllStandardError().data())).split(b"\n")
            self._half_logged = half[-self._longest :]
            for line in lines:
                self.logged.emit(line.decode("utf-8", "replace"))

    def _troubled(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._gone(None)

    def _finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._gone(-code if status is QProcess.ExitStatus.CrashExit else code)

    def _gone(self, status: int | None) -> None:
        self._log()
        if self._half_logged:
            self.logged.emit(self._half_logged.decode("utf-8", "replace"))
        self._half_logged = b""
        self._unread = self.lines()
        if self._process is not None:
            self._process.deleteLater()
            self._process = None
            self.arrived.emit()
            self.ended.emit(status)
