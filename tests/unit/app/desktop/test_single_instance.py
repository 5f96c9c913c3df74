"""A second start that reaches the open window."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.base.paths import Paths
from app.desktop.single_instance import LARGEST, InstanceServer, notify_open_window
from tests.fakes.foreign import DEPTH


@pytest.fixture
def bell(qapp: QApplication, places: Paths) -> Iterator[InstanceServer]:
    bell = InstanceServer(places, qapp)
    yield bell
    bell.close()


@pytest.fixture
def heard(bell: InstanceServer) -> list[tuple[str, ...]]:
    """All files and links that were received."""
    heard: list[tuple[str, ...]] = []
    bell.notified.connect(heard.append)
    return heard


def rings(qtbot: QtBot, places: Paths, *brought: str) -> bool:
    """Notify the window from another thread, as another process would."""
    with ThreadPoolExecutor(1) as thread:
        result = thread.submit(notify_open_window, places, brought)
        qtbot.waitUntil(result.done, timeout=10_000)
        return result.result()


def says(qtbot: QtBot, places: Paths, words: bytes) -> bytes:
    """Send any bytes, end the connection, and return the answer."""
    visitor = QLocalSocket()
    visitor.connectToServer(str(places.data / "window.bell"))
    assert visitor.waitForConnected(1000)
    visitor.write(words)
    qtbot.waitUntil(lambda: visitor.state() is QLocalSocket.LocalSocketState.UnconnectedState, timeout=10_000)
    return bytes(visitor.readAll().data())


@pytest.mark.parametrize("brought", [(), ("/a/chats.hearth", "hearth://new?text=ä%0A"), ("x" * 3_000_000,)])
def test_what_is_brought_arrives(
    qtbot: QtBot, places: Paths, heard: list[tuple[str, ...]], brought: tuple[str, ...]
) -> None:
    """Nothing, a little or a lot: the same texts arrive once, in their order."""
    assert rings(qtbot, places, *brought)
    assert heard == [brought]


def test_several_starts_are_all_heard(qtbot: QtBot, places: Paths, heard: list[tuple[str, ...]]) -> None:
    """A double click on ten files may be ten starts."""
    with ThreadPoolExecutor(10) as threads:
        results = [threads.submit(notify_open_window, places, (str(number),)) for number in range(10)]
        qtbot.waitUntil(lambda: all(result.done() for result in results), timeout=10_000)
    assert all(result.result() for result in results)
    assert sorted(heard) == [(str(number),) for number in range(10)]


def test_a_missing_window_is_noticed_at_once(places: Paths) -> None:
    """A first start does not wait, neither in a new home nor after a crash."""
    assert not notify_open_window(replace(places, data=places.data / "new"), ())
    (places.data / "window.bell").touch()
    assert not notify_open_window(places, ())


def test_a_closed_server_is_not_reached(
    qtbot: QtBot, places: Paths, bell: InstanceServer, heard: list[tuple[str, ...]]
) -> None:
    """A closing window takes no more files: the next start opens its own window."""
    bell.close()
    assert not rings(qtbot, places)
    assert heard == []


def test_the_socket_of_a_crashed_window_is_replaced(qtbot: QtBot, qapp: QApplication, places: Paths) -> None:
    """A socket that a crash left behind does not prevent listening."""
    (places.data / "window.bell").touch()
    bell = InstanceServer(places, qapp)
    with qtbot.waitSignal(bell.notified):
        assert rings(qtbot, places)
    bell.close()


def test_a_window_that_closes_while_a_start_reaches_it_does_not_crash(qapp: QApplication, places: Paths) -> None:
    """The connection of the other start ends after the server is gone."""

    def closes() -> None:
        bell = InstanceServer(places, qapp)
        with ThreadPoolExecutor(1) as thread:
            reached = thread.submit(notify_open_window, places, ())
            while not reached.done():
                qapp.processEvents()
        bell.close()

    closes()
    qapp.processEvents()


NONSENSE = {
    "nothing": b"\n",
    "number": b"[1]\n",
    "object": b'{"a": 1}\n',
    "no text": b"\xff\n",
    "no text inside": b'["\xff"]\n',
    "two values": b'["a"]["b"]\n',
    "deep": b"[" * DEPTH + b"\n",
}


@pytest.mark.parametrize("words", NONSENSE)
def test_other_clients_are_cut_off(qtbot: QtBot, places: Paths, heard: list[tuple[str, ...]], words: str) -> None:
    """Any other client is cut off, and the next one is served."""
    assert says(qtbot, places, NONSENSE[words]) == b""
    assert heard == []
    assert rings(qtbot, places, "a")
    assert heard == [("a",)]


def test_endless_words_are_cut_off(qtbot: QtBot, places: Paths, heard: list[tuple[str, ...]]) -> None:
    """A client cannot fill the memory."""
    assert says(qtbot, places, b"x" * (LARGEST + 1)) == b""
    assert heard == []


def test_a_home_with_too_long_a_path_has_no_server(qtbot: QtBot, qapp: QApplication, places: Paths) -> None:
    """No socket can have such a path. Hearth works without one, and the second start learns that it failed."""
    deep = replace(places, data=places.data / ("x" * 120))
    deep.data.mkdir()
    bell = InstanceServer(deep, qapp)
    assert not rings(qtbot, deep)
    bell.close()
    assert list(deep.data.iterdir()) == []


@pytest.mark.usefixtures("bell")
def test_window_that_does_not_answer_is_left(places: Paths) -> None:
    """A hanging window counts as not there."""
    assert not notify_open_window(places, (), answer_s=0.1)  # the bell's own thread is busy here and cannot answer
