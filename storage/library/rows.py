"""The library's values, and the titles of conversations."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple

import msgspec

Role = Literal["user", "assistant", "tool"]
ClosedState = Literal["done", "stopped", "interrupted", "failed"]
MessageState = Literal["open", "done", "stopped", "interrupted", "failed"]

LATEST: Final = 253_370_764_800_000
"""The end of the last year that Python's dates know, 9999, in ms."""
_TITLE_LENGTH: Final = 60
_TRAILING: Final = re.compile(r"[\s.,;:!?…–—\-。、，；：！？؟،؛]+$")  # noqa: RUF001 - of many languages
_LEADING: Final = re.compile(r"(?: [a-zß-ÿ]{1,3})+$")
_FORK: Final = re.compile(r"(?P<title>.*) \(fork(?: (?P<number>[0-9]{1,9}))?\)", re.DOTALL)


class Switches(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the user turns on and off for one conversation. The library keeps all of it as one JSON value.

    `thinking`: the model may reason before it answers. `cached`: the model state may be cached on disk.
    """

    thinking: bool = False
    cached: bool = True


USUAL_SWITCHES: Final = Switches()


@dataclass(frozen=True, slots=True)
class ConversationData:
    """What a conversation has in and outside the library. Times in ms, UTC.

    `titled`: the user gave the title. `leaf`: the last message of the active branch. `reads_from`: the first message
    of the prompt (None: the branch's first). `folder`: a name, empty for none. `sampling`: opaque JSON, the values that
    the conversation sets itself.
    """

    title: str
    _: KW_ONLY
    leaf: str | None = None
    system: str = ""
    created: int = 0
    updated: int = 0
    folder: str = ""
    tags: tuple[str, ...] = ()
    pinned: bool = False
    preset: str = "balanced"
    model: str = ""
    titled: bool = True
    switches: Switches = USUAL_SWITCHES
    reads_from: str | None = None
    sampling: str = ""


@dataclass(frozen=True, slots=True)
class Conversation(ConversationData):
    """A conversation's row."""

    id: str


class QueuedText(NamedTuple):
    """A message that waits to be sent, with the ids of its files."""

    text: str
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """What was written in a conversation and not sent.

    `typed` is in the message box. `queue` has the messages that wait, in the order in which they will be sent. `edits`
    are edits of earlier messages: the id of each message and the new words.
    """

    typed: str = ""
    queue: tuple[QueuedText, ...] = ()
    edits: tuple[tuple[str, str], ...] = ()


NO_DRAFT: Final = SavedDraft()


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
class ArchivedAttachment:
    """A file attached to a message, with its bytes. `media` is its MIME type."""

    name: str
    media: str
    data: bytes


@dataclass(frozen=True, slots=True)
class MessageData:
    """What one node of a conversation's tree has in and outside the library.

    `tool_calls` and `usage` are opaque JSON; `error` is a sentence for the user. `created` in ms, UTC. `thought_ms` is
    how long the reasoning took.
    """

    id: str
    parent: str | None
    role: Role
    content: str
    _: KW_ONLY
    reasoning: str = ""
    tool_calls: str = ""
    state: MessageState = "done"
    model: str = ""
    usage: str = ""
    created: int = 0
    error: str = ""
    thought_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(MessageData):
    """A message's row.

    `ledger` is opaque. The message is number `place` of `places` alternatives, counted from 1. Places and attachments
    are only filled in when a branch or a page was queried; attachments also in a new Turn.
    """

    conversation: str
    ledger: str = ""
    place: int = 1
    places: int = 1
    attachments: tuple[Attachment, ...] = ()

    @property
    def silent(self) -> bool:
        """Whether it has no text, reasoning or tool calls."""
        return not (self.content or self.reasoning or self.tool_calls)


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
    words that were found. `draft` has the start of each text that was not sent, and `draft_files` counts its files.
    `instructions` is the start of the system prompt.
    """

    id: str
    title: str
    snippet: str
    updated: int
    pinned: bool = False
    folder: str = ""
    tags: tuple[str, ...] = ()
    switches: Switches = USUAL_SWITCHES
    draft: SavedDraft = NO_DRAFT
    draft_files: int = 0
    instructions: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    hit: str = ""
    terms: tuple[str, ...] = ()


def moment(value: int) -> int:
    """`value` in ms, limited to what a date can show."""
    return min(max(value, 0), LATEST)


def title_from(text: str) -> str:
    """A title for a conversation that begins with `text`: its first line that is not blank, without the punctuation at
    its end. If that is long, as many whole words of it as a title has.
    """
    line = " ".join(next(filter(str.strip, text.splitlines()), "").split())
    whole = line if len(line) <= _TITLE_LENGTH else _LEADING.sub("", line[: _TITLE_LENGTH + 1].rpartition(" ")[0])
    return _TRAILING.sub("", whole) or one_line(line, _TITLE_LENGTH)


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
