"""Imports an archive in portions, so that other writers wait for no more than one portion.

A large archive takes minutes. Until its last portion is stored, its conversations bear the import's mark, a negative
number, in the column `deleted`: they are neither listed nor found, and the next purge erases them after a crash.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from sqlalchemy import Connection, func, insert, select, update

from resources.language.text import tr
from storage.errors import NoSuchConversation
from storage.library import conversation_rows, message_rows
from storage.library.archive import ArchivedAttachment, moment, parents_first, weight
from storage.library.duplicates import Duplicates
from storage.library.rows import Aside, Message, label, storable
from storage.library.schema import conversation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage, FilesOf

_WEIGHT: Final = 100
"""The weight of a portion: this many messages of usual length, some tens of ms of work."""

Attach = Callable[[Connection, Message, ArchivedAttachment], object]
"""Stores a file for this message."""


@dataclass(slots=True)
class _Portion:
    """The rows of one transaction."""

    owners: list[dict[str, Any]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    files: list[tuple[Message, ArchivedAttachment]] = field(default_factory=list)
    weight: int = 0

    def add(self, message: Message, archived: ArchivedMessage) -> None:
        self.messages.append(message)
        self.files += [(message, one) for one in archived.attachments]
        self.weight += weight(archived)


class ArchiveImport:
    """A running import. It skips chats that are here already, unless they are imported `again`.

    - `ids` are the new ids, in the archive's order, once all chats are compared. If the conversation that has a chat is
      deleted during the import, that chat is added at the end.
    - `done` of `count` messages are stored.
    - `mark` identifies the rows until the import is complete.

    A message whose parent is not in the conversation becomes a root. If two messages have one id, the first counts.
    """

    def __init__(self, archive: Archive, *, again: bool = False) -> None:
        self.ids: tuple[str, ...] = ()
        self.count = self.done = self._begun = 0
        self.mark = -1 - (uuid4().int >> 66)  # fits into 63 bits, as SQLite's integers do
        self._duplicates = Duplicates(() if again else archive.conversations)
        self._portions: Iterator[_Portion] | None = None
        if again:
            self._take(archive.conversations)

    @property
    def here(self) -> tuple[str, ...]:
        """The conversations that the skipped chats are in, in the archive's order."""
        return self._duplicates.here

    def add_portion(self, connection: Connection, attach: Attach, files_of: FilesOf) -> bool:
        """Compare or add the next portion. After the last one, list the conversations and return True.

        Raises NoSuchConversation if the rows of earlier portions are gone.
        """
        mine = conversation.c.deleted == self.mark
        if connection.execute(select(func.count()).where(mine)).scalar() != self._begun:
            raise NoSuchConversation(tr("Another library took the place of this one. Nothing was added."))
        if self._portions is None:
            if self._duplicates.compare_portion(connection, files_of):
                self._take(self._duplicates.new)
        elif portion := next(self._portions, None):
            self._add(connection, portion, attach)
        elif gone := self._duplicates.drop_unlisted(connection):
            self._take(gone)
        else:
            connection.execute(update(conversation).where(mine).values(deleted=None))
            return True
        return False

    def _take(self, chats: Sequence[ArchivedConversation]) -> None:
        """Let the next portions be these chats."""
        ids = tuple(uuid4().hex for _ in chats)
        self.ids += ids
        self.count += sum(len(one.messages) for one in chats)
        self._portions = _portions(zip(ids, chats, strict=True))

    def _add(self, connection: Connection, portion: _Portion, attach: Attach) -> None:
        if portion.owners:
            connection.execute(insert(conversation), [owner | {"deleted": self.mark} for owner in portion.owners])
        message_rows.add_all(connection, portion.messages)
        for message, attached in portion.files:
            attach(connection, message, attached)
        self._begun += len(portion.owners)
        self.done += len(portion.messages)


def _portions(conversations: Iterator[tuple[str, ArchivedConversation]]) -> Iterator[_Portion]:
    portion = _Portion()
    for owner, one in conversations:
        fresh = {message.id: uuid4().hex for message in one.messages}
        portion.owners.append(_columns(one, owner, fresh))
        portion.weight += 1
        for message in parents_first(one.messages):
            if portion.weight >= _WEIGHT:
                yield portion
                portion = _Portion()
            portion.add(_message(message, owner, fresh), message)
        if portion.weight >= _WEIGHT:
            yield portion
            portion = _Portion()
    yield portion


def _columns(one: ArchivedConversation, owner: str, fresh: dict[str, str]) -> dict[str, Any]:
    links = {"leaf": _new(one.leaf, fresh), "reads_from": _new(one.reads_from, fresh)}
    times = {"created": moment(one.created), "updated": moment(one.updated)}
    labels = {"title": label(one.title), "model": label(one.model), "folder": label(one.folder)}
    return conversation_rows.columns(one) | {"id": owner} | links | times | labels


def _message(message: ArchivedMessage, owner: str, fresh: dict[str, str]) -> Message:
    return Message(
        id=fresh[message.id],
        conversation=owner,
        parent=_new(message.parent, fresh),
        role=message.role,
        content=storable(message.content),
        state="interrupted" if message.state == "open" else message.state,
        ledger="",
        usage=storable(message.usage),
        error=label(message.error),
        model=label(message.model),
        created=moment(message.created),
        aside=Aside(message.reasoning, message.tool_calls, moment(message.thought_ms)),
    )


def _new(identifier: str | None, fresh: dict[str, str]) -> str | None:
    return None if identifier is None else fresh.get(identifier)
