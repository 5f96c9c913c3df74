"""Files attached to messages and drafts: copying them into the library, reading them, and removing them.

A file goes with the draft's message when that message is sent; `storage.library.messages` does that. If a removed row
was its file's last, a trigger notes the file in the table `litter`, in the same transaction. `Trash` removes these
files, also after a crash. Who removes a row without erasing its chat spares the file: copies of the library name it,
until `Trash.sweep` removes it by its age. The functions run inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from mimetypes import MimeTypes
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from sqlalchemy import delete, insert, select

from resources.language.text import tr
from storage.database import Database
from storage.errors import NoSuchAttachment
from storage.library import conversations
from storage.library.columns import label
from storage.library.files import Files, is_text, name_of
from storage.library.rows import ArchivedAttachment, Attachment, Message
from storage.library.schema import attachment, attachment_words, litter
from storage.library.tree import among
from storage.searchable import words_in

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

_TYPES: Final = MimeTypes(filenames=())
"""Only Python's built-in types: a machine's own list differs from the next machine's."""


class Attachments:
    """Files beside the text. All methods raise EnvironmentProblem and DamagedDatabase besides what they name."""

    def __init__(self, database: Database, files: Files) -> None:
        self._database = database
        self._files = files

    def add(self, conversation: str, name: str, content: bytes, media: str = "") -> Attachment:
        """Attach a file with this name and content to the draft, also in a deleted conversation: the file may be read
        late. Without `media`, its type follows from these. Raises NoSuchConversation.
        """
        with self._database.transaction() as connection:
            conversations.require(connection, conversation)
            add(connection, self._files, conversation, None, ArchivedAttachment(name, media, content))
            return _of_draft(connection, conversation, self._files)[-1]

    def of_draft(self, conversation: str) -> tuple[Attachment, ...]:
        """The draft's attachments, in the order in which they were attached, also in a deleted conversation."""
        with self._database.transaction() as connection:
            return _of_draft(connection, conversation, self._files)

    def get(self, identifier: str) -> Attachment:
        """One file of a message or a draft. Raises NoSuchAttachment."""
        with self._database.transaction() as connection:
            return _read(_row(connection, identifier), self._files)

    def detach(self, conversation: str, identifier: str) -> None:
        """Remove an attachment from the draft. Raises NoSuchConversation, NoSuchAttachment."""
        with self._database.transaction() as connection:
            owner = conversations.get(connection, conversation).id
            mine = (attachment.c.conversation == owner, attachment.c.message.is_(None))
            gone = delete(attachment).where(attachment.c.id == identifier, *mine).returning(attachment.c.file)
            if not (lost := connection.execute(gone).scalars().all()):
                raise NoSuchAttachment(tr("This file is no longer part of the draft."))
            spare(connection, self._files, lost)

    def text_of(self, identifier: str) -> str:
        """The file's content as text; bytes that are not UTF-8 are replaced. Raises NoSuchAttachment."""
        with self._database.transaction() as connection:
            row = _row(connection, identifier)
            content = self._files.read(row.file)
        if content is None:
            raise NoSuchAttachment(tr("The library's copy of “{name}” is lost.", name=row.name))
        return content.decode("utf-8-sig", "replace")


def add(connection: Connection, files: Files, owner: str, message: str | None, file: ArchivedAttachment) -> None:
    """Attach a file to `message` (None: the draft) of the conversation `owner`, and store it. Without a type, its type
    follows from its name and content.
    """
    name, text = stored_name(file.name), is_text(file.data)
    stored = name_of(file.data, PurePath(name).suffix)
    usual = "text/plain" if text else "application/octet-stream"
    media = file.media or _TYPES.guess_type(name, strict=False)[0] or usual
    about = {"name": name, "media": media, "bytes": len(file.data), "text": text, "file": stored}
    number = _insert(connection, owner, message, about)
    if text:
        _index(connection, number, words_in(file.data))
    files.keep(stored, file.data)


def stored_name(name: str) -> str:
    """The name under which the library shows a file: never a path, never empty."""
    return label(PurePath(name).name) or "file"


def _insert(connection: Connection, owner: str, message: str | None, about: dict[str, Any]) -> int:
    """Returns the number of the row."""
    place = {"id": uuid4().hex, "conversation": owner, "message": message}
    (number,) = connection.execute(insert(attachment).values(place | about)).inserted_primary_key or (0,)
    return int(number)


def _row(connection: Connection, identifier: str) -> Row[Any]:
    row = connection.execute(select(attachment).where(attachment.c.id == identifier)).first()
    if row is None:
        raise NoSuchAttachment(tr("This file is no longer part of the chat."))
    return row


def _read(row: Row[Any], files: Files) -> Attachment:
    return Attachment(row.id, row.name, row.media, row.bytes, files.path(row.file), row.text)


def _of_draft(connection: Connection, owner: str, files: Files) -> tuple[Attachment, ...]:
    query = select(attachment).where(attachment.c.conversation == owner, attachment.c.message.is_(None))
    return tuple(_read(row, files) for row in connection.execute(query.order_by(attachment.c.number)))


def with_attachments(connection: Connection, messages: Sequence[Message], files: Files) -> tuple[Message, ...]:
    """The messages, each with its attachments filled in."""
    found: dict[str, tuple[Attachment, ...]] = {}
    query = select(attachment).where(attachment.c.message.in_(among(one.id for one in messages)))
    for row in connection.execute(query.order_by(attachment.c.number)):
        found[row.message] = (*found.get(row.message, ()), _read(row, files))
    return tuple(replace(one, attachments=found[one.id]) if one.id in found else one for one in messages)


def sent(connection: Connection, owner: str) -> Sequence[Row[Any]]:
    """The rows of all attachments of sent messages of `owner`, in the order in which they were attached."""
    query = select(attachment).where(attachment.c.conversation == owner, attachment.c.message.is_not(None))
    return connection.execute(query.order_by(attachment.c.number)).all()


def archived(connection: Connection, owner: str, files: Files) -> dict[str, tuple[ArchivedAttachment, ...]]:
    """The files of the conversation `owner` by message id, without those that are lost."""
    found: dict[str, tuple[ArchivedAttachment, ...]] = {}
    for row in sent(connection, owner):
        content = files.read(row.file)
        if content is not None:
            found[row.message] = (*found.get(row.message, ()), ArchivedAttachment(row.name, row.media, content))
    return found


def copy(
    connection: Connection, owner: str, messages: Mapping[str, str], to: str, without: frozenset[str] = frozenset()
) -> None:
    """Attach the files of messages of `owner`, but for those in `without`, to messages of `to` as well: `messages` maps
    old ids to new ones.
    """
    for row in sent(connection, owner):
        if row.message in messages and row.id not in without:
            about = {"name": row.name, "media": row.media, "bytes": row.bytes, "text": row.text, "file": row.file}
            _copy_words(connection, row.number, _insert(connection, to, messages[row.message], about))


def spare(connection: Connection, files: Files, lost: Iterable[str]) -> None:
    """Keep those files that just lost their last attachment, because copies of the library may name them."""
    for file in lost:
        if connection.execute(delete(litter).where(litter.c.file == file)).rowcount:
            files.spare(file)


def clear_litter(connection: Connection, files: Files) -> None:
    """Remove the files whose last attachment was erased. Inside a transaction, because no other process may attach one
    of them meanwhile.
    """
    for file in connection.execute(select(litter.c.file)).scalars().all():
        if not is_used(connection, file):
            files.remove(file)
        connection.execute(delete(litter).where(litter.c.file == file))


def is_used(connection: Connection, file: str) -> bool:
    """Whether an attachment refers to this file."""
    return connection.execute(select(attachment.c.id).where(attachment.c.file == file).limit(1)).first() is not None


def _index(connection: Connection, number: int, words: str) -> None:
    """Index the words of the attachment in row `number`."""
    connection.execute(insert(attachment_words).values(number=number, words=words))


def index_files(connection: Connection, files: Files) -> None:
    """Index the words of all text files that are not indexed. A file that cannot be read is left out."""
    row = attachment.c
    missing = select(row.number, row.file).where(row.text == 1, row.number.not_in(select(attachment_words.c.number)))
    for number, file in connection.execute(missing).all():
        with suppress(OSError):
            _index(connection, number, words_in(files.read(file) or b""))


def _copy_words(connection: Connection, number: int, to: int) -> None:
    """Index the words of one attachment for its copy in row `to` as well."""
    found = connection.execute(select(attachment_words.c.words).where(attachment_words.c.number == number)).first()
    if found is not None:
        _index(connection, to, found.words)
