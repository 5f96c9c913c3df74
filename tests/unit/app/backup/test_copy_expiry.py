"""Deleted chats disappear from every copy of the library, however often the app is used."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from app.backup.copies import LibraryCopies
from app.conversations.conversations import Conversations
from app.conversations.removal import KEY, Trash
from storage.errors import EnvironmentProblem, Problem
from storage.library.backups import backups
from storage.library.library import Library
from storage.library.restoring import restore
from tests.fakes.library import say
from tests.fakes.tasks import InlineTasks
from tests.unit.app.conftest import Scene

DAY = 24 * 60 * 60 * 1000
RHYTHMS = {
    "daily": range(1, 100),
    "twice a day": [day / 2 for day in range(1, 160)],
    "weekly": range(7, 400, 7),
    "monthly": range(30, 900, 30),
    "seldom": (3, 4, 50, 51, 130, 131, 132, 300, 500),
    "after a year": (365, 730, 1095),
}


class Home:
    """A library in a folder. It is used on some days, and the clock stands still in between."""

    def __init__(self, folder: Path, scene: Scene) -> None:
        self.folder = folder
        self.path = folder / "library.sqlite"
        self.now = 20_000 * DAY
        self.noted = 0
        self._scene = scene

    def library(self) -> Library:
        return Library.open(self.path, lambda: self.now)

    def use(self, day: float) -> None:
        """Start, do what is due, and end."""
        self.now = int((20_000 + day) * DAY)
        with closing(self.library()) as library:
            tasks = InlineTasks(library)
            chats = self.chats(tasks)
            noted, self.noted = self.noted, self.now
            chats.tidy(noted)
            LibraryCopies(tasks, self._scene.window, self.folder / "library.sqlite", self.folder / "backups").look()

    def chats(self, tasks: InlineTasks) -> Conversations:
        chats = self._scene.conversations(tasks=tasks)
        chats.trash = Trash(chats.chats, lambda: self.now)
        return chats

    def fill(self) -> str:
        """Make a chat that stays and one that is deleted; return the latter's id."""
        with closing(self.library()) as library:
            for title in ("Stays", "Goes"):
                chat = library.conversations.create(title=title).id
                say(library, chat, f"{title} quicksilver" if title == "Goes" else "keepsake", "quite")
            library.backups.make_daily(self.folder / "backups")
            library.trash.add(chat)
            return chat

    def holding(self) -> list[Path]:
        return [file for file in self.folder.rglob("*") if file.is_file() and b"quicksilver" in file.read_bytes()]


@pytest.fixture
def home(tmp_path: Path, scene: Scene) -> Home:
    return Home(tmp_path / "library", scene)


def _second_after(days: Iterable[float], limit: float) -> float:
    return [day for day in days if day >= limit][1]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("rhythm", RHYTHMS)
def test_after_thirty_days_and_a_day_of_use_no_copy_holds_a_word(home: Home, rhythm: str) -> None:
    """Copies that were made before the deletion are cleaned too, and there is a good copy at all times."""
    home.fill()
    gone = _second_after(RHYTHMS[rhythm], 30)
    for day in (day for day in RHYTHMS[rhythm] if day <= gone):
        home.use(day)
        assert backups(home.folder / "backups")
    assert home.holding() == []
    for copy in backups(home.folder / "backups"):
        with closing(Library.open(copy)) as library:
            assert [one.title for one in library.conversations.listed()] == ["Stays"]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("rhythm", RHYTHMS)
def test_what_was_erased_by_hand_leaves_the_copies_by_their_age(home: Home, rhythm: str) -> None:
    """If the user does not accept the offer to replace them, copies are kept for thirty days, counted in
    the same way.
    """
    chat = home.fill()
    with closing(home.library()) as library:
        library.trash.erase(chat)
    assert home.holding()
    gone = _second_after(RHYTHMS[rhythm], 30)
    for day in (day for day in RHYTHMS[rhythm] if day <= gone):
        home.use(day)
    assert home.holding() == []
    assert backups(home.folder / "backups")


def test_libraries_put_aside_are_cleaned_too(home: Home) -> None:
    """A library that a copy has replaced is cleaned, with its log, and so is the copy from before an upgrade."""
    home.fill()
    home.use(5)
    copy = backups(home.folder / "backups")[-1]
    (home.folder / "library.sqlite.v2").write_bytes(copy.read_bytes())
    os.utime(home.folder / "library.sqlite.v2", (home.now / 1000, home.now / 1000))
    with closing(sqlite3.connect(home.path)) as killed:  # its log stays, as after a kill
        killed.execute("UPDATE conversation SET system = 'quicksilver in the log' WHERE deleted > 0")
        killed.commit()
        kept = restore(copy, home.path, home.now)
    assert b"in the log" in kept.with_name(f"{kept.name}-wal").read_bytes()
    for day in (29.5, 30, 31):
        home.use(day)
        assert bool(home.holding()) == (day < 31)
    for file in (kept, home.folder / "library.sqlite.v2"):
        assert _listed(file) == ["Stays"]


def test_a_chat_that_was_undeleted_in_another_library_stays_in_its_copies(home: Home, scene: Scene) -> None:
    """If the user restores an older copy by mistake, the newer copies still have the chats that were
    undeleted there.
    """
    chat = home.fill()
    home.use(1)
    with closing(home.library()) as library:
        library.trash.restore(chat)
    home.use(25)
    old = next(one for one in backups(home.folder / "backups") if "Goes" not in _listed(one))
    restore(old, home.path, home.now)
    home.use(31)
    home.use(32)
    assert [_listed(one) for one in backups(home.folder / "backups")].count(["Goes", "Stays"]) == 1
    assert scene.window.notices == {}


def _listed(copy: Path) -> list[str]:
    with closing(Library.open(copy)) as library:
        return sorted(one.title for one in library.conversations.listed())


def test_copies_that_cannot_be_cleaned_are_reported_and_cleaned_the_next_time(
    home: Home, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The library erases the words at once. No copy is deleted because the disk is full, and none is forgotten."""
    home.fill()
    home.use(5)
    home.use(30)
    before = set(backups(home.folder / "backups")[1:])  # the first is too old, which needs no room

    def full(*_: object) -> None:
        raise EnvironmentProblem(Problem.DISK_FULL)

    with monkeypatch.context() as patch:
        patch.setattr("storage.library.backups.copy", full)
        home.use(31)
    assert "The disk is full." in scene.window.notices[KEY].text
    assert {file.parent.name for file in home.holding()} == {"backups"}
    assert before <= set(backups(home.folder / "backups"))
    home.use(32)
    assert home.holding() == []
    assert scene.window.notices == {}
    with closing(home.library()) as library:
        assert library.trash.listed() == ()


def test_a_closing_window_does_not_wait_for_copies_to_be_cleaned(home: Home, scene: Scene) -> None:
    """The next start cleans them."""
    home.fill()
    home.use(30)
    home.now += DAY
    with closing(home.library()) as library:
        chats = home.chats(InlineTasks(library))
        chats.trash.end()
        chats.tidy(home.noted)
        assert len(library.trash.listed()) == 1
    assert {file.parent.name for file in home.holding()} == {"backups"}
    home.use(32)
    assert home.holding() == []
    assert scene.window.notices == {}


def test_nothing_new_is_listed_in_recently_deleted_while_copies_wait(
    home: Home, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The empty row that is kept for the copies cannot be restored, so it is not listed."""
    home.fill()
    home.use(30)
    monkeypatch.setattr("storage.library.backups.Backups.expire", lambda *_: False)
    home.use(31)
    with closing(home.library()) as library:
        assert len(library.trash.listed()) == 1
        home.chats(InlineTasks(library)).trash.show()
    assert scene.window.store.deleted.now == ()


@pytest.mark.parametrize("jump", [-3650, 3650])
def test_a_clock_that_was_wrong_once_takes_no_copy(home: Home, jump: int) -> None:
    """One start with a clock that is years off, and the next start with the right time, delete nothing."""
    for day in range(4):
        home.use(day)
    home.fill()
    before = set(backups(home.folder / "backups"))
    home.use(4 + jump)
    home.use(5)
    assert before <= set(backups(home.folder / "backups"))


def test_a_copy_from_days_to_come_is_not_kept_until_then(home: Home) -> None:
    """A copy dated years ahead by a wrong clock would otherwise hold its words for years."""
    home.fill()
    home.use(3650)
    for day in range(1, 4):
        home.use(day)
    assert all(int(one.name[8:12]) < 2026 for one in backups(home.folder / "backups"))
