"""Importing chats that are here already."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial

import pytest
from hypothesis import given

from storage.database import Database
from storage.errors import DamagedDatabase
from storage.library import archive as archives
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.archive_import import ArchiveImport
from storage.library.library import Library
from storage.library.rows import ArchivedAttachment
from tests.fakes.archives import archives as any_archive
from tests.fakes.library import end, import_all, say, texts
from tests.fakes.problems import raising
from tests.fakes.steps import steps

NOTES = ArchivedAttachment("notes.txt", "text/plain", b"of the heron")


def _said(*words: str, begun: int = 1000) -> tuple[ArchivedMessage, ...]:
    """A branch of these messages, one every second."""
    return tuple(
        ArchivedMessage(
            str(at), str(at - 1) if at else None, "assistant" if at % 2 else "user", text, created=begun + 1000 * at
        )
        for at, text in enumerate(words)
    )


def _chat(*words: str, begun: int = 1000) -> ArchivedConversation:
    return ArchivedConversation("Herons", _said(*words, begun=begun), created=begun, updated=begun)


HERONS = _chat("What is a heron?", "A bird.", "A large one?", "Yes.")


def _finish(library: Library, running: ArchiveImport) -> ArchiveImport:
    while not library.transfer.import_next(running):
        pass
    return running


def _compared(library: Library, *chats: ArchivedConversation) -> ArchiveImport:
    """An import of these chats up to its first portion."""
    running = ArchiveImport(Archive(chats))
    while not (running.ids or running.here):
        assert not library.transfer.import_next(running)
    return running


def _import(library: Library, *chats: ArchivedConversation) -> ArchiveImport:
    return _finish(library, ArchiveImport(Archive(chats)))


def _brought(library: Library, *chats: ArchivedConversation) -> tuple[int, int]:
    """How many chats an import adds, and how many are here."""
    done = _import(library, *chats)
    return len(done.ids), len(done.here)


@given(any_archive())
def test_a_second_import_adds_nothing(archive: Archive) -> None:
    """Whatever the chats are, all are added once; then all are here. Those of one file are not compared with each
    other.
    """
    both = (*archive.conversations, *archive.conversations)
    with closing(Library.in_memory()) as library:
        assert _brought(library, *both) == (len(both), 0)
        assert _brought(library, *both) == (0, len(both))
        assert _brought(library, *library.transfer.export().conversations) == (0, len(both))
        assert len(library.conversations.listed()) == len(both)


def test_a_chat_with_a_life_of_its_own_is_still_here(library: Library) -> None:
    """A chat that was continued, answered anew, asked otherwise, renamed, tagged, pinned and filed has all that was
    imported.
    """
    (chat,) = _import(library, HERONS).ids
    say(library, chat, "More.", "It fishes.")
    first = library.messages.branch(chat)[0].id
    end(library, library.messages.begin_alternatives(chat, first, 1, "m")[0], "A long bird.")
    end(library, library.messages.edit(chat, first, "What is an egret?", "m").reply, "A white heron.")
    library.labels.rename(chat, "Birds")
    library.labels.set_system(chat, "Be brief.")
    library.labels.set_tags(chat, ("birds",))
    library.labels.set_folder(chat, folder="Nature")
    library.labels.set_pinned(chat, pinned=True)
    done = _import(library, HERONS)
    assert (done.ids, done.here) == ((), (chat,))


def _continue(library: Library, chat: str) -> None:
    end(library, library.messages.reopen(library.messages.branch(chat)[-1].id), "Yes. As tall as a child.")


@pytest.mark.parametrize(
    "change",
    [
        lambda library, chat: library.turns.remove(chat, library.messages.branch(chat)[0].id),
        _continue,
        lambda library, chat: library.trash.add(chat),
    ],
    ids=["without a turn", "continued", "deleted"],
)
def test_a_chat_that_has_lost_what_was_imported_is_imported(
    library: Library, change: Callable[[Library, str], object]
) -> None:
    """A turn of it was removed, a reply has other words, or it is in Recently Deleted. The chat that is here stays as
    it is.
    """
    (chat,) = _import(library, HERONS).ids
    change(library, chat)
    before = library.transfer.export(), library.trash.listed()
    done = _import(library, HERONS)
    assert done.here == ()
    assert [texts(library, one) for one in done.ids] == [[said.content for said in HERONS.messages]]
    assert (library.transfer.export((chat,)), library.trash.listed()) == before


def test_a_chat_that_grew_elsewhere_is_imported_whole(library: Library) -> None:
    """What is here stays, and what is longer becomes a chat of its own. The next import finds that one."""
    (chat,) = _import(library, HERONS).ids
    grown = _chat("What is a heron?", "A bird.", "A large one?", "Yes.", "How large?", "A metre.")
    done = _import(library, grown)
    assert [texts(library, one) for one in done.ids] == [[said.content for said in grown.messages]]
    assert len(texts(library, chat)) == 4
    assert _import(library, HERONS, grown).here == (chat, *done.ids)


def test_a_chat_deleted_during_the_import_is_imported(library: Library) -> None:
    """At the end of an import each chat of the file is listed, though one that was found has been deleted meanwhile."""
    (chat,) = _import(library, HERONS).ids
    running = _compared(library, HERONS, _chat("Other"))
    library.trash.add(chat)
    _finish(library, running)
    assert (running.here, running.done, running.count) == ((), 5, 5)
    assert {tuple(texts(library, one)) for one in running.ids} == {
        tuple(said.content for said in HERONS.messages),
        ("Other",),
    }


def test_an_import_that_is_not_complete_does_not_count(library: Library) -> None:
    """Chats of an import that is cut short would never be listed."""
    unfinished = ArchiveImport(Archive((HERONS,)))
    while not unfinished.done:
        assert not library.transfer.import_next(unfinished)
    assert _brought(library, HERONS) == (1, 0)


@pytest.mark.parametrize(
    "other",
    [
        _chat("What is a heron?", "A bird.", "A large one?", "No."),
        _chat("What is a heron?", "A bird.", "A large one?", "Yes.", begun=2000),
        _chat("What is a heron?", "A bird."),
        replace(HERONS, messages=(*HERONS.messages[:3], replace(HERONS.messages[3], parent="0"))),
        replace(HERONS, messages=(*HERONS.messages[:3], replace(HERONS.messages[3], reasoning="A metre."))),
        replace(HERONS, messages=(*HERONS.messages[:3], replace(HERONS.messages[3], tool_calls="[1]"))),
        replace(HERONS, messages=(*HERONS.messages[:3], replace(HERONS.messages[3], role="tool"))),
        replace(HERONS, messages=(*HERONS.messages[:3], replace(HERONS.messages[3], attachments=(NOTES,)))),
    ],
    ids=["words", "time", "shorter", "place", "reasoning", "tool", "role", "file"],
)
def test_chats_that_begin_alike_are_both_kept(library: Library, other: ArchivedConversation) -> None:
    """Every part of a message counts: its words, time, place, role and files."""
    assert _brought(library, other) == (1, 0)
    assert _brought(library, HERONS) == (1, 0)
    assert _brought(library, other, HERONS) == (0, 2)


def test_equal_alternatives_are_counted(library: Library) -> None:
    """Two equal replies are not here if there is one."""
    twice = replace(HERONS, messages=(*HERONS.messages[:2], replace(HERONS.messages[1], id="again")))
    _import(library, replace(twice, messages=twice.messages[:2]))
    assert _brought(library, twice) == (1, 0)
    assert _brought(library, twice) == (0, 1)


def test_a_chat_whose_file_is_lost_is_imported(library: Library) -> None:
    """The library's copy of the file is gone, so the chat is not wholly here. Its import brings the file back."""
    chat = replace(HERONS, messages=(replace(HERONS.messages[0], attachments=(NOTES,)), *HERONS.messages[1:]))
    (first,) = _import(library, chat).ids
    path = library.messages.branch(first)[0].attachments[0].path
    assert path is not None
    path.unlink()
    assert _brought(library, chat) == (1, 0)
    assert path.read_bytes() == NOTES.data
    assert _brought(library, chat) == (0, 1)


def test_a_chat_without_messages_is_known_by_its_time_and_instructions(library: Library) -> None:
    """It is here also if it has been written in since."""
    blank = ArchivedConversation("", system="Be brief.", created=5000)
    (chat,) = _import(library, blank).ids
    say(library, chat, "Hello", "Hi.")
    assert _import(library, blank).here == (chat,)
    assert _brought(library, replace(blank, created=6000), replace(blank, system="")) == (2, 0)


def test_all_is_imported_again_on_demand(library: Library) -> None:
    """Nothing is compared."""
    _import(library, HERONS)
    assert len(import_all(library, Archive((HERONS,)))) == 1
    assert len(library.conversations.listed()) == 2


def test_a_failed_comparison_adds_nothing(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """The import can be repeated, and then finds what is here."""
    _import(library, HERONS)
    with monkeypatch.context() as broken:
        broken.setattr(archives, "messages", raising(DamagedDatabase("unreadable")))
        with pytest.raises(DamagedDatabase):
            _import(library, HERONS, _chat("Other"))
    assert len(library.conversations.listed()) == 1
    assert _brought(library, HERONS, _chat("Other")) == (1, 1)


def test_the_chats_of_a_replaced_library_are_not_here(library: Library) -> None:
    """If another library takes this one's place after the comparison, the chats are added to it."""
    _import(library, HERONS)
    running = _compared(library, HERONS)
    with closing(Library.in_memory()) as other:
        _finish(other, running)
        assert [texts(other, one) for one in running.ids] == [[said.content for said in HERONS.messages]]


def test_the_library_is_read_once_for_all_chats(library: Library, database: Database) -> None:
    """The cost for new chats does not grow with their number times the chats that are here."""
    import_all(library, Archive(tuple(_chat("Hi", f"{at}", begun=at * 10_000) for at in range(300))))
    few, many = (tuple(_chat("Hi", begun=at * 10_000 + 1) for at in range(count)) for count in (1, 200))
    assert steps(database, partial(_compared, library, *many)) < 3 * steps(database, partial(_compared, library, *few))


def test_many_equal_chats_are_compared_in_portions(library: Library) -> None:
    """Between two portions another job can run. Each conversation is read once."""
    chats = tuple(_chat("Hi", *map(str, range(98)), f"end {at}") for at in range(40))
    import_all(library, Archive(chats))
    running, portions = ArchiveImport(Archive(chats)), 1
    while not library.transfer.import_next(running):
        portions += 1
    assert (running.ids, len(running.here)) == ((), 40)
    assert portions > 4
