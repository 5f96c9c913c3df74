"""Passes SIGINT, SIGTERM and SIGHUP on inside Qt's loop. Python's own handlers would not run while Qt waits.

`app.desktop.launch` joins them to the window's shutdown, `app.cli` to the end of a command.
"""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSocketNotifier


@contextmanager
def received(tell: Callable[[int], object]) -> Iterator[None]:
    """Within the context, call `tell` with the number of each signal. The process's signal handlers are replaced."""

    def read() -> None:
        for number in reading.recv(64):
            tell(number)

    reading, writing = socket.socketpair()
    with reading, writing:
        reading.settimeout(0)
        writing.settimeout(0)
        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as `nohup` wants
            numbers.append(signal.SIGHUP)
        before = {number: signal.signal(number, _leave_to_qt) for number in numbers}
        wakeup = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
        notifier = QSocketNotifier(reading.fileno(), QSocketNotifier.Type.Read)
        notifier.activated.connect(read)
        try:
            yield
        finally:
            notifier.setEnabled(False)
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)


def _leave_to_qt(_number: int, _frame: object) -> None:
    """Do nothing: the wake-up socket has carried the number already."""
