"""The library's values: owns their shapes, and reading a row that may be rotten; queries are left to its neighbours.

Nothing here raises over what a row holds: a conversation with one odd value is still shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

if TYPE_CHECKING:
    from sqlalchemy import RowMapping

Role = Literal["user", "assistant"]
ClosedState = Literal["done", "stopped", "interrupted", "failed"]
MessageState = Literal["open", "done", "stopped", "interrupted", "failed"]

_STATES: Final = get_args(MessageState)
_TITLE_LENGTH: Final = 60


@dataclass(frozen=True, slots=True)
class Conversation:
    """`titled`: the user gave the title. `leaf`: the message that the active branch ends with. Times in ms, UTC."""

    id: str
    title: str
    titled: bool
    system: str
    preset: str
    model: str
    created: int
    updated: int
    leaf: str | None


@dataclass(frozen=True, slots=True)
class Message:
    """One node of a conversation's tree.

    `ledger` and `usage` are kept for others and never looked into; `error` is a sentence for people. `created` in ms,
    UTC.
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


@dataclass(frozen=True, slots=True)
class Turn:
    """What the user said, and the reply that is still open."""

    user: Message
    reply: Message


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in the list: `snippet` is the start of its newest words as they are. `updated` in ms, UTC."""

    id: str
    title: str
    snippet: str
    updated: int


def conversation_from(row: RowMapping) -> Conversation:
    """The conversation in a row of its table."""
    return Conversation(
        id=_text(row["id"]),
        title=_text(row["title"]),
        titled=bool(row["titled"]),
        system=_text(row["system"]),
        preset=_text(row["preset"]),
        model=_text(row["model"]),
        created=_number(row["created"]),
        updated=_number(row["updated"]),
        leaf=_link(row["leaf"]),
    )


def message_from(row: RowMapping) -> Message:
    """The message in a row of its table. An unknown role reads as the assistant's, an unknown state as done."""
    state = row["state"]
    return Message(
        id=_text(row["id"]),
        conversation=_text(row["conversation"]),
        parent=_link(row["parent"]),
        role="user" if row["role"] == "user" else "assistant",
        content=_text(row["content"]),
        state=cast("MessageState", state) if state in _STATES else "done",
        ledger=_text(row["ledger"]),
        usage=_text(row["usage"]),
        error=_text(row["error"]),
        model=_text(row["model"]),
        created=_number(row["created"]),
    )


def summary_from(row: RowMapping) -> Summary:
    """The summary in a row of `id`, `title`, `words` (the start of the newest message) and `updated`."""
    return Summary(_text(row["id"]), _text(row["title"]), _text(row["words"]).strip(), _number(row["updated"]))


def title_from(text: str) -> str:
    """A title for a conversation that begins with `text`: its first line that has words."""
    lines = (line.strip() for line in text.splitlines())
    return one_line(next(filter(None, lines), ""), _TITLE_LENGTH)


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


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _link(value: object) -> str | None:
    return _text(value) or None


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
