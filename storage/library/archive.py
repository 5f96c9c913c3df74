"""The shape of conversations outside the library, and exporting the library's rows in that shape."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from storage.library import attachments
from storage.library.files import Files
from storage.library.rows import ArchivedAttachment, ConversationData, MessageData
from storage.library.schema import conversation, message

if TYPE_CHECKING:
    from sqlalchemy import Connection


_USUAL: Final = 4096
"""Characters, or bytes of a file, that weigh as much as one more message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedMessage(MessageData):
    """A message with its files. `id` is unique in its conversation; a root's `parent` is None."""

    attachments: tuple[ArchivedAttachment, ...] = ()


@dataclass(frozen=True, slots=True)
class ArchivedConversation(ConversationData):
    """A conversation with all branches; parents precede their children."""

    messages: tuple[ArchivedMessage, ...] = ()


@dataclass(frozen=True, slots=True)
class ArchivedPrompt:
    """A saved prompt."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ArchivedPreset:
    """A preset of the user. Conversations name it by its `id`; `sampling` is opaque JSON, as theirs is."""

    id: str
    name: str
    sampling: str = ""


@dataclass(frozen=True, slots=True)
class Archive:
    """Conversations, in no particular order, and the user's own prompts and presets. `remarks` counts what an importer
    skipped or repaired in a file, by the importer's own kinds, and `left_out` names chats that it skipped. `lost`
    counts attached files that an export could not read.
    """

    conversations: tuple[ArchivedConversation, ...] = field(default=())
    remarks: tuple[tuple[str, int], ...] = ()
    prompts: tuple[ArchivedPrompt, ...] = ()
    presets: tuple[ArchivedPreset, ...] = ()
    left_out: tuple[str, ...] = ()
    lost: int = 0


def weight(one: ArchivedMessage) -> int:
    """The work that a message means: 1 for one of usual length, more with a long text or with files."""
    length = len(one.content) + len(one.reasoning) + sum(len(file.data) for file in one.attachments)
    return 1 + length // _USUAL


def parents_first(found: tuple[ArchivedMessage, ...]) -> Iterator[ArchivedMessage]:
    """Each message once, after its parent. A cycle is cut at one of its links."""
    waiting: dict[str, ArchivedMessage] = {}
    for node in found:
        waiting.setdefault(node.id, node)
    while waiting:
        line = [waiting.pop(next(iter(waiting)))]
        while line[-1].parent in waiting:
            line.append(waiting.pop(line[-1].parent))
        if line[-1].parent in {node.id for node in line}:
            line[-1] = replace(line[-1], parent=None)
        yield from reversed(line)


def export(connection: Connection, identifiers: Collection[str] | None, files: Files) -> Archive:
    """Export these conversations (None: all that are listed), without missing and deleted ones.

    An open reply is exported as stopped.
    """
    own = [conversation.c[one.name] for one in fields(ConversationData)]
    query = select(conversation.c.id, *own).where(conversation.c.deleted.is_(None)).order_by(conversation.c.number)
    found, lost = [], 0
    for row in connection.execute(query).all():
        values = row._asdict()
        owner = values.pop("id")
        if identifiers is None or owner in identifiers:
            said = messages(connection, owner, files)
            found.append(ArchivedConversation(**values, messages=said))
            lost += len(attachments.sent(connection, owner)) - sum(len(one.attachments) for one in said)
    return Archive(tuple(found), lost=lost)


def messages(connection: Connection, owner: str, files: Files) -> tuple[ArchivedMessage, ...]:
    """All messages of the conversation `owner` with their files, parents first."""
    own = [message.c[one.name] for one in fields(MessageData)]
    query = select(*own).where(message.c.conversation == owner).order_by(message.c.number)
    with_files = attachments.archived(connection, owner, files)
    rows = connection.execute(query)
    found = (ArchivedMessage(**row._asdict(), attachments=with_files.get(row.id, ())) for row in rows)
    return tuple(parents_first(tuple(replace(one, state="stopped") if one.state == "open" else one for one in found)))
