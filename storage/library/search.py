"""Search: owns how what a user types finds conversations, in which order, and what is shown of each.

The lines of the list are left to `storage.library.conversations`, where words stand in a text to
`storage.library.snippets`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, literal, null, select, text

from storage.library import conversations
from storage.library.rows import storable, text_from
from storage.library.schema import conversation, message
from storage.library.snippets import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, Row, Select

    from storage.library.rows import Summary

MOST: Final = 100
"""Conversations that one search finds."""

_HITS: Final = 1000
"""Messages that are ranked, the newest: the word "the" is in nearly all, and nobody reads on to the last of them."""

_TITLE_WEIGHT: Final = 5.0
_NOTHING: Final = '""'
"""What no text holds."""

# CROSS JOIN has SQLite begin with the hits: later versions would begin with all messages, and look for each among them.
_SPOKEN: Final = text("""
    SELECT owner.number, owner.updated, -min(hit.score) AS score, hit.number AS message
    FROM (SELECT rowid AS number, bm25(message_search) AS score FROM message_search
          WHERE message_search MATCH :words ORDER BY rowid DESC LIMIT :hits) AS hit
    CROSS JOIN message ON message.number = hit.number
    CROSS JOIN conversation AS owner ON owner.id = message.conversation
    WHERE owner.deleted IS NULL GROUP BY owner.number""")
_NAMED: Final = text("""
    SELECT owner.number, owner.updated, -hit.score AS score, NULL AS message
    FROM (SELECT rowid AS number, bm25(title_search) AS score FROM title_search
          WHERE title_search MATCH :words ORDER BY rowid DESC LIMIT :hits) AS hit
    CROSS JOIN conversation AS owner ON owner.number = hit.number WHERE owner.deleted IS NULL""")
_SPOKEN_SIGNS: Final = text("""
    SELECT owner.number, owner.updated, 1 AS score, max(hit.number) AS message
    FROM (SELECT rowid AS number FROM sign_search WHERE sign_search MATCH :words
          ORDER BY rowid DESC LIMIT :hits) AS hit
    CROSS JOIN message ON message.number = hit.number
    CROSS JOIN conversation AS owner ON owner.id = message.conversation
    WHERE owner.deleted IS NULL GROUP BY owner.number""")
_RUNS: Final = text("SELECT term FROM sign_run WHERE instr(term, :sign) > 0")
"""Runs of signs that have this part. There are thousands in a library of code, where there are millions of places."""


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

    Where nothing has a letter or digit (emoji, signs), each part is looked for as it stands.
    """
    words = Words(storable(typed))
    ranked = sorted(_all(connection, words), key=lambda one: (one.score, one.updated, one.number), reverse=True)[:MOST]
    rows = conversations.some(connection, [one.number for one in ranked])
    said = _contents(connection, [one.message for one in ranked if one.message is not None])
    return tuple(_shown(rows[one.number], said.get(one.message), words) for one in ranked)


def _all(connection: Connection, words: Words) -> Iterable[_Found]:
    if words.terms:
        typed = {"words": _expression(words.terms), "hits": _HITS}
        return _merged(connection.execute(_SPOKEN, typed), connection.execute(_NAMED, typed))
    typed = {"words": _any_runs(connection, words.signs), "hits": _HITS}
    return _merged(connection.execute(_SPOKEN_SIGNS, typed), connection.execute(_named_with(words.signs)))


def _merged(spoken: Iterable[Row[Any]], named: Iterable[Row[Any]]) -> Iterable[_Found]:
    merged: dict[int, _Found] = {}
    for rows, weight in ((spoken, 1.0), (named, _TITLE_WEIGHT)):
        for row in rows:
            one = merged.setdefault(row.number, _Found(row.number, row.updated))
            one.score += weight * row.score
            one.message = one.message or row.message
    return merged.values()


def _expression(terms: Iterable[str]) -> str:
    """Every term as a quoted string, so that no sign in it is taken for an operator."""
    return " ".join(map(_quoted, terms)) + "*"


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""').replace("\0", "") + '"'


def _any_runs(connection: Connection, signs: Iterable[str]) -> str:
    """For every part, any of the runs that hold it: the index knows runs by their beginnings only."""
    found = [connection.execute(_RUNS, {"sign": sign.lower()}).scalars().all() for sign in signs]
    return " AND ".join(f"({' OR '.join(map(_quoted, runs))})" for runs in found) if all(found) else _NOTHING


def _named_with(signs: Iterable[str]) -> Select[Any]:
    """Titles are few, and short: they are looked at one by one."""
    row = conversation.c
    held = [func.instr(row.title, sign) > 0 for sign in signs]
    query = select(row.number, row.updated, literal(1).label("score"), null().label("message"))
    return query.where(row.deleted.is_(None), *held).order_by(row.number.desc()).limit(_HITS)


def _contents(connection: Connection, numbers: list[int]) -> dict[int | None, str]:
    query = select(message.c.number, message.c.content).where(message.c.number.in_(numbers))
    return {row.number: text_from(row.content) for row in connection.execute(query)}


def _shown(row: Summary, said: str | None, words: Words) -> Summary:
    snippet, marks = words.snippet(row.snippet if said is None else said)
    return replace(row, snippet=snippet, marks=marks)


def forget(connection: Connection) -> None:
    """Rewrite the index without what was erased: its words stay there else until it merges."""
    for index in ("title_search", "message_search", "sign_search"):
        connection.exec_driver_sql(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - our names
