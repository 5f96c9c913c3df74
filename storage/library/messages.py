"""Rows of messages: owns the tree, its branches and how a message closes, inside a transaction that the store began.

Which message a conversation's active branch ends with is told by the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal
from uuid import uuid4

from sqlalchemy import delete, insert, select, update

from storage.errors import MessageClosed, NoSuchMessage, ReplyNotEmpty
from storage.library.rows import Message, message_from, storable
from storage.library.schema import message

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from storage.library.rows import ClosedState, Conversation, Role

_READ_AT_ONCE: Final = 1000
"""Messages that one query asks for by id."""


def get(connection: Connection, identifier: str) -> Message:
    """Raises NoSuchMessage."""
    row = connection.execute(select(message).where(message.c.id == identifier)).mappings().first()
    if row is None:
        raise NoSuchMessage("This message no longer exists.")
    return message_from(row)


def say(connection: Connection, owner: str, parent: str | None, words: str, now: int) -> Message:
    """Add what the user said under `parent` (None: at the root)."""
    return _add(connection, _new(owner, parent, "user", storable(words), now))


def begin(connection: Connection, owner: str, under: Message, model: str, now: int) -> Message:
    """Add an open reply under `under`. Raises NoSuchMessage unless that is the user's, in the conversation `owner`."""
    if under.role != "user" or under.conversation != owner:
        raise NoSuchMessage("Only a message of the user can be answered.")
    return _add(connection, _new(owner, under.id, "assistant", "", now, model))


def _new(owner: str, parent: str | None, role: Role, content: str, now: int, model: str = "") -> Message:
    state: Literal["open", "done"] = "done" if role == "user" else "open"
    return Message(uuid4().hex, owner, parent, role, content, state, "", "", "", model, now)


def _add(connection: Connection, added: Message) -> Message:
    connection.execute(insert(message).values({name: getattr(added, name) for name in Message.__slots__}))
    return added


def ending(connection: Connection, owner: Conversation) -> str | None:
    """The message that the active branch ends with: the conversation's leaf, or its newest message if that is lost."""
    query = select(message.c.id).where(message.c.conversation == owner.id)
    if connection.execute(query.where(message.c.id == owner.leaf)).first():
        return owner.leaf
    return connection.execute(query.order_by(message.c.number.desc()).limit(1)).scalar()


def branch(connection: Connection, owner: Conversation) -> tuple[Message, ...]:
    """The active branch, root to leaf."""
    query = select(message.c.id, message.c.parent).where(message.c.conversation == owner.id)
    links = {row.id: row.parent for row in connection.execute(query)}
    return _read(connection, _path(links, ending(connection, owner))[::-1])


def _path(links: dict[str, str | None], leaf: str | None) -> list[str]:
    """From `leaf` upwards. A rotten link ends the path, a circle of them too."""
    path: dict[str, None] = {}
    at = leaf
    while at is not None and at in links and at not in path:
        path[at] = None
        at = links[at]
    return list(path)


def _read(connection: Connection, identifiers: list[str]) -> tuple[Message, ...]:
    found: dict[str, Message] = {}
    for first in range(0, len(identifiers), _READ_AT_ONCE):
        query = select(message).where(message.c.id.in_(identifiers[first : first + _READ_AT_ONCE]))
        found |= {row["id"]: message_from(row) for row in connection.execute(query).mappings()}
    return tuple(found[identifier] for identifier in identifiers)


def grow(connection: Connection, identifier: str, content: str) -> None:
    """Set the text of an open message. Raises NoSuchMessage, MessageClosed."""
    _while_open(connection, identifier, content=storable(content))


def close(connection: Connection, identifier: str, content: str, state: ClosedState, **extras: str) -> Message:
    """End an open message; `extras` are its ledger, usage and error. Raises NoSuchMessage, MessageClosed."""
    _while_open(connection, identifier, content=storable(content), state=state, **extras)
    return get(connection, identifier)


def _while_open(connection: Connection, identifier: str, **values: str) -> None:
    query = update(message).where(message.c.id == identifier, message.c.state == "open").values(values)
    if not connection.execute(query).rowcount:
        get(connection, identifier)
        raise MessageClosed("This message is already finished.")


def reopen(connection: Connection, identifier: str) -> Message:
    """Open a reply again, its text kept. Raises NoSuchMessage, also for a message of the user."""
    if get(connection, identifier).role != "assistant":
        raise NoSuchMessage("Only a reply can be continued.")
    connection.execute(update(message).where(message.c.id == identifier).values(state="open", error=""))
    return get(connection, identifier)


def interrupt_open(connection: Connection) -> int:
    """Mark every open message as interrupted. How many there were."""
    return connection.execute(update(message).where(message.c.state == "open").values(state="interrupted")).rowcount


def remove_empty(connection: Connection, reply: Message) -> None:
    """Remove a reply without text and successors. Raises ReplyNotEmpty."""
    if reply.role != "assistant" or reply.content or _children(connection, reply.id):
        raise ReplyNotEmpty("This reply has text already.")
    remove(connection, reply.id)


def remove(connection: Connection, identifier: str) -> None:
    """Remove a message that has no successors."""
    connection.execute(delete(message).where(message.c.id == identifier))


def tip(connection: Connection, identifier: str) -> str:
    """Where the branch through this message ends, following the newest successor each time."""
    while children := _children(connection, identifier):
        identifier = children[-1]
    return identifier


def has_successors(connection: Connection, identifier: str) -> bool:
    """Whether anything follows the message."""
    return bool(_children(connection, identifier))


def _children(connection: Connection, identifier: str) -> list[str]:
    query = select(message.c.id).where(message.c.parent == identifier).order_by(message.c.number)
    return list(connection.execute(query).scalars())
