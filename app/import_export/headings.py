"""Reads chats from Markdown of any origin, by the headings or names that begin each turn.

A turn begins with "## User", "**User:** words" or "User: words", whichever the file uses, outside of code blocks. The
names are English, or those that Hearth writes in another language.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final, Literal

from app.import_export.fences import fences
from app.import_export.import_summary import Remark, Remarks, counts
from app.import_export.rows import Utterance, in_a_row
from storage.library.archive import Archive, ArchivedConversation

if TYPE_CHECKING:
    from collections.abc import Iterator

Speaker = Literal["user", "assistant", "system"]

_USER: Final = ("user", "you", "human", "me", "prompt", "question", "nutzer")
_ASSISTANT: Final = (
    "assistant",
    "chatgpt",
    "claude",
    "gemini",
    "ai",
    "model",
    "bot",
    "response",
    "answer",
    "assistent",
)
_SYSTEM: Final = ("system", "system prompt")
_SPEAKERS: Final[dict[str, Speaker]] = {
    **dict.fromkeys(_USER, "user"),
    **dict.fromkeys(_ASSISTANT, "assistant"),
    **dict.fromkeys(_SYSTEM, "system"),
}
_NAME: Final = rf"(?P<name>{'|'.join(sorted(_SPEAKERS, key=len, reverse=True))})(?: said)?"
_STYLES: Final = (
    re.compile(rf"#{{1,6}} ++(?:\*\*)?+{_NAME} *+:?+(?:\*\*)?+ *+:?+ *+(?P<rest>)#*+", re.IGNORECASE),
    re.compile(rf"\*\*{_NAME} *:?\*\* *:? *(?P<rest>.*)", re.IGNORECASE),
    re.compile(rf"{_NAME} *: *(?P<rest>.*)", re.IGNORECASE),
)


def decode(document: str, name: str) -> Archive:
    """Return the one conversation in `document`, called `name` if it has no title. The archive is empty if the document
    names no speakers.
    """
    for style in _STYLES:
        before, turns = _split(document, style)
        if {"user", "assistant"} <= {speaker for speaker, _ in turns}:
            return Archive((_conversation(turns, _title(before) or name),), counts(_preface(before)))
    return Archive()


def _split(document: str, style: re.Pattern[str]) -> tuple[list[str], list[tuple[Speaker, list[str]]]]:
    before: list[str] = []
    turns: list[tuple[Speaker, list[str]]] = []
    for line, fence in fences(document.splitlines()):
        found = None if fence else style.fullmatch(line.strip())
        if found:
            turns.append((_SPEAKERS[found["name"].lower()], [found["rest"]]))
        else:
            (turns[-1][1] if turns else before).append(line)
    return before, turns


def _title(before: list[str]) -> str:
    return next((line[2:].strip(" #") for line in before if _is_title(line)), "")


def _is_title(line: str) -> bool:
    return line.startswith("# ")


def _preface(before: list[str]) -> Remarks:
    """Count words that belong to no speaker."""
    return Counter({Remark.PREFACE: 1} if any(line.strip() and not _is_title(line) for line in before) else {})


def _conversation(turns: list[tuple[Speaker, list[str]]], title: str) -> ArchivedConversation:
    said = [(speaker, "\n".join(lines).strip()) for speaker, lines in turns]
    messages = in_a_row(_joined(said))
    system = "\n\n".join(words for speaker, words in said if speaker == "system")
    return ArchivedConversation(title, messages, leaf=messages[-1].id, system=system)


def _joined(said: list[tuple[Speaker, str]]) -> Iterator[Utterance]:
    """Join consecutive turns of one speaker: a model expects that speakers alternate."""
    spoken = ((role, words) for role, words in said if role != "system")
    for role, same in groupby(spoken, key=itemgetter(0)):
        yield Utterance(role, "\n\n".join(words for _, words in same if words))
