"""Rows of attachments: owns which message or draft a file goes with, inside a transaction that the store began.

What is in the files is left to `storage.library.files`. A row that goes leaves its file as litter if it was the last.
"""

from __future__ import annotations

from dataclasses import replace
from mimetypes import MimeTypes
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from sqlalchemy import delete, insert, select, update

from storage.errors import NoSuchAttachment
from storage.library.files import is_text, name_of
from storage.library.rows import attachment_from, storable, text_from
from storage.library.schema import attachment, litter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Row, RowMapping

    from storage.library.files import Files
    from storage.library.rows import Attachment, Message

_AT_ONCE: Final = 500
"""Messages that one query asks for by id."""

_TYPES: Final = MimeTypes(filenames=())
"""The types that Python knows by itself: those of the machine differ from one to the next."""


def add(connection: Connection, owner: str, message: str | None, name: str, content: bytes) -> str:
    """Let a file go with `message` (None: the draft) of the conversation `owner`. The file's name for `Files.keep`."""
    plain = storable(PurePath(name).name) or "file"
    text = is_text(content)
    file = name_of(content, PurePath(plain).suffix)
    about = {"name": plain, "media": _media(plain, text=text), "bytes": len(content), "text": int(text), "file": file}
    _insert(connection, owner, message, about)
    return file


def _insert(connection: Connection, owner: str, message: str | None, about: dict[str, Any]) -> None:
    place = {"id": uuid4().hex, "conversation": owner, "message": message}
    connection.execute(insert(attachment).values(place | about))


def _media(name: str, *, text: bool) -> str:
    return _TYPES.guess_type(name, strict=False)[0] or ("text/plain" if text else "application/octet-stream")


def of_draft(connection: Connection, owner: str, files: Files) -> tuple[Attachment, ...]:
    """Those of the draft, in the order in which they came."""
    query = select(attachment).where(attachment.c.conversation == owner, attachment.c.message.is_(None))
    return tuple(_read(row, files) for row in connection.execute(query.order_by(attachment.c.number)).mappings())


def with_them(connection: Connection, messages: Sequence[Message], files: Files) -> tuple[Message, ...]:
    """The messages, each with its attachments."""
    found: dict[str, tuple[Attachment, ...]] = {}
    for first in range(0, len(messages), _AT_ONCE):
        query = select(attachment).where(attachment.c.message.in_([m.id for m in messages[first : first + _AT_ONCE]]))
        for row in connection.execute(query.order_by(attachment.c.number)).mappings():
            found[row["message"]] = (*found.get(row["message"], ()), _read(row, files))
    return tuple(replace(one, attachments=found[one.id]) if one.id in found else one for one in messages)


def _read(row: RowMapping, files: Files) -> Attachment:
    return attachment_from(row, files.path(text_from(row["file"])))


def content(connection: Connection, identifier: str, files: Files) -> bytes:
    """What is in the file of an attachment. Raises NoSuchAttachment, OSError."""
    query = select(attachment.c.file, attachment.c.name).where(attachment.c.id == identifier)
    row = connection.execute(query).first()
    if row is None:
        raise NoSuchAttachment("This file is no longer part of the chat.")
    found = files.read(text_from(row.file))
    if found is None:
        raise NoSuchAttachment(f"The library's copy of “{text_from(row.name)}” is lost.")
    return found


def remove(connection: Connection, owner: str, identifier: str) -> None:
    """Take a file off the draft of the conversation `owner`. Raises NoSuchAttachment."""
    mine = (attachment.c.conversation == owner, attachment.c.message.is_(None))
    if not connection.execute(delete(attachment).where(attachment.c.id == identifier, *mine)).rowcount:
        raise NoSuchAttachment("This file is no longer part of the draft.")


def send(connection: Connection, owner: str, message: str) -> None:
    """Let what the draft has go with `message`."""
    mine = (attachment.c.conversation == owner, attachment.c.message.is_(None))
    connection.execute(update(attachment).where(*mine).values(message=message))


def take_back(connection: Connection, message: str) -> None:
    """Let what `message` has go with the draft again."""
    connection.execute(update(attachment).where(attachment.c.message == message).values(message=None))


def sent(connection: Connection, owner: str) -> Sequence[Row[Any]]:
    """The rows of all that went with messages of `owner`, in the order in which they came."""
    query = select(attachment).where(attachment.c.conversation == owner, attachment.c.message.is_not(None))
    return connection.execute(query.order_by(attachment.c.number)).all()


def copy(connection: Connection, owner: str, messages: Mapping[str, str], to: str) -> None:
    """Let the files of messages of `owner` go with others of the conversation `to` too: the others' ids by theirs."""
    for row in sent(connection, owner):
        if row.message in messages:
            about = {"name": row.name, "media": row.media, "bytes": row.bytes, "text": row.text, "file": row.file}
            _insert(connection, to, messages[row.message], about)


def clear(connection: Connection, files: Files) -> None:
    """Remove the files that lost their last attachment. Raises OSError; what is left is tried again the next time."""
    for file in connection.execute(select(litter.c.file)).scalars().all():
        if not _is_used(connection, file):
            files.remove(text_from(file))
        connection.execute(delete(litter).where(litter.c.file == file))


def clear_unknown(connection: Connection, files: Files, moment: float) -> None:
    """Remove files that no row knows and that were put there before `moment` (s, UTC). Raises OSError."""
    for file in files.before(moment):
        if not _is_used(connection, file):
            files.remove(file)


def _is_used(connection: Connection, file: str) -> bool:
    return connection.execute(select(attachment.c.id).where(attachment.c.file == file).limit(1)).first() is not None
