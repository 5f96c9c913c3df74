"""Rescued rows form whole conversations again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from storage.database import Database
from storage.library.schema import SCHEMA
from storage.recovery.salvage import ENTRIES, LOST, repair_orphans


@pytest.fixture
def raw() -> Iterator[sqlite3.Connection]:
    with closing(Database.in_memory(SCHEMA)) as database:
        database.raw.execute("PRAGMA foreign_keys = OFF")
        database.raw.execute(ENTRIES)
        yield database.raw


def _say(raw: sqlite3.Connection, number: int, parent: int | None, role: str, chat: str = "chat") -> None:
    raw.execute(
        """INSERT INTO message (number, id, conversation, parent, role, state, content, usage, error, model, created)
            VALUES (?, ?, ?, ?, ?, 'done', ?, '', '', '', ?)""",
        (number, f"m{number}", chat, f"m{parent}" if parent else None, role, f"words {number}", number * 10),
    )


def _chat(raw: sqlite3.Connection, leaf: str | None = None) -> None:
    raw.execute(
        """INSERT INTO conversation (id, title, titled, system, preset, model, created, updated, leaf, draft)
            VALUES ('chat', 'Chat', 1, '', '', '', 5, 5, ?, '')""",
        (leaf,),
    )


def _rows(raw: sqlite3.Connection, columns: str) -> list[tuple[object, ...]]:
    return raw.execute(f"SELECT {columns} FROM message ORDER BY number").fetchall()


@pytest.mark.parametrize("order", [(1, 2), (2, 1)], ids=["message first", "parent first"])
def test_the_index_puts_lost_messages_back(raw: sqlite3.Connection, order: tuple[int, int]) -> None:
    """Two lost messages in a row both get a placeholder, with alternating roles, in either order of the index."""
    _chat(raw, "m4")
    _say(raw, 1, None, "user")
    _say(raw, 4, 3, "assistant")
    for number, parent in ((1, None), (2, "m1"), (3, "m2"), (4, "m3")):
        pair = {order[0]: f"m{number}", order[1]: parent}
        raw.execute("INSERT INTO temp.entry VALUES ('chat', ?, ?, ?)", (pair[1], pair[2], number))
    assert repair_orphans(raw) == 2
    assert _rows(raw, "id, parent, role, content") == [
        ("m1", None, "user", "words 1"),
        ("m2", "m1", "assistant", LOST),
        ("m3", "m2", "user", LOST),
        ("m4", "m3", "assistant", "words 4"),
    ]


def test_an_unknown_parent_is_replaced_by_the_message_before(raw: sqlite3.Connection) -> None:
    """Even without an index the branch stays connected: the message before becomes the parent."""
    _chat(raw)
    _say(raw, 1, None, "user")
    _say(raw, 5, 4, "user")
    _say(raw, 6, 5, "assistant")
    assert repair_orphans(raw) == 1
    assert _rows(raw, "id, parent") == [("m1", None), ("m5", "m1"), ("m6", "m5")]


def test_messages_without_a_chat_get_one(raw: sqlite3.Connection) -> None:
    """The new chat takes its title from their first words; a message with a garbled chat id follows its parent."""
    _chat(raw)
    _say(raw, 1, None, "user")
    _say(raw, 2, 1, "assistant", chat="garbled")
    _say(raw, 3, None, "user", chat="lost")
    _say(raw, 4, 3, "assistant", chat="lost")
    assert repair_orphans(raw) == 0
    assert _rows(raw, "conversation") == [("chat",), ("chat",), ("lost",), ("lost",)]
    made = raw.execute("SELECT title, titled, created, updated FROM conversation WHERE id = 'lost'").fetchone()
    assert made == ("words 3", 0, 30, 40)


def test_dangling_references_are_cleared(raw: sqlite3.Connection) -> None:
    """If a chat's leaf is lost, its branch ends with the newest message; no row refers to a missing one."""
    _chat(raw, "lost")
    _say(raw, 1, None, "user")
    raw.execute("INSERT INTO attachment VALUES (1, 'a', 'chat', 'lost', 'n', '', 1, 1, 'f')")
    repair_orphans(raw)
    assert raw.execute("SELECT leaf FROM conversation").fetchone() == (None,)
    assert raw.execute("SELECT message FROM attachment").fetchone() == (None,)
    assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
