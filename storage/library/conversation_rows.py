"""Rows of conversations. Each function runs inside the caller's transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import uuid4

from sqlalchemy import case, delete, func, insert, select, update

from resources.language.text import mark, tr
from storage.errors import NoSuchConversation
from storage.library.rows import (
    Conversation,
    conversation_from,
    storable,
    summary_from,
    tags_line,
    text_from,
    title_of,
)
from storage.library.schema import attachment, conversation, message

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, FromClause, Select

    from storage.library.rows import Message, Summary

_WORDS_READ: Final = 200
"""Characters of a message that a snippet is made of."""

_GONE: Final = mark("This conversation no longer exists.")

_EMPTY: Final[dict[str, str | int | None]] = {
    **dict.fromkeys(("title", "system", "model", "draft", "folder", "tags", "sampling"), ""),
    **dict.fromkeys(("leaf", "reads_from")),
}

_FIELDS: Final = [column for column in conversation.c if column.name not in {"draft", "deleted"}]


def summaries(connection: Connection) -> tuple[Summary, ...]:
    """All listed conversations: the pinned ones first, then the newest."""
    row = conversation.c
    query = _summaries(row.updated).where(row.deleted.is_(None))
    ordered = query.order_by(row.pinned.desc(), row.updated.desc(), row.number.desc())
    return tuple(map(summary_from, connection.execute(ordered).mappings()))


def by_number(connection: Connection, numbers: Collection[int]) -> dict[int, Summary]:
    """The conversations with these row numbers, by row number."""
    query = (
        _summaries(conversation.c.updated).add_columns(conversation.c.number).where(conversation.c.number.in_(numbers))
    )
    return {row["number"]: summary_from(row) for row in connection.execute(query).mappings()}


def deleted(connection: Connection) -> tuple[Summary, ...]:
    """The deleted conversations, the last deleted first; `updated` is the time of deletion."""
    row = conversation.c
    query = _summaries(row.deleted).where(row.deleted >= 0).order_by(row.deleted.desc(), row.number.desc())
    return tuple(map(summary_from, connection.execute(query).mappings()))


def _summaries(moment: ColumnElement[int]) -> Select[Any]:
    row, leaf, before = conversation.c, message.alias("leaf"), message.alias("before")
    said = case((leaf.c.content != "", leaf.c.content), (before.c.content != "", before.c.content), else_=_names(leaf))
    words = func.substr(said, 1, _WORDS_READ)
    joined = conversation.outerjoin(leaf, leaf.c.id == row.leaf).outerjoin(before, before.c.id == leaf.c.parent)
    fields = (row.id, row.title, moment.label("updated"), row.pinned, row.folder, row.tags, row.cached)
    draft = func.substr(row.draft, 1, _WORDS_READ).label("draft")
    return select(*fields, words.label("words"), draft, _draft_files()).select_from(joined)


def _names(leaf: FromClause) -> ColumnElement[str]:
    """The names of the files of the newest messages, which have no text."""
    named = select(func.group_concat(attachment.c.name, ", "))
    return named.where(attachment.c.message.in_((leaf.c.id, leaf.c.parent))).correlate(leaf).scalar_subquery()


def _draft_files() -> ColumnElement[int]:
    """How many files the draft of each conversation has."""
    of_draft = (attachment.c.conversation == conversation.c.id, attachment.c.message.is_(None))
    counted = select(func.count()).select_from(attachment).where(*of_draft)
    return counted.correlate(conversation).scalar_subquery().label("draft_files")


def add(connection: Connection, made: Conversation) -> Conversation:
    """Insert a conversation under a new id. Returns it with that id."""
    values = {name: getattr(made, name) for name in Conversation.__slots__}
    values |= {name: int(values[name]) for name in ("titled", "thinking", "pinned", "cached")}
    values |= {"id": uuid4().hex, "tags": tags_line(made.tags), "draft": "", "deleted": None}
    connection.execute(insert(conversation).values(values))
    return get(connection, values["id"])


def get(connection: Connection, identifier: str) -> Conversation:
    """The conversation of this id. Raises NoSuchConversation, also if it is deleted."""
    query = select(*_FIELDS).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    row = connection.execute(query).mappings().first()
    if row is None:
        raise NoSuchConversation(tr(_GONE))
    return conversation_from(row)


def find(connection: Connection, title: str) -> Conversation | None:
    """The newest listed conversation with exactly this title."""
    query = select(*_FIELDS).where(conversation.c.title == storable(title), conversation.c.deleted.is_(None))
    newest = query.order_by(conversation.c.updated.desc(), conversation.c.number.desc()).limit(1)
    row = connection.execute(newest).mappings().first()
    return None if row is None else conversation_from(row)


def untouched(connection: Connection, system: str, preset: str, sampling: str) -> Conversation | None:
    """The newest listed conversation that is as a new one, which begins with these settings."""
    row = conversation.c
    blank = (column == "" for column in (row.title, row.draft, row.folder, row.tags))
    begun = (row.system == storable(system), row.preset == storable(preset), row.sampling == storable(sampling))
    plain = (row.leaf.is_(None), row.deleted.is_(None), row.titled == 0, row.pinned == 0, row.cached == 1)
    files = select(attachment.c.number).where(attachment.c.conversation == row.id).exists()
    query = select(*_FIELDS).where(*blank, *begun, *plain, ~files).order_by(row.number.desc()).limit(1)
    found = connection.execute(query).mappings().first()
    return None if found is None else conversation_from(found)


def change(connection: Connection, identifier: str, **values: str | int | None) -> None:
    """Set columns of a listed conversation. Raises NoSuchConversation."""
    query = update(conversation).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    if not connection.execute(query.values(values)).rowcount:
        raise NoSuchConversation(tr(_GONE))


def change_any(connection: Connection, identifier: str, **values: str | int | None) -> None:
    """Set columns of a conversation even if it is deleted: its last reply may still be ending."""
    connection.execute(update(conversation).where(conversation.c.id == identifier).values(values))


def set_default_title(connection: Connection, owner: Conversation, first: Message) -> None:
    """Give an untitled conversation a title made of the user's first message."""
    if not owner.title:
        change(connection, owner.id, title=title_of(first))


def prepend_to_draft(connection: Connection, identifier: str, words: str) -> None:
    """Put the text of a withdrawn message before the draft."""
    row = conversation.c
    joined = case((row.draft == "", words), else_=words + "\n\n" + row.draft)
    connection.execute(update(conversation).where(row.id == identifier).values(draft=joined))


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


def draft(connection: Connection, identifier: str) -> str:
    """The text that was typed but not sent. Raises NoSuchConversation."""
    query = select(conversation.c.draft).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    found = connection.execute(query).first()
    if found is None:
        raise NoSuchConversation(tr(_GONE))
    return str(found.draft)


def folders(connection: Connection) -> tuple[str, ...]:
    """The names of all folders that hold a listed conversation, sorted."""
    found = select(conversation.c.folder).where(conversation.c.deleted.is_(None), conversation.c.folder != "")
    names = map(text_from, connection.execute(found.distinct()).scalars())
    return tuple(sorted(names, key=lambda name: (name.casefold(), name)))


def pinned(connection: Connection) -> tuple[str, ...]:
    """The ids of the listed conversations that are pinned."""
    found = select(conversation.c.id).where(conversation.c.deleted.is_(None), conversation.c.pinned != 0)
    return tuple(connection.execute(found.order_by(conversation.c.number)).scalars())


def models(connection: Connection) -> dict[str, str]:
    """The model of each listed conversation by its id, "" for one without a message."""
    row = conversation.c
    model = case((row.leaf.is_(None), ""), else_=row.model).label("model")
    return {
        text_from(one.id): text_from(one.model)
        for one in connection.execute(select(row.id, model).where(row.deleted.is_(None)))
    }


def newest(connection: Connection) -> int:
    """The newest time of a change or deletion (ms, UTC); 0 in an empty library."""
    row = conversation.c
    moments = connection.execute(select(func.max(row.updated), func.max(row.deleted))).one()
    return max((moment for moment in moments if moment is not None), default=0)


def undelete(connection: Connection, identifier: str) -> None:
    """List a deleted conversation again. Raises NoSuchConversation."""
    row = conversation.c
    query = update(conversation).where(row.id == identifier, row.deleted >= 0).values(deleted=None)
    if not connection.execute(query).rowcount:
        raise NoSuchConversation(tr("This conversation is not in Recently Deleted any more."))


def erase(connection: Connection, identifier: str) -> None:
    """Erase a conversation, deleted or not, with all its messages. Raises NoSuchConversation."""
    if not connection.execute(delete(conversation).where(conversation.c.id == identifier)).rowcount:
        raise NoSuchConversation(tr(_GONE))


def expired(connection: Connection, deleted_before: int) -> dict[str, int]:
    """The conversations deleted at or before this time (ms, UTC): their times of deletion by id."""
    row = conversation.c
    query = select(row.id, row.deleted).where(row.deleted >= 0, row.deleted <= deleted_before)
    return {one.id: one.deleted for one in connection.execute(query)}


def empty(connection: Connection, identifiers: Collection[str]) -> None:
    """Erase messages, files and texts of conversations; their empty rows stay."""
    for identifier in identifiers:
        connection.execute(delete(attachment).where(attachment.c.conversation == identifier))
        connection.execute(delete(message).where(message.c.conversation == identifier))
        change_any(connection, identifier, **_EMPTY)


def purge(connection: Connection, deleted_before: int, importing: Collection[int]) -> tuple[str, ...]:
    """Erase conversations that were deleted at or before this time (ms, UTC), and those of interrupted imports, but not
    those with a mark in `importing`. Returns their ids.
    """
    row = conversation.c
    query = delete(conversation).where(row.deleted <= deleted_before, row.deleted.not_in(importing)).returning(row.id)
    return tuple(connection.execute(query).scalars())


def erase_marked(connection: Connection, mark: int) -> None:
    """Erase the conversations of an import, unless they are listed already."""
    connection.execute(delete(conversation).where(conversation.c.deleted == mark))
