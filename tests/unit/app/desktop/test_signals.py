"""POSIX signals inside Qt's loop."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.desktop import signals


@pytest.fixture(autouse=True)
def _own_handlers() -> Iterator[None]:
    """The tests may run under `nohup`."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("qtbot")
def test_a_closed_terminal_ends_nothing_under_nohup() -> None:
    """The parent has the signal ignored, and it stays so."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with signals.received(lambda _: None):
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_reaches_the_loop_at_once(qtbot: QtBot, number: signal.Signals) -> None:
    """Ctrl+C counts without a key press or a timer, and so does a terminal that closes. The former handlers return."""
    before, heard = signal.getsignal(number), list[int]()
    with signals.received(heard.append):
        os.kill(os.getpid(), number)
        qtbot.waitUntil(lambda: heard == [number], timeout=2_000)
    assert signal.getsignal(number) is before
