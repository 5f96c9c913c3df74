"""The messages of a conversation, which form a tree: their rows, branches, alternatives, and the end of a branch.

Each function runs inside the caller's transaction. Damaged links end a branch; they never cause an endless loop.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, insert, literal, select

from resources.language.text import tr
from storage.errors import NoSuchMessage
from storage.library.rows import Message, Page
from storage.library.schema import message

if TYPE_CHECKING:
    from sqlalchemy import CTE, ColumnElement, Connection, Select

Columns = list["ColumnElement[Any]"]

FIELDS: Final[Columns] = [message.c[one.name] for one in fields(Message) if one.name in message.c]
"""The columns of a Message."""

_LIGHT: Final[Columns] = [literal("").label("ledger") if column.name == "ledger" else column for column in FIELDS]
"""The same without the ledger, which is much longer than the text."""


def among(values: Iterable[str | int]) -> Select[Any]:
    """These values as a query: a statement can name any number of them."""
    return select(func.json_each(json.dumps(list(values))).table_valued("value").c.value)


def get(connection: Connection, identifier: str) -> Message:
    """The message of this id. Raises NoSuchMessage."""
    row = connection.execute(select(*FIELDS).where(message.c.id == identifier)).first()
    if row is None:
        raise NoSuchMessage(tr("This message no longer exists."))
    return Message(**row._asdict())


def get_of(connection: Connection, owner: str, identifier: str) -> Message:
    """The message of this id in the conversation `owner`. Raises NoSuchMessage."""
    one = get(connection, identifier)
    if one.conversation != owner:
        raise NoSuchMessage(tr("This message is no longer part of the chat."))
    return one


def add(connection: Connection, added: Message) -> Message:
    """Insert a message unchanged."""
    connection.execute(insert(message).values({column.name: getattr(added, column.name) for column in FIELDS}))
    return added


def remove(connection: Connection, identifier: str) -> None:
    """Remove a message that has no successors."""
    connection.execute(delete(message).where(message.c.id == identifier))


def has_successors(connection: Connection, identifier: str) -> bool:
    """Whether anything follows the message."""
    return connection.execute(select(message.c.id).where(message.c.parent == identifier).limit(1)).first() is not None


def branch_end(connection: Connection, owner: str, leaf: str | None) -> str | None:
    """The end of the active branch of the conversation `owner`: `leaf`, or the newest message if `leaf` is missing."""
    if exists(connection, owner, leaf):
        return leaf
    query = select(message.c.id).where(message.c.conversation == owner)
    return connection.execute(query.order_by(message.c.number.desc()).limit(1)).scalar()


def page(connection: Connection, owner: str, end: str | None, count: int) -> Page:
    """The last `count` messages of the branch that ends at `end`, each with its place among its alternatives.

    The cost does not grow with the conversation.
    """
    links = _upwards(connection, owner, end, count + 1)
    return Page(_placed(connection, owner, links[:count], _LIGHT), earlier=len(links) > count)


def branch(connection: Connection, owner: str, end: str | None) -> tuple[Message, ...]:
    """The messages from the root to `end`, each with its place among its alternatives."""
    return _placed(connection, owner, _upwards(connection, owner, end), FIELDS)


def above(connection: Connection, owner: str, end: str | None) -> tuple[Message, ...]:
    """The messages from the root to `end`, without ledgers."""
    return _read(connection, path(connection, owner, end)[::-1], _LIGHT)


def path(connection: Connection, owner: str, end: str | None, most: int | None = None) -> list[str]:
    """The ids from `end` to the root, at most `most` (None: all)."""
    return [identifier for identifier, _ in _upwards(connection, owner, end, most)]


def _upwards(
    connection: Connection, owner: str, end: str | None, most: int | None = None
) -> list[tuple[str, str | None]]:
    """At most `most` ids (None: all) with their parents, from `end` towards the root. A damaged link or a cycle ends
    the path.
    """
    mine = message.c.conversation == owner
    if most is None:
        most = connection.execute(select(func.count()).where(mine)).scalar() or 0
    begun = select(message.c.id, message.c.parent, literal(1).label("step"))
    up = begun.where(mine, message.c.id == end).cte("up", recursive=True)
    following = select(message.c.id, message.c.parent, up.c.step + 1)
    walked = up.union_all(following.where(message.c.id == up.c.parent, mine, up.c.step < most))
    links = {row.id: row.parent for row in connection.execute(select(walked).order_by(walked.c.step))}
    return list(links.items())


def _placed(
    connection: Connection, owner: str, upwards: list[tuple[str, str | None]], columns: Columns
) -> tuple[Message, ...]:
    """The messages of a path, root first, each with its place among its alternatives."""
    families = _families(connection, owner, {parent for _, parent in upwards})
    found = _read(connection, [identifier for identifier, _ in reversed(upwards)], columns)
    alternatives = (families[parent] for _, parent in reversed(upwards))
    return tuple(
        replace(one, place=family.index(one.id) + 1, places=len(family)) if len(family) > 1 else one
        for one, family in zip(found, alternatives, strict=True)
    )


def _families(connection: Connection, owner: str, parents: set[str | None]) -> dict[str | None, list[str]]:
    """The ids of the messages below each of `parents`, oldest first."""
    families: dict[str | None, list[str]] = {parent: [] for parent in parents}
    under = [message.c.parent.in_(among(parent for parent in parents if parent is not None))]
    if None in parents:
        under.append(message.c.parent.is_(None))
    for place in under:  # two queries: the index cannot serve both conditions at once
        query = select(message.c.id, message.c.parent).where(message.c.conversation == owner, place)
        for row in connection.execute(query.order_by(message.c.number)):
            families[row.parent].append(row.id)
    return families


def _read(connection: Connection, identifiers: list[str], columns: Columns) -> tuple[Message, ...]:
    rows = connection.execute(select(*columns).where(message.c.id.in_(among(identifiers))))
    found = {row.id: Message(**row._asdict()) for row in rows}
    return tuple(found[identifier] for identifier in identifiers)


def alternatives(connection: Connection, one: Message) -> tuple[str, ...]:
    """The ids of `one` and its siblings, oldest first."""
    return tuple(_families(connection, one.conversation, {one.parent})[one.parent])


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
