"""Cleaning and removing copies, with a failure at every step."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from storage import copies, folders
from storage.errors import DamagedDatabase, EnvironmentProblem, StorageFault
from storage.library import backups as module
from storage.library.backups import DAY_MS, backups, can_be_opened, name_at, newest_good
from storage.library.library import Library
from tests.fakes import foreign_journal
from tests.fakes.library import rot, say
from tests.fakes.problems import raising

NOW = 1_700_000_000_000
GOLDEN = Path(__file__).parents[3] / "golden" / "library"


class Killed(BaseException):
    """The process is killed here."""


def _home(folder: Path, days: int = 3) -> tuple[Path, dict[str, int]]:
    """A library with a backup of each day, each holding a chat that has been erased since."""
    path, moment = folder / "library.sqlite", NOW
    with closing(Library.open(path, lambda: moment)) as library:
        gone, stays = (library.conversations.create(title=title).id for title in ("Goes", "Stays"))
        say(library, gone, "quicksilver " * 2000, "quicksilver answered")
        say(library, stays, "keepsake", "kept")
        for day in range(days):
            moment = NOW + day * DAY_MS
            library.backups.make_daily(folder / "backups")
        library.trash.add(gone)
        due = library.trash.empty(0)
    return path, due


def _now(days: int) -> int:
    return NOW + days * DAY_MS


def _expire(path: Path, gone: dict[str, int], days: int = 3, wanted: Callable[[], bool] = lambda: True) -> bool:
    with closing(Library.open(path, lambda: _now(days))) as library:
        return library.backups.expire(gone, _now(days), wanted)


def _holding(folder: Path) -> list[str]:
    return [file.name for file in sorted(folder.rglob("*")) if file.is_file() and b"uicksilver" in file.read_bytes()]


def _titles(copy: Path) -> list[str]:
    with closing(copies.read_only(copy)) as raw:
        return [title for (title,) in raw.execute("SELECT title FROM conversation WHERE title <> '' ORDER BY title")]


def test_copies_are_cleaned_and_stay_what_they_were(tmp_path: Path) -> None:
    """Each copy keeps its name and all other chats, and can replace the library."""
    path, gone = _home(tmp_path)
    before = backups(tmp_path / "backups")
    assert len(_holding(tmp_path)) == 3
    assert _expire(path, gone)
    assert (_holding(tmp_path), backups(tmp_path / "backups")) == ([], before)
    assert [_titles(copy) for copy in before] == [["Stays"]] * 3
    with closing(Library.open(before[0])) as library:
        assert [one.title for one in library.search.find("keepsake")] == ["Stays"]
        assert library.search.find("quicksilver") == ()


def _calls() -> list[tuple[object, str]]:
    """The calls that change files or open those to be cleaned."""
    return [
        (copies, "sync"),
        (copies, "fresh_file"),
        (copies, "settle"),
        (copies, "discard"),
        (sqlite3, "connect"),
        (copies, "_alter"),
        (module, "copy"),
        (module, "_erase"),
        (module, "second_connection"),
        (module, "read_only"),
        (module, "can_be_opened"),
        (folders, "sync"),
        (Path, "unlink"),
        (Path, "replace"),
    ]


class Faults:
    """Fails the call of this number, before or after it runs."""

    def __init__(self, number: int, error: BaseException, *, after: bool) -> None:
        self.count = 0
        self._number = number
        self._error = error
        self._after = after

    def over(self, patch: pytest.MonkeyPatch) -> None:
        for owner, name in _calls():
            patch.setattr(owner, name, self._failing(getattr(owner, name)))

    def _failing(self, real: Callable[..., object]) -> Callable[..., object]:
        def call(*given: Any, **named: Any) -> object:
            self.count += 1
            hit = self.count == self._number
            if hit and not self._after:
                raise self._error
            result = real(*given, **named)
            if hit:
                raise self._error
            return result

        return call


@pytest.mark.sweep(2)
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), sqlite3.OperationalError("full"), Killed()])
def test_a_failure_at_any_call_loses_no_good_copy(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    after: bool,  # noqa: FBT001 - a table's column
) -> None:
    """Before or after each call the disk is full or the process is killed, while some copies are too old, some hold
    erased chats and one is damaged: at any time an undamaged copy exists, and the next run finishes everything.
    """
    gone = _home(tmp_path / "home")[1]
    first = backups(tmp_path / "home" / "backups")[0]
    first.with_name(name_at(_now(2) + 5000)).write_bytes(first.read_bytes()[:-9000])
    number = hits = 0
    while hits == number:
        number += 1
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "home", folder)
        faults = Faults(number, error, after=after)
        with (
            monkeypatch.context() as patch,
            closing(Library.open(folder / "library.sqlite", lambda: _now(31))) as library,
        ):
            faults.over(patch)
            try:
                library.backups.expire(gone, _now(31))
            except (EnvironmentProblem, StorageFault, Killed):
                hits += 1
            else:
                hits += faults.count >= number
        good = newest_good(folder / "backups")
        assert good is not None, number
        assert "Stays" in _titles(good), number
        assert _expire(folder / "library.sqlite", gone, 31)
        assert _holding(folder) == [], number
        assert all(_titles(copy) == ["Stays"] for copy in backups(folder / "backups")), number
        shutil.rmtree(folder)
    assert number > 20


def test_the_last_copies_only_go_when_a_new_one_is_there(tmp_path: Path) -> None:
    """If all copies are too old, a new copy of the library replaces them."""
    path, gone = _home(tmp_path)
    assert _expire(path, gone, 100)
    (fresh,) = backups(tmp_path / "backups")
    assert (fresh.name, _titles(fresh)) == (name_at(_now(100)), ["Stays"])


def test_a_damaged_library_takes_no_copy_with_it(tmp_path: Path) -> None:
    """If the library is damaged, no new copy can be made, so all copies stay, however old."""
    path, _ = _home(tmp_path)
    before = backups(tmp_path / "backups")
    with closing(Library.open(path, lambda: _now(100))) as library:
        rot(path)
        with pytest.raises(DamagedDatabase):
            library.backups.expire({}, _now(100))
    assert backups(tmp_path / "backups") == before


def test_cleaning_can_be_cancelled_at_any_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No copy is lost or partial, and no unfinished file is left."""
    monkeypatch.setattr(copies, "_STEPS", 100)
    path, gone = _home(tmp_path)
    before = backups(tmp_path / "backups")
    for patience in range(1, 200):
        asked = iter(range(patience))
        complete = _expire(path, gone, wanted=lambda: next(asked, None) is not None)  # noqa: B023 - used at once
        assert sorted((tmp_path / "backups").iterdir()) == before
        if complete:
            break
    assert patience > 3
    assert _holding(tmp_path) == []


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("*.sqlite")), ids=lambda path: path.stem)
def test_copies_of_every_version_are_cleaned(tmp_path: Path, golden: Path) -> None:
    """A copy made before an upgrade has other tables; erased text is removed from it all the same."""
    path, _ = _home(tmp_path, 1)
    shutil.copyfile(golden, older := tmp_path / "backups" / name_at(NOW + 5000))
    with closing(copies.read_only(older)) as raw:
        held = [row[0] for row in raw.execute("SELECT id FROM conversation")]
    assert held
    _expire(path, dict.fromkeys(held, _now(1)))
    with closing(copies.read_only(older)) as raw:
        assert raw.execute("SELECT count(*) FROM conversation").fetchone() == (0,)
        assert raw.execute("SELECT count(*) FROM message").fetchone() == (0,)


def test_what_cannot_be_cleaned_keeps_no_copy_from_it(tmp_path: Path) -> None:
    """A newer Hearth's copy stays as it is: its tables may have another meaning, and it may hold the only copy of the
    text. A copy beside a journal that names another file counts as damaged: SQLite would erase that file. A folder or a
    dead link in the place of a copy is neither cleaned nor removed.
    """
    path, gone = _home(tmp_path, 4)
    first, later, *others = backups(tmp_path / "backups")
    (tmp_path / "letter.txt").write_text("precious")
    foreign_journal.leave(first, tmp_path / "letter.txt")
    with closing(sqlite3.connect(later)) as raw:
        raw.execute("PRAGMA user_version = 99")
    before = later.read_bytes()
    folder, link = (tmp_path / "backups" / name_at(NOW - days * DAY_MS) for days in (40, 41))
    folder.mkdir()
    link.symlink_to("nowhere")
    assert _expire(path, gone, 4)
    assert (tmp_path / "letter.txt").read_text() == "precious"
    assert later.read_bytes() == before
    assert folder.is_dir()
    assert link.is_symlink()
    assert backups(tmp_path / "backups") == [later, *others]
    assert _holding(tmp_path) == [later.name]


def test_a_copy_that_cannot_be_written_keeps_no_other_copy_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite reads a file with an unknown format for writing, but writes nothing in it: such a copy counts as damaged.
    If the system refuses to change a copy, Hearth cleans the others first, and then says so. The next call cleans that
    copy.
    """
    path, gone = _home(tmp_path)
    first, second, third = backups(tmp_path / "backups")
    with first.open("r+b") as file:
        file.seek(18)
        file.write(b"\3\1")
    assert newest_good(tmp_path / "backups") == third
    assert module.chats_in(first) is None

    def refused(source: sqlite3.Connection, target: Path, *arguments: Any) -> None:
        if target == second:
            raise OSError(errno.ENOSPC, "full")
        copies.copy(source, target, *arguments)

    monkeypatch.setattr(module, "copy", refused)
    with pytest.raises(EnvironmentProblem):
        _expire(path, gone)
    assert _holding(tmp_path) == [first.name, second.name]
    monkeypatch.undo()
    assert _expire(path, gone)
    assert (_holding(tmp_path), backups(tmp_path / "backups")) == ([], [second, third])


def test_words_of_an_earlier_version_leave_a_copy_too(tmp_path: Path) -> None:
    """Version 12 put the whole data of a picture into its indexes, and version 13 takes its beginning out."""
    path, _ = _home(tmp_path, 1)
    shutil.copyfile(GOLDEN / "v12.sqlite", older := tmp_path / "backups" / name_at(NOW + 5000))
    with closing(copies.read_only(older)) as raw:
        held = [row[0] for row in raw.execute("SELECT id FROM conversation")]
    _expire(path, dict.fromkeys(held, _now(1)))
    with closing(sqlite3.connect(older)) as raw:
        raw.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, message_search, row)")
        assert raw.execute("SELECT count(*) FROM temp.terms").fetchone() == (0,)


def test_a_copy_does_not_keep_the_room_of_what_was_erased(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import that was erased left its room in each copy of each day, until the disk was full. If the disk has no
    room for a smaller copy beside the first one, that one is as good.
    """
    path = tmp_path / "library.sqlite"
    with closing(Library.open(path, lambda: NOW)) as library:
        large = library.conversations.create(title="Large").id
        for number in range(40):
            say(library, large, f"{number} " + "quicksilver " * 4000, "answered")
        library.trash.erase(large)
        size = path.stat().st_size
        small = library.backups.make(tmp_path / "backups")
        usage = shutil.disk_usage(tmp_path)._replace(free=0)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
        whole = library.backups.make(tmp_path / "backups")
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1 << 40))
        monkeypatch.setattr(copies, "_alter", raising(sqlite3.OperationalError("database or disk is full")))
        refused = library.backups.make(tmp_path / "backups")
    sizes = [copy.stat().st_size / size for copy in (small, whole, refused) if copy is not None]
    assert [share < 1 / 4 for share in sizes] == [True, False, False]
    assert all(map(can_be_opened, backups(tmp_path / "backups")))
    assert len(list((tmp_path / "backups").iterdir())) == 3
