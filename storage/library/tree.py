"""The tree of a conversation's messages: branches, alternatives, and the end of a branch.

Each function runs inside the caller's transaction. Damaged links end a branch; they never cause an endless loop.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from sqlalchemy import func, literal, select

from resources.language.text import tr
from storage.errors import NoSuchMessage
from storage.library import message_rows
from storage.library.message_rows import FIELDS, LIGHT
from storage.library.rows import Page, message_from
from storage.library.schema import message

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import CTE, Connection

    from storage.library.message_rows import Columns
    from storage.library.rows import Message

_READ_AT_ONCE: Final = 1000
"""How many ids one query names."""


def branch_end(connection: Connection, owner: str, leaf: str | None) -> str | None:
    """The end of the active branch of the conversation `owner`: `leaf`, or the newest message if `leaf` is missing."""
    query = select(message.c.id).where(message.c.conversation == owner)
    if connection.execute(query.where(message.c.id == leaf)).first():
        return leaf
    return connection.execute(query.order_by(message.c.number.desc()).limit(1)).scalar()


def page(connection: Connection, owner: str, end: str | None, count: int) -> Page:
    """The last `count` messages of the branch that ends at `end`, each with its place among its alternatives.

    The cost does not grow with the conversation.
    """
    path = _upwards(connection, owner, end, count + 1)
    shown = path[:count][::-1]
    families = _families(connection, owner, {parent for _, parent in shown})
    found = {one.id: one for one in _read(connection, [identifier for identifier, _ in shown], LIGHT)}
    placed = (_placed(found[identifier], families[parent]) for identifier, parent in shown)
    return Page(tuple(placed), earlier=len(path) > count)


def _upwards(connection: Connection, owner: str, end: str | None, most: int) -> list[tuple[str, str | None]]:
    """Ids with their parents, from `end` towards the root. A damaged link or a cycle ends the path."""
    begun = select(message.c.id, message.c.parent, literal(1).label("step"))
    up = begun.where(message.c.conversation == owner, message.c.id == end).cte("up", recursive=True)
    above = select(message.c.id, message.c.parent, up.c.step + 1).where(
        message.c.id == up.c.parent, message.c.conversation == owner, up.c.step < most
    )
    walked = up.union_all(above)
    path = {row.id: row.parent for row in connection.execute(select(walked).order_by(walked.c.step))}
    return list(path.items())


def _families(connection: Connection, owner: str, parents: set[str | None]) -> dict[str | None, list[str]]:
    """The ids of the messages below each of `parents`, oldest first."""
    families: dict[str | None, list[str]] = {parent: [] for parent in parents}
    under = [message.c.parent.in_(parents - {None})]
    if None in parents:
        under.append(message.c.parent.is_(None))
    for place in under:  # two queries: the index cannot serve both conditions at once
        query = select(message.c.id, message.c.parent).where(message.c.conversation == owner, place)
        for row in connection.execute(query.order_by(message.c.number)):
            families[row.parent].append(row.id)
    return families


def path(connection: Connection, owner: str, end: str | None) -> list[str]:
    """The ids from `end` to the root."""
    query = select(message.c.id, message.c.parent).where(message.c.conversation == owner)
    return _path({row.id: row.parent for row in connection.execute(query)}, end)


def above(connection: Connection, owner: str, end: str | None) -> tuple[Message, ...]:
    """The messages from the root to `end`, without ledgers."""
    return _read(connection, path(connection, owner, end)[::-1], LIGHT)


def branch(connection: Connection, owner: str, end: str | None) -> tuple[Message, ...]:
    """The messages from the root to `end`, each with its place among its alternatives."""
    query = select(message.c.number, message.c.id, message.c.parent).where(message.c.conversation == owner)
    rows = sorted((row.number, row.id, row.parent) for row in connection.execute(query))
    links = {identifier: parent for _, identifier, parent in rows}
    families: dict[str | None, list[str]] = {links[identifier]: [] for identifier in _path(links, end)}
    for _, identifier, parent in rows:
        if parent in families:
            families[parent].append(identifier)
    found = _read(connection, _path(links, end)[::-1], FIELDS)
    return tuple(_placed(one, families[links[one.id]]) for one in found)


def _placed(one: Message, family: list[str]) -> Message:
    return replace(one, place=family.index(one.id) + 1, places=len(family)) if len(family) > 1 else one


def _path(links: dict[str, str | None], leaf: str | None) -> list[str]:
    """Ids from `leaf` towards the root. A damaged link or a cycle ends the path."""
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
        found |= {row.id: message_from(row) for row in connection.execute(query)}
    return tuple(found[identifier] for identifier in identifiers)


def alternatives(connection: Connection, one: Message) -> tuple[str, ...]:
    """The ids of `one` and its siblings, oldest first."""
    query = select(message.c.id).where(message.c.conversation == one.conversation, message.c.parent.is_(one.parent))
    return tuple(connection.execute(query.order_by(message.c.number)).scalars())


def newest_leaf(connection: Connection, identifier: str) -> str:
    """The newest message below this one, or itself. The newest is always a leaf."""
    reached = _below(identifier)
    return connection.execute(select(reached.c.id).order_by(reached.c.number.desc()).limit(1)).scalar() or identifier


def chosen_leaf(connection: Connection, identifier: str, left: Collection[str]) -> str:
    """The leaf below this message where the user was last, or the newest one. `left` are the leaves that the user has
    left, the last one at the end.
    """
    reached = _below(identifier)
    here = set(connection.execute(select(reached.c.id).where(reached.c.id.in_(left))).scalars())
    return newest_leaf(connection, next((leaf for leaf in reversed(tuple(left)) if leaf in here), identifier))


def _below(identifier: str) -> CTE:
    below = select(message.c.id, message.c.number).where(message.c.id == identifier).cte("below", recursive=True)
    next_ones = select(message.c.id, message.c.number).where(message.c.parent == below.c.id)
    return below.union(next_ones)  # not union_all: a cycle of damaged links ends


def exists(connection: Connection, owner: str, identifier: str | None) -> bool:
    """Whether the conversation `owner` has this message."""
    query = select(func.count()).where(message.c.conversation == owner, message.c.id == identifier)
    return bool(connection.execute(query).scalar())


def part_of_branch(connection: Connection, owner: str, first: str | None, last: str) -> tuple[Message, ...]:
    """The branch from `first` (None: its root) to `last`. Raises NoSuchMessage if either is not on it."""
    line = branch(connection, owner, last)
    begins = [place for place, one in enumerate(line) if first in (None, one.id)]
    if not begins:
        raise NoSuchMessage(tr("This message is no longer part of the chat."))
    return line[begins[0] :]


def copy(connection: Connection, line: Sequence[Message], owner: str) -> dict[str, str]:
    """Copy a branch into the new conversation `owner`, ledgers included. Returns the new ids by the old ones.

    An open reply is copied as stopped.
    """
    fresh = {one.id: uuid4().hex for one in line}
    parent = None
    for one in line:
        state = "stopped" if one.state == "open" else one.state
        copied = replace(one, id=fresh[one.id], conversation=owner, parent=parent, state=state)
        parent = message_rows.add(connection, copied).id
    return fresh
