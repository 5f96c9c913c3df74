"""Search in attached text files: finds those with all words, and shows the place of a hit.

The index has only the words of a file, so phrases are looked up in the text of the newest files.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from sqlalchemy import text

from storage.library.columns import text_from
from storage.library.snippets import Words, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from storage.library.files import Files
    from storage.library.query import Query
    from storage.library.snippets import Marks

MOST_READ: Final = 10
"""Files whose text is read, to find phrases or to show the words around hits: search runs while the user types."""
_MOST_READ_BYTES: Final = 2**20
"""A longer file is not read: its name alone is shown."""
_MOST_FOUND: Final = 1000

# CROSS JOIN makes SQLite start with the hits.
_IN_FILES: Final = text("""
    SELECT owner.number, owner.updated, message.number AS message, attachment.file, attachment.name, attachment.bytes
    FROM (SELECT rowid AS number FROM attachment_search WHERE attachment_search MATCH :words
          ORDER BY rowid DESC LIMIT :hits) AS hit
    CROSS JOIN attachment ON attachment.number = hit.number
    CROSS JOIN message ON message.id = attachment.message
    CROSS JOIN conversation AS owner ON owner.id = message.conversation
    WHERE owner.deleted IS NULL""")


class AttachedFile(NamedTuple):
    """A file under the name by which it is stored, with its own name and its size. Messages may share it."""

    stored: str
    name: str
    bytes: int


class FileHit(NamedTuple):
    """A file with all words. `conversation` and `message` are the row numbers of what it is attached to; `updated` is
    when the conversation was used last.
    """

    conversation: int
    updated: int
    message: int
    file: AttachedFile


def words_in(query: Query) -> Query:
    """The words of a query, with those of its phrases one by one, as the index has them."""
    return replace(query, terms=words_of(query.terms))


def find(connection: Connection, expression: str, query: Query, files: Files) -> Iterator[FileHit]:
    """The files that have the terms of `query`, the newest first. `expression` are its `words_in` for FTS5."""
    words, has_phrases = Words(query), any(" " in term for term in query.terms)
    rows = connection.execute(_IN_FILES, {"words": expression, "hits": _MOST_FOUND})
    for count, row in enumerate(rows):
        file = AttachedFile(text_from(row.file), text_from(row.name), row.bytes)
        if not has_phrases or (count < MOST_READ and words.are_inside(text_of(file, files))):
            yield FileHit(row.number, row.updated, row.message, file)


def text_of(file: AttachedFile, files: Files) -> str:
    """The text of a file, "" if it is long, missing or not readable."""
    with suppress(OSError):
        if file.bytes <= _MOST_READ_BYTES:
            return (files.read(file.stored) or b"").decode("utf-8-sig", "replace")
    return ""


def snippet(file: AttachedFile, content: str, words: Words) -> tuple[str, Marks]:
    """The file's name and the place of the hit in its text, from the word before it on: both fit into a narrow list."""
    found, marks = words.snippet(content)
    cut = found[: marks[0][0]].rstrip().rfind(" ") + 1 if marks else 0
    lead = f"{file.name}: " if found else file.name
    moved = tuple((start - cut + len(lead), end - cut + len(lead)) for start, end in marks)
    return lead + found[cut:], moved
