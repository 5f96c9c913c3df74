"""The threads that ask the network: where results return, what is dropped, and that nothing waits for them."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.hub.network_thread import THREADS, NetworkThread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.usefixtures("qapp")
ROOT = Path(__file__).resolve().parents[4]


def unexpected(error: Exception) -> None:
    raise error


@pytest.fixture
def network() -> Iterator[NetworkThread]:
    made = NetworkThread()
    yield made
    made.close()


def test_a_result_returns_on_the_thread_that_asked(network: NetworkThread, qtbot: QtBot) -> None:
    """The work runs beside the window, and its result is handed over on the window's thread."""
    told: list[tuple[str, str]] = []
    network.ask(
        lambda: threading.current_thread().name,
        lambda where: told.append((where, threading.current_thread().name)),
        unexpected,
    )
    qtbot.waitUntil(lambda: len(told) == 1)
    assert told[0][0].startswith("network-")
    assert told[0][1] == threading.main_thread().name


def test_a_fault_returns_as_a_fault(network: NetworkThread, qtbot: QtBot) -> None:
    """No error ends a thread, and the next question is answered."""
    told: list[object] = []
    for _ in range(THREADS + 1):
        network.ask(lambda: 1 // 0, lambda _none: pytest.fail("answered"), lambda error: told.append(type(error)))
    qtbot.waitUntil(lambda: len(told) == THREADS + 1)
    assert set(told) == {ZeroDivisionError}


def test_a_cancelled_question_has_no_answer(network: NetworkThread, qtbot: QtBot) -> None:
    """The result of an older search never replaces that of a newer one, though it comes later."""
    go = threading.Event()
    told: list[str] = []
    older = network.ask(lambda: str(go.wait(10)), told.append, unexpected)
    older.cancel()
    network.ask(lambda: "newer", told.append, unexpected)
    qtbot.waitUntil(lambda: told == ["newer"])
    go.set()
    network.ask(lambda: "last", told.append, unexpected)
    qtbot.waitUntil(lambda: told == ["newer", "last"])


def test_a_question_that_has_not_begun_is_never_asked(network: NetworkThread, qtbot: QtBot) -> None:
    """While the hub hangs, the searches for each typed letter do not pile up behind it."""
    go = threading.Event()
    asked: list[str] = []
    for _ in range(THREADS):
        network.ask(lambda: go.wait(10), lambda _waited: None, unexpected)
    network.ask(lambda: asked.append("typed"), lambda _none: None, unexpected).cancel()
    done: list[object] = []
    network.ask(lambda: "last", done.append, unexpected)
    go.set()
    qtbot.waitUntil(lambda: done == ["last"])
    assert asked == []


def test_nothing_is_delivered_after_the_end(network: NetworkThread, qtbot: QtBot) -> None:
    """A closed window is called no more."""
    go, gone = threading.Event(), threading.Event()

    def work() -> None:
        go.wait(10)
        gone.set()

    network.ask(work, lambda _none: pytest.fail("delivered"), unexpected)
    network.close()
    go.set()
    assert gone.wait(10)
    qtbot.wait(20)


def test_the_end_of_the_process_does_not_wait_for_the_network() -> None:
    """A hub that never answers holds no process."""
    code = (
        "import threading\n"
        "from PySide6.QtCore import QCoreApplication\n"
        "from app.hub.network_thread import NetworkThread\n"
        "application = QCoreApplication([])\n"
        "network, begun = NetworkThread(), threading.Event()\n"
        "network.ask(lambda: (begun.set(), threading.Event().wait()), print, print)\n"
        "assert begun.wait(30)\n"
        "network.close()\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=60, check=True, capture_output=True)
    assert (ended.stdout, ended.stderr) == (b"", b"")
