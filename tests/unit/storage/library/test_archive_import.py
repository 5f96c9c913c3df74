"""Importing an archive in portions."""

from __future__ import annotations

import errno
import shutil
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest

from storage.errors import NoRoomForImport, NoSuchConversation, Problem
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.archive_import import ArchiveImport
from storage.library.columns import LONGEST_FIELD, LONGEST_LABEL
from storage.library.files import Folder
from storage.library.library import Library
from storage.library.rows import ArchivedAttachment
from tests.fakes.library import Clock, import_all, say, texts
from tests.fakes.problems import raising, reported

MOST = 100
"""Messages of a portion."""


def _archive(*lengths: int, words: str = "heron", files: tuple[ArchivedAttachment, ...] = ()) -> Archive:
    """Conversations of this many messages each, on one branch."""
    made = []
    for number, length in enumerate(lengths):
        said = [ArchivedMessage(str(at), str(at - 1), "user", f"{words} {number} {at}") for at in range(length - 1)]
        said.append(ArchivedMessage("last", str(length - 2), "user", "the end", attachments=files))
        made.append(ArchivedConversation(f"Chat {number}", tuple(said), leaf="last"))
    return Archive(tuple(made))


def _nothing_is_seen(library: Library) -> bool:
    found = (
        library.conversations.listed(),
        library.search.find("heron"),
        library.trash.listed(),
        library.transfer.export().conversations,
    )
    return found == ((), (), (), ())


def test_an_unfinished_import_is_invisible(library: Library) -> None:
    """Between two portions another job can run, and no part of the import is listed, found, deleted or exported; at the
    end all of it is listed at once.
    """
    arrival = ArchiveImport(_archive(250, 1, 120))
    portions = 0
    while not library.transfer.import_next(arrival):
        portions += 1
        assert _nothing_is_seen(library)
        chat = library.conversations.create().id
        say(library, chat, "meanwhile", "yes")
        library.trash.erase(chat)
    assert portions == 5  # the first one compares the chats with those that are here
    assert [row.title for row in library.conversations.listed()] == ["Chat 2", "Chat 1", "Chat 0"]
    assert [len(library.messages.branch(one)) for one in arrival.ids] == [250, 1, 120]
    assert texts(library, arrival.ids[1]) == ["the end"]
    assert len(library.search.find("heron")) == 2


@pytest.mark.parametrize(
    "archive",
    [
        _archive(*[1] * 1000),
        _archive(1000),
        _archive(50, words="heron " * 20_000),
        Archive((ArchivedConversation(""),) * 999),
    ],
)
def test_no_portion_is_large(library: Library, archive: Archive) -> None:
    """Many messages, many short chats or long texts: each portion is a small part."""
    arrival = ArchiveImport(archive)
    steps = [0]
    while not library.transfer.import_next(arrival):
        steps.append(arrival.done)
    assert len(steps) > 9
    assert max(after - before for before, after in pairwise(steps)) <= MOST
    assert arrival.done == arrival.count


def test_two_imports_may_run_at_once(library: Library) -> None:
    """Each is listed when it is complete."""
    first, second = ArchiveImport(_archive(150)), ArchiveImport(_archive(350))
    complete = False
    while not complete:
        assert not library.transfer.import_next(second)
        complete = library.transfer.import_next(first)
    assert [row.id for row in library.conversations.listed()] == list(first.ids)
    while not library.transfer.import_next(second):
        pass
    assert {row.id for row in library.conversations.listed()} == {*first.ids, *second.ids}


def test_an_import_cut_short_by_a_crash_leaves_nothing(path: Path, clock: Clock) -> None:
    """It is invisible, a purge of another process leaves it alone, and after the next start its text is in no file."""
    with closing(Library.open(path, clock)) as library:
        arrival = ArchiveImport(_archive(250, words="secret"))
        for _ in range(2):
            assert not library.transfer.import_next(arrival)
    with closing(Library.open(path, clock)) as library:
        assert _nothing_is_seen(library)
        assert library.trash.purge(0) == ()
        assert b"secret" in path.read_bytes()
        library.trash.discard_import()
    assert not any(b"secret" in file.read_bytes() for file in path.parent.rglob("*") if file.is_file())


def test_a_failed_import_leaves_nothing(library: Library, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the last file cannot be stored, earlier portions are erased at once, and the import can be repeated."""
    file = ArchivedAttachment("notes.txt", "text/plain", b"secret notes")
    archive = _archive(250, words="secret", files=(file,))
    with monkeypatch.context() as broken:
        broken.setattr(Folder, "keep", raising(OSError(errno.ENOSPC, "No space left on device")))
        with reported(Problem.DISK_FULL):
            import_all(library, archive)
    assert not any(b"secret" in file.read_bytes() for file in path.parent.rglob("*") if file.is_file())
    (added,) = import_all(library, archive)
    assert library.messages.branch(added)[-1].attachments[0].name == "notes.txt"


def test_an_import_leaves_room_to_be_erased(library: Library, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that an import has filled could not take its removal either, and nothing else. Erasing takes as much room
    as storing.
    """
    usage, free = shutil.disk_usage(path.parent), iter([200_000_000, 140_000_000, 130_000_000])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=next(free)))
    arrival = ArchiveImport(_archive(250, words="secret"))
    for _ in range(2):
        assert not library.transfer.import_next(arrival)
    with pytest.raises(NoRoomForImport, match="Nothing was added"):
        library.transfer.import_next(arrival)
    assert _nothing_is_seen(library)
    assert not any(b"secret" in file.read_bytes() for file in path.parent.rglob("*") if file.is_file())


def test_an_import_does_not_continue_in_another_library(library: Library, tmp_path: Path) -> None:
    """If the library was replaced meanwhile, the import fails and adds nothing."""
    arrival = ArchiveImport(_archive(250))
    while not arrival.done:
        assert not library.transfer.import_next(arrival)
    with closing(Library.open(tmp_path / "other" / "library.sqlite")) as other:
        with pytest.raises(NoSuchConversation, match="Nothing was added"):
            other.transfer.import_next(arrival)
        assert _nothing_is_seen(other)


def test_labels_of_any_length_are_cut(library: Library) -> None:
    """A title of 8 MB held the window up in each frame, and at each start. The words of the messages are all kept."""
    long = "word " * 100_000
    file = ArchivedAttachment(long, "text/plain", b"content")
    said = ArchivedMessage("1", None, "assistant", long, model=long, error=long, attachments=(file,))
    tags = (long, *map(str, range(10_000)))
    chat = ArchivedConversation(long, (said,), leaf="1", system=long, folder=long, tags=tags, model=long)
    (chat_id,) = import_all(library, Archive((chat,)))
    (shown,) = library.conversations.listed()
    message = library.messages.branch(chat_id)[-1]
    assert message.content == long
    assert library.conversations.get(chat_id).system == long[:LONGEST_FIELD]
    labels = (shown.title, shown.folder, *shown.tags, message.model, message.error, message.attachments[0].name)
    assert max(map(len, labels)) == LONGEST_LABEL
    assert len(shown.tags) == 100
