"""Pins, folders, tags and other settings of a conversation."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from storage.library.library import Library
from storage.library.rows import Switches
from tests.fakes.library import Clock, say


def test_labels_are_kept_and_listed(library: Library, path: Path, clock: Clock) -> None:
    """Labels are in the conversation and in the list, also after reopening; a new chat has no labels. A pinned chat
    stands above newer ones until it is unpinned; no label counts as use.
    """
    chat, plain, new = (library.conversations.create(title).id for title in ("Labelled", "Plain", "New"))
    library.labels.set_pinned(chat, pinned=True)
    library.labels.set_folder(chat, folder="  Summer \n plans ")
    library.labels.set_tags(chat, ["ideas", " two  words ", "Ideas", "", "li\nne"])
    library.labels.switch(chat, cached=False)
    with closing(Library.open(path, clock)) as again:
        kept, line = again.conversations.get(chat), again.conversations.listed()[0]
        for one in (kept, line):
            assert (one.pinned, one.folder, one.switches.cached) == (True, "Summer plans", False)
            assert one.tags == ("ideas", "two words", "li ne")
        other = again.conversations.get(plain)
        assert (other.pinned, other.folder, other.tags, other.switches.cached) == (False, "", (), True)
    assert [row.id for row in library.conversations.listed()] == [chat, new, plain]
    library.labels.set_pinned(chat, pinned=False)
    assert [row.id for row in library.conversations.listed()] == [new, plain, chat]
    assert library.conversations.create(switches=Switches(cached=False)).switches.cached is False


def test_folders_are_those_with_a_chat(library: Library) -> None:
    """A folder appears with its first listed chat and disappears with its last; folders are sorted by name."""
    chats = [library.conversations.create().id for _ in range(3)]
    for chat, name in zip(chats, ("work", "Alps", "work"), strict=True):
        library.labels.set_folder(chat, folder=name)
    assert library.labels.folders() == ("Alps", "work")
    library.labels.set_folder(chats[0], folder="")
    assert library.labels.folders() == ("Alps", "work")
    library.trash.add(chats[2])
    assert library.labels.folders() == ("Alps",)
    library.trash.restore(chats[2])
    assert library.labels.folders() == ("Alps", "work")


def test_a_chat_has_a_model_once_it_has_a_message(library: Library) -> None:
    """Until then the model that the window uses answers it. A deleted chat is not listed."""
    chat, empty, deleted = (library.conversations.create(model="m1").id for _ in range(3))
    say(library, chat, "Hello", "Hi")
    library.trash.add(deleted)
    library.labels.set_model(chat, "m2")
    assert library.conversations.models() == {chat: "m2", empty: ""}
