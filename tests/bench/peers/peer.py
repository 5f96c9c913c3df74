"""A peer: a process with one model that answers chats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.protocol.messages import ChatMessage

ANSWER_TOKENS = 24


@dataclass(frozen=True, slots=True)
class Question:
    """A chat that ends with a question."""

    chat: str
    messages: Sequence[ChatMessage]


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer. `first_ms` is the time from the request to its first text; `cached` is how many tokens of the
    prompt came from a cache, None if the peer does not say.
    """

    text: str
    first_ms: float
    cached: int | None
    ledger: str = ""


class Peer(Protocol):
    """A peer is started, asked and ended any number of times. Closing it ends its process in any case."""

    name: str

    def start(self) -> None:
        """Start the process and wait until its model has answered something."""

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Answer all questions at once, greedily, with at most ANSWER_TOKENS tokens each."""

    def stop(self) -> None:
        """End the process as a user does."""

    def close(self) -> None:
        """Kill the process, if it runs."""
