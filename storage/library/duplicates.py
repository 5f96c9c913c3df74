"""Finds the chats of an archive that the library has already, a portion at a time.

A chat is here if all its messages are in one listed conversation: the same words and files at the same times, each
below the same message. That conversation may have more messages, and any title, folder or tags. A chat without messages
is here if a conversation of the same time has its instructions.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, literal, select, type_coerce, union_all

from storage.library import archive as archives
from storage.library.archive import moment, parents_first, weight
from storage.library.attachments import stored_name
from storage.library.columns import WORDS, storable
from storage.library.schema import conversation, message
from storage.library.tree import among

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from sqlalchemy import CompoundSelect

    from storage.library.archive import ArchivedConversation, ArchivedMessage
    from storage.library.files import Files

_WEIGHT: Final = 1000
"""The weight of a portion: this many messages of usual length, some tens of ms of work."""

_Beginning = tuple[int, str, str]
"""The time, role and words of a first message. Without messages: the chat's time, no role, and its instructions."""

_Pair = tuple[int, frozenset[bytes], str]
"""The place of a chat in the archive, the keys of its messages, and a conversation that begins like it."""


class Duplicates:
    """Compares `chats` with the library, in their order. They are not compared with each other."""

    def __init__(self, chats: Sequence[ArchivedConversation]) -> None:
        self._chats = chats
        self._pairs: Iterator[_Pair] | None = None
        self._keys: dict[str, frozenset[bytes]] = {}
        self._found: dict[int, str] = {}

    @property
    def here(self) -> tuple[str, ...]:
        """The conversations that chats of the archive are in, in the order of the archive."""
        return tuple(self._found.values())

    @property
    def new(self) -> list[ArchivedConversation]:
        """The chats that are not here."""
        return [chat for place, chat in enumerate(self._chats) if place not in self._found]

    def compare_portion(self, connection: Connection, files: Files) -> bool:
        """Compare the next portion. True if no chat is left."""
        if self._pairs is None:
            self._pairs = self._candidates(connection)
        work = 0
        for place, keys, owner in self._pairs:
            work += self._read(connection, owner, files)
            if keys <= self._keys[owner]:
                self._found[place] = owner
            if work >= _WEIGHT:
                return False
        return True

    def drop_unlisted(self, connection: Connection) -> list[ArchivedConversation]:
        """Return the chats whose conversations have been deleted since they were found. They are no longer here."""
        known = conversation.c.id.in_(among(self._found.values()))
        query = select(conversation.c.id).where(known, conversation.c.deleted.is_(None))
        listed = set(connection.execute(query).scalars())
        gone = [place for place, owner in self._found.items() if owner not in listed]
        for place in gone:
            del self._found[place]
        return [self._chats[place] for place in gone]

    def _candidates(self, connection: Connection) -> Iterator[_Pair]:
        """Pair each chat with the conversations that begin like it, until one of them has all of it."""
        beginnings = [_beginning(chat) for chat in self._chats]
        owners: dict[_Beginning, list[str]] = {}
        if beginnings:
            for row in connection.execute(_beginning_at({begun for begun, *_ in beginnings})):
                owners.setdefault((row.created, row.role, row.content), []).append(row.conversation)
        for place, begun in enumerate(beginnings):
            if begun not in owners:
                continue
            keys = _keys(self._chats[place].messages)
            for owner in owners[begun]:
                if place not in self._found:
                    yield place, keys, owner

    def _read(self, connection: Connection, owner: str, files: Files) -> int:
        """Read the keys of a conversation once. Returns the work."""
        if owner in self._keys:
            return 1
        found = archives.messages(connection, owner, files)
        self._keys[owner] = _keys(found)
        return 1 + sum(map(weight, found))


def _beginning(chat: ArchivedConversation) -> _Beginning:
    first = next(parents_first(chat.messages), None)
    if first is None:
        return moment(chat.created), "", storable(chat.system)
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


def _keys(messages: tuple[ArchivedMessage, ...]) -> frozenset[bytes]:
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
