"""Exports conversations as an archive, and imports archives.

An import runs in portions, so that other writers wait for no more than one portion. A large archive takes minutes.
Until its last portion is stored, its conversations bear the import's mark, a negative number, in the column `deleted`:
they are neither listed nor found, and after a crash the next start erases them.

A chat is here already if all its messages are in one listed conversation: the same words and files at the same times,
each below the same message. That conversation may have more messages, and any title, folder or tags. A chat without
messages is here if a conversation of the same time has its instructions. The chats of an archive are not compared with
each other.
"""

from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from sqlalchemy import func, insert, literal, select, type_coerce, union_all, update

from resources.language.text import tr
from storage.database import Database
from storage.errors import NoRoomForImport, NoSuchConversation, StorageError
from storage.library import archive as archives
from storage.library import attachments, conversations
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage, parents_first, weight
from storage.library.attachments import stored_name
from storage.library.columns import WORDS, field, storable
from storage.library.files import Files
from storage.library.rows import ArchivedAttachment, MessageData, moment
from storage.library.schema import conversation, message
from storage.library.trash import Trash
from storage.library.tree import among

if TYPE_CHECKING:
    from sqlalchemy import CompoundSelect, Connection, Table

_WEIGHT: Final = 100
"""The weight of a portion: this many messages of usual length, some tens of ms of work."""
_COMPARED: Final = 1000
"""The same of messages that are read and compared."""
_SPARE_BYTES: Final = 64_000_000
"""An import leaves this much of the disk for everything else."""

_Addition = tuple["Table", dict[str, Any], "tuple[ArchivedAttachment, ...]", int]
"""A row for this table, the files of its message, and its weight."""

_Beginning = tuple[int, str, str]
"""The time, role and words of a first message. Without messages: the chat's time, no role, and its instructions."""


_Pair = tuple[int, frozenset[bytes], str]
"""The place of a chat in the archive, the keys of its messages, and a conversation that begins like it."""


class ArchiveImport:
    """A running import. It skips chats that are here already, unless they are imported `again`.

    - `ids` are the new ids, in the archive's order, once all chats are compared. If the conversation that has a chat is
      deleted during the import, that chat is added at the end.
    - `done` of `count` messages are stored.
    - `mark` identifies the rows until the import is complete.

    A message whose parent is not in the conversation becomes a root. If two messages have one id, the first counts.
    Chats that were last used in days to come count as used when they are imported: no deletion is dated before the
    newest chat, so all that is deleted after such an import would be kept until then.
    """

    def __init__(self, archive: Archive, *, again: bool = False) -> None:
        self.ids: tuple[str, ...] = ()
        self.count = self.done = self._begun = self._latest = 0
        self._room = 0  # bytes that were free at the beginning
        self.mark = -1 - (uuid4().int >> 66)  # fits into 63 bits, as SQLite's integers do
        self._chats = archive.conversations
        self._here: dict[int, str] = {}  # by the place of a chat
        self._pairs: Iterator[_Pair] | None = None
        self._keys: dict[str, frozenset[bytes]] = {}
        self._left: Iterator[_Addition] | None = None
        if again:
            self._take(range(len(self._chats)))

    @property
    def here(self) -> tuple[str, ...]:
        """The conversations that the skipped chats are in, in the archive's order."""
        return tuple(self._here.values())

    def add_portion(self, connection: Connection, files: Files, now: int) -> bool:
        """Compare or add the next portion. After the last one, list the conversations and return True. `now` in ms,
        UTC.

        Raises NoSuchConversation if the rows of earlier portions are gone.
        """
        self._latest = self._latest or conversations.latest(connection, now)
        mine = conversation.c.deleted == self.mark
        if connection.execute(select(func.count()).where(mine)).scalar() != self._begun:
            raise NoSuchConversation(tr("Another library took the place of this one. Nothing was added."))
        if self._left is None:
            if self._compare(connection, files):
                self._take(place for place in range(len(self._chats)) if place not in self._here)
        elif not self._add(connection, self._left, files):
            if not (gone := self._unlisted(connection)):
                connection.execute(update(conversation).where(mine).values(deleted=None))
                return True
            for place in gone:
                del self._here[place]
            self._take(gone)
        return False

    def check_room(self, free: int) -> None:
        """Raise NoRoomForImport if so many `free` bytes do not let this import be erased: that takes as many bytes as
        it has stored, because the log holds each page that is overwritten.
        """
        self._room = self._room or free
        if free < _SPARE_BYTES + self._room - free:
            raise NoRoomForImport(tr("The disk has too little room for this import. Nothing was added."))

    def _compare(self, connection: Connection, files: Files) -> bool:
        """Compare the next portion. True if no chat is left."""
        self._pairs = self._pairs or _pairs(connection, self._chats, self._here)
        work = 0
        for place, keys, owner in self._pairs:
            work += 1
            if owner not in self._keys:
                found = archives.messages(connection, owner, files)
                self._keys[owner] = _keys_of(found)
                work += sum(map(weight, found))
            if keys <= self._keys[owner]:
                self._here[place] = owner
            if work >= _COMPARED:
                return False
        return True

    def _unlisted(self, connection: Connection) -> list[int]:
        """The chats whose conversations have been deleted since they were found."""
        known = conversation.c.id.in_(among(self._here.values()))
        query = select(conversation.c.id).where(known, conversation.c.deleted.is_(None))
        listed = set(connection.execute(query).scalars())
        return [place for place, owner in self._here.items() if owner not in listed]

    def _take(self, places: Iterable[int]) -> None:
        """Let the next portions be these chats."""
        chats = [self._chats[place] for place in places]
        ids = tuple(uuid4().hex for _ in chats)
        self.ids += ids
        self.count += sum(len(one.messages) for one in chats)
        self._left = _additions(zip(ids, chats, strict=True), self.mark)

    def _add(self, connection: Connection, left: Iterator[_Addition], files: Files) -> int:
        """Add the rows of one portion. Returns its weight, 0 if no row is left."""
        portion, work = list[_Addition](), 0
        while work < _WEIGHT and (following := next(left, None)):
            portion.append(following)
            work += following[-1]
        for table, run in groupby(portion, itemgetter(0)):
            rows = [(row, attached) for _, row, attached, _ in run]
            for row, _ in rows if table is conversation else ():
                row["updated"] = min(row["updated"], self._latest)
            connection.execute(insert(table), [row for row, _ in rows])
            for row, attached in rows:
                for file in attached:
                    attachments.add(connection, files, row["conversation"], row["id"], file)
            self._begun += len(rows) if table is conversation else 0
            self.done += len(rows) if table is message else 0
        return work


def _additions(chats: Iterable[tuple[str, ArchivedConversation]], mark: int) -> Iterator[_Addition]:
    for owner, chat in chats:
        fresh: dict[str | None, str] = {one.id: uuid4().hex for one in chat.messages}
        links = {"leaf": fresh.get(chat.leaf), "reads_from": fresh.get(chat.reads_from)}
        about = {"id": owner, "created": moment(chat.created), "updated": moment(chat.updated), "deleted": mark}
        yield conversation, conversations.columns(chat) | about | links, (), 1
        for one in parents_first(chat.messages):
            yield message, _row(one, owner, fresh), one.attachments, weight(one)


def _row(one: ArchivedMessage, owner: str, fresh: dict[str | None, str]) -> dict[str, Any]:
    place = {"id": fresh[one.id], "conversation": owner, "parent": fresh.get(one.parent)}
    times = {"created": moment(one.created), "thought_ms": moment(one.thought_ms)}
    state = "interrupted" if one.state == "open" else one.state
    values = {said.name: getattr(one, said.name) for said in fields(MessageData)}
    return values | place | times | {"state": state, "ledger": ""}


def _pairs(connection: Connection, chats: Sequence[ArchivedConversation], here: Container[int]) -> Iterator[_Pair]:
    """Pair each chat with the listed conversations that begin like it, until its place is in `here`."""
    beginnings = [_beginning(chat) for chat in chats]
    owners: dict[_Beginning, list[str]] = {}
    if beginnings:
        for row in connection.execute(_beginning_at({begun for begun, *_ in beginnings})):
            owners.setdefault((row.created, row.role, row.content), []).append(row.conversation)
    for place, begun in enumerate(beginnings):
        if begun in owners:
            keys = _keys_of(chats[place].messages)
            yield from ((place, keys, owner) for owner in owners[begun] if place not in here)


def _beginning(chat: ArchivedConversation) -> _Beginning:
    first = next(parents_first(chat.messages), None)
    if first is None:
        return moment(chat.created), "", field(chat.system)
    return moment(first.created), first.role, storable(first.content)


def _beginning_at(moments: Collection[int]) -> CompoundSelect[tuple[str, int, str, str]]:
    """The first messages, and the instructions, of listed conversations that begin at these times."""
    times = among(moments)
    listed, row = conversation.c.deleted.is_(None), conversation.c
    said = type_coerce(message.c.role, WORDS)
    roots = select(message.c.conversation, message.c.created, said.label("role"), message.c.content)
    of_listed = roots.join(conversation, row.id == message.c.conversation).where(listed, message.c.parent.is_(None))
    blank = select(row.id, row.created, literal(""), row.system).where(listed, row.created.in_(times))
    return union_all(of_listed.where(message.c.created.in_(times)), blank)


def _keys_of(messages: tuple[ArchivedMessage, ...]) -> frozenset[bytes]:
    """A key for each message, made of its content and of the key of the message above it. So equal branches have equal
    keys. Equal messages below one message have different keys, so that they count as several.
    """
    keys: dict[str | None, bytes] = {}
    equal: Counter[bytes] = Counter()
    for one in parents_first(messages):
        key = _digest(keys.get(one.parent, b""), one)
        keys[one.id] = _hash(key, str(equal[key]).encode()) if equal[key] else key
        equal[key] += 1
    return frozenset(keys.values())


def _digest(above: bytes, one: ArchivedMessage) -> bytes:
    words = (one.role, one.content, one.reasoning, one.tool_calls, str(moment(one.created)))
    files = (part for file in one.attachments for part in (stored_name(file.name).encode(), _hash(file.data)))
    return _hash(above, *(storable(part).encode() for part in words), *files)


def _hash(*parts: bytes) -> bytes:
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(len(part).to_bytes(8))
        found.update(part)
    return found.digest()


class Transfer:
    """Whole conversations in and out of the library. `clock` in ms, UTC. Methods raise EnvironmentProblem and
    DamagedDatabase besides what they name.
    """

    def __init__(self, database: Database, clock: Callable[[], int], files: Files, trash: Trash) -> None:
        self._database = database
        self._clock = clock
        self._files = files
        self._trash = trash

    def import_next(self, running: ArchiveImport) -> bool:
        """Compare or add the next portion, in one short transaction. True when the import is complete and its
        conversations are listed.

        Raises NoSuchConversation if another library replaced this one meanwhile, and NoRoomForImport. After any error
        the import's rows are erased; if even that fails, they stay invisible until the next start erases them.
        """
        try:
            running.check_room(shutil.disk_usage(self._database.path.parent).free)
            with self._database.transaction() as connection:
                return running.add_portion(connection, self._files, self._clock())
        except StorageError:
            with suppress(StorageError):
                self._trash.discard_import(running.mark)
            raise

    def export(self, identifiers: Collection[str] | None = None) -> Archive:
        """These conversations (None: all that are listed) with all branches and files.

        Leaves out conversations and files that no longer exist.
        """
        with self._database.transaction() as connection:
            return archives.export(connection, identifiers, self._files)
