"""Reads chats from a file and writes them to one. A written file gets its name only once it is complete.

Needs no library: the callers add the chats to it, or read them, on its thread.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from app.base.errors import ExportRefused, ImportCancelled, ImportRefused
from app.base.own_files import write_export
from app.documents.plain_text import decoded, escaped, is_guessed
from app.import_export import chatgpt, hearth_json, markdown
from app.import_export.import_summary import Remark, Remarks, counts, sentence
from app.import_export.json_array import Utf8Decoder
from resources.language.text import mark, tr
from storage.library.archive import Archive
from storage.library.columns import LONGEST_FIELD

LARGEST: Final = 1 << 30
"""Bytes of a Hearth or Markdown file. ChatGPT's export is read in parts and has its own limit."""

_CHATS: Final = 10_000
"""Chats that any import may bring ..."""
_CHAT: Final = 100
"""... and bytes of the import for each further one. A chat that says something is longer, in each format."""
_FOLDERS: Final = 1000
"""Folders that any import may bring. The window lists all of them in menus, at each start."""
_LARGE: Final = mark("{name} would be larger than 1 GB, and could not be imported. Export fewer chats.")
_SPACE: Final = b" \t\r\n\xef\xbb\xbf"


class _Stoppable(io.FileIO):
    """A file that cannot be read any more once `stopped` returns True."""

    def __init__(self, descriptor: int, stopped: Callable[[], bool]) -> None:
        super().__init__(descriptor)
        self._stopped = stopped

    def readinto(self, buffer: Any, /) -> int:
        """Raises ImportCancelled."""
        if self._stopped():
            raise ImportCancelled
        return super().readinto(buffer)


def read(path: Path, stopped: Callable[[], bool] = lambda: False) -> Archive:
    """Return all chats in the file that can be read: ChatGPT's export (`conversations.json` or the zip around it),
    Markdown, or Hearth's JSON. The archive's remarks count what was left out.

    Raises ImportRefused, which names the file, if it holds no chat, no prompt and no preset. Raises ImportCancelled as
    soon as `stopped` returns True, which is asked on this thread.
    """
    with _refused(path), _opened(path, stopped) as file:
        about = os.fstat(file.fileno())
        dated = _dated(_read(path, file, stopped), about.st_mtime_ns // 1_000_000)
        found = _with_long_texts_told(_in_few_folders(_bounded(dated, about.st_size)))
    if not (found.conversations or found.prompts or found.presets):
        name, remarks = escaped(path.name), sentence(found.remarks)
        raise ImportRefused(tr("{name}: There is no chat in this file. {remarks}", name=name, remarks=remarks).rstrip())
    return found


def _opened(path: Path, stopped: Callable[[], bool]) -> BinaryIO:
    """Open a regular file. A pipe would block, and a device may never end. Raises ImportRefused, OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)  # FileIO would leave that of a folder open
        raise ImportRefused(tr("This is not a file."))
    return io.BufferedReader(_Stoppable(descriptor, stopped))


def _read(path: Path, file: BinaryIO, stopped: Callable[[], bool]) -> Archive:
    try:
        is_zip = zipfile.is_zipfile(file)
    except (zipfile.BadZipFile, ValueError, struct.error):  # it ends like one, and says what cannot be
        is_zip = True
    if is_zip:
        return chatgpt.read_zip(file)
    file.seek(0)
    if path.suffix.lower() in {".md", ".markdown", ".txt"}:
        content, remarks = _bytes(file), Remarks()
        text = None if is_guessed(content) else decoded(content)  # of a bad byte, the decoder of UTF-8 tells
        found = markdown.decode(text or Utf8Decoder(remarks).text(content, final=True), path.stem)
        remarks.update(dict(found.remarks))
        return replace(found, remarks=counts(remarks))
    starts_with_list = file.read(4096).lstrip(_SPACE).startswith(b"[")
    file.seek(0)
    return chatgpt.read(file) if starts_with_list else hearth_json.decode(_bytes(file), stopped)


def _dated(archive: Archive, moment: int) -> Archive:
    """Give the date of the file to conversations without one."""
    dated = (
        replace(one, created=one.created or moment, updated=one.updated or one.created or moment)
        for one in archive.conversations
    )
    return replace(archive, conversations=tuple(dated))


def _bounded(archive: Archive, size: int) -> Archive:
    """The same without the chats behind those that a file of `size` bytes may bring: the window lists all chats."""
    most, room, kept = _CHATS + size // _CHAT, hearth_json.most_messages(size), 0
    for one in archive.conversations[:most]:
        room -= len(one.messages)
        kept += room >= 0
    if kept == len(archive.conversations):
        return archive
    remarks = Counter(dict(archive.remarks)) + Counter({Remark.END: 1})
    return replace(archive, conversations=archive.conversations[:kept], remarks=counts(remarks))


def _in_few_folders(archive: Archive) -> Archive:
    """The same, but the chats of the folders behind the first _FOLDERS are in none."""
    surplus = [*dict.fromkeys(one.folder for one in archive.conversations if one.folder)][_FOLDERS:]
    if not surplus:
        return archive
    left_out, remarks = frozenset(surplus), Counter(dict(archive.remarks)) + Counter({Remark.DETAIL: len(surplus)})
    chats = (replace(one, folder="") if one.folder in left_out else one for one in archive.conversations)
    return replace(archive, conversations=tuple(chats), remarks=counts(remarks))


def _with_long_texts_told(archive: Archive) -> Archive:
    """The same with a count of the instructions and prompts of which the library keeps only the beginning."""
    texts = (*(one.system for one in archive.conversations), *(one.text for one in archive.prompts))
    long = sum(len(text) > LONGEST_FIELD for text in texts)
    return replace(archive, remarks=counts(Counter(dict(archive.remarks)) + Counter({Remark.LONG: long})))


def _bytes(file: BinaryIO) -> bytes:
    if os.fstat(file.fileno()).st_size > LARGEST or len(content := file.read(LARGEST + 1)) > LARGEST:
        raise ImportRefused(tr("This file is too large."))
    return content


@contextmanager
def _refused(path: Path) -> Iterator[None]:
    """Within the context, every ImportRefused names the file."""
    try:
        yield
    except OSError as error:
        why = error.strerror or "it is damaged"
        told = tr("{name} cannot be read: {strerror}.", name=escaped(path.name), strerror=why)
        raise ImportRefused(told) from error
    except ImportRefused as error:
        raise ImportRefused(f"{escaped(path.name)}: {error}") from error


def write(archive: Archive, path: Path) -> None:
    """Write the chats as Markdown (`.md`: the active branches, for reading) or JSON (`.hearth`, `.json`: everything).

    Replaces a file of that name once the new one is complete. Raises ExportRefused, also for JSON that is too large
    to be imported: it may be the only copy of these chats one day.
    """
    write_export(path, _encoded(archive, path), ExportRefused)


def _encoded(archive: Archive, path: Path) -> bytes:
    match path.suffix.lower():
        case ".md":
            return markdown.encode(archive).encode()
        case ".json" | ".hearth":
            if len(content := hearth_json.encode(archive)) > LARGEST:
                raise ExportRefused(tr(_LARGE, name=path.name))
            return content
    raise ExportRefused(tr("Chats are exported to a file whose name ends with .md, .hearth or .json."))
