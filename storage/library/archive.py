"""The shape of conversations outside the library, and exporting the library's rows in that shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, select

from storage.library.rows import MessageState, Role, conversation_from, message_from
from storage.library.schema import conversation, message

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from storage.library.rows import Conversation, Message


LATEST: Final = 253_370_764_800_000
"""The year 9999 in ms: dates know no later one."""


def moment(value: int) -> int:
    """A number of ms that dates can show, whatever a file says."""
    return min(max(value, 0), LATEST)


@dataclass(frozen=True, slots=True)
class ArchivedAttachment:
    """A file that went with a message: its bytes as they were attached. `media` is its MIME type."""

    name: str
    media: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ArchivedMessage:
    """One node of the tree. `id` is known inside its conversation only; `parent` None stands at the root.

    `tool_calls` and `usage` are JSON, kept for others and never looked into. `created` in ms, UTC.
    """

    id: str
    parent: str | None
    role: Role
    content: str
    reasoning: str = ""
    tool_calls: str = ""
    state: MessageState = "done"
    model: str = ""
    usage: str = ""
    created: int = 0
    attachments: tuple[ArchivedAttachment, ...] = ()
    error: str = ""
    thought_ms: int = 0


@dataclass(frozen=True, slots=True)
class ArchivedConversation:
    """A conversation with all its branches; parents stand before what follows them. `leaf` ends the active branch.

    Fields as those of a Conversation. Times in ms, UTC.
    """

    title: str
    messages: tuple[ArchivedMessage, ...] = ()
    leaf: str | None = None
    system: str = ""
    created: int = 0
    updated: int = 0
    folder: str = ""
    tags: tuple[str, ...] = ()
    pinned: bool = False
    preset: str = "balanced"
    model: str = ""
    titled: bool = True
    thinking: bool = False
    cached: bool = True
    reads_from: str | None = None


@dataclass(frozen=True, slots=True)
class Archive:
    """Conversations, in no particular order. `remarks` count what whoever read them from a file had to leave out or
    repair, by kinds that are known there.
    """

    conversations: tuple[ArchivedConversation, ...] = field(default=())
    remarks: tuple[tuple[str, int], ...] = ()


Files = Callable[[Connection, str], Mapping[str, tuple[ArchivedAttachment, ...]]]
"""The files of the conversation of this id, by message id; messages without any may be left out."""


def parents_first(found: tuple[ArchivedMessage, ...]) -> Iterator[ArchivedMessage]:
    """Each message once, after its parent; a circle is entered somewhere, and its last link is cut."""
    waiting: dict[str, ArchivedMessage] = {}
    for said in found:
        waiting.setdefault(said.id, said)
    while waiting:
        line = [waiting.pop(next(iter(waiting)))]
        while line[-1].parent in waiting:
            line.append(waiting.pop(line[-1].parent))
        if line[-1].parent in {said.id for said in line}:
            line[-1] = replace(line[-1], parent=None)
        yield from reversed(line)


def take(connection: Connection, identifiers: Collection[str] | None, files: Files) -> Archive:
    """The conversations of these ids, or all that are listed; those that are gone or deleted are left out.

    A reply that is still being made counts as stopped where it is.
    """
    query = select(conversation).where(conversation.c.deleted.is_(None)).order_by(conversation.c.number)
    rows = map(conversation_from, connection.execute(query).mappings().all())
    wanted = (row for row in rows if identifiers is None or row.id in identifiers)
    return Archive(tuple(_taken(connection, row, files(connection, row.id)) for row in wanted))


def _taken(
    connection: Connection, row: Conversation, files: Mapping[str, tuple[ArchivedAttachment, ...]]
) -> ArchivedConversation:
    query = select(message).where(message.c.conversation == row.id).order_by(message.c.number)
    found = map(message_from, connection.execute(query).mappings())
    return ArchivedConversation(
        title=row.title,
        messages=tuple(parents_first(tuple(_said(one, files.get(one.id, ())) for one in found))),
        leaf=row.leaf,
        system=row.system,
        created=row.created,
        updated=row.updated,
        preset=row.preset,
        model=row.model,
        titled=row.titled,
        thinking=row.thinking,
        reads_from=row.reads_from,
        pinned=row.pinned,
        folder=row.folder,
        tags=row.tags,
        cached=row.cached,
    )


def _said(one: Message, attachments: tuple[ArchivedAttachment, ...]) -> ArchivedMessage:
    return ArchivedMessage(
        id=one.id,
        parent=one.parent,
        role=one.role,
        content=one.content,
        reasoning=one.aside.reasoning,
        tool_calls=one.aside.tool_calls,
        state="stopped" if one.state == "open" else one.state,
        model=one.model,
        usage=one.usage,
        created=one.created,
        attachments=attachments,
        error=one.error,
        thought_ms=one.aside.thought_ms,
    )
