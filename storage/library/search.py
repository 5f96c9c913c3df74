"""Full-text search over the library: turns what the user types into FTS5 queries and ranks the conversations found.

A title counts more than a message. Search runs while the user types, so each query has a bound on what it ranks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import func, literal, null, select, text

from storage.library import conversation_rows
from storage.library.rows import storable, text_from
from storage.library.schema import conversation, message
from storage.library.snippets import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, Row, Select

    from storage.database import Database
    from storage.library.rows import Summary

MOST_FOUND: Final = 100
"""Conversations in one search result."""

_RANKED: Final = 1000
"""Matching messages that are ranked, the newest ones: a word such as "the" is in nearly all."""

_TITLE_WEIGHT: Final = 5.0
_NOTHING: Final = '""'
"""An FTS5 expression that matches no text."""

# CROSS JOIN makes SQLite start with the hits; later versions would scan all messages and look each one up in them.
_IN_MESSAGES: Final = text("""
    SELECT owner.number, owner.updated, -min(hit.score) AS score, hit.number AS message
    FROM (SELECT rowid AS number, bm25(message_search) AS score FROM message_search
          WHERE message_search MATCH :words ORDER BY rowid DESC LIMIT :hits) AS hit
    CROSS JOIN message ON message.number = hit.number
    CROSS JOIN conversation AS owner ON owner.id = message.conversation
    WHERE owner.deleted IS NULL GROUP BY owner.number""")
_IN_TITLES: Final = text("""
    SELECT owner.number, owner.updated, -hit.score AS score, NULL AS message
    FROM (SELECT rowid AS number, bm25(title_search) AS score FROM title_search
          WHERE title_search MATCH :words ORDER BY rowid DESC LIMIT :hits) AS hit
    CROSS JOIN conversation AS owner ON owner.number = hit.number WHERE owner.deleted IS NULL""")
_SIGNS_IN_MESSAGES: Final = text("""
    SELECT owner.number, owner.updated, 1 AS score, max(hit.number) AS message
    FROM (SELECT rowid AS number FROM sign_search WHERE sign_search MATCH :words
          ORDER BY rowid DESC LIMIT :hits) AS hit
    CROSS JOIN message ON message.number = hit.number
    CROSS JOIN conversation AS owner ON owner.id = message.conversation
    WHERE owner.deleted IS NULL GROUP BY owner.number""")
_RUNS: Final = text("SELECT term FROM sign_run WHERE instr(term, :sign) > 0")
"""Runs of signs that contain this part. A library of code has thousands of runs, at millions of places."""


@dataclass(slots=True)
class _Hit:
    """A conversation, by the number of its row. `message` is the row number of its best message, None if only the title
    matches.
    """

    number: int
    updated: int
    score: float = 0.0
    message: int | None = None


class Search:
    """Finds conversations by their words. Methods raise EnvironmentProblem and DamagedDatabase."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def find(self, typed: str) -> tuple[Summary, ...]:
        """The listed conversations whose title, or one of whose messages on any branch, has all words of `typed`: the
        best first, at most MOST_FOUND.

        The last word matches as a prefix. If `typed` has neither a letter nor a digit (emoji, signs), each of its parts
        matches as a substring.
        """
        words = Words(storable(typed))
        if not (words.terms or words.signs):
            return ()
        with self._database.transaction() as connection:
            hits = sorted(_all(connection, words), key=_rank, reverse=True)[:MOST_FOUND]
            rows = conversation_rows.by_number(connection, [hit.number for hit in hits])
            texts = _contents(connection, [hit.message for hit in hits if hit.message is not None])
        return tuple(_shown(rows[hit.number], texts.get(hit.message), words) for hit in hits)


def _rank(hit: _Hit) -> tuple[float, int, int]:
    return hit.score, hit.updated, hit.number


def _all(connection: Connection, words: Words) -> Iterable[_Hit]:
    if words.terms:
        typed = {"words": _expression(words.terms), "hits": _RANKED}
        return _merged(connection.execute(_IN_MESSAGES, typed), connection.execute(_IN_TITLES, typed))
    typed = {"words": _any_runs(connection, words.signs), "hits": _RANKED}
    return _merged(connection.execute(_SIGNS_IN_MESSAGES, typed), connection.execute(_signs_in_titles(words.signs)))


def _merged(messages: Iterable[Row[Any]], titles: Iterable[Row[Any]]) -> Iterable[_Hit]:
    merged: dict[int, _Hit] = {}
    for rows, weight in ((messages, 1.0), (titles, _TITLE_WEIGHT)):
        for row in rows:
            hit = merged.setdefault(row.number, _Hit(row.number, row.updated))
            hit.score += weight * row.score
            hit.message = hit.message or row.message
    return merged.values()


def _expression(terms: Iterable[str]) -> str:
    """Quotes each term, so that FTS5 takes no sign in it for an operator. The last term is a prefix."""
    return " ".join(map(_quoted, terms)) + "*"


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""').replace("\0", "") + '"'


def _any_runs(connection: Connection, signs: Iterable[str]) -> str:
    """Any run that contains each part: FTS5 itself matches only prefixes of runs."""
    found = [connection.execute(_RUNS, {"sign": sign.lower()}).scalars().all() for sign in signs]
    return " AND ".join(f"({' OR '.join(map(_quoted, runs))})" for runs in found) if all(found) else _NOTHING


def _signs_in_titles(signs: Iterable[str]) -> Select[Any]:
    """Scans all titles: they are few and short."""
    row = conversation.c
    matches = [func.instr(row.title, sign) > 0 for sign in signs]
    query = select(row.number, row.updated, literal(1).label("score"), null().label("message"))
    return query.where(row.deleted.is_(None), *matches).order_by(row.number.desc()).limit(_RANKED)


def _contents(connection: Connection, numbers: list[int]) -> dict[int | None, str]:
    query = select(message.c.number, message.c.content).where(message.c.number.in_(numbers))
    return {row.number: text_from(row.content) for row in connection.execute(query)}


def _shown(row: Summary, content: str | None, words: Words) -> Summary:
    snippet, marks = words.snippet(row.snippet if content is None else content)
    return replace(row, snippet=snippet, marks=marks)


def drop_erased_words(connection: Connection) -> None:
    """Rewrite the indexes: otherwise erased words stay in them until FTS5 merges its segments."""
    for index in ("title_search", "message_search", "sign_search"):
        connection.exec_driver_sql(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - our names
