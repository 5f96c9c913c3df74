"""The daily copy of a window that stays open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.backup.copies import DAILY, LibraryCopies
from storage.errors import DamagedDatabase, EnvironmentProblem, Problem
from storage.library.backups import DAY_MS, backups
from storage.library.library import Library
from tests.fakes.library import Clock
from tests.fakes.tasks import InlineTasks
from tests.fakes.window import FakeWindow


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tasks(tmp_path: Path, clock: Clock) -> Iterator[InlineTasks]:
    with closing(Library.open(tmp_path / "library.sqlite", clock)) as library:
        library.conversations.create(title="Words")
        yield InlineTasks(library)


@pytest.fixture
def window() -> FakeWindow:
    return FakeWindow()


@pytest.fixture
def daily(tasks: InlineTasks, window: FakeWindow, tmp_path: Path) -> LibraryCopies:
    return LibraryCopies(tasks, window, tmp_path / "library.sqlite", tmp_path / "backups")


def _full(*_: object) -> None:
    raise EnvironmentProblem(Problem.DISK_FULL)


def test_one_copy_is_made_each_day(daily: LibraryCopies, window: FakeWindow, clock: Clock, tmp_path: Path) -> None:
    """A window that is never closed also has a copy of yesterday's words."""
    for _day in range(3):
        daily.look()
        daily.look()
        clock.now += DAY_MS
    assert len(backups(tmp_path / "backups")) == 3
    assert window.notices == {}


def test_a_failed_copy_is_reported_once_and_tried_again(
    daily: LibraryCopies, window: FakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A closed notice does not return for the same failure, and disappears once the copy is made."""
    with monkeypatch.context() as patch:
        patch.setattr("storage.library.backups.copy", _full)
        daily.look()
        assert "The disk is full." in window.notices[DAILY].text
        window.notices.clear()
        daily.look()
        assert window.notices == {}
    daily.look()
    assert len(backups(tmp_path / "backups")) == 1


def test_the_notice_disappears_when_the_copy_is_made(
    daily: LibraryCopies, window: FakeWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Success shows no notice, and the next failure is reported again."""
    for _time in range(2):
        with monkeypatch.context() as patch:
            patch.setattr("storage.library.backups.Backups._is_due", _full)
            daily.look()
        assert list(window.notices) == [DAILY]
        daily.look()
        assert window.notices == {}


def test_a_closing_window_leaves_no_part_of_a_copy(
    daily: LibraryCopies, tasks: InlineTasks, window: FakeWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy in progress stops at the next portion, and a waiting one does not begin. Neither is a failure."""
    real = tasks.library.backups.make_daily
    monkeypatch.setattr(
        tasks.library.backups, "make_daily", lambda folder, wanted: real(folder, _ending(daily, wanted))
    )
    daily.look()
    daily.look()
    assert list((tmp_path / "backups").iterdir()) == []
    assert window.notices == {}


def _ending(daily: LibraryCopies, wanted: Callable[[], bool]) -> Callable[[], bool]:
    """The window closes at the second query, which follows the first portion."""
    asked: list[bool] = []

    def answer() -> bool:
        asked.append(True)
        if len(asked) == 2:
            daily.end()
        return wanted()

    return answer


def test_a_copy_is_made_when_the_user_asks(
    daily: LibraryCopies, window: FakeWindow, clock: Clock, tmp_path: Path
) -> None:
    """Also if none is due, and `made` follows each of them. The ten newest stay."""
    made: list[int] = []
    daily._made = lambda: made.append(len(backups(tmp_path / "backups")))
    for _time in range(12):
        clock.now += 1000
        daily.make()
    assert made == [*range(1, 11), 10, 10]
    assert window.notices == {}


def test_no_copy_is_made_of_a_damaged_library(daily: LibraryCopies, tasks: InlineTasks, window: FakeWindow) -> None:
    """The user reads of the library, as in the settings, and not of a database."""
    tasks.broken = DamagedDatabase("The database is damaged.")
    daily.make()
    assert window.notices[DAILY].text == "A copy of all chats could not be made. The library is damaged."


@pytest.mark.parametrize("fault", ["copy", "library"])
def test_the_user_reads_why_the_copy_was_not_made(
    daily: LibraryCopies, tasks: InlineTasks, window: FakeWindow, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Each time that the user asks for one: the disk is full, or the library cannot be opened. The page with the button
    tells it.
    """
    if fault == "copy":
        monkeypatch.setattr("storage.library.backups.copy", _full)
    else:
        tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    for _time in range(2):
        window.notices.clear()
        daily.make()
        told = window.notices[DAILY]
        assert (told.text, told.about) == ("A copy of all chats could not be made. The disk is full.", "backups")
