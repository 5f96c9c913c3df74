"""Counts what an import left out or repaired, and words it in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from resources.language.text import mark_plural, plural
from ui.theme.phrases import enumerated


class Remark(StrEnum):
    """One kind of thing that could not be imported unchanged."""

    DATE = "date"
    BYTE = "byte"
    CIRCLE = "circle"
    PLACE = "place"
    SPEAKER = "speaker"
    DETAIL = "detail"
    PIECES = "pieces"
    PREFACE = "preface"
    MESSAGE = "message"
    EMPTY = "empty"
    CHAT = "chat"
    OWN = "own"
    PART = "part"
    END = "end"


Remarks = Counter[str]
"""How often each kind occurred."""

_CLAUSES: Final[dict[str, tuple[str, str]]] = {
    Remark.DATE: mark_plural(
        "{count} date was impossible and was ignored", "{count} dates were impossible and were ignored"
    ),
    Remark.BYTE: mark_plural(
        "{count} unreadable character was replaced", "{count} unreadable characters were replaced"
    ),
    Remark.CIRCLE: mark_plural("{count} circle of messages was opened", "{count} circles of messages were opened"),
    Remark.PLACE: mark_plural(
        "{count} message whose place was unknown was put at the start of its chat",
        "{count} messages whose place was unknown were put at the start of their chat",
    ),
    Remark.SPEAKER: mark_plural(
        "{count} message of an unknown speaker was given to the assistant",
        "{count} messages of unknown speakers were given to the assistant",
    ),
    Remark.DETAIL: mark_plural("{count} unreadable detail was ignored", "{count} unreadable details were ignored"),
    Remark.PIECES: mark_plural(
        "{count} chat branches so often that its replies are stored in pieces",
        "{count} chats branch so often that their replies are stored in pieces",
    ),
    Remark.PREFACE: mark_plural(
        "text before the first message was left out", "text before the first message was left out of {count} chats"
    ),
    Remark.MESSAGE: mark_plural("{count} unreadable message was left out", "{count} unreadable messages were left out"),
    Remark.EMPTY: mark_plural("{count} chat without a word was left out", "{count} chats without a word were left out"),
    Remark.CHAT: mark_plural("{count} unreadable chat was left out", "{count} unreadable chats were left out"),
    Remark.OWN: mark_plural(
        "{count} prompt or preset was unreadable, or one too many, and was left out",
        "{count} prompts and presets were unreadable, or too many, and were left out",
    ),
    Remark.PART: mark_plural(
        "{count} unreadable part of the zip file was left out", "{count} unreadable parts of the zip file were left out"
    ),
    Remark.END: mark_plural(
        "the end of the file is missing, damaged or too large and was left out",
        "the ends of {count} parts are missing, damaged or too large and were left out",
    ),
}


def counts(remarks: Remarks) -> tuple[tuple[str, int], ...]:
    """Return the counts as an archive carries them."""
    return tuple((kind, remarks[kind]) for kind in Remark if remarks[kind])


def sentence(found: Iterable[tuple[str, int]]) -> str:
    """Return all counts in one sentence; empty without any count."""
    clauses = [plural(*_CLAUSES[kind], number) for kind, number in found]
    told = enumerated(clauses) if clauses else ""
    return f"{told[:1].upper()}{told[1:]}." if told else ""
