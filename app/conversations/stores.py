"""Stores: which library a conversation is in, the one on disk or the one in memory, and jobs that run there.

Library jobs run on the library's thread; their results come back on the GUI thread. No Qt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from app.base.errors import refusal
from app.base.ports import Ports
from storage.library.library import Library

T = TypeVar("T")


class Stores:
    """`kept` are the ports of the library on disk, `private` those of the library in memory."""

    def __init__(self, kept: Ports, private: Ports) -> None:
        self.kept = kept
        self.private = private
        self._private: set[str] = set()

    def of(self, conversation: str) -> Ports:
        """The ports of the library that has this conversation; those on disk for an unknown one."""
        return self.private if conversation in self._private else self.kept

    def is_private(self, conversation: str) -> bool:
        """Whether a conversation is in memory only."""
        return conversation in self._private

    def in_use(self) -> tuple[Ports, ...]:
        """The ports of the libraries that have conversations. The one on disk always counts."""
        return (self.kept, self.private) if self._private else (self.kept,)

    def add(self, conversation: str, ports: Ports) -> None:
        """A conversation was created in the library of these ports."""
        if ports is self.private:
            self._private.add(conversation)

    def remove(self, conversation: str) -> None:
        """A conversation was erased."""
        self._private.discard(conversation)

    def run(self, conversation: str, job: Callable[[Library], T], done: Callable[[T], object] = lambda _: None) -> None:
        """Run a job on the library that has this conversation, then `done` with its result. An error is shown."""
        ports = self.of(conversation)
        ports.tasks.run(job, done, lambda error: ports.sink.show_notice(refusal(error)))
