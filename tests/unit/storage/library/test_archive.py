"""The shape of exported conversations, and moving whole conversations from one library to another."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.library import archive as archives
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.library import Library
from storage.library.rows import LATEST, ArchivedAttachment
from tests.fakes.archives import archives as any_archive
from tests.fakes.archives import renamed
from tests.fakes.library import Clock, attach, end, import_all, save, say, texts


@given(any_archive())
def test_an_import_is_exported_unchanged(archive: Archive) -> None:
    """Every field, branch and attachment is exported as imported, under new ids. No chat is of days to come."""
    with closing(Library.in_memory(lambda: LATEST)) as library:
        made = import_all(library, archive)
        assert renamed(library.transfer.export()) == renamed(archive)
        assert len(set(made)) == len(archive.conversations)
        assert {one.id for one in library.conversations.listed()} == set(made)


def test_an_export_has_all_branches(library: Library) -> None:
    """Edited messages and all alternatives are exported; deleted, unknown and unrequested conversations are not."""
    chat = library.conversations.create(title="Kept", system="Be brief.").id
    say(library, chat, "one", "two")
    library.messages.edit(chat, library.messages.branch(chat)[0].id, "three", "model")
    library.conversations.create(title="Other")
    gone = library.conversations.create(title="Gone").id
    library.trash.add(gone)
    (kept,) = library.transfer.export((chat, gone, "nobody")).conversations
    assert sorted(said.content for said in kept.messages) == ["", "one", "three", "two"]
    assert (kept.title, kept.system) == ("Kept", "Be brief.")
    assert {one.title for one in library.transfer.export().conversations} == {"Kept", "Other"}


def test_an_open_reply_is_exported_as_stopped(library: Library) -> None:
    """The copy of an open reply is closed."""
    chat = library.conversations.create(title="Now").id
    save(library, library.messages.begin_turn(chat, "hi", "model").reply, "so far")
    (kept,) = library.transfer.export((chat,)).conversations
    assert [said.state for said in kept.messages] == ["done", "stopped"]
    open_still = replace(kept, messages=tuple(replace(said, state="open") for said in kept.messages))
    (copy,) = import_all(library, Archive((open_still,)))
    assert {said.state for said in library.messages.branch(copy)} == {"interrupted"}


def test_a_contradictory_archive_keeps_all_messages(library: Library) -> None:
    """Unknown parents, cycles and impossible dates may change the order, but lose no message; of duplicates the first
    counts.
    """
    messages = (
        ArchivedMessage("a", "nowhere", "user", "first", created=-5),
        ArchivedMessage("b", "c", "user", "second", created=10**30),
        ArchivedMessage("c", "b", "assistant", "third"),
        ArchivedMessage("a", None, "user", "a double"),
    )
    (made,) = import_all(library, Archive((ArchivedConversation("Odd", messages, leaf="b", updated=10**30),)))
    assert texts(library, made) == ["third", "second"]
    (kept,) = library.transfer.export().conversations
    assert sorted(said.content for said in kept.messages) == ["first", "second", "third"]
    assert all(0 <= said.created < 10**15 for said in kept.messages)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 12)), max_size=12))
def test_parents_always_come_first(links: list[tuple[int, int]]) -> None:
    """Whatever the links are, each id comes once, and after its parent if the parent exists."""
    found = tuple(ArchivedMessage(str(one), str(parent), "user", "") for one, parent in links)
    known, came = {said.id for said in found}, set()
    for said in archives.parents_first(found):
        assert said.id not in came
        assert said.parent is None or said.parent in came or said.parent not in known
        came.add(said.id)
    assert came == known


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Library]:
    with closing(Library.open(tmp_path / "other" / "library.sqlite", Clock())) as opened:
        yield opened


def _filled(library: Library, tmp_path: Path) -> str:
    tmp_path.joinpath("notes.txt").write_text("what is in it")
    chat = library.conversations.create("Filled").id
    attach(library, chat, tmp_path / "notes.txt")
    say(library, chat, "read this", "done")
    end(library, library.messages.begin_alternatives(chat, library.messages.branch(chat)[0].id, 1, "m")[0], "otherwise")
    return chat


def test_a_conversation_comes_over_with_its_files(library: Library, other: Library, tmp_path: Path) -> None:
    """All branches and files are copied, and do not need the library that they come from. A lost file is left out."""
    chat = _filled(library, tmp_path)
    archive = library.transfer.export()
    (added,) = import_all(other, archive)
    path = library.messages.branch(chat)[0].attachments[0].path
    assert path is not None
    path.unlink()
    (taken,) = library.transfer.export([chat]).conversations
    assert [one.attachments for one in taken.messages] == [(), (), ()]
    library.trash.erase(chat)
    question, reply = other.messages.branch(added)
    assert (question.content, reply.content, reply.places) == ("read this", "otherwise", 2)
    (file,) = question.attachments
    assert (file.name, file.text, other.attachments.text_of(file.id)) == ("notes.txt", True, "what is in it")
    (back,) = other.transfer.export().conversations
    assert [one.attachments for one in back.messages] == [one.attachments for one in archive.conversations[0].messages]


def test_a_file_name_is_no_path(other: Library, tmp_path: Path) -> None:
    """A file name in an archive is only shown, never used as a path. A file keeps its type: that of a folder has the
    numbers of its files. What cannot be stored of either is replaced.
    """
    hostile = ArchivedAttachment("../../../evil.sh\ud800", "inode/directory; files=12\ud800", b"#!")
    said = ArchivedMessage("1", None, "user", "read this", attachments=(hostile,))
    (added,) = import_all(other, Archive((ArchivedConversation("Odd", (said,), leaf="1"),)))
    (file,) = other.messages.branch(added)[0].attachments
    assert file.name == "evil.sh\N{REPLACEMENT CHARACTER}"
    assert file.path is not None
    assert file.path.is_relative_to(tmp_path / "other" / "attachments")
    (kept,) = other.transfer.export([added]).conversations
    assert kept.messages[0].attachments[0].media == "inode/directory; files=12\N{REPLACEMENT CHARACTER}"
