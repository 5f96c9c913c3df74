"""When a backup is due, which backups are kept, and restoring one."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from storage.errors import DamagedDatabase, EnvironmentProblem, NewerVersion
from storage.library import restoring
from storage.library.backups import (
    DAY_MS,
    KEPT,
    LEFTOVER_DAYS,
    Backups,
    backups,
    can_be_opened,
    chats_in,
    made_at,
    name_at,
    newest_good,
)
from storage.library.library import Library
from storage.library.restoring import restore
from storage.library.rows import SavedDraft
from tests.fakes.library import Clock, end, say
from tests.fakes.problems import raising

NOW = 1_700_000_000_000


def _backup(database: Path, folder: Path, now: int) -> Path | None:
    return Backups(database, lambda: now).make_daily(folder)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A small database with another schema: a backup copies any database that has words of a chat."""
    with closing(sqlite3.connect(tmp_path / "source")) as made:
        made.execute("CREATE TABLE conversation (title TEXT, draft TEXT, queue TEXT, leaf TEXT)")
        made.execute("INSERT INTO conversation VALUES ('', 'words', '', NULL)")
        made.execute("CREATE TABLE word (text TEXT)")
        made.executemany("INSERT INTO word VALUES (?)", [("x" * 500,)] * 100)
        made.commit()
    return tmp_path / "source"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The backup folder."""
    made = tmp_path / "copies"
    made.mkdir()
    return made


def test_only_our_backups_are_counted_and_removed(database: Path, folder: Path) -> None:
    """Other files in the folder, even with a similar name, are not counted as backups and never deleted."""
    mine = [folder / f"library-mine.sqlite{end}" for end in ("", ".partial")]
    for file in mine:
        file.write_text("the user's")
    for day in range(KEPT + 3):
        assert _backup(database, folder, NOW + day * DAY_MS) is not None
    assert len(backups(folder)) == KEPT
    assert [file.read_text() for file in mine] == ["the user's"] * 2


def test_many_backups_of_a_day_push_out_no_other_day(database: Path, folder: Path) -> None:
    """The user tries which copy is the right one: each try makes one."""
    days = [_backup(database, folder, NOW + day * DAY_MS) for day in range(KEPT)]
    minutes = count(NOW + KEPT * DAY_MS, 60_000)
    last_day = Backups(database, lambda: next(minutes))
    for _ in range(2 * KEPT):
        last_day.make(folder)
    kept = backups(folder)
    assert kept[: KEPT - 1] == days[1:]
    assert len(kept) == 2 * KEPT - 1


def test_the_next_backup_is_due_after_a_day(tmp_path: Path, folder: Path) -> None:
    """One millisecond before the day is over, no backup is made. One that is dated in the future does not count."""
    database = tmp_path / "library.sqlite"
    with closing(Library.open(database, Clock())) as library:
        library.conversations.create(title="Words")
    assert _backup(database, folder, NOW) is not None
    assert _backup(database, folder, NOW + DAY_MS - 1) is None
    assert _backup(database, folder, NOW + DAY_MS) is not None
    assert _backup(database, folder, NOW - 400 * DAY_MS) is not None


def test_a_backup_waits_for_words(tmp_path: Path) -> None:
    """A library that has only an empty chat is not copied. A draft counts as words, and so does a message. A backup
    without words, which an earlier Hearth made at the first start, and a damaged one do not count: the words are copied
    at once. Then the day begins.
    """
    clock, folder = Clock(), tmp_path / "backups"
    with closing(Library.open(tmp_path / "library.sqlite", clock)) as library:
        chat = library.conversations.create().id
        assert library.backups.make_daily(folder) is None
        library.backups.make(folder)
        library.conversations.save_draft(chat, SavedDraft("half a thought"))
        assert library.backups.make_daily(folder) is not None
        assert library.backups.make_daily(folder) is None
        backups(folder)[-1].write_bytes(bytes(4096))
        library.conversations.save_draft(chat, SavedDraft(""))
        say(library, chat, "hello", "hi")
        assert library.backups.make_daily(folder) is not None
        assert library.backups.make_daily(folder) is None
        assert library.backups.keep_one(folder) is not None
        assert len(backups(folder)) == 1
        clock.now += DAY_MS
        assert library.backups.make_daily(folder) is not None


def test_what_was_erased_leaves_the_backups_of_an_empty_library_too(tmp_path: Path) -> None:
    """A library whose last chat was erased is copied once more, so that the copies before can go when they are old."""
    clock, folder = Clock(), tmp_path / "backups"
    with closing(Library.open(tmp_path / "library.sqlite", clock)) as library:
        chat = library.conversations.create(title="Words").id
        assert library.backups.make_daily(folder) is not None
        library.trash.erase(chat)
        clock.now += DAY_MS
        assert library.backups.make_daily(folder) is not None
        clock.now += DAY_MS
        assert library.backups.make_daily(folder) is None
        clock.now += LEFTOVER_DAYS * DAY_MS
        library.backups.expire({}, clock.now)
    assert [chats_in(copy) for copy in backups(folder)] == [0]


def _titles(path: Path) -> list[str]:
    with closing(Library.open(path)) as library:
        return sorted(one.title for one in library.conversations.listed())


def _library_with_backups(folder: Path, days: int) -> Path:
    """One new chat a day, each followed by a backup."""
    path = folder / "library.sqlite"
    for day in range(days):
        with closing(Library.open(path, lambda: NOW + day * DAY_MS)) as library:  # noqa: B023 - closed before the next day
            library.conversations.create(title=f"Day {day}")
            library.backups.make_daily(folder / "backups")
    return path


def test_the_newest_good_backup_is_found(tmp_path: Path) -> None:
    """Damaged backups and those of a newer Hearth are skipped; the name of a backup gives its time."""
    _library_with_backups(tmp_path, 4)
    found = backups(tmp_path / "backups")
    found[-1].write_bytes(found[-1].read_bytes()[:-5000])
    with closing(sqlite3.connect(found[-2])) as later:
        later.execute("PRAGMA user_version = 99")
    assert newest_good(tmp_path / "backups") == found[1]
    assert made_at(found[1]) // 1000 * 1000 == NOW + DAY_MS
    assert newest_good(tmp_path / "nowhere") is None


def test_the_newest_state_counts_not_the_newest_file(tmp_path: Path) -> None:
    """An undo may copy an older library last. A chat from a wrong clock, dated after its backup, makes none newer. A
    deletion is a newer state: a later file with the state before it would bring the chat back.
    """
    path, folder = _library_with_backups(tmp_path, 2), tmp_path / "backups"
    oldest, newest = backups(folder)
    restore(oldest, path, NOW + 2 * DAY_MS)
    with closing(Library.open(path, lambda: NOW + 9 * DAY_MS)) as library:
        library.conversations.create(title="Wrong clock")
    with closing(Library.open(path, lambda: NOW + 3 * DAY_MS)) as library:
        library.backups.make(folder)
    assert (len(backups(folder)), newest_good(folder)) == (3, newest)
    made = []
    for day, deletes in ((4, True), (5, False)):
        restore(newest, path, NOW + day * DAY_MS)
        with closing(Library.open(path, lambda: NOW + day * DAY_MS)) as library:  # noqa: B023 - closed before
            if deletes:
                library.trash.add(library.conversations.listed()[0].id)
            made.append(library.backups.make(folder))
    assert (len(backups(folder)), newest_good(folder)) == (5, made[0])


def test_restoring_keeps_the_backup_and_the_old_library(tmp_path: Path) -> None:
    """Restoring changes neither the backup nor the old library, and both can be opened."""
    path = _library_with_backups(tmp_path, 3)
    first = backups(tmp_path / "backups")[0]
    before = first.read_bytes()
    kept = restore(first, path, NOW)
    again = restore(first, path, NOW)
    assert _titles(path) == _titles(again) == ["Day 0"]
    assert _titles(kept) == ["Day 0", "Day 1", "Day 2"]
    assert first.read_bytes() == before
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("name", ["mine", "ab" * 16])
def test_links_among_the_attached_files_do_not_prevent_restoring(tmp_path: Path, name: str) -> None:
    """Whether they lead nowhere or to a file of the user, which keeps its time."""
    path = _library_with_backups(tmp_path, 1)
    (tmp_path / "attachments" / "ab").mkdir(parents=True)
    (tmp_path / "attachments" / "ab" / f"{name}.txt").symlink_to("/nowhere")
    (mine := tmp_path / "mine").touch()
    os.utime(mine, (0, 0))
    (tmp_path / "attachments" / "ab" / name).symlink_to(mine)
    restore(backups(tmp_path / "backups")[0], path, NOW)
    assert mine.stat().st_mtime == 0


def test_a_restoration_that_fails_leaves_no_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would hold what the user erases later."""
    path = _library_with_backups(tmp_path, 1)
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(restoring, "replace", raising(PermissionError(errno.EPERM, "Not permitted")))
    with pytest.raises(EnvironmentProblem):
        restore(backups(tmp_path / "backups")[0], path, NOW)
    assert sorted(tmp_path.iterdir()) == before


def test_a_restored_chat_is_read_as_it_is_shown(tmp_path: Path) -> None:
    """The tokens that a copy notes for a reply may differ from its text, which is all that the window shows. So Hearth
    does not use them.
    """
    path, folder = tmp_path / "library.sqlite", tmp_path / "backups"
    with closing(Library.open(path, lambda: NOW)) as library:
        chat = library.conversations.create().id
        end(library, library.messages.begin_turn(chat, "Question?", "model").reply, "Answer.", ledger="other tokens")
        library.backups.make(folder)
    restore(backups(folder)[0], path, NOW)
    with closing(Library.open(path, lambda: NOW)) as library:
        restored = library.messages.branch(chat)
    assert [(message.content, message.ledger) for message in restored] == [("Question?", ""), ("Answer.", "")]


_CROSSED = "UPDATE message SET parent = (SELECT id FROM message WHERE content = 'A?') WHERE content = 'B?'"
_UNINDEXED = "INSERT INTO {0}_search ({0}_search) VALUES ('delete-all')"


@pytest.mark.parametrize("change", [_CROSSED, *(_UNINDEXED.format(index) for index in ("title", "message", "part"))])
def test_each_chat_of_a_restored_copy_can_be_found_and_erased(tmp_path: Path, change: str) -> None:
    """Also if a message answers one of another chat there, or if a search index does not know its words."""
    path, folder = tmp_path / "library.sqlite", tmp_path / "backups"
    with closing(Library.open(path, Clock())) as library:
        chats = [library.conversations.create(title=f"Chat {name}").id for name in "AB"]
        for chat, name in zip(chats, "AB", strict=True):
            say(library, chat, f"{name}?", f"The answer {name}.")
        library.backups.make(folder)
    (backup,) = backups(folder)
    with closing(sqlite3.connect(backup)) as raw, raw:
        raw.execute(change)
    restore(backup, path, NOW)
    with closing(Library.open(path, Clock())) as library:
        assert len(library.search.find("answer")) == 2
        library.trash.erase(*chats)
        assert library.search.find("answer") == ()


def test_no_sql_of_a_copy_runs_before_its_parts_are_known(tmp_path: Path) -> None:
    """A column that is computed may take for ever, and a trigger may fill the disk when deleted chats are erased from
    the copy.
    """
    path = _library_with_backups(tmp_path, 1)
    (backup,) = backups(tmp_path / "backups")
    with closing(sqlite3.connect(backup)) as raw:
        raw.execute("ALTER TABLE conversation ADD COLUMN more AS (instr(zeroblob(2000), zeroblob(1000) || x'01'))")
        filling = "INSERT INTO litter VALUES (zeroblob(1000000))"
        raw.execute(f"CREATE TRIGGER filling AFTER DELETE ON conversation BEGIN {filling}; END")
        chats = {one: 1 for (one,) in raw.execute("SELECT id FROM conversation")}
        raw.execute("UPDATE conversation SET deleted = 1")
        raw.commit()
    size = backup.stat().st_size
    with pytest.raises(DamagedDatabase, match="not Hearth's"):
        restore(backup, path, NOW)
    with closing(Library.open(path, lambda: NOW)) as library:
        library.backups.expire(chats, NOW)
    assert sum(file.stat().st_size for file in backups(tmp_path / "backups")) < 2 * size


def test_a_backup_from_days_to_come_keeps_no_deleted_chat_longer(tmp_path: Path) -> None:
    """A chat is never deleted before the newest date of the library, so no date of a restored one is to come. If the
    clock was set back, those before the backup was made stay.
    """
    path, folder = _library_with_backups(tmp_path, 1), tmp_path / "backups"
    (backup,) = backups(folder)
    with closing(sqlite3.connect(backup)) as raw, raw:
        raw.execute("UPDATE conversation SET updated = ?", (2**62,))
    restore(backup, path, 0)
    with closing(Library.open(path, lambda: made_at(backup))) as library:
        (chat,) = library.conversations.listed()
        library.trash.add(chat.id)
        assert (library.trash.listed()[0].updated, library.trash.purge(-1000)) == (chat.updated, (chat.id,))
        assert chat.updated == made_at(backup) + 1000


_NO_TABLE = "DROP TABLE prompt"
_VIEW = """ALTER TABLE conversation RENAME TO former;
    CREATE VIEW conversation AS WITH RECURSIVE endless (moment) AS
    (SELECT 1 UNION ALL SELECT moment + 1 FROM endless)
    SELECT moment AS updated, NULL AS deleted, 'x' AS id, '' AS title, '' AS draft, NULL AS leaf
    FROM endless LIMIT 1000000"""  # so that a failure ends


@pytest.mark.parametrize(
    ("change", "chats", "refusal"),
    [
        ("", None, DamagedDatabase),
        ("PRAGMA user_version = 99", None, NewerVersion),
        (_NO_TABLE, None, DamagedDatabase),
        (_VIEW, None, DamagedDatabase),
    ],
    ids=["rotten", "newer", "no table", "a view"],
)
def test_a_backup_that_cannot_be_used_replaces_nothing(
    tmp_path: Path, change: str, chats: int | None, refusal: type[Exception]
) -> None:
    """A damaged backup, or one of a newer Hearth, is refused before anything changes. So is one that SQLite calls
    sound, but a table of the library is missing, or is a view: a query of it may never end, and the window waits for
    the file thread when it closes.
    """
    path, folder = _library_with_backups(tmp_path, 1), tmp_path / "backups"
    (foreign,) = backups(folder)
    if change:
        with closing(sqlite3.connect(foreign)) as raw:
            raw.executescript(change)
    else:
        foreign.write_bytes(b"\0" * 5000)
    assert (chats_in(foreign), newest_good(folder)) == (chats, None)
    with pytest.raises(refusal):
        restore(foreign, path, NOW)
    assert _titles(path) == ["Day 0"]
    assert not (tmp_path / "replaced").exists()


def test_a_backup_is_checked_without_a_trace(tmp_path: Path) -> None:
    """Damaged, foreign and missing files, and pipes, count as damaged. Checking writes nothing."""
    folder = _library_with_backups(tmp_path, 1).with_name("backups")
    (sound,) = backups(folder)
    (folder / "rotten").write_bytes(sound.read_bytes()[:-4096] + b"\xff" * 4096)
    (folder / "foreign").write_text("not a database" * 400)
    os.mkfifo(folder / "pipe")
    before = sorted(folder.iterdir())
    names = (sound.name, "rotten", "foreign", "missing", "pipe")
    assert [can_be_opened(folder / name) for name in names] == [True, False, False, False, False]
    assert sorted(folder.iterdir()) == before


def test_leftovers_are_removed_after_their_days(tmp_path: Path) -> None:
    """Replaced libraries and copies made before an upgrade are removed; the user's files beside them stay. A replaced
    library is kept for all its days, even if its last change is months old, and whatever the clock says on one day.
    Links that lead nowhere prevent nothing.
    """
    path = _library_with_backups(tmp_path, 1)
    os.utime(path, (0, 0))
    kept = restore(backups(tmp_path / "backups")[0], path, NOW)
    old = [
        kept,
        *(path.with_name(path.name + end) for end in (".v1", ".v2-wal", ".rescued", ".restored.partial", ".fresh")),
    ]
    mine = [path.with_name("library.sqlite.mine"), path.with_name("library.sqlite.v1 copy"), kept.with_name("mine")]
    for file in (*old[1:], *mine):
        file.write_text("words")
        os.utime(file, (NOW / 1000, NOW / 1000))
    path.with_name("library.sqlite.rescued-wal").symlink_to("nowhere")
    kept.with_name(name_at(NOW + DAY_MS)).symlink_to("nowhere")
    for days, noted, left in ((3650, LEFTOVER_DAYS, True), (LEFTOVER_DAYS + 1, 3650, False)):
        with closing(Library.open(path, lambda: NOW + days * DAY_MS)) as library:  # noqa: B023 - closed before
            library.backups.make_daily(tmp_path / "backups")
            library.backups.expire({"gone": NOW}, NOW + noted * DAY_MS)
        assert {file.exists() for file in old} == {left}
        assert all(file.exists() for file in mine)
