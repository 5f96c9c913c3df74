"""Reads chats from Markdown of any origin, by the headings or names that begin each turn.

A turn begins with "## User", "**User:** words" or "User: words", whichever the file uses, outside of code blocks. The
names are English, or those that Hearth writes in another language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final, Literal

from app.import_export.import_summary import Remark, Remarks, counts
from storage.library.archive import Archive, ArchivedConversation, ArchivedMessage
from storage.library.rows import Role

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
_FENCE: Final = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


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
    messages = in_a_row((role, words, 0) for role, words in _joined(said))
    system = "\n\n".join(words for speaker, words in said if speaker == "system")
    return ArchivedConversation(title, messages, leaf=messages[-1].id, system=system)


def _joined(said: list[tuple[Speaker, str]]) -> Iterator[tuple[Role, str]]:
    """Join consecutive turns of one speaker: a model expects that speakers alternate."""
    spoken = ((role, words) for role, words in said if role != "system")
    for role, same in groupby(spoken, key=itemgetter(0)):
        yield role, "\n\n".join(words for _, words in same if words)


def in_a_row(turns: Iterable[tuple[Role, str, int]]) -> tuple[ArchivedMessage, ...]:
    """Return the speaker, the words and the moment (ms, UTC; 0 if unknown) of each turn as a message that follows the
    one before.
    """
    return tuple(
        ArchivedMessage(str(place), str(place - 1) if place else None, role, words, created=created)
        for place, (role, words, created) in enumerate(turns)
    )


def fences(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each line with the fence of the block that is open after it, empty outside of a block."""
    fence = ""
    for line in lines:
        fence = _after(fence, line)
        yield line, fence


def _after(fence: str, line: str) -> str:
    found = _FENCE.fullmatch(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    return "" if found[1].startswith(fence) and not found[2].strip() else fence


def left_open(text: str) -> str:
    """Return the fence that would close the block at the end of `text`; empty if no block is open there."""
    return next(reversed([fence for _, fence in fences(text.splitlines())]), "")
