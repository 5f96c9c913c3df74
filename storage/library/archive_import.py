"""Conversations on their way into the library: owns the rows made of an archive, how many come at once, and that nobody
sees any of them before all are there. Transactions are the store's.

A large archive takes minutes, in which others want to write too, so it comes in portions. Until the last of them the
conversations bear a mark of their own in the place of the moment of their deletion: they are not listed, not found, and
go with the next purge if a crash cuts them short.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from sqlalchemy import Connection, func, insert, select, update

from storage.errors import NoSuchConversation
from storage.library import message_rows
from storage.library.archive import ArchivedAttachment, moment, parents_first
from storage.library.rows import Aside, Message, storable, tags_line
from storage.library.schema import conversation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage

_WEIGHT: Final = 100
"""Messages that come at once, some tens of ms of work, where they are of usual length."""
_USUAL: Final = 4096
"""Characters, or bytes of a file, that weigh as much as a message more."""

Attach = Callable[[Connection, Message, ArchivedAttachment], object]
"""Keeps a file for this message."""


@dataclass(slots=True)
class _Portion:
    """What comes in one transaction."""

    owners: list[dict[str, Any]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    files: list[tuple[Message, ArchivedAttachment]] = field(default_factory=list)
    weight: int = 0

    def add(self, said: Message, attached: tuple[ArchivedAttachment, ...]) -> None:
        self.messages.append(said)
        self.files += [(said, one) for one in attached]
        length = len(said.content) + len(said.aside.reasoning) + sum(len(one.data) for one in attached)
        self.weight += 1 + length // _USUAL


class ArchiveImport:
    """The conversations of an archive, under new ids, in its order. `done` of `count` messages are there;
    `mark` tells its rows until all are.

    A parent that is not in the conversation stands for the root; of messages with one id the first counts.
    """

    def __init__(self, archive: Archive) -> None:
        self.ids = tuple(uuid4().hex for _ in archive.conversations)
        self.count = sum(len(one.messages) for one in archive.conversations)
        self.done = 0
        self._begun = 0
        self.mark = -1 - (uuid4().int >> 66)  # what SQLite takes for a number
        self._portions = _portions(zip(self.ids, archive.conversations, strict=True))

    def add_portion(self, connection: Connection, attach: Attach) -> bool:
        """Add the next portion. Whether all were there already, which are listed from now on.

        Raises NoSuchConversation if what came before is gone.
        """
        mine = conversation.c.deleted == self.mark
        if connection.execute(select(func.count()).where(mine)).scalar() != self._begun:
            raise NoSuchConversation("Another library took the place of this one. Nothing was added.")
        portion = next(self._portions, None)
        if portion is None:
            connection.execute(update(conversation).where(mine).values(deleted=None))
            return True
        self._add(connection, portion, attach)
        return False

    def _add(self, connection: Connection, portion: _Portion, attach: Attach) -> None:
        if portion.owners:
            connection.execute(insert(conversation), [owner | {"deleted": self.mark} for owner in portion.owners])
        message_rows.add_all(connection, portion.messages)
        for said, attached in portion.files:
            attach(connection, said, attached)
        self._begun += len(portion.owners)
        self.done += len(portion.messages)


def _portions(conversations: Iterator[tuple[str, ArchivedConversation]]) -> Iterator[_Portion]:
    portion = _Portion()
    for owner, one in conversations:
        fresh = {said.id: uuid4().hex for said in one.messages}
        portion.owners.append(_columns(one, owner, fresh))
        portion.weight += 1
        for said in parents_first(one.messages):
            if portion.weight >= _WEIGHT:
                yield portion
                portion = _Portion()
            portion.add(_message(said, owner, fresh), said.attachments)
        if portion.weight >= _WEIGHT:
            yield portion
            portion = _Portion()
    yield portion


def _columns(one: ArchivedConversation, owner: str, fresh: dict[str, str]) -> dict[str, Any]:
    return {
        "id": owner,
        "title": storable(one.title),
        "titled": int(one.titled),
        "system": storable(one.system),
        "preset": storable(one.preset),
        "model": storable(one.model),
        "created": moment(one.created),
        "updated": moment(one.updated),
        "leaf": _new(one.leaf, fresh),
        "draft": "",
        "thinking": int(one.thinking),
        "reads_from": _new(one.reads_from, fresh),
        "pinned": int(one.pinned),
        "folder": storable(one.folder),
        "tags": tags_line(one.tags),
        "cached": int(one.cached),
    }


def _message(said: ArchivedMessage, owner: str, fresh: dict[str, str]) -> Message:
    return Message(
        id=fresh[said.id],
        conversation=owner,
        parent=_new(said.parent, fresh),
        role=said.role,
        content=storable(said.content),
        state="interrupted" if said.state == "open" else said.state,
        ledger="",
        usage=storable(said.usage),
        error=storable(said.error),
        model=storable(said.model),
        created=moment(said.created),
        aside=Aside(said.reasoning, said.tool_calls, moment(said.thought_ms)),
    )


def _new(identifier: str | None, fresh: dict[str, str]) -> str | None:
    return None if identifier is None else fresh.get(identifier)
