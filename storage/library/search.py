"""Full-text search over the library: turns what the user types into FTS5 queries and ranks the conversations found.

- Tags and titles count more than messages, whole words more than places inside words.
- If nothing is found, words that occur nowhere are replaced by words that are one typing error away.
- Search runs while the user types, so each query has a bound on what it ranks.
"""

from __future__ import annotations

import json
import sqlite3
import string
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import LargeBinary, cast, false, func, or_, select, text

from storage.database import Database
from storage.library import conversations
from storage.library.columns import storable, text_from
from storage.library.files import Files
from storage.library.query import Marks, Query, Words
from storage.library.rows import Summary
from storage.library.schema import conversation, message
from storage.searchable import searchable, words_of

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection, Row, Select, TextClause

MOST_FOUND: Final = 100
"""Conversations in one search result."""

_RANKED: Final = 1000
"""Matching messages that are ranked, the newest ones: a word such as "the" is in nearly all."""
_LOOKED_AT: Final = 20_000
"""Matching messages whose chats are looked up, the newest ones, if those that are ranked are of few chats."""
_COMPARED: Final = 2**20
"""Characters of messages that may have a term inside a word. They are compared, the newest message first."""

_FILES_READ: Final = 10
"""Files whose text is read, to find phrases or to show the words around hits: search runs while the user types."""
_LARGEST_READ: Final = 2**20
"""A longer file is not read: its name alone is shown."""

_TITLE_WEIGHT: Final = 5.0
_TAG_SCORE: Final = 20.0
_INSIDE_TITLE: Final = 0.0
_IN_FILE: Final = -0.5
_INSIDE_MESSAGE: Final = -1.0
_PART: Final = 3
"""Characters in a term of the index of parts."""
_RESPELLED: Final = range(5, 41)
"""Letters of a word in which an error is looked for. Of shorter words too many others are one typing error away. All
that are one away from a pasted word of 32,000 letters would take 70 GB.
"""
_MOST_RESPELLED: Final = 5
"""A text in which more words are unknown is no typing error. Each costs up to 100 ms."""
_NOTHING: Final = '""'
"""An FTS5 expression that matches no text."""

_WANTED: Final = """owner.deleted IS NULL AND owner.number NOT IN (SELECT value FROM json_each(:found))
    AND (:tagged IS NULL OR owner.number IN (SELECT value FROM json_each(:tagged)))"""
"""The chats of a query. It precedes the LIMIT, or the hits of other chats would use that up."""


def _query(template: str, **names: object) -> TextClause:
    return text(template.format(wanted=_WANTED, **names))


# CROSS JOIN makes SQLite start with the hits; later versions would scan all messages and look each one up in them.
_NEWEST: Final = """
    SELECT owner.number, owner.updated, message.number AS message, {more}
    FROM {index} CROSS JOIN message ON message.number = {index}.rowid
    CROSS JOIN conversation AS owner ON owner.id = message.conversation
    WHERE {index} MATCH :words AND {wanted} ORDER BY {index}.rowid DESC LIMIT {most}"""
_IN_MESSAGES: Final = _query(
    f"SELECT number, updated, max(score) AS score, message FROM ({_NEWEST}) GROUP BY number",  # noqa: S608 - our names
    index="message_search",
    more="-bm25(message_search) AS score",
    most=_RANKED,
)
_MORE_MESSAGES: Final = _query(_NEWEST, index="message_search", more="NULL", most=_LOOKED_AT)
_SIGNS_IN_MESSAGES: Final = _query(_NEWEST, index="sign_search", more="NULL", most=_LOOKED_AT)
_INSIDE_MESSAGES: Final = _query(_NEWEST, index="part_search", more="message.content", most=_LOOKED_AT)
_IN_TITLES: Final = _query(
    """SELECT owner.number, owner.updated, -bm25(title_search) AS score, NULL AS message
    FROM title_search CROSS JOIN conversation AS owner ON owner.number = title_search.rowid
    WHERE title_search MATCH :words AND {wanted} ORDER BY title_search.rowid DESC LIMIT {most}""",
    most=_RANKED,
)
_IN_FILES: Final = _query(
    """SELECT owner.number, owner.updated, message.number AS message, attachment.file, attachment.name, attachment.bytes
    FROM attachment_search CROSS JOIN attachment ON attachment.number = attachment_search.rowid
    CROSS JOIN message ON message.id = attachment.message
    CROSS JOIN conversation AS owner ON owner.id = message.conversation
    WHERE attachment_search MATCH :words AND {wanted} ORDER BY attachment_search.rowid DESC LIMIT {most}""",
    most=_RANKED,
)
_RUNS: Final = "SELECT term FROM sign_run ORDER BY doc DESC"
"""All runs of signs, the commonest first. A library of code has thousands of them, at millions of places."""
_MOST_RUNS: Final = 5000
"""So many runs are looked for. One file may bring millions, which would take minutes and all memory."""
_OCCURS: Final = text("""
    SELECT EXISTS (SELECT 1 FROM message_word WHERE term >= :word AND term < :beyond)
        OR EXISTS (SELECT 1 FROM title_word WHERE term >= :word AND term < :beyond)""")
_VOCABULARIES: Final = ("message_word", "title_word")
_INDEXES: Final = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5 (%'"
_KNOWN: Final = "SELECT term FROM {vocabulary} WHERE term IN ({words}) ORDER BY doc DESC LIMIT 1"


class _File(NamedTuple):
    """An attached file under the name by which it is stored, with its own name and its size. Messages may share it."""

    stored: str
    name: str
    bytes: int


@dataclass(slots=True)
class _Hit:
    """A conversation, by the number of its row. `message` is the row number of its best message, None if only the title
    or a tag matches. `file` is set if a file of that message has the words, and the text has not.
    """

    number: int
    updated: int
    score: float = 0.0
    message: int | None = None
    file: _File | None = None


class Search:
    """Finds conversations by their words. Methods raise EnvironmentProblem and DamagedDatabase."""

    def __init__(self, database: Database, files: Files) -> None:
        self._database = database
        self._files = files

    def find(self, typed: str) -> tuple[Summary, ...]:
        """The listed conversations that have all tags of `typed`, and all of its words in their title and tags, in one
        of their messages on any branch, or in one attached text file: the best first, at most MOST_FOUND.

        The last word matches as a prefix. If `typed` has neither a letter nor a digit (emoji, signs), each of its parts
        matches as a substring.
        """
        query = Query.of(storable(typed))
        with self._database.transaction() as connection:
            tagged = _tagged(connection, query.tags) if query.tags else None
            if tagged == {}:
                query, tagged = query.without_tags(), None
            hits = _found(connection, query, tagged, self._files)
            if not hits and (words := _respelled(connection, query)):
                query = query.respelled(words)
                hits = _found(connection, query, tagged, self._files)
            best = sorted(hits.values(), key=_rank, reverse=True)[:MOST_FOUND]
            return _summaries(connection, best, query, self._files)


def _rank(hit: _Hit) -> tuple[float, int, int]:
    return hit.score, hit.updated, hit.number


def _found(connection: Connection, query: Query, tagged: dict[int, _Hit] | None, files: Files) -> dict[int, _Hit]:
    """The conversations with all terms or signs, those among `tagged` if that is not None."""
    found: dict[int, _Hit] = {}
    typed = {"tagged": None if tagged is None else json.dumps(list(tagged)), "found": "[]"}
    if query.terms:
        typed["words"] = _expression(map(searchable, query.terms), query)
        _add(found, connection.execute(_IN_MESSAGES, typed), 1.0)
        if len(found) < MOST_FOUND:
            _add_newest(found, connection.execute(_MORE_MESSAGES, typed | {"found": json.dumps(list(found))}), 0.0)
        _add(found, connection.execute(_IN_TITLES, typed), _TITLE_WEIGHT)
        _add_files(connection, found, query, typed, files)
        _add_parts(connection, found, query, typed)
    elif query.signs:
        typed["words"] = _any_runs(connection, query.signs)
        _add_newest(found, connection.execute(_SIGNS_IN_MESSAGES, typed), 1.0)
        for row in connection.execute(_inside_titles(query.signs)):
            found.setdefault(row.number, _Hit(row.number, row.updated)).score += _TITLE_WEIGHT
    elif tagged is not None:
        return tagged
    return found


def _add(found: dict[int, _Hit], rows: Iterable[Row[Any]], weight: float) -> None:
    for row in rows:
        hit = found.setdefault(row.number, _Hit(row.number, row.updated))
        hit.score += weight * row.score
        hit.message = hit.message or row.message


def _add_newest(found: dict[int, _Hit], rows: Iterable[Row[Any]], score: float, words: Words | None = None) -> None:
    """Add conversations, each with its newest hit, until there are MOST_FOUND. Messages are compared with `words`."""
    left = _COMPARED
    for row in rows:
        if row.number in found:
            continue
        said = "" if words is None else text_from(row.content)
        left -= len(said)
        if words is None or words.are_inside(said):
            found[row.number] = _Hit(row.number, row.updated, score, row.message)
        if len(found) >= MOST_FOUND or left < 0:
            break


def _add_files(
    connection: Connection, found: dict[int, _Hit], query: Query, typed: dict[str, str | None], files: Files
) -> None:
    """Add conversations with a file that has all terms. The index has only the words of a file, so phrases are looked
    up in the text of the newest files.
    """
    words, has_phrases = Words(query), any(" " in term for term in query.terms)
    typed = typed | {"words": _expression(words_of(" ".join(query.terms)), query)}
    for count, row in enumerate(connection.execute(_IN_FILES, typed)):
        file = _File(text_from(row.file), text_from(row.name), row.bytes)
        if has_phrases and (count >= _FILES_READ or not words.are_inside(_text_of(file, files))):
            continue
        found.setdefault(row.number, _Hit(row.number, row.updated, _IN_FILE, row.message, file))


def _text_of(file: _File, files: Files) -> str:
    """The text of a file, "" if it is long, missing or not readable."""
    with suppress(OSError):
        if file.bytes <= _LARGEST_READ:
            return (files.read(file.stored) or b"").decode("utf-8-sig", "replace")
    return ""


def _add_parts(connection: Connection, found: dict[int, _Hit], query: Query, typed: dict[str, str | None]) -> None:
    """Add conversations whose titles and tags have all terms, also inside words, then those with such a message."""
    narrow = [_is_tag((tag,)) for tag in query.tags]
    if len(found) >= MOST_FOUND:  # a place inside a title would be none of the best
        narrow += (conversation.c.tags != "", _is_tag(query.terms))
    for row in connection.execute(_inside_titles(query.terms, *narrow)):
        hit = found.setdefault(row.number, _Hit(row.number, row.updated, _INSIDE_TITLE))
        if row.is_tag:
            hit.score += _TAG_SCORE
    parts = " AND ".join(dict.fromkeys(_quoted(part) for term in query.terms for part in _parts(term)))
    if parts and len(found) < MOST_FOUND:
        typed = typed | {"words": parts, "found": json.dumps(list(found))}
        _add_newest(found, connection.execute(_INSIDE_MESSAGES, typed), _INSIDE_MESSAGE, Words(query))


def _parts(term: str) -> Iterable[str]:
    """The runs of three characters in each word of a term. In the text, other white space may separate the words."""
    for word in searchable(term).split():
        yield from (word[at : at + _PART] for at in range(len(word) - _PART + 1))


def _expression(words: Iterable[str], query: Query) -> str:
    """Quotes each word, so that FTS5 takes no sign in it for an operator. The last one of an open query is a prefix."""
    return (" AND ".join(map(_quoted, words)) or _NOTHING) + "*" * query.is_open


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""').replace("\0", "") + '"'


def _any_runs(connection: Connection, signs: Iterable[str]) -> str:
    """Any run that contains each part: FTS5 itself matches only prefixes of runs."""
    known = connection.exec_driver_sql(_RUNS).scalars().all()
    found = [[run for run in known if sign in run][:_MOST_RUNS] for sign in map(str.lower, map(searchable, signs))]
    return " AND ".join(f"({' OR '.join(map(_quoted, runs))})" for runs in found) if all(found) else _NOTHING


def _inside_titles(terms: Iterable[str], *narrow: ColumnElement[bool]) -> Select[Any]:
    """Scans the titles and tags of all conversations, or of those in `narrow`. `is_tag`: one of the tags begins with
    one of the terms.
    """
    row = conversation.c
    matches = [func.instr(_searchable(row.title + "\n" + row.tags), searchable(term)) > 0 for term in terms]
    listed = (row.deleted + 0).is_(None)  # without an index: SQLite would look up each of its rows
    query = select(row.number, row.updated, _is_tag(terms).label("is_tag"))
    newest = (row.updated.desc(), row.number.desc())
    return query.where(*narrow, listed, *matches).order_by(*newest).limit(_RANKED)


def _is_tag(terms: Iterable[str]) -> ColumnElement[bool]:
    tags = _searchable("\n" + conversation.c.tags)
    return or_(false(), *(func.instr(tags, "\n" + searchable(term)) > 0 for term in terms))


def _searchable(label: ColumnElement[str]) -> ColumnElement[str]:
    return func.searchable(cast(label, LargeBinary))


def _tagged(connection: Connection, tags: Iterable[str]) -> dict[int, _Hit]:
    """The conversations that have a tag that begins with each of `tags`."""
    row = conversation.c
    query = select(row.number, row.updated).where(row.deleted.is_(None), row.tags != "")
    rows = connection.execute(query.where(*(_is_tag((tag,)) for tag in tags)))
    return {one.number: _Hit(one.number, one.updated) for one in rows}


def _respelled(connection: Connection, query: Query) -> dict[str, str]:
    """For each word that begins no word of the library: the commonest word that is one error away. Nothing if there is
    none for one of them, or if they are many.
    """
    found = {term: word for term in query.terms if (word := searchable(term)).isalnum()}
    for term, word in tuple(found.items()):
        if connection.execute(_OCCURS, {"word": word, "beyond": word + "\U0010ffff"}).scalar():
            del found[term]
    if len(found) > _MOST_RESPELLED or not all(len(word) in _RESPELLED and word.isalpha() for word in found.values()):
        return {}
    for term, word in found.items():
        found[term] = _known(connection, tuple(sorted(neighbours(word))))
        if not found[term]:
            return {}
    return found


def neighbours(word: str) -> set[str]:
    """All texts that become `word` by one letter more, less or other, or by swapping two. The letters are those of
    English and of the word itself.
    """
    letters = set(string.ascii_lowercase) | set(word)
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    lost = {head + tail[1:] for head, tail in cuts if tail}
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    other = {head + letter + tail[1:] for head, tail in cuts if tail for letter in letters}
    more = {head + letter + tail for head, tail in cuts for letter in letters}
    return (lost | swapped | other | more) - {word}


def _known(connection: Connection, words: tuple[str, ...]) -> str:
    """The commonest of these words in messages, else in titles; "" if none occurs."""
    for vocabulary in _VOCABULARIES:
        query = _KNOWN.format(vocabulary=vocabulary, words=", ".join("?" * len(words)))
        if (best := connection.exec_driver_sql(query, words).scalar()) is not None:
            return text_from(best)
    return ""


def _summaries(connection: Connection, hits: list[_Hit], query: Query, files: Files) -> tuple[Summary, ...]:
    rows = conversations.by_number(connection, [hit.number for hit in hits])
    said = select(message.c.number, message.c.id, message.c.content)
    texts = {
        row.number: row for row in connection.execute(said.where(message.c.number.in_(hit.message for hit in hits)))
    }
    attached = [hit.file for hit in hits if hit.file is not None][:_FILES_READ]
    contents = {file: _text_of(file, files) for file in attached}
    words = Words(query)
    shown = []
    for hit in (one for one in hits if one.number in rows):
        row, found, terms = rows[hit.number], texts.get(hit.message), query.terms
        snippet, marks = words.snippet(row.snippet if found is None else found.content)
        if hit.file is not None:
            snippet, marks = _of_file(hit.file, contents.get(hit.file, ""), words)
            terms = ()  # the message's own text has no hit
        shown.append(replace(row, snippet=snippet, marks=marks, hit="" if found is None else found.id, terms=terms))
    return tuple(shown)


def _of_file(file: _File, content: str, words: Words) -> tuple[str, Marks]:
    """The file's name and the place of the hit in its text, from the word before it on: both fit into a narrow list."""
    found, marks = words.snippet(content)
    cut = found[: marks[0][0]].rstrip().rfind(" ") + 1 if marks else 0
    lead = f"{file.name}: " if found else file.name
    moved = tuple((start - cut + len(lead), end - cut + len(lead)) for start, end in marks)
    return lead + found[cut:], moved


def drop_erased_words(raw: sqlite3.Connection) -> None:
    """Rewrite the indexes: otherwise erased words stay in them until FTS5 merges its segments."""
    for (index,) in raw.execute(_INDEXES).fetchall():
        raw.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 - our names
