"""How a conversation's messages hang together: owns branches, alternatives and where a branch ends.

Single messages are left to `storage.library.messages`; the transaction is the store's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from sqlalchemy import ColumnElement, func, literal, select

from storage.errors import NoSuchMessage
from storage.library import message_rows
from storage.library.rows import Page, message_from
from storage.library.schema import message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from storage.library.rows import Message

Columns = tuple[ColumnElement[Any], ...]

_READ_AT_ONCE: Final = 1000
"""Messages that one query asks for by id."""

_WHOLE: Final[Columns] = tuple(message.c)
_LIGHT: Final[Columns] = (*(column for column in message.c if column.name != "ledger"), literal("").label("ledger"))
"""All but the ledgers, which are much longer than the words."""


def ending(connection: Connection, owner: str, leaf: str | None) -> str | None:
    """The message that the active branch of the conversation `owner` ends with: its newest one if `leaf` is lost."""
    query = select(message.c.id).where(message.c.conversation == owner)
    if connection.execute(query.where(message.c.id == leaf)).first():
        return leaf
    return connection.execute(query.order_by(message.c.number.desc()).limit(1)).scalar()


def page(connection: Connection, owner: str, end: str | None, count: int) -> Page:
    """At most `count` messages that lead to `end`, which is the last, each with its place among its alternatives.

    What it reads does not grow with the conversation: from `end` upwards, and no further.
    """
    path = _upwards(connection, owner, end, count + 1)
    shown = path[:count][::-1]
    families = _families(connection, owner, {parent for _, parent in shown})
    found = {one.id: one for one in _read(connection, [identifier for identifier, _ in shown], _LIGHT)}
    placed = (_placed(found[identifier], families[parent]) for identifier, parent in shown)
    return Page(tuple(placed), earlier=len(path) > count)


def _upwards(connection: Connection, owner: str, end: str | None, most: int) -> list[tuple[str, str | None]]:
    """Ids and their parents, from `end` on. A rotten link ends the path, a circle of them too."""
    begun = select(message.c.id, message.c.parent, literal(1).label("step"))
    up = begun.where(message.c.conversation == owner, message.c.id == end).cte("up", recursive=True)
    above = select(message.c.id, message.c.parent, up.c.step + 1).where(
        message.c.id == up.c.parent, message.c.conversation == owner, up.c.step < most
    )
    walked = up.union_all(above)
    path = {row.id: row.parent for row in connection.execute(select(walked).order_by(walked.c.step))}
    return list(path.items())


def _families(connection: Connection, owner: str, parents: set[str | None]) -> dict[str | None, list[str]]:
    """The ids of the messages under each of `parents`, in the order in which they were made."""
    families: dict[str | None, list[str]] = {parent: [] for parent in parents}
    under = [message.c.parent.in_(parents - {None})]
    if None in parents:
        under.append(message.c.parent.is_(None))
    for place in under:  # two questions: the index serves either, but not both in one
        query = select(message.c.id, message.c.parent).where(message.c.conversation == owner, place)
        for row in connection.execute(query.order_by(message.c.number)):
            families[row.parent].append(row.id)
    return families


def branch(connection: Connection, owner: str, end: str | None) -> tuple[Message, ...]:
    """From the root to `end`, each message with its place among its alternatives."""
    query = select(message.c.number, message.c.id, message.c.parent).where(message.c.conversation == owner)
    rows = sorted((row.number, row.id, row.parent) for row in connection.execute(query))
    links = {identifier: parent for _, identifier, parent in rows}
    families: dict[str | None, list[str]] = {links[identifier]: [] for identifier in _path(links, end)}
    for _, identifier, parent in rows:
        if parent in families:
            families[parent].append(identifier)
    found = _read(connection, _path(links, end)[::-1], _WHOLE)
    return tuple(_placed(one, families[links[one.id]]) for one in found)


def _placed(one: Message, family: list[str]) -> Message:
    return replace(one, place=family.index(one.id) + 1, places=len(family)) if len(family) > 1 else one


def _path(links: dict[str, str | None], leaf: str | None) -> list[str]:
    """From `leaf` upwards. A rotten link ends the path, a circle of them too."""
    path: dict[str, None] = {}
    at = leaf
    while at is not None and at in links and at not in path:
        path[at] = None
        at = links[at]
    return list(path)


def _read(connection: Connection, identifiers: list[str], columns: Columns) -> tuple[Message, ...]:
    found: dict[str, Message] = {}
    for first in range(0, len(identifiers), _READ_AT_ONCE):
        query = select(*columns).where(message.c.id.in_(identifiers[first : first + _READ_AT_ONCE]))
        found |= {row["id"]: message_from(row) for row in connection.execute(query).mappings()}
    return tuple(found[identifier] for identifier in identifiers)


def alternatives(connection: Connection, one: Message) -> tuple[str, ...]:
    """The messages that stand for each other, `one` among them, in the order in which they were made."""
    query = select(message.c.id).where(message.c.conversation == one.conversation, message.c.parent.is_(one.parent))
    return tuple(connection.execute(query.order_by(message.c.number)).scalars())


def newest_leaf(connection: Connection, identifier: str) -> str:
    """The newest message below this one, or itself: nothing can follow the newest."""
    below = select(message.c.id, message.c.number).where(message.c.id == identifier).cte("below", recursive=True)
    next_ones = select(message.c.id, message.c.number).where(message.c.parent == below.c.id)
    reached = below.union(next_ones)  # not union_all: a circle of rotten links comes to an end
    return connection.execute(select(reached.c.id).order_by(reached.c.number.desc()).limit(1)).scalar() or identifier


def exists(connection: Connection, owner: str, identifier: str | None) -> bool:
    """Whether the conversation `owner` has this message."""
    query = select(func.count()).where(message.c.conversation == owner, message.c.id == identifier)
    return bool(connection.execute(query).scalar())


def span(connection: Connection, owner: str, first: str | None, last: str) -> tuple[Message, ...]:
    """The part of a branch from `first` (None: its root) to `last`. Raises NoSuchMessage if there is no such part."""
    line = branch(connection, owner, last)
    begins = [place for place, one in enumerate(line) if first in (None, one.id)]
    if not begins:
        raise NoSuchMessage("This message is no longer part of the chat.")
    return line[begins[0] :]


def copy(connection: Connection, line: Sequence[Message], owner: str) -> dict[str, str]:
    """Copy a branch as the first of the conversation `owner`: the new ids by the old ones.

    Ledgers come along. A reply that is still being made is copied as one that was stopped there.
    """
    fresh = {one.id: uuid4().hex for one in line}
    parent = None
    for one in line:
        state = "stopped" if one.state == "open" else one.state
        copied = replace(one, id=fresh[one.id], conversation=owner, parent=parent, state=state)
        parent = message_rows.add(connection, copied).id
    return fresh
