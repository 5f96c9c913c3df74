"""Rows of conversations. Each function runs inside the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import uuid4

from sqlalchemy import case, func, insert, select, update

from resources.language.text import mark, tr
from storage.errors import NoSuchConversation
from storage.library.columns import EXCERPT
from storage.library.rows import Conversation, Summary
from storage.library.schema import attachment, conversation, message

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, FromClause, Select

    from storage.library.archive import ArchivedConversation

_WORDS_READ: Final = 200
"""Characters of a message that a snippet is made of."""

GONE: Final = mark("This conversation no longer exists.")

FIELDS: Final = [conversation.c[name] for name in Conversation.__slots__]
"""The columns of a Conversation, in its order."""

_COMMON: Final = tuple(name for name in Conversation.__slots__ if name != "id")
"""What a conversation in and outside the library has."""


def by_number(connection: Connection, numbers: Collection[int]) -> dict[int, Summary]:
    """The conversations with these row numbers, by row number."""
    query = summaries(conversation.c.updated).add_columns(conversation.c.number)
    rows = connection.execute(query.where(conversation.c.number.in_(numbers)))
    return {number: Summary(*values) for *values, number in rows}


def summaries(moment: ColumnElement[int]) -> Select[Any]:
    """A query for the summaries of all conversations, with `moment` as the time of each."""
    row, leaf, before = conversation.c, message.alias("leaf"), message.alias("before")
    said = case((leaf.c.content != "", leaf.c.content), (before.c.content != "", before.c.content), else_=_names(leaf))
    words = func.substr(said, 1, _WORDS_READ, type_=EXCERPT)
    joined = conversation.outerjoin(leaf, leaf.c.id == row.leaf).outerjoin(before, before.c.id == leaf.c.parent)
    draft = func.substr(row.draft, 1, _WORDS_READ, type_=EXCERPT)
    labels = (row.pinned, row.folder, row.tags, row.cached)
    return select(row.id, row.title, words, moment, *labels, draft, _draft_files()).select_from(joined)


def _names(leaf: FromClause) -> ColumnElement[str]:
    """The names of the files of the newest messages, which have no text."""
    named = select(func.group_concat(attachment.c.name, ", "))
    return named.where(attachment.c.message.in_((leaf.c.id, leaf.c.parent))).correlate(leaf).scalar_subquery()


def _draft_files() -> ColumnElement[int]:
    """How many files the draft of each conversation has."""
    of_draft = (attachment.c.conversation == conversation.c.id, attachment.c.message.is_(None))
    counted = select(func.count()).select_from(attachment).where(*of_draft)
    return counted.correlate(conversation).scalar_subquery()


def columns(made: Conversation | ArchivedConversation) -> dict[str, Any]:
    """The columns of a new conversation with these values, under a new id."""
    return {name: getattr(made, name) for name in _COMMON} | {"id": uuid4().hex, "draft": "", "deleted": None}


def add(connection: Connection, made: Conversation) -> Conversation:
    """Insert a conversation under a new id. Returns it with that id."""
    values = columns(made)
    connection.execute(insert(conversation).values(values))
    return get(connection, values["id"])


def get(connection: Connection, identifier: str) -> Conversation:
    """The conversation of this id. Raises NoSuchConversation, also if it is deleted."""
    query = select(*FIELDS).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    row = connection.execute(query).first()
    if row is None:
        raise NoSuchConversation(tr(GONE))
    return Conversation(*row)


def change(connection: Connection, identifier: str, **values: object) -> None:
    """Set columns of a listed conversation. Raises NoSuchConversation."""
    query = update(conversation).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    if not connection.execute(query.values(values)).rowcount:
        raise NoSuchConversation(tr(GONE))


def change_any(connection: Connection, identifier: str, **values: object) -> None:
    """Set columns of a conversation even if it is deleted: its last reply may still be ending."""
    connection.execute(update(conversation).where(conversation.c.id == identifier).values(values))


def set_leaf(connection: Connection, identifier: str, leaf: str | None) -> None:
    """End the active branch at `leaf`. If no message is left, also clear a title that the user did not give."""
    row = conversation.c
    change_any(connection, identifier, leaf=leaf)
    if leaf is None:
        connection.execute(update(conversation).where(row.id == identifier, row.titled == 0).values(title=""))


def leaf_of(connection: Connection, identifier: str) -> str | None:
    """The stored leaf, also of a deleted conversation."""
    query = select(conversation.c.leaf).where(conversation.c.id == identifier)
    return connection.execute(query).scalar()
