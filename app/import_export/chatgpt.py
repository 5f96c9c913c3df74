"""Reads ChatGPT's export, as JSON or the zip around it. Damage to one chat never costs another."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import PurePosixPath
from typing import IO, Final

from app.base.errors import ImportRefused
from app.import_export import json_array
from app.import_export.chatgpt_nodes import date, fields_of, text
from app.import_export.chatgpt_tree import TextBudget, tree
from app.import_export.import_summary import Remark, Remarks, counts
from resources.language.text import mark, tr
from storage.library.archive import Archive, ArchivedConversation
from storage.library.rows import title_from

LARGEST: Final = 1 << 29
"""Characters of all that is imported from one file."""
MOST_MESSAGES: Final = 500_000
"""The chats and messages of one file. Each takes about a kilobyte of memory, however short it is."""
_MOST_NODES: Final = 100_000
"""The nodes of one chat. So many take a second; the longest chats have some thousands."""
_MOST_RATIO: Final = 200
"""How many times larger a file in a zip may be than it is packed. Chats are about ten times larger."""
SPARE: Final = 1 << 20
"""Characters that the chats of one file may take beyond twice their text. Branches inside a reply share their
beginning, and each is stored in full. Twice is enough for common replies, and the constant for a small chat with many
branches.
"""

_PACKED: Final = mark("This zip file is damaged or encrypted, so it cannot be unpacked.")
_DAMAGE: Final = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    OverflowError,
)
"""The exceptions of `zipfile` for a file that is damaged, encrypted or packed in an unknown way."""

_END_OF_DIRECTORY: Final = b"PK\x05\x06"
_COUNT: Final = slice(6, 8)
"""The position of the number of entries behind that mark (APPNOTE 4.3.16)."""
_TOO_MANY_TO_STATE: Final = 0xFFFF
_LONGEST_DIRECTORY: Final = 1 << 24
"""Bytes of the list of files in a zip. `zipfile` makes an object of each 47 bytes at once, which nothing can cancel."""


def read_zip(file: IO[bytes]) -> Archive:
    """Return the chats in the zip file that ChatGPT sends. Raises ImportRefused, OSError."""
    with ExitStack() as stack:
        with _unpacking():
            archive = stack.enter_context(zipfile.ZipFile(_Bounded(file)))
        return _joined(archive, _parts(archive))


class _Bounded:
    """A zip file of whose directory no more than _LONGEST_DIRECTORY is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self.seek, self.tell = file.seek, file.tell
        self._file = file

    def read(self, size: int = -1) -> bytes:
        """Raises ImportRefused."""
        if size > _LONGEST_DIRECTORY:
            raise ImportRefused(tr("This zip file holds too many files."))
        return self._file.read(size)

    def seekable(self) -> bool:
        return True


@contextmanager
def _unpacking() -> Iterator[None]:
    """Within the context, damage to the zip file raises ImportRefused."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:
            raise
        raise ImportRefused(tr(_PACKED)) from error
    except _DAMAGE as error:
        raise ImportRefused(tr(_PACKED)) from error


def _parts(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    infos = sorted(archive.infolist(), key=lambda info: info.filename)
    parts = [info for info in infos if PurePosixPath(info.filename).match("conversations*.json")]
    if not parts:
        raise ImportRefused(tr("There is no chat in this archive. Unpack it to attach the files in it."))
    if sum(info.file_size for info in parts) > json_array.LONGEST:
        raise ImportRefused(tr("This file is too large."))
    if any(info.file_size > json_array.CHUNK + _MOST_RATIO * info.compress_size for info in parts):
        raise ImportRefused(tr("This zip file would grow far more than chats do once it is unpacked."))
    return parts


def _joined(archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo]) -> Archive:
    found: list[ArchivedConversation] = []
    remarks: Remarks = Counter({Remark.PART: _hidden(archive)})
    refused: ImportRefused | None = None
    store = TextBudget(LARGEST, SPARE)
    for part in parts:
        if store.room < 0 or sum(1 + len(one.messages) for one in found) > MOST_MESSAGES:
            remarks[Remark.PART] += 1
            continue
        try:
            with ExitStack() as stack:
                with _unpacking():
                    file = stack.enter_context(archive.open(part))
                one = read(_Part(file), store)
        except ImportRefused as error:
            refused = error
            remarks[Remark.PART] += 1
        else:
            found += one.conversations
            remarks.update(dict(one.remarks))
    if refused and not found:
        raise refused
    return Archive(tuple(found), counts(remarks))


def _hidden(archive: zipfile.ZipFile) -> int:
    """Return how many entries the directory of a damaged zip file counts but does not list. `zipfile` does
    not compare.
    """
    assert archive.fp is not None, "the archive is open"
    archive.fp.seek(archive.start_dir)
    end = archive.fp.read(_LONGEST_DIRECTORY).rpartition(_END_OF_DIRECTORY)[2]
    stated = int.from_bytes(end[_COUNT], "little") if len(end) >= _COUNT.stop else 0
    return 0 if stated == _TOO_MANY_TO_STATE else max(0, stated - len(archive.infolist()))


class _Part:
    """A file in a zip file. `read` raises ImportRefused at the first damage."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int) -> bytes:
        with _unpacking():
            return self._file.read(size)


def read(file: json_array.JsonSource, store: TextBudget | None = None) -> Archive:
    """Return the chats in a `conversations.json`, without those that have no words. The parts of a zip file share one
    `store`. Raises ImportRefused if no chat can be read, and OSError.
    """
    store = store or TextBudget(LARGEST, SPARE)
    found: list[ArchivedConversation] = []
    remarks: Remarks = Counter()
    rows = 0
    try:
        for element in json_array.elements(file, remarks):
            fields = fields_of(element)
            if not isinstance(mapping := fields.get("mapping"), dict) or len(mapping) > _MOST_NODES:
                remarks[Remark.CHAT] += 1
                continue
            one = _conversation(fields, mapping, store, remarks)
            if not one.messages:
                remarks[Remark.EMPTY] += 1
                continue
            found.append(one)
            rows += 1 + len(one.messages)
            if rows > MOST_MESSAGES:
                remarks[Remark.END] += 1
                break
    except ImportRefused:
        if not found:
            raise
        remarks[Remark.END] += 1
    if remarks[Remark.CHAT] and not (found or remarks[Remark.EMPTY]):
        raise ImportRefused(tr("This JSON is no list of ChatGPT's chats."))
    return Archive(tuple(found), counts(remarks))


def _conversation(
    fields: dict[str, object], mapping: dict[str, object], store: TextBudget, remarks: Remarks
) -> ArchivedConversation:
    created = date(fields.get("create_time"), remarks)
    messages, places = tree(mapping, created, store, remarks)
    title = text(fields.get("title")).strip()
    questions = (message.content for message in messages if message.role == "user")
    return ArchivedConversation(
        title=title or title_from(next(questions, "")),  # the first words, as Hearth names its own chats
        titled=bool(title),
        messages=messages,
        leaf=places.get(text(fields.get("current_node"))),
        created=created,
        updated=date(fields.get("update_time"), remarks) or created,
    )
