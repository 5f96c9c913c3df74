"""POSIX signals inside Qt's loop."""

from __future__ import annotations

import os
import signal

import pytest
from pytestqt.qtbot import QtBot

from app.desktop import signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_reaches_the_loop_at_once(qtbot: QtBot, number: signal.Signals) -> None:
    """Ctrl+C counts without a key press or a timer, and the former handlers are restored."""
    before, heard = signal.getsignal(number), list[int]()
    with signals.received(heard.append):
        os.kill(os.getpid(), number)
        qtbot.waitUntil(lambda: heard == [number], timeout=2_000)
    assert signal.getsignal(number) is before
