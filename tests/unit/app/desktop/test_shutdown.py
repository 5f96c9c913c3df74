"""The order of the shutdown, and its time limits."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from app.base.library_thread import LibraryThread
from app.desktop import shutdown
from app.desktop.shutdown import AppShutdown
from app.engine_client.process import EngineProcess
from app.engine_client.program import Program
from storage.library.library import Library

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
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


def _farewell(answering: Answering, tmp_path: Path) -> AppShutdown:
    bridge = EngineProcess(Program(sys.executable, (), tmp_path))
    return AppShutdown(answering, bridge, LibraryThread(partial(Library.open, tmp_path / "library.sqlite")))


def test_waits_for_answers_that_are_ending(qtbot: QtBot, tmp_path: Path) -> None:
    """An answer that ends in time is saved as it ended, and `done` is emitted once."""
    answering = Answering()
    end = _farewell(answering, tmp_path)
    with qtbot.assertNotEmitted(end.done, wait=100):
        end.begin()
        end.begin()
    with qtbot.waitSignal(end.done, timeout=5_000):
        answering.busy = False
    assert answering.heard == ["stop", "give up"]


def test_gives_up_what_does_not_end(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hung engine does not keep the app from closing."""
    monkeypatch.setattr(shutdown, "STOP_SECONDS", 0.05)
    answering = Answering()
    end = _farewell(answering, tmp_path)
    with qtbot.waitSignal(end.done, timeout=5_000):
        end.begin()
    assert answering.heard == ["stop", "give up"]
