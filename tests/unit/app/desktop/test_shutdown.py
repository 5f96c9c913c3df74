"""The order of the shutdown, and its time limits."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from app.base.library_thread import LibraryThread
from app.base.program import Program
from app.desktop.shutdown import STOP_SECONDS, AppShutdown
from app.engine_client.process import EngineProcess
from storage.library.library import Library

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot


class Answering:
    """Answers that end when the test ends them."""

    def __init__(self) -> None:
        self.busy = True
        self.heard: list[str] = []

    def stop_all(self) -> None:
        self.heard.append("stop")

    def give_up(self) -> None:
        self.heard.append("give up")


def _shutdown(answering: Answering, tmp_path: Path, stop_seconds: float = STOP_SECONDS) -> AppShutdown:
    bridge = EngineProcess(Program(sys.executable, (), tmp_path))
    library = LibraryThread(partial(Library.open, tmp_path / "library.sqlite"))
    return AppShutdown(answering, bridge, library, stop_seconds=stop_seconds)


def test_waits_for_answers_that_are_ending(qtbot: QtBot, tmp_path: Path) -> None:
    """An answer that ends in time is saved as it ended, and `done` is emitted once."""
    answering = Answering()
    end = _shutdown(answering, tmp_path)
    with qtbot.assertNotEmitted(end.done, wait=100):
        end.begin()
        end.begin()
    with qtbot.waitSignal(end.done, timeout=5_000):
        answering.busy = False
    assert answering.heard == ["stop", "give up"]


def test_gives_up_what_does_not_end(qtbot: QtBot, tmp_path: Path) -> None:
    """A hung engine does not keep the app from closing."""
    answering = Answering()
    end = _shutdown(answering, tmp_path, 0.05)
    with qtbot.waitSignal(end.done, timeout=5_000):
        end.begin()
    assert answering.heard == ["stop", "give up"]
