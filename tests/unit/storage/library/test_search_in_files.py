"""Search in the text of attached files."""

from __future__ import annotations

import pytest

from storage import searchable
from storage.library import search
from storage.library.library import Library
from tests.fakes.library import say

TEXT = "The quarterly ledger names a Pangolin,\nand the café at the harbour.\n"


def attached(library: Library, text: bytes = TEXT.encode(), name: str = "notes.md") -> tuple[str, str]:
    """A chat with a file in its first message, and the id of that message."""
    chat = library.conversations.create("Chat").id
    library.attachments.add(chat, name, text)
    say(library, chat, "What is in it?", "A report.")
    return chat, library.messages.branch(chat)[0].id


def test_words_of_attached_text_are_found(library: Library) -> None:
    """All words in one file, the last one as a prefix, and phrases; accents and case make no difference."""
    chat, _ = attached(library)
    found = ("pangolin", "cafe harb", '"quarterly ledger"')
    missed = ('"ledger quarterly"', "pangolin report", "angolin", "it's", "🕯")
    for typed in (*found, *missed):
        assert [row.id for row in library.search.find(typed)] == ([chat] if typed in found else []), typed


def test_a_hit_leads_to_the_message_of_its_file(library: Library) -> None:
    """It shows the place in the file after the file's name. No words are to be marked in the text of the message."""
    _, message = attached(library)
    (row,) = library.search.find("pangolin")
    assert (row.hit, row.terms) == (message, ())
    assert row.snippet == "notes.md: a Pangolin, and the café at the harbour."
    assert [row.snippet[start:end] for start, end in row.marks] == ["Pangolin"]
    (row,) = library.search.find("harbour the")
    assert row.snippet == "notes.md: The quarterly ledger names a Pangolin, and the café at the harbour."
    assert [row.snippet[start:end] for start, end in row.marks] == ["The", "the", "the", "harbour"]


def test_a_word_of_the_conversation_comes_before_one_of_a_file(library: Library) -> None:
    """People search mostly for what was said."""
    filed, _ = attached(library)
    said = library.conversations.create("Other").id
    say(library, said, "What is a pangolin?", "An animal.")
    assert [row.id for row in library.search.find("pangolin")] == [said, filed]


def test_only_files_of_messages_are_found(library: Library) -> None:
    """Not those of a draft, nor of a deleted chat; a fork has the words too."""
    draft = library.conversations.create("Draft").id
    library.attachments.add(draft, "notes.md", TEXT.encode())
    assert library.search.find("pangolin") == ()
    chat, message = attached(library)
    fork = library.messages.fork(chat, message).id
    assert {row.id for row in library.search.find("pangolin")} == {chat, fork}
    library.trash.add(chat)
    assert {row.id for row in library.search.find("pangolin")} == {fork}


def test_a_file_with_too_many_words_is_indexed_in_part(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of numbers must not make the library large: its first words are found. Words that are too long to be
    typed are left out.
    """
    monkeypatch.setattr(searchable, "_MOST_WORDS", 2)
    assert searchable.words_in(b"two one two " + b"x" * 50 + b" a third") == "one two"
    attached(library, b"1 2 3")
    assert [len(library.search.find(word)) for word in "123"] == [1, 1, 0]


def test_words_are_found_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A portion ends with a word, so no word is cut into two."""
    monkeypatch.setattr(searchable, "_PORTION", 8)
    assert searchable.words_in("Wörter, in\nvielen Zeilen".encode()) == "in vielen worter zeilen"
    assert searchable.words_in(b"") == ""


def test_a_long_file_is_found_without_its_text(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """Search runs while the user types, so it reads only a few short files. The name of the file is shown."""
    monkeypatch.setattr(search, "_LARGEST_READ", 10)
    attached(library)
    (row,) = library.search.find("pangolin")
    assert (row.snippet, row.marks) == ("notes.md", ())
    assert library.search.find('"quarterly ledger"') == ()
