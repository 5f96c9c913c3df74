"""Rows of messages. Each function runs inside the caller's transaction."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, Literal
from uuid import uuid4

from sqlalchemy import delete, insert, literal, select, update

from resources.language.text import tr
from storage.errors import MessageClosed, NoSuchMessage, ReplyNotEmpty
from storage.library.rows import Aside, Message, message_from
from storage.library.schema import message

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from storage.library.rows import Role

Columns = list["ColumnElement[Any]"]

FIELDS: Final[Columns] = [message.c[name] for name in (*Message.__slots__, *Aside.__slots__) if name in message.c]
"""The columns of a Message, in its order; those of its aside follow."""

LIGHT: Final[Columns] = [literal("") if column.name == "ledger" else column for column in FIELDS]
"""The same without the ledger, which is much longer than the text."""

_NAMES: Final = tuple(name for name in Message.__slots__ if name in message.c)


def get(connection: Connection, identifier: str) -> Message:
    """The message of this id. Raises NoSuchMessage."""
    row = connection.execute(select(*FIELDS).where(message.c.id == identifier)).first()
    if row is None:
        raise NoSuchMessage(tr("This message no longer exists."))
    return message_from(row)


def add_user_message(connection: Connection, owner: str, parent: str | None, words: str, now: int) -> Message:
    """Add a message of the user below `parent` (None: as a root)."""
    return add(connection, _new(owner, parent, "user", words, now))


def add_open_reply(connection: Connection, owner: str, under: Message, model: str, now: int) -> Message:
    """Add an open reply below `under`. Raises NoSuchMessage if that is a reply or not in the conversation `owner`."""
    if under.role == "assistant" or under.conversation != owner:
        raise NoSuchMessage(tr("Only a message of the user can be answered."))
    return add(connection, _new(owner, under.id, "assistant", "", now, model))


def _new(owner: str, parent: str | None, role: Role, content: str, now: int, model: str = "") -> Message:
    state: Literal["open", "done"] = "open" if role == "assistant" else "done"
    return Message(uuid4().hex, owner, parent, role, content, state, "", "", "", model, now)


def add(connection: Connection, added: Message) -> Message:
    """Insert a message unchanged."""
    values = {name: getattr(added, name) for name in _NAMES}
    connection.execute(insert(message).values(values | asdict(added.aside)))
    return added


def save_progress(connection: Connection, identifier: str, content: str, aside: Aside) -> None:
    """Set the text of an open message. Raises NoSuchMessage, MessageClosed."""
    _update_open(connection, identifier, content=content, **asdict(aside))


def end(connection: Connection, ended: Message) -> Message:
    """End an open message with the text, state, ledger, usage and error of `ended`.

    Raises NoSuchMessage, MessageClosed.
    """
    values = {name: getattr(ended, name) for name in ("content", "state", "ledger", "usage", "error")}
    _update_open(connection, ended.id, **values, **asdict(ended.aside))
    return get(connection, ended.id)


def _update_open(connection: Connection, identifier: str, **values: str | int) -> None:
    query = update(message).where(message.c.id == identifier, message.c.state == "open").values(values)
    if not connection.execute(query).rowcount:
        get(connection, identifier)
        raise MessageClosed(tr("This message is already finished."))


def reopen(connection: Connection, identifier: str) -> Message:
    """Open a reply again and keep its text. Raises NoSuchMessage, also for a message of the user."""
    if get(connection, identifier).role != "assistant":
        raise NoSuchMessage(tr("Only a reply can be continued."))
    connection.execute(update(message).where(message.c.id == identifier).values(state="open", error=""))
    return get(connection, identifier)


def interrupt_open(connection: Connection) -> int:
    """Mark every open message as interrupted. Returns their number."""
    return connection.execute(update(message).where(message.c.state == "open").values(state="interrupted")).rowcount


def remove_empty(connection: Connection, reply: Message) -> None:
    """Remove an empty reply without successors. Raises ReplyNotEmpty."""
    if reply.role != "assistant" or not reply.silent or has_successors(connection, reply.id):
        raise ReplyNotEmpty(tr("This reply has text already."))
    remove(connection, reply.id)


def remove(connection: Connection, identifier: str) -> None:
    """Remove a message that has no successors."""
    connection.execute(delete(message).where(message.c.id == identifier))


def has_successors(connection: Connection, identifier: str) -> bool:
    """Whether anything follows the message."""
    return connection.execute(select(message.c.id).where(message.c.parent == identifier).limit(1)).first() is not None
