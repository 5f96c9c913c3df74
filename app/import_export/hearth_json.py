"""Hearth's own JSON: every branch, field and attachment of whole conversations, and the user's prompts and presets.

Ids are valid inside their conversation only, and files are base64. Prompt caches are not included. `hearth_repair`
reads a damaged file.
"""

from __future__ import annotations

from typing import Final

import msgspec

from app.base.errors import ImportRefused
from app.import_export import hearth_repair
from resources.language.text import tr
from storage.library.archive import Archive, ArchivedConversation, ArchivedPreset, ArchivedPrompt
from storage.untrusted import UntrustedDataError, decode_json

FORMAT: Final = "hearth"
VERSION: Final = 1


class _Head(msgspec.Struct):
    format: str = ""
    version: int = 0


class _File(msgspec.Struct, omit_defaults=True):
    format: str
    version: int
    conversations: tuple[ArchivedConversation, ...]
    prompts: tuple[ArchivedPrompt, ...] = ()
    presets: tuple[ArchivedPreset, ...] = ()


def encode(archive: Archive) -> bytes:
    """Return the file's bytes, UTF-8."""
    return msgspec.json.encode(_File(FORMAT, VERSION, archive.conversations, archive.prompts, archive.presets))


def decode(data: bytes) -> Archive:
    """Return the archive that `encode` was given, or what can be read of a damaged file. Raises ImportRefused."""
    try:
        _check(decode_json(data, _Head))
        found = decode_json(data, _File)
        archive = Archive(found.conversations, (), found.prompts, found.presets)
    except UntrustedDataError:
        return _repaired(data)
    # A name that is not ours would be passed over in silence, with what it names.
    return hearth_repair.linked(archive, len(data)) if encode(archive) == data else _repaired(data)


def _repaired(data: bytes) -> Archive:
    head, archive = hearth_repair.read(data)
    _check(msgspec.convert(head, _Head))
    if not (archive.conversations or archive.prompts or archive.presets):
        raise ImportRefused(tr("This is no export of Hearth's, or it is damaged."))
    return archive


def _check(head: _Head) -> None:
    if head.format != FORMAT:
        raise ImportRefused(tr("This file is neither an export of Hearth's nor one of ChatGPT's."))
    if head.version > VERSION:
        raise ImportRefused(
            tr(
                "A newer Hearth wrote this export (format {version}; this one reads {known}).",
                version=head.version,
                known=VERSION,
            )
        )
