"""The shape of exported conversations."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.errors import StorageError
from storage.library import archive as archives
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.files import Folder
from storage.library.library import Library
from storage.library.rows import ArchivedAttachment
from tests.fakes.archives import archives as any_archive
from tests.fakes.archives import renamed
from tests.fakes.library import import_all, say, texts


@given(any_archive())
def test_an_import_is_exported_unchanged(archive: Archive) -> None:
    """Every field, branch and attachment is exported as imported, under new ids."""
    with closing(Library.in_memory()) as library:
        made = import_all(library, archive)
        assert renamed(library.transfer.export()) == renamed(archive)
        assert len(set(made)) == len(archive.conversations)
        assert {one.id for one in library.conversations.listed()} == set(made)


def test_an_export_has_all_branches(library: Library) -> None:
    """Edited messages and all alternatives are exported; deleted and unrequested conversations are not."""
    chat = library.conversations.create(title="Kept", system="Be brief.").id
    say(library, chat, "one", "two")
    library.messages.edit(chat, library.messages.branch(chat)[0].id, "three", "model")
    other, gone = library.conversations.create(title="Other").id, library.conversations.create(title="Gone").id
    library.trash.add(gone)
    (kept,) = library.transfer.export((chat, gone)).conversations
    assert sorted(said.content for said in kept.messages) == ["", "one", "three", "two"]
    assert (kept.title, kept.system) == ("Kept", "Be brief.")
    assert {one.title for one in library.transfer.export().conversations} == {"Kept", "Other"}
    assert library.conversations.get(other)


def test_an_open_reply_is_exported_as_stopped(library: Library) -> None:
    """The copy of an open reply is closed."""
    chat = library.conversations.create(title="Now").id
    library.messages.save_progress(library.messages.begin_turn(chat, "hi", "model").reply.id, "so far")
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


def test_nothing_is_added_in_part(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the last file of the last chat cannot be stored, no chat is added."""
    attached = ArchivedMessage("a", None, "user", "x", attachments=(ArchivedAttachment("f.txt", "text/plain", b"x"),))
    both = Archive((ArchivedConversation("One"), ArchivedConversation("Two", (attached,))))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Folder, "keep", full)
    with pytest.raises(StorageError):
        import_all(library, both)
    assert library.conversations.listed() == ()


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
