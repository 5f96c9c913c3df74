"""PutAside: words of one chat that could not be sent, and that no tab can show. No Qt.

They are put before the saved draft, and before the draft in memory, which may be saved over that one later. The library
is asked until it accepts them, or a tab takes them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from app.base.errors import refusal
from app.chat import turn_jobs
from app.chat.newest_saves import NewestSaves

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from app.chat.message_queue import MessageQueue
    from storage.library.library import Library


class PutAside:
    """`queue` has the draft in memory. The first error is shown, those of the retries are not."""

    def __init__(self, conversation: str, ports: Ports, queue: MessageQueue) -> None:
        self._id = conversation
        self._ports = ports
        self._queue = queue
        self._saves = NewestSaves(lambda _: ports.tasks, self._job, self._saved, self._not_saved)

    @property
    def is_empty(self) -> bool:
        """Whether the library or a tab has all words."""
        return not self._saves.items()

    def put(self, words: str) -> None:
        """Save these words."""
        self._queue.typed = "\n\n".join(filter(None, (words, self._queue.typed)))
        self._saves.put(uuid4().hex, words)

    def retry(self) -> None:
        """Put all words into the open tab. If there is none, save again what was refused."""
        tab = self._ports.sink.chats.tab(self._id)
        if tab is None:
            self._saves.retry()
            return
        for key, words in self._saves.items():
            self._saves.drop(key)
            tab.give_back(words)

    def shown(self, typed: str) -> None:
        """A tab opens with this draft, which may have the words already."""
        for key, words in self._saves.items():
            if f"\n\n{words}\n\n" in f"\n\n{typed}\n\n":
                self._saves.drop(key)

    def _job(self, _: str, words: str) -> Callable[[Library], None]:
        return partial(turn_jobs.put_aside, conversation=self._id, words=words)

    def _saved(self, _key: str, words: str, _: None) -> None:
        """A tab that is open by now has read the draft before these words were in it."""
        if (tab := self._ports.sink.chats.tab(self._id)) is not None:
            tab.give_back(words)

    def _not_saved(self, _: str, error: Exception) -> None:
        self._ports.sink.show_notice(refusal(error, self._id))
