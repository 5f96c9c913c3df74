"""Counts what an import left out or repaired, and words it in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from resources.language.text import mark_plural, plural
from ui.theme.phrases import enumerated


class Remark(StrEnum):
    """One kind of thing that could not be imported unchanged. Its value is the clause about several, and `one` is the
    one about a single one.
    """

    one: str

    def __new__(cls, one: str, many: str) -> Self:
        """A kind with these clauses."""
        made = str.__new__(cls, many)
        made._value_, made.one = many, one
        return made

    DATE = mark_plural("{count} date was impossible and was ignored", "{count} dates were impossible and were ignored")
    BYTE = mark_plural("{count} unreadable character was replaced", "{count} unreadable characters were replaced")
    CIRCLE = mark_plural("{count} circle of messages was opened", "{count} circles of messages were opened")
    PLACE = mark_plural(
        "{count} message whose place was unknown was put at the start of its chat",
        "{count} messages whose place was unknown were put at the start of their chat",
    )
    SPEAKER = mark_plural(
        "{count} message of an unknown speaker was given to the assistant",
        "{count} messages of unknown speakers were given to the assistant",
    )
    TURN = mark_plural(
        "{count} line that names another speaker was kept as words of a message",
        "{count} lines that name another speaker were kept as words of a message",
    )
    DETAIL = mark_plural("{count} unreadable detail was ignored", "{count} unreadable details were ignored")
    PIECES = mark_plural(
        "{count} chat branches so often that its replies are stored in pieces",
        "{count} chats branch so often that their replies are stored in pieces",
    )
    LONG = mark_plural(
        "{count} prompt or set of instructions was too long and was shortened",
        "{count} prompts or sets of instructions were too long and were shortened",
    )
    PREFACE = mark_plural(
        "text before the first message was left out", "text before the first message was left out of {count} chats"
    )
    MESSAGE = mark_plural("{count} unreadable message was left out", "{count} unreadable messages were left out")
    EMPTY = mark_plural("{count} chat without a word was left out", "{count} chats without a word were left out")
    CHAT = mark_plural("{count} unreadable chat was left out", "{count} unreadable chats were left out")
    OWN = mark_plural(
        "{count} prompt or preset was unreadable, or one too many, and was left out",
        "{count} prompts and presets were unreadable, or too many, and were left out",
    )
    PART = mark_plural(
        "{count} unreadable part of the zip file was left out", "{count} unreadable parts of the zip file were left out"
    )
    END = mark_plural(
        "the end of the file is missing, damaged or too large and was left out",
        "the ends of {count} parts are missing, damaged or too large and were left out",
    )


Remarks = Counter[str]
"""How often each kind occurred."""


def counts(remarks: Remarks) -> tuple[tuple[str, int], ...]:
    """Return the counts as an archive carries them."""
    return tuple((kind, remarks[kind]) for kind in Remark if remarks[kind])


def sentence(found: Iterable[tuple[str, int]]) -> str:
    """Return all counts in one sentence; empty without any count."""
    numbers = dict(found)
    clauses = [plural(kind.one, kind, numbers[kind]) for kind in Remark if kind in numbers]
    told = enumerated(clauses) if clauses else ""
    return f"{told[:1].upper()}{told[1:]}." if told else ""
