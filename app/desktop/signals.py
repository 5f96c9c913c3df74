"""Turns SIGINT and SIGTERM into a Qt signal. Installs the process's signal handlers while the object lives.

`app.desktop.launch` joins that signal to the window's shutdown, `app.cli` to the end of a command.
"""

from __future__ import annotations

import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier, Signal


class SignalReceiver(QObject):
    """`received` carries the signal's number. Python's own handlers would not run while Qt waits."""

    received = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._reading, self._writing = socket.socketpair()
        self._reading.settimeout(0)
        self._writing.settimeout(0)
        self._before = {number: signal.signal(number, _leave_to_qt) for number in (signal.SIGINT, signal.SIGTERM)}
        self._wakeup = signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        self._notifier = QSocketNotifier(self._reading.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    def close(self) -> None:
        """Restore the former handlers."""
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(self._wakeup)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._reading.close()
        self._writing.close()

    def _read(self) -> None:
        for number in self._reading.recv(64):
            self.received.emit(number)


def _leave_to_qt(_number: int, _frame: object) -> None:
    """Do nothing: the wake-up socket has carried the number already."""
