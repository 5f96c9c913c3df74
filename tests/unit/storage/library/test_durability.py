"""The library's file: damage is reported, a full disk changes nothing, threads and processes may share it."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.errors import (
    DamagedDatabase,
    EnvironmentProblem,
    NewerVersion,
)
from storage.library.library import Library
from tests.fakes.library import Clock, say, texts

if TYPE_CHECKING:
    from pathlib import Path

    from storage.database import Database

DAY = 24 * 60 * 60 * 1000


def test_purged_words_are_in_no_file(library: Library, path: Path) -> None:
    """After purging, no byte on disk holds the text or its words in the search index."""
    chat = library.conversations.create("Xylophone").id
    say(library, chat, "quicksilver " * 500, "marzipan " * 500)
    say(library, library.conversations.create("Kept").id, "keepsake " * 50, "ok")
    library.trash.add(chat)
    library.trash.purge(0)
    library.search.find("quick")
    content = b"".join(file.read_bytes() for file in path.parent.iterdir()).lower()
    assert b"keepsake" in content
    assert [word for word in (b"xylophone", b"uicksilver", b"arzipan") if word in content] == []


def test_backups_are_throttled_checked_and_rolled(library: Library, clock: Clock, tmp_path: Path) -> None:
    """One backup a day is made, ten are kept, and each opens as a library with all text."""
    folder = tmp_path / "backups"
    chat = library.conversations.create("Kept").id
    first = library.backups.make_daily(folder)
    assert first is not None
    assert library.backups.make_daily(folder) is None
    for day in range(11):
        say(library, chat, f"day {day}", "ok")
        clock.now += DAY
        assert library.backups.make_daily(folder) is not None
    assert len(list(folder.iterdir())) == 10
    assert not first.exists()
    with closing(Library.open(max(folder.iterdir()), clock)) as copied:
        assert texts(copied, chat) == texts(library, chat)


def test_a_clock_set_back_does_not_stop_backups(library: Library, clock: Clock, tmp_path: Path) -> None:
    """A backup dated in the future does not count as the last one."""
    library.conversations.create("Kept")
    assert library.backups.make_daily(tmp_path / "backups") is not None
    clock.now -= 400 * DAY
    assert library.backups.make_daily(tmp_path / "backups") is not None


def test_a_damaged_library_is_never_shown_as_empty(path: Path) -> None:
    """Opening an emptied, zeroed or newer file raises the matching error."""
    Library.open(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerVersion):
        Library.open(path)
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(DamagedDatabase):
        Library.open(path)
    path.write_bytes(b"")
    with pytest.raises(DamagedDatabase):
        Library.open(path)


def test_rot_inside_the_file_is_reported(path: Path, clock: Clock) -> None:
    """Damaged pages raise DamagedDatabase instead of shortening the list."""
    with closing(Library.open(path, clock)) as library:
        for number in range(300):
            library.conversations.create(f"Chat {number} " + "x" * 200)
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xa5" * (len(content) - 4096 * 2)
    path.write_bytes(content)
    with pytest.raises(DamagedDatabase), closing(Library.open(path, clock)) as library:
        library.conversations.listed()


def test_a_library_may_be_opened_on_one_thread_and_used_on_another(path: Path) -> None:
    """The thread that uses the library may differ from the one that opened it."""
    library = Library.open(path)
    with ThreadPoolExecutor(1) as worker:
        chat = worker.submit(library.conversations.create, "Elsewhere").result().id
        assert [row.id for row in worker.submit(library.conversations.listed).result()] == [chat]
        worker.submit(library.close).result()


def test_two_processes_may_use_one_library(path: Path) -> None:
    """A second connection sees the first one's commits, and both can write in turn."""
    with closing(Library.open(path)) as window, closing(Library.open(path)) as terminal:
        chat = window.conversations.create("Shared").id
        say(terminal, chat, "from the terminal", "ok")
        say(window, chat, "from the window", "ok")
        assert texts(terminal, chat) == ["from the terminal", "ok", "from the window", "ok"]


def test_a_full_disk_keeps_what_was_there_and_recovers(library: Library, database: Database) -> None:
    """A turn that cannot be written leaves nothing; once there is room, the next one succeeds."""
    chat = library.conversations.create().id
    say(library, chat, "before", "ok")
    pages = database.raw.execute("PRAGMA page_count").fetchone()[0]
    database.raw.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    with pytest.raises(EnvironmentProblem, match="disk is full"):
        library.messages.begin_turn(chat, "x" * 500_000, "m")
    assert texts(library, chat) == ["before", "ok"]
    database.raw.execute("PRAGMA max_page_count = 1000000").fetchall()
    say(library, chat, "after", "ok")
    assert texts(library, chat) == ["before", "ok", "after", "ok"]
