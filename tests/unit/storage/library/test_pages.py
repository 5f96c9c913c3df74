"""Pages of a branch."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest

from storage.library.rows import Page
from tests.fakes.library import end, say
from tests.fakes.steps import steps

if TYPE_CHECKING:
    from storage.database import Database
    from storage.library.library import Library
    from storage.library.rows import Message


def _light(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    return tuple(replace(one, ledger="") for one in messages)


def _long(library: Library, database: Database, turns: int) -> str:
    """A chat of this many turns, written in one transaction."""
    chat = library.conversations.create(f"{turns} turns").id
    with database.transaction() as connection:
        for number in range(2 * turns):
            connection.exec_driver_sql(
                "INSERT INTO message (id, conversation, parent, role, state, content, usage, error, model, created,"
                " ledger) VALUES (?, ?, ?, ?, 'done', ?, '', '', '', 1, ?)",
                (
                    f"{chat}{number}",
                    chat,
                    f"{chat}{number - 1}" if number else None,
                    "assistant" if number % 2 else "user",
                    f"words {number}",
                    "9," * 500,
                ),
            )
        connection.exec_driver_sql("UPDATE conversation SET leaf = ? WHERE id = ?", (f"{chat}{2 * turns - 1}", chat))
    return chat


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 60])
def test_pages_make_up_the_branch(library: Library, count: int) -> None:
    """Pages from the end to the start are the branch without ledgers, each message once, with its place."""
    chat = library.conversations.create().id
    for number in range(4):
        say(library, chat, f"q{number}", f"a{number}")
    question = library.messages.branch(chat)[2].id
    end(library, library.messages.begin_alternatives(chat, question, 1, "m")[0], "other", ledger="[1]")
    say(library, chat, "more", "words")
    library.messages.edit(chat, library.messages.branch(chat)[0].id, "begin anew", "m")
    library.messages.step(chat, library.messages.branch(chat)[0].id, -1)
    whole = _light(library.messages.branch(chat))
    assert [(one.place, one.places) for one in whole] == [(1, 2), (1, 1), (1, 1), (2, 2), (1, 1), (1, 1)]
    read: tuple[Message, ...] = ()
    earlier = True
    while earlier:
        page = library.messages.page(chat, read[0].id if read else None, count)
        assert len(page.messages) == min(count, len(whole) - len(read))
        read, earlier = page.messages + read, page.earlier
    assert read == whole


def test_an_empty_chat_has_an_empty_page(library: Library) -> None:
    """The page before the first message is empty as well."""
    chat = library.conversations.create().id
    assert library.messages.page(chat, None, 60) == Page((), earlier=False)
    say(library, chat, "q", "a")
    assert library.messages.page(chat, library.messages.branch(chat)[0].id, 60) == Page((), earlier=False)


def test_a_lost_leaf_or_a_cycle_still_gives_a_page(library: Library, database: Database) -> None:
    """Damaged links shorten the page and never hang or fail."""
    chat = library.conversations.create().id
    say(library, chat, "one", "1")
    last = say(library, chat, "two", "2")
    database.raw.execute("UPDATE conversation SET leaf = 'lost'")
    assert [one.content for one in library.messages.page(chat, None, 60).messages] == ["one", "1", "two", "2"]
    database.raw.execute("UPDATE message SET parent = ? WHERE content = 'one'", (last,))
    assert sorted(one.content for one in library.messages.page(chat, None, 60).messages) == ["1", "2", "one", "two"]
    database.raw.execute("PRAGMA foreign_keys = OFF")
    database.raw.execute("UPDATE message SET parent = 'lost' WHERE content = 'two'")
    assert library.messages.page(chat, None, 60).messages[-1].content == "2"


def test_the_cost_of_a_page_does_not_grow_with_the_chat(library: Library, database: Database) -> None:
    """A page or a turn in a chat of 5,000 messages costs the same as in one of 200."""
    long, short = _long(library, database, 2500), _long(library, database, 100)
    assert steps(database, partial(_whole, library, long)) > 10 * steps(database, partial(_whole, library, short)), (
        "the measure sees what is read"
    )
    for act in (_last, _middle, _first, _turn):
        assert (
            steps(database, partial(act, library, long)) <= 1.5 * steps(database, partial(act, library, short)) + 20
        ), act


def _last(library: Library, chat: str) -> object:
    return library.messages.page(chat, None, 60)


def _middle(library: Library, chat: str) -> object:
    return library.messages.page(chat, f"{chat}150", 60)


def _first(library: Library, chat: str) -> object:
    return library.messages.page(chat, f"{chat}30", 60)


def _whole(library: Library, chat: str) -> object:
    return library.messages.branch(chat)


def _turn(library: Library, chat: str) -> object:
    return library.messages.begin_turn(chat, "next", "m")
