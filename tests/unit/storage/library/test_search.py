"""Search over titles and messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.fakes.library import end, say

if TYPE_CHECKING:
    from storage.library.store import Library


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("harbour", True),
        ("HARB", True),
        ("bright lamp", True),
        ("lamp bright", True),
        ("cafe", True),
        ("Voyage", True),
        ("red", True),
        ('say "now"', True),
        ("*", False),
        ('"', True),
        ("NEAR(", False),
        ("NOT harbour OR", False),
        ("title_search:", False),
        ("-lamp", True),
        ("lamp*", True),
        ("🕯", True),
        ("🕯 lamp", True),
        ("mountain", False),
        ("\ud800", False),
        ("a\0b", False),
    ],
)
def test_search_finds_words_and_survives_any_text(library: Library, words: str, found: bool) -> None:  # noqa: FBT001 - a table's column
    """Titles and all branches are searched, without case and accents; no sign is an operator and none is an error."""
    chat = library.create("Voyage").id
    library.create("Other")
    say(library, chat, 'the café at the harbour, say "now"', "red")
    end(library, library.begin_alternatives(chat, library.branch(chat)[0].id, 1, "m")[0], "a bright 🕯 lamp", "done")
    assert [row.id for row in library.conversations(words)] == ([chat] if found else [])


def test_search_follows_every_change(library: Library) -> None:
    """Old titles and deleted conversations are no longer found; a reply is found when it ends, however it ends."""
    chat = library.create("Oldname").id
    library.rename(chat, "Newname")
    reply = library.begin_turn(chat, "q", "m").reply
    library.save_progress(reply.id, "zebra")
    assert (library.conversations("oldname"), library.conversations("zebra")) == ((), ())
    library.interrupt_open()
    assert len(library.conversations("zebra")) == 1
    library.reopen(reply.id)
    end(library, reply, "giraffe", "stopped")
    assert (library.conversations("zebra"), len(library.conversations("giraffe"))) == ((), 1)
    library.delete(chat)
    assert library.conversations("newname") == library.conversations("giraffe") == ()
