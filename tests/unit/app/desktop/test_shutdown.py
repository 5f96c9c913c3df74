"""The order of the shutdown."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import cast

from pytestqt.qtbot import QtBot

from app.base.library_thread import LibraryThread
from app.base.program import Program
from app.chat.sessions import Sessions
from app.desktop.shutdown import AppShutdown
from app.engine_client.engine_process import EngineProcess
from storage.library.library import Library


class Answering:
    """Answers that note what happens to them, and save a word at their end."""

    def __init__(self, tasks: LibraryThread, events: list[str]) -> None:
        self._tasks = tasks
        self._events = events

    @property
    def as_sessions(self) -> Sessions:
        return cast("Sessions", self)

    def stop_all(self) -> None:
        self._events.append("stop")

    def give_up(self) -> None:
        self._events.append("give up")
        self._tasks.run(lambda _: None, lambda _: self._events.append("saved"), lambda _: None)


class Broken(Answering):
    """Answers that cannot be saved."""

    def give_up(self) -> None:
        raise RuntimeError("a fault in the last step")


class Engine(EngineProcess):
    """An engine that ends when the test says so."""

    def __init__(self, folder: Path, events: list[str]) -> None:
        super().__init__(Program(sys.executable, (), folder))
        self._events = events

    def shutdown(self, _patience_s: float) -> None:
        self._events.append("shut down")


def test_the_engine_is_told_to_end_at_once_and_then_the_answers_are_saved(qtbot: QtBot, tmp_path: Path) -> None:
    """An engine in a long computation reports the end of its answers late or never, so quitting does not wait for that.
    Each answer is saved before `done`, which is emitted once.
    """
    events: list[str] = []
    engine = Engine(tmp_path, events)
    library = LibraryThread(partial(Library.open, tmp_path / "library.sqlite"))
    end = AppShutdown(Answering(library, events).as_sessions, engine, library)
    end.begin()
    end.begin()
    assert events == ["stop", "shut down"]
    with qtbot.waitSignal(end.done):
        engine.ended.emit()
    assert events == ["stop", "shut down", "give up", "saved"]


def test_what_one_library_returns_may_ask_the_other(qtbot: QtBot, tmp_path: Path) -> None:
    """A private chat that goes has the list read again. Neither library is closed before both are idle."""
    events: list[str] = []
    engine = Engine(tmp_path, events)
    library = LibraryThread(partial(Library.open, tmp_path / "library.sqlite"))
    private = LibraryThread(Library.in_memory)
    end = AppShutdown(Answering(library, events).as_sessions, engine, library, private)

    def read_again(_: object) -> None:
        library.run(lambda _: None, lambda _: events.append("read again"), lambda _: None)

    with qtbot.waitSignal(end.done):
        private.run(lambda _: None, read_again, lambda _: None)
        engine.ended.emit()
    assert events == ["give up", "saved", "read again"]


def test_the_app_ends_also_if_an_answer_cannot_be_saved(qtbot: QtBot, tmp_path: Path) -> None:
    """The error is reported, but no fault may keep a window that the user has closed."""
    engine = Engine(tmp_path, [])
    library = LibraryThread(partial(Library.open, tmp_path / "library.sqlite"))
    end = AppShutdown(Broken(library, []).as_sessions, engine, library)
    with qtbot.captureExceptions() as raised, qtbot.waitSignal(end.done):
        engine.ended.emit()
    assert [kind for kind, _, _ in raised] == [RuntimeError]
    library.close()
