"""The library's values, and reading them from rows that may be damaged.

No content of a row raises an error: a conversation with one odd value is still shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
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
LONGEST_LABEL: Final = 1_000
"""The characters of a title, name, folder, tag or error that are kept. The window looks at all of a label to
draw the part of it that fits on a line, and does so in each frame.
"""
_MOST_TAGS: Final = 100
_FORK: Final = re.compile(r"(?P<title>.*) \(fork(?: (?P<number>[0-9]{1,9}))?\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation's row. Times in ms, UTC.

    `titled`: the user gave the title. `leaf`: the last message of the active branch. `thinking`: the model may reason
    before it answers. `reads_from`: the first message of the prompt (None: the branch's first). `folder`: a name, empty
    for none. `cached`: its model state may be cached on disk. `sampling`: opaque JSON, the values that the conversation
    sets itself.
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
    sampling: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """The library's copy of a file attached to a message or draft.

    `name` is the original name, `media` the MIME type, `text` whether it is UTF-8 text. `path` is None in a private
    library. `library.attachments.text_of` returns the content.
    """

    id: str
    name: str
    media: str
    bytes: int
    path: Path | None
    text: bool


@dataclass(frozen=True, slots=True)
class Aside:
    """The parts of a reply besides its answer. `tool_calls` is opaque JSON; `thought_ms` is how long the reasoning
    took.
    """

    reasoning: str = ""
    tool_calls: str = ""
    thought_ms: int = 0


@dataclass(frozen=True, slots=True)
class Message:
    """One node of a conversation's tree.

    `ledger` and `usage` are opaque; `error` is a sentence for the user. `created` in ms, UTC. The message is number
    `place` of `places` alternatives, counted from 1. Places and attachments are only filled in when a branch or a page
    was queried; attachments also in a new Turn.
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
        """Whether it has no text, reasoning or tool calls."""
        return not (self.content or self.aside.reasoning or self.aside.tool_calls)


@dataclass(frozen=True, slots=True)
class Turn:
    """The user's message and its open reply."""

    user: Message
    reply: Message


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a branch, in order. `earlier`: the branch has messages before it. All ledgers are "" here."""

    messages: tuple[Message, ...]
    earlier: bool


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt that the user saved."""

    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in a list. `updated` in ms, UTC; for a deleted conversation it is the time of deletion.

    `snippet` is the start of the newest text. After a search it is one line around the best hit, and `marks` are the
    hits in it: pairs of start and end. `hit` is the id of the message with that hit, "" for none, and `terms` are the
    words that were found. `draft` is the start of what was typed and not sent, and `draft_files` counts its files.
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
    hit: str = ""
    terms: tuple[str, ...] = ()
    draft: str = ""
    draft_files: int = 0


def conversation_from(row: RowMapping) -> Conversation:
    """The conversation in a row of its table."""
    return Conversation(
        id=text_from(row["id"]),
        title=label_from(row["title"]),
        titled=bool(row["titled"]),
        system=text_from(row["system"]),
        preset=text_from(row["preset"]),
        model=label_from(row["model"]),
        created=_number(row["created"]),
        updated=_number(row["updated"]),
        leaf=_link(row["leaf"]),
        thinking=bool(row["thinking"]),
        reads_from=_link(row["reads_from"]),
        pinned=bool(row["pinned"]),
        folder=label_from(row["folder"]),
        tags=tags_from(row["tags"]),
        cached=bool(row["cached"]),
        sampling=text_from(row["sampling"]),
    )


def message_from(row: RowMapping) -> Message:
    """The message in a row of its table. An unknown role becomes assistant, an unknown state done."""
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
        error=label_from(row["error"]),
        model=label_from(row["model"]),
        created=_number(row["created"]),
        aside=Aside(text_from(row["reasoning"]), text_from(row["tool_calls"]), _number(row["thought_ms"])),
    )


def summary_from(row: RowMapping) -> Summary:
    """The summary in a row of its columns; the column `words` is the start of the newest message."""
    return Summary(
        id=text_from(row["id"]),
        title=label_from(row["title"]),
        snippet=text_from(row["words"]).strip(),
        updated=_number(row["updated"]),
        pinned=bool(row["pinned"]),
        folder=label_from(row["folder"]),
        tags=tags_from(row["tags"]),
        cached=bool(row["cached"]),
        draft=text_from(row["draft"]).strip(),
        draft_files=_number(row["draft_files"]),
    )


def attachment_from(row: RowMapping, path: Path | None) -> Attachment:
    """The attachment in a row of its table; `path` is its file."""
    return Attachment(
        id=text_from(row["id"]),
        name=label_from(row["name"]),
        media=text_from(row["media"]),
        bytes=_number(row["bytes"]),
        path=path,
        text=bool(row["text"]),
    )


def tags_from(value: object) -> tuple[str, ...]:
    """The tags in a column's value, which `tags_line` made."""
    return tuple(filter(None, (tag[:LONGEST_LABEL] for tag in text_from(value).split("\n", _MOST_TAGS)[:_MOST_TAGS])))


def tags_line(tags: Iterable[str]) -> str:
    """Tags as the column's value: one a line, without duplicates that differ only in case."""
    known: dict[str, str] = {}
    for tag in tags:
        words = " ".join(label(tag).split())
        known.setdefault(words.casefold(), words)
    return "\n".join(islice(filter(None, known.values()), _MOST_TAGS))


def title_from(text: str) -> str:
    """A title for a conversation that begins with `text`: its first line that is not blank."""
    lines = (line.strip() for line in text.splitlines())
    return one_line(next(filter(None, lines), ""), _TITLE_LENGTH)


def title_of(first: Message) -> str:
    """A title for a conversation that begins with this message: its first line, or the name of its first file."""
    return title_from(first.content) or title_from("".join(file.name for file in first.attachments[:1]))


def fork_title_from(title: str) -> str:
    """The title of a fork: "Plans (fork)", "Plans (fork 2)"; empty if `title` is."""
    found = _FORK.fullmatch(title)
    if found is None:
        return f"{title} (fork)" if title else ""
    return f"{found['title']} (fork {int(found['number'] or 1) + 1})"


def one_line(text: str, length: int) -> str:
    """`text` on one line of at most `length` characters, cut between words if possible."""
    line = " ".join(text.split())
    if len(line) <= length:
        return line
    return (line[:length].rsplit(" ", 1)[0] if " " in line[:length] else line[: length - 1]).rstrip() + "…"


def label(text: str) -> str:
    """The beginning of a title, name or the like in a form that UTF-8 can encode."""
    return storable(text[:LONGEST_LABEL])


def label_from(value: object) -> str:
    """The same of a column's value."""
    return text_from(value)[:LONGEST_LABEL]


def storable(text: str) -> str:
    """`text` in a form that UTF-8 can encode: surrogate pairs are joined, lone surrogates replaced."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def text_from(value: object) -> str:
    """A column's value as text, whatever its type."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _link(value: object) -> str | None:
    return text_from(value) or None


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
