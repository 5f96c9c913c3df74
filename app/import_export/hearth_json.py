"""Hearth's own JSON: every branch, field and attachment of whole conversations, and the user's prompts and presets.

Ids are valid inside their conversation only, and files are base64. Prompt caches are not included. `hearth_repair`
reads a damaged file.

The chats of a file are decoded message by message: a decoder holds the interpreter's lock, for which the window waits,
until its end.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_type_hints

import msgspec

from app.base.errors import ImportCancelled, ImportRefused
from app.import_export import hearth_repair
from resources.language.text import tr
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage, ArchivedPreset, ArchivedPrompt
from storage.library.rows import ArchivedAttachment
from storage.untrusted import UntrustedDataError, WrongFormError, decode_json

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

FORMAT: Final = "hearth"
VERSION: Final = 1

_MOST_COMMAS: Final = 5_000_000
"""A file with more of them may hold more values than memory. `hearth_repair` reads it in portions."""


class _Head(msgspec.Struct):
    format: str = ""
    version: int = 0


class _File(msgspec.Struct, omit_defaults=True):
    format: str
    version: int
    conversations: tuple[ArchivedConversation, ...]
    prompts: tuple[ArchivedPrompt, ...] = ()
    presets: tuple[ArchivedPreset, ...] = ()


class _Parts(msgspec.Struct, omit_defaults=True):
    """A `_File` whose parts are not decoded yet."""

    format: str
    version: int
    conversations: list[msgspec.Raw]
    prompts: list[msgspec.Raw] = []
    presets: list[msgspec.Raw] = []


def _undecoded(kind: type, inner: str) -> Any:
    """A type like `kind`, whose field `inner` is a list of parts that are not decoded yet."""
    hints = get_type_hints(kind) | {inner: list[msgspec.Raw]}
    return msgspec.defstruct(kind.__name__, [(field.name, hints[field.name]) for field in fields(kind)])


_CHAT: Final = _undecoded(ArchivedConversation, "messages")
_MESSAGE: Final = _undecoded(ArchivedMessage, "attachments")


def encode(archive: Archive) -> bytes:
    """Return the file's bytes, UTF-8."""
    return msgspec.json.encode(_File(FORMAT, VERSION, archive.conversations, archive.prompts, archive.presets))


def decode(data: bytes, stopped: Callable[[], bool] = lambda: False) -> Archive:
    """Return the archive that `encode` was given, or what can be read of a damaged file. Raises ImportRefused, and
    ImportCancelled soon after `stopped` returns True.
    """
    try:
        if data.count(b",") > _MOST_COMMAS:
            raise WrongFormError
        found = _decoded(data, stopped)
    except UntrustedDataError:
        return _repaired(data, stopped)
    return hearth_repair.linked(found, len(data))


def _decoded(data: bytes, stopped: Callable[[], bool]) -> Archive:
    """Raises UntrustedDataError for a file that is not as `encode` writes it: a name that is not ours would be passed
    over in silence, with what it names.
    """
    _check(decode_json(data, _Head))
    parts = _same(data, _Parts)
    return Archive(
        tuple(_chat(one, stopped) for one in parts.conversations),
        (),
        tuple(_same(one, ArchivedPrompt) for one in parts.prompts),
        tuple(_same(one, ArchivedPreset) for one in parts.presets),
    )


def _chat(data: msgspec.Raw, stopped: Callable[[], bool]) -> ArchivedConversation:
    about = msgspec.structs.asdict(_same(data, _CHAT))
    about["messages"] = tuple(_message(one, stopped) for one in about["messages"])
    return ArchivedConversation(**about)


def _message(data: msgspec.Raw, stopped: Callable[[], bool]) -> ArchivedMessage:
    if stopped():
        raise ImportCancelled
    about = msgspec.structs.asdict(_same(data, _MESSAGE))
    about["attachments"] = tuple(_same(one, ArchivedAttachment) for one in about["attachments"])
    return ArchivedMessage(**about)


def _same(data: bytes | msgspec.Raw, kind: type[T]) -> T:
    """The value in `data`. Raises UntrustedDataError if it would be encoded in another way."""
    content = memoryview(data)
    found = decode_json(content, kind)
    if msgspec.json.encode(found) != content:
        raise WrongFormError
    return found


def _repaired(data: bytes, stopped: Callable[[], bool]) -> Archive:
    head, archive = hearth_repair.read(data, stopped)
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
