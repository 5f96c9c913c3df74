"""Finds the chats of an archive that the library has already. They are not compared with each other.

A chat is here if all its messages are in one listed conversation: the same words and files at the same times, each
below the same message. That conversation may have more messages, and any title, folder or tags. A chat without messages
is here if a conversation of the same time has its instructions.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import literal, select, type_coerce, union_all

from storage.library.archive import moment, parents_first
from storage.library.attachments import stored_name
from storage.library.columns import WORDS, storable
from storage.library.schema import conversation, message
from storage.library.tree import among

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterator, Sequence

    from sqlalchemy import CompoundSelect, Connection

    from storage.library.archive import ArchivedConversation, ArchivedMessage

_Beginning = tuple[int, str, str]
"""The time, role and words of a first message. Without messages: the chat's time, no role, and its instructions."""


Pair = tuple[int, frozenset[bytes], str]
"""The place of a chat in the archive, the keys of its messages, and a conversation that begins like it."""


def pairs(connection: Connection, chats: Sequence[ArchivedConversation], here: Container[int]) -> Iterator[Pair]:
    """Pair each chat with the listed conversations that begin like it, until its place is in `here`."""
    beginnings = [_beginning(chat) for chat in chats]
    owners: dict[_Beginning, list[str]] = {}
    if beginnings:
        for row in connection.execute(_beginning_at({begun for begun, *_ in beginnings})):
            owners.setdefault((row.created, row.role, row.content), []).append(row.conversation)
    for place, begun in enumerate(beginnings):
        if begun in owners:
            keys = keys_of(chats[place].messages)
            yield from ((place, keys, owner) for owner in owners[begun] if place not in here)


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


def keys_of(messages: tuple[ArchivedMessage, ...]) -> frozenset[bytes]:
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
