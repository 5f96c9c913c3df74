"""POSIX signals inside Qt's loop."""

from __future__ import annotations

import os
import signal

import pytest
from pytestqt.qtbot import QtBot

from app.desktop.signals import SignalReceiver


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_reaches_the_loop_at_once(qtbot: QtBot, number: signal.Signals) -> None:
    """Ctrl+C counts without a key press or a timer, and the former handlers are restored."""
    before = signal.getsignal(number)
    interrupts = SignalReceiver()
    with qtbot.waitSignal(interrupts.received, timeout=2_000) as received:
        os.kill(os.getpid(), number)
    interrupts.close()
    assert received.args == [number]
    assert signal.getsignal(number) is before
