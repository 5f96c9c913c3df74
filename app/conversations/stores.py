"""Where a conversation lies: in the library on the disk, or in one that is in memory alone. Owns which of them it is.

What is done there is the caller's; a failure is told in the window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from app.base.errors import refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from storage.library.library import Library

T = TypeVar("T")


class Shelves:
    """`kept` and `private` are what sessions work with in either place."""

    def __init__(self, kept: Ports, private: Ports) -> None:
        self.kept = kept
        self.private = private
        self._private: set[str] = set()

    def of(self, conversation: str) -> Ports:
        """What the session of a conversation works with."""
        return self.private if conversation in self._private else self.kept

    def is_private(self, conversation: str) -> bool:
        """Whether it lies in memory alone."""
        return conversation in self._private

    def put(self, conversation: str, ports: Ports) -> None:
        """A conversation was made there."""
        if ports is self.private:
            self._private.add(conversation)

    def take(self, conversation: str) -> None:
        """A conversation is no more."""
        self._private.discard(conversation)

    def change(self, conversation: str, job: Callable[[Library], object]) -> None:
        """Run a job where a conversation lies."""
        self.read(conversation, job, lambda _: None)

    def read(self, conversation: str, job: Callable[[Library], T], done: Callable[[T], object]) -> None:
        """Run a job where a conversation lies, and hand on what it found."""
        ports = self.of(conversation)
        ports.tasks.run(job, done, lambda error: ports.sink.show_notice(refusal(error)))
