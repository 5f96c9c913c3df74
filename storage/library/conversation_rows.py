"""Rows of conversations: owns reading, listing and changing them inside a transaction that the store began.

Their messages are left to `storage.library.messages`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import uuid4

from sqlalchemy import case, delete, func, insert, select, update

from storage.errors import NoSuchConversation
from storage.library.rows import (
    Conversation,
    conversation_from,
    storable,
    summary_from,
    tags_line,
    text_from,
    title_from,
)
from storage.library.schema import attachment, conversation, message

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, Select

    from storage.library.rows import Summary

_WORDS_READ: Final = 200
"""Characters of a message that are read to make a snippet."""

_GONE: Final = "This conversation no longer exists."

_EMPTY: Final[dict[str, str | int | None]] = {
    **dict.fromkeys(("title", "system", "model", "draft", "folder", "tags"), ""),
    **dict.fromkeys(("leaf", "reads_from")),
}

_FIELDS: Final = [column for column in conversation.c if column.name not in {"draft", "deleted"}]


def summaries(connection: Connection) -> tuple[Summary, ...]:
    """All listed conversations: the pinned ones first, then the newest."""
    row = conversation.c
    query = _summaries(row.updated).where(row.deleted.is_(None))
    ordered = query.order_by(row.pinned.desc(), row.updated.desc(), row.number.desc())
    return tuple(map(summary_from, connection.execute(ordered).mappings()))


def some(connection: Connection, numbers: Collection[int]) -> dict[int, Summary]:
    """Conversations by the number of their row."""
    query = (
        _summaries(conversation.c.updated).add_columns(conversation.c.number).where(conversation.c.number.in_(numbers))
    )
    return {row["number"]: summary_from(row) for row in connection.execute(query).mappings()}


def deleted(connection: Connection) -> tuple[Summary, ...]:
    """Those that were deleted, the last one first; `updated` is when that was."""
    row = conversation.c
    query = _summaries(row.deleted).where(row.deleted >= 0).order_by(row.deleted.desc(), row.number.desc())
    return tuple(map(summary_from, connection.execute(query).mappings()))


def _summaries(moment: ColumnElement[int]) -> Select[Any]:
    row, leaf, before = conversation.c, message.alias("leaf"), message.alias("before")
    words = func.substr(case((leaf.c.content != "", leaf.c.content), else_=before.c.content), 1, _WORDS_READ)
    joined = conversation.outerjoin(leaf, leaf.c.id == row.leaf).outerjoin(before, before.c.id == leaf.c.parent)
    fields = (row.id, row.title, moment.label("updated"), row.pinned, row.folder, row.tags, row.cached)
    return select(*fields, words.label("words")).select_from(joined)


def add(connection: Connection, made: Conversation) -> Conversation:
    """Insert a conversation with a new id, which is returned in it."""
    values = {name: getattr(made, name) for name in Conversation.__slots__}
    values |= {name: int(values[name]) for name in ("titled", "thinking", "pinned", "cached")}
    values |= {"id": uuid4().hex, "tags": tags_line(made.tags), "draft": "", "deleted": None}
    connection.execute(insert(conversation).values(values))
    return get(connection, values["id"])


def get(connection: Connection, identifier: str) -> Conversation:
    """Raises NoSuchConversation, also for one that is deleted."""
    query = select(*_FIELDS).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    row = connection.execute(query).mappings().first()
    if row is None:
        raise NoSuchConversation(_GONE)
    return conversation_from(row)


def find(connection: Connection, title: str) -> Conversation | None:
    """The newest one of exactly this title."""
    query = select(*_FIELDS).where(conversation.c.title == storable(title), conversation.c.deleted.is_(None))
    newest = query.order_by(conversation.c.updated.desc(), conversation.c.number.desc()).limit(1)
    row = connection.execute(newest).mappings().first()
    return None if row is None else conversation_from(row)


def change(connection: Connection, identifier: str, **values: str | int | None) -> None:
    """Set columns of a listed conversation. Raises NoSuchConversation."""
    query = update(conversation).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    if not connection.execute(query.values(values)).rowcount:
        raise NoSuchConversation(_GONE)


def put(connection: Connection, identifier: str, **values: str | int | None) -> None:
    """Set columns of a conversation even if it was deleted meanwhile: its reply may still be ending."""
    connection.execute(update(conversation).where(conversation.c.id == identifier).values(values))


def name_by(connection: Connection, owner: Conversation, words: str) -> None:
    """Take the title from the user's first words, unless there is one."""
    if not owner.title:
        change(connection, owner.id, title=title_from(words))


def take_back(connection: Connection, identifier: str, words: str) -> None:
    """Put words that were sent before the draft."""
    row = conversation.c
    joined = case((row.draft == "", words), else_=words + "\n\n" + row.draft)
    connection.execute(update(conversation).where(row.id == identifier).values(draft=joined))


def lead_to(connection: Connection, identifier: str, leaf: str | None) -> None:
    """Let the active branch end with `leaf`. Without any message, a title that was not the user's goes."""
    row = conversation.c
    put(connection, identifier, leaf=leaf)
    if leaf is None:
        connection.execute(update(conversation).where(row.id == identifier, row.titled == 0).values(title=""))


def leaf_of(connection: Connection, identifier: str) -> str | None:
    """The leaf as it is noted, also of a deleted conversation."""
    query = select(conversation.c.leaf).where(conversation.c.id == identifier)
    return connection.execute(query).scalar()


def draft(connection: Connection, identifier: str) -> str:
    """What the user has typed and not sent. Raises NoSuchConversation."""
    query = select(conversation.c.draft).where(conversation.c.id == identifier, conversation.c.deleted.is_(None))
    found = connection.execute(query).first()
    if found is None:
        raise NoSuchConversation(_GONE)
    return str(found.draft)


def folders(connection: Connection) -> tuple[str, ...]:
    """The folders that any listed conversation lies in, by name."""
    found = select(conversation.c.folder).where(conversation.c.deleted.is_(None), conversation.c.folder != "")
    names = map(text_from, connection.execute(found.distinct()).scalars())
    return tuple(sorted(names, key=lambda name: (name.casefold(), name)))


def pinned(connection: Connection) -> tuple[str, ...]:
    """The ids of the listed conversations that are pinned."""
    found = select(conversation.c.id).where(conversation.c.deleted.is_(None), conversation.c.pinned != 0)
    return tuple(connection.execute(found.order_by(conversation.c.number)).scalars())


def newest(connection: Connection) -> int:
    """The newest moment at which any was changed or deleted, in ms, UTC; 0 where there is none."""
    row = conversation.c
    moments = connection.execute(select(func.max(row.updated), func.max(row.deleted))).one()
    return max((moment for moment in moments if moment is not None), default=0)


def undelete(connection: Connection, identifier: str) -> None:
    """List one again that was deleted. Raises NoSuchConversation."""
    row = conversation.c
    query = update(conversation).where(row.id == identifier, row.deleted >= 0).values(deleted=None)
    if not connection.execute(query).rowcount:
        raise NoSuchConversation("This conversation is not in Recently Deleted any more.")


def erase(connection: Connection, identifier: str) -> None:
    """Erase one, deleted or not, with all its messages. Raises NoSuchConversation."""
    if not connection.execute(delete(conversation).where(conversation.c.id == identifier)).rowcount:
        raise NoSuchConversation(_GONE)


def due(connection: Connection, deleted_before: int) -> dict[str, int]:
    """Those that were deleted at or before this time (ms, UTC): when that was, by their ids."""
    row = conversation.c
    query = select(row.id, row.deleted).where(row.deleted >= 0, row.deleted <= deleted_before)
    return {one.id: one.deleted for one in connection.execute(query)}


def empty(connection: Connection, identifiers: Collection[str]) -> None:
    """Erase all that conversations hold: their rows stay, without a word."""
    for identifier in identifiers:
        connection.execute(delete(attachment).where(attachment.c.conversation == identifier))
        connection.execute(delete(message).where(message.c.conversation == identifier))
        put(connection, identifier, **_EMPTY)


def purge(connection: Connection, deleted_before: int, arriving: Collection[int]) -> tuple[str, ...]:
    """Erase those that were deleted at or before this time (ms, UTC), or did not arrive to the end, with all their
    messages; not those that bear a mark of what is `arriving`. Their ids.
    """
    row = conversation.c
    query = delete(conversation).where(row.deleted <= deleted_before, row.deleted.not_in(arriving)).returning(row.id)
    return tuple(connection.execute(query).scalars())


def erase_marked(connection: Connection, mark: int) -> None:
    """Erase the conversations of an import, unless they are listed already."""
    connection.execute(delete(conversation).where(conversation.c.deleted == mark))
