"""Pins, folders, tags and other settings of a conversation."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from storage.library.library import Library
from tests.fakes.library import say

if TYPE_CHECKING:
    from pathlib import Path

    from storage.database import Database
    from tests.fakes.library import Clock


def test_labels_are_kept_and_listed(library: Library, path: Path, clock: Clock) -> None:
    """Labels are in the conversation and in the list, also after reopening; a new chat has no labels."""
    plain, chat = library.conversations.create("Plain").id, library.conversations.create("Labelled").id
    library.labels.set_pinned(chat, pinned=True)
    library.labels.set_folder(chat, "  Summer \n plans ")
    library.labels.set_tags(chat, ["ideas", " two  words ", "Ideas", "", "li\nne"])
    library.labels.set_cached(chat, cached=False)
    with closing(Library.open(path, clock)) as again:
        kept, line = again.conversations.get(chat), again.conversations.listed()[0]
        for one in (kept, line):
            assert (one.pinned, one.folder, one.cached) == (True, "Summer plans", False)
            assert one.tags == ("ideas", "two words", "li ne")
        other = again.conversations.get(plain)
        assert (other.pinned, other.folder, other.tags, other.cached) == (False, "", (), True)
    assert library.conversations.create(cached=False).cached is False


def test_pinned_chats_stand_above_newer_ones(library: Library) -> None:
    """Pinned chats come first, each group newest first, until they are unpinned."""
    old, middle, new = (library.conversations.create(title).id for title in ("old", "middle", "new"))
    library.labels.set_pinned(old, pinned=True)
    assert [row.id for row in library.conversations.listed()] == [old, new, middle]
    library.labels.set_pinned(old, pinned=False)
    assert [row.id for row in library.conversations.listed()] == [new, middle, old]


def test_folders_are_those_with_a_chat(library: Library) -> None:
    """A folder appears with its first listed chat and disappears with its last; folders are sorted by name."""
    chats = [library.conversations.create().id for _ in range(3)]
    for chat, name in zip(chats, ("work", "Alps", "work"), strict=True):
        library.labels.set_folder(chat, name)
    assert library.labels.folders() == ("Alps", "work")
    library.labels.set_folder(chats[0], "")
    assert library.labels.folders() == ("Alps", "work")
    library.trash.add(chats[2])
    assert library.labels.folders() == ("Alps",)
    library.trash.restore(chats[2])
    assert library.labels.folders() == ("Alps", "work")


def test_a_label_does_not_count_as_use(library: Library) -> None:
    """Filing an old chat does not move it to the top of the list."""
    old, new = library.conversations.create("old").id, library.conversations.create("new").id
    library.labels.set_folder(old, "work")
    library.labels.set_tags(old, ["a"])
    library.labels.set_cached(old, cached=False)
    assert [row.id for row in library.conversations.listed()] == [new, old]


def test_a_fork_is_filed_like_its_origin_but_not_pinned(library: Library) -> None:
    """Folder, tags and caching are copied; the pin is not."""
    chat = library.conversations.create().id
    reply = say(library, chat, "a", "b")
    library.labels.set_pinned(chat, pinned=True)
    library.labels.set_folder(chat, "work")
    library.labels.set_tags(chat, ["x", "y"])
    library.labels.set_cached(chat, cached=False)
    made = library.messages.fork(chat, reply)
    assert (made.pinned, made.folder, made.tags, made.cached) == (False, "work", ("x", "y"), False)


def test_odd_labels_never_hide_a_conversation(library: Library, database: Database) -> None:
    """Values of a wrong type become readable ones."""
    chat = library.conversations.create("Odd").id
    database.raw.execute("UPDATE conversation SET pinned = 'yes', folder = x'616c', tags = 7, cached = 'no'")
    kept = library.conversations.get(chat)
    assert (kept.pinned, kept.folder, kept.tags, kept.cached) == (True, "al", ("7",), True)
    assert library.conversations.listed()[0].folder == "al"
    assert library.labels.folders() == ("al",)


def test_a_chat_has_a_model_once_it_has_a_message(library: Library) -> None:
    """Until then the model that the window uses answers it. A deleted chat is not listed."""
    chat, empty, deleted = (library.conversations.create(model="m1").id for _ in range(3))
    say(library, chat, "Hello", "Hi")
    library.trash.add(deleted)
    library.labels.set_model(chat, "m2")
    assert library.conversations.models() == {chat: "m2", empty: ""}
