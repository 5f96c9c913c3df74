"""Rows of attachments: which file belongs to which message or draft.

Each function runs inside the caller's transaction. If a removed row was its file's last, a trigger notes the file in
the table `litter`.
"""

from __future__ import annotations

from dataclasses import replace
from mimetypes import MimeTypes
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from sqlalchemy import delete, insert, select

from resources.language.text import tr
from storage.errors import NoSuchAttachment
from storage.library import attached_words
from storage.library.columns import label
from storage.library.files import is_text, name_of
from storage.library.rows import Attachment
from storage.library.schema import attachment
from storage.library.tree import among

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Row

    from storage.library.files import Files
    from storage.library.rows import Message

_TYPES: Final = MimeTypes(filenames=())
"""Only Python's built-in types: a machine's own list differs from the next machine's."""


def add(connection: Connection, owner: str, message: str | None, name: str, content: bytes, media: str = "") -> str:
    """Attach a file to `message` (None: the draft) of the conversation `owner`. Returns the name for `Files.keep`.
    Without `media`, its type follows from its name and content.
    """
    plain = stored_name(name)
    text = is_text(content)
    file = name_of(content, PurePath(plain).suffix)
    about = {
        "name": plain,
        "media": media or _media(plain, text=text),
        "bytes": len(content),
        "text": text,
        "file": file,
    }
    number = _insert(connection, owner, message, about)
    if text:
        attached_words.add(connection, number, attached_words.words_in(content))
    return file


def stored_name(name: str) -> str:
    """The name under which the library shows a file: never a path, never empty."""
    return label(PurePath(name).name) or "file"


def _insert(connection: Connection, owner: str, message: str | None, about: dict[str, Any]) -> int:
    """Returns the number of the row."""
    place = {"id": uuid4().hex, "conversation": owner, "message": message}
    (number,) = connection.execute(insert(attachment).values(place | about)).inserted_primary_key or (0,)
    return int(number)


def _media(name: str, *, text: bool) -> str:
    return _TYPES.guess_type(name, strict=False)[0] or ("text/plain" if text else "application/octet-stream")


def of_draft(connection: Connection, owner: str, files: Files) -> tuple[Attachment, ...]:
    """The draft's attachments, in the order in which they were attached."""
    query = select(attachment).where(attachment.c.conversation == owner, attachment.c.message.is_(None))
    return tuple(_read(row, files) for row in connection.execute(query.order_by(attachment.c.number)))


def with_attachments(connection: Connection, messages: Sequence[Message], files: Files) -> tuple[Message, ...]:
    """The messages, each with its attachments filled in."""
    found: dict[str, tuple[Attachment, ...]] = {}
    query = select(attachment).where(attachment.c.message.in_(among(one.id for one in messages)))
    for row in connection.execute(query.order_by(attachment.c.number)):
        found[row.message] = (*found.get(row.message, ()), _read(row, files))
    return tuple(replace(one, attachments=found[one.id]) if one.id in found else one for one in messages)


def _read(row: Row[Any], files: Files) -> Attachment:
    return Attachment(row.id, row.name, row.media, row.bytes, files.path(row.file), row.text)


def get(connection: Connection, identifier: str, files: Files) -> Attachment:
    """One attachment. Raises NoSuchAttachment."""
    row = connection.execute(select(attachment).where(attachment.c.id == identifier)).first()
    if row is None:
        raise NoSuchAttachment(tr("This file is no longer part of the chat."))
    return _read(row, files)


def content(connection: Connection, identifier: str, files: Files) -> bytes:
    """The bytes of an attachment's file. Raises NoSuchAttachment, OSError."""
    query = select(attachment.c.file, attachment.c.name).where(attachment.c.id == identifier)
    row = connection.execute(query).first()
    if row is None:
        raise NoSuchAttachment(tr("This file is no longer part of the chat."))
    found = files.read(row.file)
    if found is None:
        raise NoSuchAttachment(tr("The library's copy of “{name}” is lost.", name=row.name))
    return found


def remove(connection: Connection, owner: str, identifier: str) -> None:
    """Remove an attachment from the draft of the conversation `owner`. Raises NoSuchAttachment."""
    mine = (attachment.c.conversation == owner, attachment.c.message.is_(None))
    if not connection.execute(delete(attachment).where(attachment.c.id == identifier, *mine)).rowcount:
        raise NoSuchAttachment(tr("This file is no longer part of the draft."))


def sent(connection: Connection, owner: str) -> Sequence[Row[Any]]:
    """The rows of all attachments of sent messages of `owner`, in the order in which they were attached."""
    query = select(attachment).where(attachment.c.conversation == owner, attachment.c.message.is_not(None))
    return connection.execute(query.order_by(attachment.c.number)).all()


def copy(
    connection: Connection, owner: str, messages: Mapping[str, str], to: str, without: frozenset[str] = frozenset()
) -> None:
    """Attach the files of messages of `owner`, but for those in `without`, to messages of `to` as well: `messages` maps
    old ids to new ones.
    """
    for row in sent(connection, owner):
        if row.message in messages and row.id not in without:
            about = {"name": row.name, "media": row.media, "bytes": row.bytes, "text": row.text, "file": row.file}
            attached_words.copy(connection, row.number, _insert(connection, to, messages[row.message], about))
