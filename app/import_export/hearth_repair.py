"""Reads every readable message from a Hearth JSON file that is damaged or was changed by other programs.

An invalid value is replaced by its default and counted. It costs nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import KW_ONLY, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_type_hints

import msgspec

from app.base.errors import ImportCancelled, ImportRefused
from app.import_export.import_summary import Remark, Remarks, counts
from app.import_export.json_array import elements, value
from app.import_export.links import placed
from storage.library.archive import (
    LATEST,
    Archive,
    ArchivedConversation,
    ArchivedMessage,
    ArchivedPreset,
    ArchivedPrompt,
)
from storage.library.rows import ArchivedAttachment
from storage.untrusted import TooDeepError, UntrustedDataError, decode_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

_HEAD: Final = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"hearth"\s*,\s*"version"\s*:\s*([0-9]{1,9})\s*,\s*"conversations"\s*:\s*(?=\[)'
)
"""The beginning that every Hearth has written. The rest is read chat by chat, so that a damaged chat costs no other."""
_NEEDED: Final[dict[type, dict[str, Any]]] = {
    ArchivedConversation: {"title": ""},
    ArchivedMessage: {"id": "", "parent": None, "role": "assistant", "content": ""},
    ArchivedAttachment: {"name": "", "media": "", "data": b""},
    ArchivedPrompt: {"name": "", "text": ""},
    ArchivedPreset: {"id": "", "name": ""},
}
"""Values for fields that have no default."""
FILES: Final = 4096
"""Attached files that any import may bring. Each takes a block of the disk, 4 KiB, however small it is."""
_EACH: Final = 1024
"""Bytes of the import for each further attached file, so that files take at most four times the import's size."""
_MESSAGES: Final = 500_000
_MESSAGE: Final = 100
"""Bytes of the import for each further message, so that messages take a few times the import's size."""
OWN: Final = 1000
"""Prompts, and presets, that any import may bring."""
_HINTS: Final = {
    kind: {name: hint for name, hint in get_type_hints(kind).items() if hint is not KW_ONLY} for kind in _NEEDED
}
_IDS: Final = frozenset({"id", "parent", "leaf", "reads_from"})


def most_messages(size: int) -> int:
    """The messages that an import of `size` bytes may bring. Each takes rows of the library, however short it is."""
    return _MESSAGES + size // _MESSAGE


class _Own(msgspec.Struct):
    prompts: msgspec.Raw = msgspec.Raw(b"[]")
    presets: msgspec.Raw = msgspec.Raw(b"[]")


class _Content(BytesIO):
    """A file in memory that cannot be read any more once `stopped` returns True."""

    def __init__(self, data: bytes | memoryview | msgspec.Raw, stopped: Callable[[], bool]) -> None:
        super().__init__(memoryview(data))
        self._stopped = stopped

    def read(self, size: int | None = -1, /) -> bytes:
        """Raises ImportCancelled."""
        if self._stopped():
            raise ImportCancelled
        return super().read(size)


def read(data: bytes, stopped: Callable[[], bool]) -> tuple[dict[str, object], Archive]:
    """Return the format and version that a file states, and the archive that can be read from it. Raises
    ImportRefused, and ImportCancelled soon after `stopped` returns True.
    """
    remarks: Remarks = Counter()
    own = _own(data, stopped, remarks)
    head, chats = _opened(data, stopped, remarks, is_whole=own is not None)
    return head, _linked(_conversations(chats, len(data), remarks), len(data), remarks, own or Archive())


def _own(data: bytes, stopped: Callable[[], bool], remarks: Remarks) -> Archive | None:
    """The prompts and presets, None if the file is not JSON to its end."""
    try:
        found = decode_json(data, _Own)
    except UntrustedDataError:
        return None
    return Archive(
        prompts=tuple(_taken(ArchivedPrompt, _Content(found.prompts, stopped), remarks)),
        presets=tuple(_taken(ArchivedPreset, _Content(found.presets, stopped), remarks)),
    )


def _taken(kind: type[T], file: _Content, remarks: Remarks) -> Iterator[T]:
    """The first OWN things in a list. The others are counted."""
    room = OWN
    try:
        for one in elements(file, Counter()):
            if isinstance(one, dict) and room:
                room -= 1
                yield _made(kind, one, remarks)
            else:
                remarks[Remark.OWN] += 1
    except ImportRefused:
        remarks[Remark.OWN] += 1


def _opened(
    data: bytes, stopped: Callable[[], bool], remarks: Remarks, *, is_whole: bool
) -> tuple[dict[str, object], Iterable[object]]:
    if begun := _HEAD.match(data):
        head: dict[str, object] = {"format": "hearth", "version": int(begun[1])}
        return head, _until_the_end(_Content(memoryview(data)[begun.end() :], stopped), remarks, is_whole=is_whole)
    fields = value(_Content(data, stopped), remarks)
    if not isinstance(fields, dict):
        return {}, ()
    chats = fields.get("conversations")
    head = {name: fields[name] for name, kind in (("format", str), ("version", int)) if type(fields.get(name)) is kind}
    return head, chats if isinstance(chats, list) else ()


def _until_the_end(file: BytesIO, remarks: Remarks, *, is_whole: bool) -> Iterator[object]:
    """Stop at the bracket behind the list, which is not damage. Prompts and presets may follow it in a whole file. The
    files of a chat may make it long.
    """
    found: Remarks = Counter()
    try:
        yield from elements(file, found, len(file.getbuffer()))
    except ImportRefused:
        remarks[Remark.END] += 1
    else:
        found[Remark.END] *= not is_whole
    remarks.update(found)


def _conversations(chats: Iterable[object], size: int, remarks: Remarks) -> Iterator[ArchivedConversation]:
    room = most_messages(size)
    for fields in chats:
        one = _conversation(fields, room, remarks) if isinstance(fields, dict) else None
        if one is None:
            remarks[Remark.CHAT] += 1
        else:
            room -= len(one.messages)
            yield one


def _conversation(fields: dict[str, object], most: int, remarks: Remarks) -> ArchivedConversation | None:
    """Return None if it is not a chat, if it has more than `most` messages, or if none of them can be read."""
    given = fields.get("messages")
    if not isinstance(given, list) or len(given) > most:
        return None
    messages = tuple(_message(one, remarks) for one in given if isinstance(one, dict))
    if given and not messages:
        return None
    remarks[Remark.MESSAGE] += len(given) - len(messages)
    return replace(_made(ArchivedConversation, _but("messages", fields), remarks), messages=messages)


def _message(fields: dict[str, object], remarks: Remarks) -> ArchivedMessage:
    """Keep a message without readable words, because others follow it."""
    files = fields.get("attachments", [])
    given = files if isinstance(files, list) else [files]
    kept = tuple(_made(ArchivedAttachment, one, remarks) for one in given if isinstance(one, dict) and _is_file(one))
    remarks[Remark.FILE] += len(given) - len(kept)
    remarks[Remark.MESSAGE] += not isinstance(fields.get("content"), str)
    return replace(_made(ArchivedMessage, _but("attachments", fields), remarks), attachments=kept)


def _but(name: str, fields: dict[str, object]) -> dict[str, object]:
    return {other: found for other, found in fields.items() if other != name}


def _is_file(fields: dict[str, object]) -> bool:
    return _fits(fields.get("data"), bytes)


def _made(kind: type[T], fields: dict[str, object], remarks: Remarks) -> T:
    hints = _HINTS[kind]
    known = {name: _named(found) if name in _IDS else found for name, found in fields.items() if name in hints}
    right = {name: msgspec.convert(found, hints[name]) for name, found in known.items() if _fits(found, hints[name])}
    remarks[Remark.DETAIL] += len(fields) - len(right)
    return kind(**(_NEEDED[kind] | right))


def _named(identifier: object) -> object:
    """Others may have numbered what we name."""
    return str(identifier) if isinstance(identifier, int | float) else identifier


def _fits(found: object, hint: Any) -> bool:
    try:
        msgspec.convert(found, hint)
    except (ValueError, RecursionError):
        return False
    return True


def linked(archive: Archive, size: int) -> Archive:
    """The same, but each message with a place, an id of its own and a date that can be, without details that are nested
    too deeply, and no more attached files than a file of `size` bytes may hold.
    """
    return _linked(archive.conversations, size, Counter(), archive)


def _linked(conversations: Iterable[ArchivedConversation], size: int, remarks: Remarks, own: Archive) -> Archive:
    prompts, presets = own.prompts[:OWN], own.presets[:OWN]
    remarks[Remark.OWN] += len(own.prompts) - len(prompts) + len(own.presets) - len(presets)
    room = FILES + size // _EACH
    found = []
    for one in conversations:
        found.append(_with_files(_shallow(_dated(_placed(one, remarks), remarks), remarks), room, remarks))
        room -= sum(len(said.attachments) for said in found[-1].messages)
    return Archive(tuple(found), counts(remarks), prompts, presets)


def _with_files(one: ArchivedConversation, room: int, remarks: Remarks) -> ArchivedConversation:
    """Keep the first `room` of its attached files."""
    if sum(len(said.attachments) for said in one.messages) <= room:
        return one
    messages = []
    for said in one.messages:
        messages.append(replace(said, attachments=said.attachments[: max(room, 0)]))
        room -= len(said.attachments)
    remarks[Remark.FILE] -= min(room, 0)
    return replace(one, messages=tuple(messages))


def _placed(one: ArchivedConversation, remarks: Remarks) -> ArchivedConversation:
    messages = _apart(one.messages, remarks)
    parents = placed({said.id: said.parent for said in messages}, remarks)
    return replace(one, messages=tuple(_under(said, parents[said.id]) for said in messages))


def _apart(messages: tuple[ArchivedMessage, ...], remarks: Remarks) -> list[ArchivedMessage]:
    """Give each message its own id: the first of several keeps theirs."""
    taken: dict[str, ArchivedMessage] = {}
    for said in messages:
        free = said.id
        while free in taken:
            free = f"{said.id} {len(taken)}" if free == said.id else f"{free}'"
        remarks[Remark.TWIN] += free != said.id
        taken[free] = said if free == said.id else replace(said, id=free)
    return list(taken.values())


def _under(said: ArchivedMessage, parent: str | None) -> ArchivedMessage:
    return said if said.parent == parent else replace(said, parent=parent)


def _dated(one: ArchivedConversation, remarks: Remarks) -> ArchivedConversation:
    messages = tuple(said if _is_date(said.created) else replace(said, created=0) for said in one.messages)
    moments = [one.created, one.updated, *(said.created for said in one.messages)]
    wrong = sum(not _is_date(moment) for moment in moments)
    remarks[Remark.DATE] += wrong
    if not wrong:
        return one
    created, updated = (moment if _is_date(moment) else 0 for moment in (one.created, one.updated))
    return replace(one, messages=messages, created=created, updated=updated)


def _shallow(one: ArchivedConversation, remarks: Remarks) -> ArchivedConversation:
    """Remove figures and tool calls that are nested too deeply for any decoder."""
    messages = tuple(_without_depth(said, remarks) for said in one.messages)
    return one if messages == one.messages else replace(one, messages=messages)


def _without_depth(said: ArchivedMessage, remarks: Remarks) -> ArchivedMessage:
    usage, calls = ("" if _is_deep(stored) else stored for stored in (said.usage, said.tool_calls))
    wrong = (usage != said.usage) + (calls != said.tool_calls)
    remarks[Remark.DETAIL] += wrong
    return replace(said, usage=usage, tool_calls=calls) if wrong else said


def _is_deep(stored: str) -> bool:
    try:
        decode_json(stored, object)
    except TooDeepError:
        return True
    except UntrustedDataError:
        return False
    return False


def _is_date(moment: int) -> bool:
    return 0 <= moment <= LATEST
