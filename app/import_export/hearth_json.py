"""Hearth's own JSON: every branch, field and attachment of whole conversations, and the user's prompts and presets.

Ids are valid inside their conversation only, and files are base64. Prompt caches are not included.

- A chat that is not as `encode` writes it is left out whole, and named. It costs no other chat.
- The chats of a file are decoded message by message: a decoder holds the interpreter's lock, for which the window
  waits, until its end.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import MISSING, fields
from io import BytesIO
from typing import Any, Final, TypeVar, get_type_hints

import msgspec

from app.base.errors import ImportCancelled, ImportRefused
from app.import_export.import_summary import Remark, Remarks, counts
from app.import_export.json_array import elements
from resources.language.text import mark, tr
from storage.library.archive import (
    Archive,
    ArchivedConversation,
    ArchivedMessage,
    ArchivedPreset,
    ArchivedPrompt,
)
from storage.library.rows import LATEST, ArchivedAttachment
from storage.untrusted import TooDeepError, UntrustedDataError, WrongFormError, decode_json

T = TypeVar("T")

FORMAT: Final = "hearth"
VERSION: Final = 1

_HEAD: Final = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"hearth"\s*,\s*"version"\s*:\s*([0-9]{1,9})\s*,\s*"conversations"\s*:\s*(?=\[)'
)
"""The beginning that every Hearth has written. The chats behind it can be read if the end of the file is missing."""
_MOST_COMMAS: Final = 5_000_000
"""A list in a file with more of them is read in portions: it may hold more values than memory."""
FILES: Final = 4096
"""Attached files that any import may bring. Each takes a block of the disk, 4 KiB, however small it is."""
_EACH: Final = 1024
"""Bytes of the import for each further attached file, so that files take at most four times the import's size."""
_MESSAGES: Final = 500_000
_MESSAGE: Final = 100
"""Bytes of the import for each further message, so that messages take a few times the import's size."""
OWN: Final = 1000
"""Prompts, and presets, that any import may bring."""


class _Head(msgspec.Struct):
    format: str = ""
    version: int = 0


class _Titled(msgspec.Struct):
    title: str = ""


class _File(msgspec.Struct, omit_defaults=True):
    format: str
    version: int
    conversations: tuple[ArchivedConversation, ...]
    prompts: tuple[ArchivedPrompt, ...] = ()
    presets: tuple[ArchivedPreset, ...] = ()


class _Parts(msgspec.Struct, forbid_unknown_fields=True):
    """A `_File` whose lists are not decoded yet."""

    format: str
    version: int
    conversations: msgspec.Raw
    prompts: msgspec.Raw = msgspec.Raw(b"[]")
    presets: msgspec.Raw = msgspec.Raw(b"[]")


def _exact(kind: type, inner: str = "") -> Any:
    """A type like `kind` without unknown fields. Its field `inner` is a list of parts that are not decoded yet."""
    hints = get_type_hints(kind) | ({inner: list[msgspec.Raw]} if inner else {})
    found: list[Any] = [(one.name, hints[one.name], one.default) for one in fields(kind) if one.name != inner]
    found = [one[:2] if one[2] is MISSING else one for one in found]
    found += [(inner, hints[inner], msgspec.field(default_factory=list))] if inner else []
    return msgspec.defstruct(kind.__name__, found, kw_only=True, forbid_unknown_fields=True)


_CHAT: Final = _exact(ArchivedConversation, "messages")
_MESSAGE_PARTS: Final = _exact(ArchivedMessage, "attachments")
_FILE: Final = _exact(ArchivedAttachment)
_PROMPT: Final = _exact(ArchivedPrompt)
_PRESET: Final = _exact(ArchivedPreset)


class _Content(BytesIO):
    """A part of a file that cannot be read any more once `stopped` returns True."""

    def __init__(self, data: msgspec.Raw, stopped: Callable[[], bool]) -> None:
        super().__init__(memoryview(data))
        self._stopped = stopped

    def read(self, size: int | None = -1, /) -> bytes:
        """Raises ImportCancelled."""
        if self._stopped():
            raise ImportCancelled
        return super().read(size)


def most_messages(size: int) -> int:
    """The messages that an import of `size` bytes may bring. Each takes rows of the library, however short it is."""
    return _MESSAGES + size // _MESSAGE


def encode(archive: Archive) -> bytes:
    """Return the file's bytes, UTF-8."""
    return msgspec.json.encode(_File(FORMAT, VERSION, archive.conversations, archive.prompts, archive.presets))


def decode(data: bytes, stopped: Callable[[], bool] = lambda: False) -> Archive:
    """Return the archive that `encode` was given, without what is damaged. Raises ImportRefused, and ImportCancelled
    soon after `stopped` returns True.
    """
    parts, is_small = _parts(data), data.count(b",") <= _MOST_COMMAS
    reader = _Reader(len(data), stopped, is_small=is_small)
    chats = tuple(reader.chats(parts.conversations))
    prompts = tuple(reader.own(parts.prompts, ArchivedPrompt, _PROMPT))
    presets = tuple(reader.own(parts.presets, ArchivedPreset, _PRESET))
    return Archive(chats, counts(reader.remarks), prompts, presets, tuple(reader.left_out))


def _parts(data: bytes) -> _Parts:
    """The lists of a file. If the file is no JSON to its end, the list of chats goes to the end of the file."""
    try:
        _check(decode_json(data, _Head))
        return decode_json(data, _Parts)
    except UntrustedDataError as error:
        begun = _HEAD.match(data)
        if begun is None:
            raise ImportRefused(tr("This is no export of Hearth's, or it is damaged.")) from error
    _check(_Head(FORMAT, int(begun[1])))
    return _Parts(FORMAT, VERSION, msgspec.Raw(memoryview(data)[begun.end() :]))


class _Reader:
    """Reads the lists of a file of `size` bytes. `remarks` count what it leaves out, and `left_out` has the titles of
    the chats.
    """

    def __init__(self, size: int, stopped: Callable[[], bool], *, is_small: bool) -> None:
        self.remarks: Remarks = Counter()
        self.left_out: list[str] = []
        self._stopped = stopped
        self._is_small = is_small
        self._messages = most_messages(size)
        self._files = FILES + size // _EACH

    def chats(self, listed: msgspec.Raw) -> Iterator[ArchivedConversation]:
        """The chats that are as they were written, no more than such a file may have."""
        for data in self._values(listed):
            with suppress(UntrustedDataError):
                one = self._chat(data)
                messages, files = len(one.messages), sum(len(said.attachments) for said in one.messages)
                if messages <= self._messages and files <= self._files:
                    self._messages -= messages
                    self._files -= files
                    yield one
                    continue
            self.remarks[Remark.CHAT] += 1
            with suppress(UntrustedDataError):
                self.left_out.append(decode_json(data, _Titled).title)

    def own(self, listed: msgspec.Raw, kind: type[T], exact: Any) -> Iterator[T]:
        """The first OWN prompts or presets."""
        room = OWN
        for data in self._values(listed):
            with suppress(UntrustedDataError):
                if room:
                    found = kind(**_decoded(data, exact))
                    room -= 1
                    yield found
                    continue
            self.remarks[Remark.OWN] += 1

    def _values(self, listed: msgspec.Raw) -> Iterable[bytes | msgspec.Raw]:
        if self._is_small:
            with suppress(UntrustedDataError):
                return decode_json(memoryview(listed), list[msgspec.Raw])
        return self._in_portions(listed)

    def _in_portions(self, listed: msgspec.Raw) -> Iterator[bytes]:
        """Stop where the list breaks off. The files of a chat may make it long."""
        try:
            for value in elements(_Content(listed, self._stopped), self.remarks, len(listed)):
                yield json.dumps(value).encode()
        except ImportRefused:
            self.remarks[Remark.END] += 1

    def _chat(self, data: bytes | msgspec.Raw) -> ArchivedConversation:
        about = _decoded(data, _CHAT)
        messages = tuple(map(self._message, about.pop("messages")))
        one = ArchivedConversation(**about, messages=messages)
        moments = (one.created, one.updated, *(said.created for said in one.messages))
        if not (_is_tree(one) and all(0 <= moment <= LATEST for moment in moments)):
            raise WrongFormError
        return one

    def _message(self, data: msgspec.Raw) -> ArchivedMessage:
        if self._stopped():
            raise ImportCancelled
        about = _decoded(data, _MESSAGE_PARTS)
        for stored in (about["usage"], about["tool_calls"]):
            _check_depth(stored)
        files = tuple(ArchivedAttachment(**_decoded(one, _FILE)) for one in about.pop("attachments"))
        return ArchivedMessage(**about, attachments=files)


def _decoded(data: bytes | msgspec.Raw, exact: Any) -> dict[str, Any]:
    """The fields of a value. Raises UntrustedDataError if one has an unknown name or another type."""
    return msgspec.structs.asdict(decode_json(memoryview(data), exact))


def _is_tree(one: ArchivedConversation) -> bool:
    """Whether each message has its own id and comes after its parent."""
    known: set[str | None] = {None}
    for said in one.messages:
        if said.id in known or said.parent not in known:
            return False
        known.add(said.id)
    return True


def _check_depth(stored: str) -> None:
    """Raises TooDeepError for figures or tool calls that no decoder could read."""
    try:
        decode_json(stored, object)
    except TooDeepError:
        raise
    except UntrustedDataError:
        pass


def _check(head: _Head) -> None:
    if head.format != FORMAT:
        raise ImportRefused(tr("This file has no chats from Hearth or ChatGPT."))
    if head.version > VERSION:
        newer = mark("A newer Hearth wrote this export (format {version}; this one reads {known}).")
        raise ImportRefused(tr(newer, version=head.version, known=VERSION))
