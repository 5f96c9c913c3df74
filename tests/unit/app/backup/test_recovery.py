"""The ways back from a damaged library, and their outcome."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from app.backup.recovery import DONE, KEPT, KEY, LibraryRecovery
from app.base.errors import NothingToRestore
from app.base.paths import Paths
from storage.errors import DamagedDatabase, LostDatabase
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.library import Library
from storage.library.rows import ArchivedAttachment
from tests.fakes.library import Clock, import_all, say


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A library with one chat in its copy, two in the file, and a missing first page."""
    path = tmp_path / "library.sqlite"
    with closing(Library.open(path, Clock())) as library:
        say(library, library.conversations.create(title="Old").id, "hello", "hi")
        library.backups.make_daily(tmp_path / "backups")
        say(library, library.conversations.create(title="New").id, "hello again", "hi again")
    content = path.read_bytes()
    path.write_bytes(bytes(4096) + content[4096:])
    return path


@pytest.fixture
def rescue(path: Path, tmp_path: Path) -> LibraryRecovery:
    return LibraryRecovery(path, tmp_path / "backups", Clock())


def _error(path: Path) -> Exception:
    with pytest.raises(DamagedDatabase) as caught:
        Library.open(path)
    return caught.value


def _titles(path: Path) -> list[str]:
    with closing(Library.open(path)) as library:
        return sorted(one.title for one in library.conversations.listed())


def test_both_ways_are_offered_and_nothing_is_changed(rescue: LibraryRecovery, path: Path) -> None:
    """The user reads what is wrong and what each way brings. The rescue comes first, because it keeps most. The notice
    cannot be put away: without it the window looks as if there were no chats.
    """
    before = path.read_bytes()
    offer = rescue.offer(_error(path))
    assert offer.key == KEY
    assert (offer.action, offer.other) == ("Rescue what can be read", "Use the copy")
    assert offer.text.startswith(
        "Your chats cannot be read: the library is damaged. Hearth has not changed it. A rescue brings back every "
        "message that can still be read. The copy of 14 Nov 2023, "
    )
    assert offer.text.endswith(" has 1 chat as it was then.")
    assert offer.stays
    assert path.read_bytes() == before


def test_the_copy_can_be_used(rescue: LibraryRecovery, path: Path) -> None:
    """The copy becomes the library. The notice says that the damaged one is kept, and shows its file on demand."""
    rescue.offer(_error(path))
    done = rescue.act(-1)
    assert _titles(path) == ["Old"]
    assert (done.key, done.action) == (KEPT, "Show files")
    assert done.text.endswith(". The damaged library is kept for 30 days.")
    assert len(list((path.parent / "replaced").glob("library-*.sqlite"))) == 1


def test_what_can_be_read_is_rescued(rescue: LibraryRecovery, path: Path) -> None:
    """The rescue keeps what was written after the copy, and counts it."""
    rescue.offer(_error(path))
    assert "2 chats with 4 messages" in rescue.act().text
    assert _titles(path) == ["New", "Old"]


def test_without_a_copy_rescue_is_the_one_offer(path: Path, tmp_path: Path) -> None:
    """Every button has an action."""
    rescue = LibraryRecovery(path, tmp_path / "none", Clock())
    offer = rescue.offer(_error(path))
    assert (offer.action, offer.other) == ("Rescue what can be read", "")
    assert rescue.act().key == KEPT
    assert _titles(path) == ["New", "Old"]


def test_where_nothing_can_be_read_the_file_stays(path: Path, rescue: LibraryRecovery) -> None:
    """A rescue that finds nothing changes nothing, and no empty library is shown."""
    path.write_bytes(b"\xa5" * 40960)
    with pytest.raises(DamagedDatabase):
        rescue.rescue()
    assert path.read_bytes() == b"\xa5" * 40960
    assert sorted(entry.name for entry in path.parent.iterdir() if entry.is_file()) == [path.name]


def test_where_nothing_can_be_read_one_may_begin_afresh(path: Path, tmp_path: Path) -> None:
    """After a rescue in vain the user can start a new library, and the old file is kept."""
    rescue = LibraryRecovery(path, tmp_path / "none", Clock())
    path.write_bytes(b"\xa5" * 40960)
    rescue.offer(_error(path))
    with pytest.raises(DamagedDatabase):
        rescue.act()
    offer = rescue.offer(_error(path))
    assert (offer.action, offer.other) == ("Start with no chats", "")
    done = rescue.act()
    assert _titles(path) == []
    (kept,) = (path.parent / "replaced").iterdir()
    assert kept.read_bytes() == b"\xa5" * 40960
    assert (done.key, done.action) == (KEPT, "Show files")


def test_after_a_rescue_in_vain_the_copy_comes_first(path: Path, rescue: LibraryRecovery) -> None:
    """The prominent option never gives up all chats while there is a copy of them."""
    path.write_bytes(b"\xa5" * 40960)
    rescue.offer(_error(path))
    with pytest.raises(DamagedDatabase):
        rescue.act()
    offer = rescue.offer(_error(path))
    assert (offer.action, offer.other) == ("Use the copy", "Start with no chats")
    assert "A rescue" not in offer.text
    rescue.act()
    assert _titles(path) == ["Old"]


def _lose(path: Path) -> LostDatabase:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    with pytest.raises(LostDatabase) as caught:
        Library.open(path)
    assert not path.exists()
    return caught.value


def test_a_lost_library_is_not_shown_as_empty(path: Path, rescue: LibraryRecovery) -> None:
    """If there are copies but no library, the newest good copy is offered, and restores its chats."""
    offer = rescue.offer(_lose(path))
    assert offer.key == KEY
    assert offer.text.startswith("library.sqlite is missing, but there are copies of it. The copy of 14 Nov 2023, ")
    assert (offer.action, offer.other) == ("Use the copy", "Start with no chats")
    done = rescue.act()
    assert (done.key, done.action) == (DONE, "")
    assert _titles(path) == ["Old"]


def test_a_lost_library_may_be_given_up(path: Path, rescue: LibraryRecovery) -> None:
    """A user who starts a new library is not asked again, and can still restore the copies later."""
    rescue.offer(_lose(path))
    assert rescue.act(-1).key == DONE
    assert _titles(path) == []
    assert _titles(path) == []
    ((identifier, _),) = rescue.copies()
    rescue.restore(identifier)
    assert _titles(path) == ["Old"]


def test_a_lost_library_without_a_good_copy_may_be_given_up_too(
    path: Path, rescue: LibraryRecovery, places: Paths
) -> None:
    """Unreadable copies also show that there was a library, so no new one starts without a question."""
    (copy,) = path.parent.joinpath(places.backups.name).iterdir()
    copy.write_bytes(b"rotten")
    offer = rescue.offer(_lose(path))
    assert offer.text.endswith("No copy of it can be used.")
    assert (offer.action, offer.other) == ("Start with no chats", "")
    rescue.act()
    assert _titles(path) == []


def test_the_first_start_is_silent(tmp_path: Path) -> None:
    """Without copies there is no question: an empty library is right."""
    assert _titles(tmp_path / "first" / "library.sqlite") == []


def test_files_outlive_the_library_that_knew_them(tmp_path: Path) -> None:
    """After a library was replaced, attached files stay as long as copies may restore their chats."""
    path, clock = tmp_path / "library.sqlite", Clock()
    said = ArchivedMessage(
        "a", None, "user", "x", attachments=(ArchivedAttachment("f.txt", "text/plain", b"long ago"),)
    )
    with closing(Library.open(path, clock)) as library:
        import_all(library, Archive((ArchivedConversation("Old", (said,)),)))
        library.backups.make_daily(tmp_path / "backups")
    (file,) = tmp_path.glob("attachments/??/*")
    os.utime(file, (0, 0))
    rescue = LibraryRecovery(path, tmp_path / "backups")
    rescue.offer(_lose(path))
    rescue.act(-1)
    now = time.time_ns() // 1_000_000
    with closing(Library.open(path, lambda: now)) as library:
        library.trash.sweep(now)
    assert file.read_bytes() == b"long ago"


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("damage", "titles", "words"),
    [
        ("DROP TABLE conversation", ["hello", "hello again"], 4),
        ("DROP TABLE message_search", ["New", "Old"], 4),
        ("DROP TRIGGER message_added", ["New", "Old"], 4),
        ("ALTER TABLE message DROP COLUMN usage", ["New", "Old"], 4),
        ("ALTER TABLE message RENAME COLUMN model TO engine", ["New", "Old"], 4),
        ("DROP TRIGGER title_changed; ALTER TABLE conversation DROP COLUMN titled", ["New", "Old"], 4),
    ],
)
def test_a_library_without_a_part_of_its_tables_is_rescued(
    tmp_path: Path, damage: str, titles: list[str], words: int
) -> None:
    """It counts as damaged: the remaining rows are saved, and no message speaks of tables."""
    path = tmp_path / "library.sqlite"
    with closing(Library.open(path, Clock())) as library:
        say(library, library.conversations.create(title="Old").id, "hello", "hi")
        say(library, library.conversations.create(title="New").id, "hello again", "hi again")
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA foreign_keys = OFF")
        other.executescript(damage)
    rescue = LibraryRecovery(path, tmp_path / "backups", Clock())
    assert rescue.offer(_error(path)).text.startswith("Your chats cannot be read: the library is damaged.")
    assert f"2 chats with {words} messages" in rescue.act().text
    assert _titles(path) == titles


def test_a_damaged_copy_is_listed_without_its_chats(rescue: LibraryRecovery, tmp_path: Path) -> None:
    """They cannot be counted. A copy that takes the place of another one of that name is counted anew."""
    ((_, before),) = rescue.copies()
    (copy,) = (tmp_path / "backups").iterdir()
    copy.write_bytes(bytes(4096))
    ((_, after),) = rescue.copies()
    assert ("chat" in before, "chat" in after) == (True, False)


def test_copies_are_listed_and_taken_by_their_id(rescue: LibraryRecovery, path: Path) -> None:
    """The settings show each copy with its date, its chats and its size, so that the user can choose one. A copy that
    has vanished meanwhile is refused.
    """
    ((identifier, words),) = rescue.copies()
    day, chats, size = words.split(" · ")
    assert (day.startswith("14 Nov 2023"), chats, size.endswith("MB")) == (True, "1 chat", True)
    rescue.restore(identifier)
    assert _titles(path) == ["Old"]
    with pytest.raises(NothingToRestore):
        rescue.restore("library-20200101T000000Z.sqlite")


def test_copies_of_one_minute_are_told_apart(tmp_path: Path) -> None:
    """By their seconds, which the others do not need."""
    clock, folder = Clock(), tmp_path / "backups"
    with closing(Library.open(tmp_path / "library.sqlite", clock)) as library:
        for seconds in (0, 5, 120):
            clock.now += 1000 * seconds
            library.backups.make(folder)
    rescue = LibraryRecovery(tmp_path / "library.sqlite", folder, clock)
    times = [label.partition(" · ")[0].rpartition(", ")[2] for _, label in rescue.copies()]
    assert [time.count(":") for time in times] == [1, 2, 2]
    assert len(set(times)) == 3


def test_what_a_copy_replaces_becomes_a_copy(tmp_path: Path) -> None:
    """Nothing that a copy replaces leaves the window: it is in the same list, even if ten copies were there, and it
    can be brought back at once.
    """
    path, clock = tmp_path / "library.sqlite", Clock()
    with closing(Library.open(path, clock)) as library:
        say(library, library.conversations.create(title="Old").id, "hello", "hi")
        for _ in range(10):
            library.backups.make(tmp_path / "backups")
        say(library, library.conversations.create(title="New").id, "hello again", "hi again")
    rescue = LibraryRecovery(path, tmp_path / "backups", clock)
    before = rescue.copies()
    told = rescue.restore(before[-1][0])
    now = rescue.copies()
    assert _titles(path) == ["Old"]
    assert (now[1:], now[0] in before) == (before, False)
    assert told.action == "Undo"
    rescue.undo()
    assert _titles(path) == ["New", "Old"]


def test_both_states_of_a_restored_library_can_be_told_apart(tmp_path: Path) -> None:
    """Both copies may be of the same minute, after an Undo that follows at once. The number of chats names them."""
    path, clock = tmp_path / "library.sqlite", Clock()
    with closing(Library.open(path, clock)) as library:
        library.conversations.create(title="Old")
        library.backups.make(tmp_path / "backups")
        for title in ("New", "Newer"):
            library.conversations.create(title=title)
    rescue = LibraryRecovery(path, tmp_path / "backups", clock)
    told = [rescue.restore(rescue.copies()[0][0]).text, rescue.undo().text]
    shown = [re.sub(r"on .*? \(", "on DAY (", text) for text in told]
    newest = "is the newest copy in the settings, under Privacy."
    assert shown == [
        f"All chats are as they were on DAY (1 chat). What was there until now (3 chats) {newest}",
        f"All chats are as they were on DAY (3 chats). What was there until now (1 chat) {newest}",
    ]


@pytest.mark.parametrize("way", ["detach", "remove the turn", "erase"])
def test_a_copy_that_is_put_back_has_its_files(tmp_path: Path, way: str) -> None:
    """A file that a copy names stays for as long as the copy, whatever becomes of it in the library, and through the
    sweep of each start. Only an erased chat takes its files along at once: then the notice counts them.
    """
    path, clock = tmp_path / "library.sqlite", Clock()
    clock.now = time.time_ns() // 1_000_000
    with closing(Library.open(path, clock)) as library:
        chat = library.conversations.create().id
        file = library.attachments.add(chat, "notes.txt", b"precious words")
        assert file.path is not None
        os.utime(file.path, (0, 0))  # attached long ago
        if way != "detach":
            say(library, chat, "read this", "done")
        copy = library.backups.make(tmp_path / "backups")
        assert copy is not None
        match way:
            case "detach":
                library.attachments.detach(chat, file.id)
            case "erase":
                library.trash.erase(chat)
            case _:
                library.turns.remove(chat, library.messages.branch(chat)[0].id)
        library.trash.sweep(clock.now)
    told = LibraryRecovery(path, tmp_path / "backups", clock).restore(copy.name).text
    assert told.endswith("1 attached file is no longer there.") == (way == "erase")
    with closing(Library.open(path, clock)) as library:
        assert library.conversations.get(chat).id == chat
        if way != "erase":
            assert library.attachments.text_of(file.id) == "precious words"
            library.trash.erase(chat)
        assert list(tmp_path.glob("attachments/??/*")) == []


def test_two_copies_of_one_second_are_kept(tmp_path: Path) -> None:
    """A copy that is made before going back never overwrites the one that was made by hand a moment ago."""
    path = tmp_path / "library.sqlite"
    with closing(Library.open(path, lambda: 1_700_000_000_000)) as library:
        made = [library.backups.make(tmp_path / "backups") for _ in range(3)]
    assert set(made) == set((tmp_path / "backups").iterdir())
    assert len(set(made)) == 3
