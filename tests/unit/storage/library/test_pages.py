"""Pages of a branch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from storage.database import Database
from storage.library.library import Library
from storage.library.rows import Message, Page
from tests.fakes.library import attach, end, say, write
from tests.fakes.steps import steps


def _light(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    return tuple(replace(one, ledger="") for one in messages)


def test_pages_make_up_the_branch(library: Library, chat: str) -> None:
    """Pages from the end to the start are the branch without ledgers, each message once, with its place.
    The page of an empty chat and the one before the first message are empty.
    """
    assert library.messages.page(chat, None, 60) == Page((), earlier=False)
    for number in range(4):
        say(library, chat, f"q{number}", f"a{number}")
    question = library.messages.branch(chat)[2].id
    end(library, library.messages.begin_alternatives(chat, question, 1, "m")[0], "other", ledger="[1]")
    say(library, chat, "more", "words")
    library.messages.edit(chat, library.messages.branch(chat)[0].id, "begin anew", "m")
    library.messages.step(chat, library.messages.branch(chat)[0].id, -1)
    whole = _light(library.messages.branch(chat))
    assert [(one.place, one.places) for one in whole] == [(1, 2), (1, 1), (1, 1), (2, 2), (1, 1), (1, 1)]
    for count in (1, 2, 3, 7, 8, 60):
        read: tuple[Message, ...] = ()
        earlier = True
        while earlier:
            page = library.messages.page(chat, read[0].id if read else None, count)
            assert len(page.messages) == min(count, len(whole) - len(read))
            read, earlier = page.messages + read, page.earlier
        assert read == whole
        assert library.messages.page(chat, read[0].id, count) == Page((), earlier=False)


def test_a_lost_leaf_or_a_cycle_still_gives_a_page(library: Library, chat: str, database: Database) -> None:
    """Damaged links shorten the page and never hang or fail. Nor does a step among them."""
    say(library, chat, "one", "1")
    last = say(library, chat, "two", "2")
    database.raw.execute("UPDATE conversation SET leaf = 'lost'")
    assert [one.content for one in library.messages.page(chat, None, 60).messages] == ["one", "1", "two", "2"]
    database.raw.execute("UPDATE message SET parent = ? WHERE content = 'one'", (last,))
    assert sorted(one.content for one in library.messages.page(chat, None, 60).messages) == ["1", "2", "one", "two"]
    library.messages.step(chat, last, 1)
    assert library.messages.branch(chat)[-1].id == last
    database.raw.execute("PRAGMA foreign_keys = OFF")
    database.raw.execute("UPDATE message SET parent = 'lost' WHERE content = 'two'")
    assert library.messages.page(chat, None, 60).messages[-1].content == "2"


def test_the_length_of_a_chat_is_that_of_its_branch(library: Library, chat: str, tmp_path: Path) -> None:
    """With the reasoning and the text files of its messages, and without other branches and the draft."""
    assert not library.messages.is_longer(chat, 0, 0)
    (tmp_path / "a.txt").write_text("12345")
    (tmp_path / "a.bin").write_bytes(bytes(99))
    attach(library, chat, tmp_path / "a.txt")
    attach(library, chat, tmp_path / "a.bin")
    say(library, chat, "é", "ab")
    attach(library, chat, tmp_path / "a.txt")
    first, reply = library.messages.branch(chat)
    library.messages.reopen(reply.id)
    end(library, replace(reply, reasoning="cde"), "ab")
    for messages, chars, longer in ((2, 11, False), (1, 11, True), (2, 10, True)):
        assert library.messages.is_longer(chat, messages, chars) is longer
    library.messages.edit(chat, first.id, "x" * 99, "m")
    assert library.messages.is_longer(chat, 2, 98)
    library.messages.step(chat, library.messages.branch(chat)[0].id, -1)
    assert not library.messages.is_longer(chat, 2, 11)


def test_the_cost_of_a_page_does_not_grow_with_the_chat(library: Library, database: Database) -> None:
    """A page or a turn in a chat of 5,000 messages costs the same as in one of 200."""
    for chat, length in (("long", 5000), ("short", 200)):
        write(database, {chat: [f"words {number}" for number in range(length)]}, ledger="9," * 500)
    acts: dict[str, Callable[[str], object]] = {
        "whole": library.messages.branch,
        "last": lambda chat: library.messages.page(chat, None, 60),
        "middle": lambda chat: library.messages.page(chat, f"{chat}150", 60),
        "first": lambda chat: library.messages.page(chat, f"{chat}30", 60),
        "length": lambda chat: library.messages.is_longer(chat, 60, 1000),
        "turn": lambda chat: library.messages.begin_turn(chat, "next", "m"),
    }
    for name, act in acts.items():
        long, short = (steps(database, partial(act, chat)) for chat in ("long", "short"))
        assert long > 10 * short if name == "whole" else long <= 1.5 * short + 20, name
