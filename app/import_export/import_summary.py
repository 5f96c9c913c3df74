"""Counts what an import left out or repaired, and words it in one sentence."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable


class Remark(StrEnum):
    """One kind of thing that could not be imported unchanged."""

    DATE = "date"
    BYTE = "byte"
    CIRCLE = "circle"
    PLACE = "place"
    TWIN = "twin"
    SPEAKER = "speaker"
    DETAIL = "detail"
    PIECES = "pieces"
    PREFACE = "preface"
    FILE = "file"
    MESSAGE = "message"
    EMPTY = "empty"
    CHAT = "chat"
    OWN = "own"
    PART = "part"
    END = "end"


Remarks = Counter[str]
"""How often each kind occurred."""

_CLAUSES: Final[dict[str, tuple[str, str]]] = {
    Remark.DATE: ("1 date was impossible and was ignored", "{} dates were impossible and were ignored"),
    Remark.BYTE: ("1 unreadable character was replaced", "{:,} unreadable characters were replaced"),
    Remark.CIRCLE: ("1 circle of messages was opened", "{:,} circles of messages were opened"),
    Remark.PLACE: (
        "1 message whose place was unknown was put at the start of its chat",
        "{:,} messages whose place was unknown were put at the start of their chat",
    ),
    Remark.TWIN: (
        "1 message had the id of another and was kept apart",
        "{:,} messages had the id of another and were kept apart",
    ),
    Remark.SPEAKER: (
        "1 message of an unknown speaker was given to the assistant",
        "{:,} messages of unknown speakers were given to the assistant",
    ),
    Remark.DETAIL: ("1 unreadable detail was ignored", "{:,} unreadable details were ignored"),
    Remark.PIECES: (
        "1 chat branches so often that its replies are stored in pieces",
        "{:,} chats branch so often that their replies are stored in pieces",
    ),
    Remark.PREFACE: (
        "text before the first message was left out",
        "text before the first message was left out of {:,} chats",
    ),
    Remark.FILE: (
        "1 attached file was unreadable, or one too many, and was left out",
        "{:,} attached files were unreadable, or too many, and were left out",
    ),
    Remark.MESSAGE: ("1 unreadable message was left out", "{:,} unreadable messages were left out"),
    Remark.EMPTY: ("1 chat without a word was left out", "{:,} chats without a word were left out"),
    Remark.CHAT: ("1 unreadable chat was left out", "{:,} unreadable chats were left out"),
    Remark.OWN: (
        "1 prompt or preset was unreadable, or one too many, and was left out",
        "{:,} prompts and presets were unreadable, or too many, and were left out",
    ),
    Remark.PART: (
        "1 unreadable part of the zip file was left out",
        "{:,} unreadable parts of the zip file were left out",
    ),
    Remark.END: (
        "the end of the file is missing, damaged or too large and was left out",
        "the ends of {:,} parts are missing, damaged or too large and were left out",
    ),
}


def counts(remarks: Remarks) -> tuple[tuple[str, int], ...]:
    """Return the counts as an archive carries them."""
    return tuple((kind, remarks[kind]) for kind in Remark if remarks[kind])


def sentence(found: Iterable[tuple[str, int]]) -> str:
    """Return all counts in one sentence; empty without any count."""
    *clauses, last = [_CLAUSES[kind][number > 1].format(number) for kind, number in found] or [""]
    told = f"{', '.join(clauses)} and {last}" if clauses else last
    return f"{told[:1].upper()}{told[1:]}." if told else ""
