"""A clock to hold, and a conversation in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storage.library.store import Library


class Clock:
    """A clock that moves one second with every look, and further when told to."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        self.now += 1000
        return self.now


def say(library: Library, conversation: str, text: str, answer: str) -> str:
    turn = library.begin_turn(conversation, text, "model")
    library.close(turn.reply.id, answer, "done")
    return turn.reply.id


def texts(library: Library, conversation: str) -> list[str]:
    return [message.content for message in library.branch(conversation)]
