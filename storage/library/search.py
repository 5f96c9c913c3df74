"""Search: owns how what a user types finds conversations, in which order, and what is shown of each.

The lines of the list are left to `storage.library.conversations`, where words stand in a text to
`storage.library.snippets`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from sqlalchemy import select, text

from storage.library import conversations
from storage.library.rows import storable, text_from
from storage.library.schema import message
from storage.library.snippets import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, TextClause

    from storage.library.rows import Summary

MOST: Final = 100
"""Conversations that one search finds."""

_HITS: Final = 1000
"""Messages that are ranked, the newest: the word "the" is in nearly all, and nobody reads on to the last of them."""

_TITLE_WEIGHT: Final = 5.0

_SPOKEN: Final = text("""
    SELECT owner.number, owner.updated, -min(hit.score) AS score, hit.number AS message
    FROM (SELECT rowid AS number, bm25(message_search) AS score FROM message_search
          WHERE message_search MATCH :words ORDER BY rowid DESC LIMIT :hits) AS hit
    JOIN message ON message.number = hit.number JOIN conversation AS owner ON owner.id = message.conversation
    WHERE owner.deleted IS NULL GROUP BY owner.number""")
_NAMED: Final = text("""
    SELECT owner.number, owner.updated, -hit.score AS score, NULL AS message
    FROM (SELECT rowid AS number, bm25(title_search) AS score FROM title_search
          WHERE title_search MATCH :words ORDER BY rowid DESC LIMIT :hits) AS hit
    JOIN conversation AS owner ON owner.number = hit.number WHERE owner.deleted IS NULL""")
_SPOKEN_SIGN: Final = text("""
    SELECT owner.number, owner.updated, 1 AS score, max(hit.number) AS message
    FROM (SELECT number, conversation FROM message
          WHERE instr(content, :words) > 0 ORDER BY number DESC LIMIT :hits) AS hit
    JOIN conversation AS owner ON owner.id = hit.conversation WHERE owner.deleted IS NULL GROUP BY owner.number""")
_NAMED_SIGN: Final = text("""
    SELECT number, updated, 1 AS score, NULL AS message FROM conversation
    WHERE instr(title, :words) > 0 AND deleted IS NULL ORDER BY number DESC LIMIT :hits""")


@dataclass(slots=True)
class _Found:
    """A conversation by its row; `message` is the row of its best hit, None where only the title has the words."""

    number: int
    updated: int
    score: float = 0.0
    message: int | None = None


def found(connection: Connection, typed: str) -> tuple[Summary, ...]:
    """The listed conversations whose title, or one of whose messages on any branch, holds all of the words in `typed`,
    the last one begun: the best first.

    What has no letter or digit (emoji, signs) is not in the index and is looked for as it stands.
    """
    words = Words(storable(typed))
    ranked = sorted(_all(connection, words), key=lambda one: (one.score, one.updated, one.number), reverse=True)[:MOST]
    rows = conversations.some(connection, [one.number for one in ranked])
    said = _contents(connection, [one.message for one in ranked if one.message is not None])
    return tuple(_shown(rows[one.number], said.get(one.message), words) for one in ranked)


def _all(connection: Connection, words: Words) -> Iterable[_Found]:
    if words.terms:
        return _merged(connection, _SPOKEN, _NAMED, _expression(words.terms))
    return _merged(connection, _SPOKEN_SIGN, _NAMED_SIGN, words.sign)


def _merged(connection: Connection, spoken: TextClause, named: TextClause, words: str) -> Iterable[_Found]:
    merged: dict[int, _Found] = {}
    for query, weight in ((spoken, 1.0), (named, _TITLE_WEIGHT)):
        for row in connection.execute(query, {"words": words, "hits": _HITS}):
            one = merged.setdefault(row.number, _Found(row.number, row.updated))
            one.score += weight * row.score
            one.message = one.message or row.message
    return merged.values()


def _expression(terms: Iterable[str]) -> str:
    """Every term as a quoted string, so that no sign in it is taken for an operator."""
    return " ".join('"' + term.replace('"', '""').replace("\0", "") + '"' for term in terms) + "*"


def _contents(connection: Connection, numbers: list[int]) -> dict[int | None, str]:
    query = select(message.c.number, message.c.content).where(message.c.number.in_(numbers))
    return {row.number: text_from(row.content) for row in connection.execute(query)}


def _shown(row: Summary, said: str | None, words: Words) -> Summary:
    snippet, marks = words.snippet(row.snippet if said is None else said)
    return replace(row, snippet=snippet, marks=marks)


def forget(connection: Connection) -> None:
    """Rewrite the index without what was erased: its words stay there else until it merges."""
    for index in ("title_search", "message_search"):
        connection.exec_driver_sql(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - our names
