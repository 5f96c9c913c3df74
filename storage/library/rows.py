"""The library's values: owns their shapes, and reading a row that may be rotten; queries are left to its neighbours.

Nothing here raises over what a row holds: a conversation with one odd value is still shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from sqlalchemy import RowMapping

Role = Literal["user", "assistant", "tool"]
ClosedState = Literal["done", "stopped", "interrupted", "failed"]
MessageState = Literal["open", "done", "stopped", "interrupted", "failed"]

_ROLES: Final = get_args(Role)
_STATES: Final = get_args(MessageState)
_TITLE_LENGTH: Final = 60
_FORK: Final = re.compile(r"(?P<title>.*) \(fork(?: (?P<number>[0-9]{1,9}))?\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Conversation:
    """`titled`: the user gave the title. `leaf`: the message that the active branch ends with. `thinking`: its model
    may reason first. `reads_from`: the first message that the model still reads (None: all). `folder` is a name, empty
    for none. `cached`: it may be kept warm on disk. Times in ms, UTC.
    """

    id: str
    title: str
    titled: bool
    system: str
    preset: str
    model: str
    created: int
    updated: int
    leaf: str | None
    thinking: bool = False
    reads_from: str | None = None
    pinned: bool = False
    folder: str = ""
    tags: tuple[str, ...] = ()
    cached: bool = True


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes, or went, with a message, as a copy of the library's own.

    `name` is the one it had, `media` its MIME type, `text` whether it is UTF-8 text. `path` is None where nothing is
    written to the disk; what is in it is read with `library.attachments.text_of`.
    """

    id: str
    name: str
    media: str
    bytes: int
    path: Path | None
    text: bool


@dataclass(frozen=True, slots=True)
class Aside:
    """What a reply says beside its answer. `tool_calls` is JSON, kept for others and never looked into; `thought_ms` is
    how long the reasoning took.
    """

    reasoning: str = ""
    tool_calls: str = ""
    thought_ms: int = 0


@dataclass(frozen=True, slots=True)
class Message:
    """One node of a conversation's tree.

    `ledger` and `usage` are kept for others and never looked into; `error` is a sentence for people. `created` in ms,
    UTC. `place` of `places` counts the messages that stand for each other, from 1. Places and attachments are known
    where a branch or a part of it was read, attachments in a new Turn too.
    """

    id: str
    conversation: str
    parent: str | None
    role: Role
    content: str
    state: MessageState
    ledger: str
    usage: str
    error: str
    model: str
    created: int
    aside: Aside = Aside()
    place: int = 1
    places: int = 1
    attachments: tuple[Attachment, ...] = ()

    @property
    def silent(self) -> bool:
        """Whether it says nothing at all."""
        return not (self.content or self.aside.reasoning or self.aside.tool_calls)


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user said, and the reply that is still open."""

    user: Message
    reply: Message


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a branch, in its order; `earlier`: there are messages before it. Ledgers are not read: "" in all."""

    messages: tuple[Message, ...]
    earlier: bool


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in the list. `updated` in ms, UTC; of a deleted one: when it was deleted.

    `snippet` is the start of its newest words as they are. After a search it is one line around the best hit, and
    `marks` are the places in it, from and to, where the words were found.
    """

    id: str
    title: str
    snippet: str
    updated: int
    pinned: bool = False
    folder: str = ""
    tags: tuple[str, ...] = ()
    cached: bool = True
    marks: tuple[tuple[int, int], ...] = ()


def conversation_from(row: RowMapping) -> Conversation:
    """The conversation in a row of its table."""
    return Conversation(
        id=text_from(row["id"]),
        title=text_from(row["title"]),
        titled=bool(row["titled"]),
        system=text_from(row["system"]),
        preset=text_from(row["preset"]),
        model=text_from(row["model"]),
        created=_number(row["created"]),
        updated=_number(row["updated"]),
        leaf=_link(row["leaf"]),
        thinking=bool(row["thinking"]),
        reads_from=_link(row["reads_from"]),
        pinned=bool(row["pinned"]),
        folder=text_from(row["folder"]),
        tags=tags_from(row["tags"]),
        cached=bool(row["cached"]),
    )


def message_from(row: RowMapping) -> Message:
    """The message in a row of its table. An unknown role reads as the assistant's, an unknown state as done."""
    role, state = row["role"], row["state"]
    return Message(
        id=text_from(row["id"]),
        conversation=text_from(row["conversation"]),
        parent=_link(row["parent"]),
        role=cast("Role", role) if role in _ROLES else "assistant",
        content=text_from(row["content"]),
        state=cast("MessageState", state) if state in _STATES else "done",
        ledger=text_from(row["ledger"]),
        usage=text_from(row["usage"]),
        error=text_from(row["error"]),
        model=text_from(row["model"]),
        created=_number(row["created"]),
        aside=Aside(text_from(row["reasoning"]), text_from(row["tool_calls"]), _number(row["thought_ms"])),
    )


def summary_from(row: RowMapping) -> Summary:
    """The summary in a row of its fields, but for `words` (the start of the newest message) and the marks."""
    return Summary(
        id=text_from(row["id"]),
        title=text_from(row["title"]),
        snippet=text_from(row["words"]).strip(),
        updated=_number(row["updated"]),
        pinned=bool(row["pinned"]),
        folder=text_from(row["folder"]),
        tags=tags_from(row["tags"]),
        cached=bool(row["cached"]),
    )


def attachment_from(row: RowMapping, path: Path | None) -> Attachment:
    """The attachment in a row of its table; `path` is where its file lies."""
    return Attachment(
        id=text_from(row["id"]),
        name=text_from(row["name"]),
        media=text_from(row["media"]),
        bytes=_number(row["bytes"]),
        path=path,
        text=bool(row["text"]),
    )


def tags_from(value: object) -> tuple[str, ...]:
    """The tags in a column that `tags_line` made."""
    return tuple(filter(None, text_from(value).split("\n")))


def tags_line(tags: Iterable[str]) -> str:
    """Tags as a column holds them: each a line of words, once, the first spelling of it."""
    known: dict[str, str] = {}
    for tag in tags:
        words = " ".join(storable(tag).split())
        known.setdefault(words.casefold(), words)
    return "\n".join(filter(None, known.values()))


def title_from(text: str) -> str:
    """A title for a conversation that begins with `text`: its first line that has words."""
    lines = (line.strip() for line in text.splitlines())
    return one_line(next(filter(None, lines), ""), _TITLE_LENGTH)


def fork_title_from(title: str) -> str:
    """A title for a copy of the conversation `title`: "Plans (fork)", "Plans (fork 2)", and none for none."""
    found = _FORK.fullmatch(title)
    if found is None:
        return f"{title} (fork)" if title else ""
    return f"{found['title']} (fork {int(found['number'] or 1) + 1})"


def one_line(text: str, length: int) -> str:
    """`text` without line breaks, at most `length` characters, cut between words where there are any."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    return (line[:length].rsplit(" ", 1)[0] if " " in line[:length] else line[: length - 1]).rstrip() + "…"


def storable(text: str) -> str:
    """`text` as UTF-8 can hold it: halves of surrogate pairs are joined, lone ones replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def text_from(value: object) -> str:
    """The text in a column, whatever its type is."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _link(value: object) -> str | None:
    return text_from(value) or None


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
