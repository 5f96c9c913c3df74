"""Our own JSON: every branch, field and attachment of whole conversations. Owns the file's layout and its version.

Ids are known inside their conversation only; files are base64. The prompt cache and what it needs are not in it.
"""

from __future__ import annotations

from typing import Final

import msgspec

from app.errors import ImportRefused
from storage.library.archive import Archive, ArchivedConversation

FORMAT: Final = "hearth"
VERSION: Final = 1


class _Head(msgspec.Struct):
    format: str = ""
    version: int = 0


class _File(msgspec.Struct):
    format: str
    version: int
    conversations: tuple[ArchivedConversation, ...]


def encode(archive: Archive) -> bytes:
    """The file's bytes, UTF-8."""
    return msgspec.json.encode(_File(FORMAT, VERSION, archive.conversations))


def decode(data: bytes) -> Archive:
    """What `encode` was given. Raises ImportRefused."""
    try:
        head = msgspec.json.decode(data, type=_Head)
        _check(head)
        return Archive(msgspec.json.decode(data, type=_File).conversations)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ImportRefused(f"This is no export of Hearth's, or it is damaged ({error}).") from error


def _check(head: _Head) -> None:
    if head.format != FORMAT:
        raise ImportRefused("This file is neither an export of Hearth's nor one of ChatGPT's.")
    if head.version > VERSION:
        raise ImportRefused(f"A newer Hearth wrote this export (format {head.version}; this one reads {VERSION}).")
