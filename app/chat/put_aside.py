"""PutAside: words of one chat that could not be sent, and that no tab can show. No Qt.

They are put before the saved draft, and before the draft in memory, which may be saved over that one later. If the
library refuses them, they are offered again, until it accepts them or a tab takes them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.base.errors import refusal
from app.chat import turn_jobs
from app.chat.save_retry import PASSING

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from app.chat.message_queue import MessageQueue


class PutAside:
    """`queue` has the draft in memory. The first error is shown, those of the retries are not."""

    def __init__(self, conversation: str, ports: Ports, queue: MessageQueue) -> None:
        self._id = conversation
        self._ports = ports
        self._queue = queue
        self._words: list[str] = []
        self._refused: list[str] = []

    @property
    def is_empty(self) -> bool:
        """Whether the library or a tab has all words."""
        return not self._words

    def put(self, words: str) -> None:
        """Save these words."""
        self._queue.typed = "\n\n".join(filter(None, (words, self._queue.typed)))
        self._words.append(words)
        self._save(words, lambda error: self._ports.sink.show_notice(refusal(error, self._id)))

    def retry(self) -> None:
        """Offer again what was refused."""
        refused, self._refused = self._refused, []
        for words in refused:
            if not self._is_given_back(words):
                self._save(words, lambda _: None)

    def shown(self, typed: str) -> None:
        """A tab opens with this draft, which may begin with the words already."""
        for words in [one for one in self._words if f"{typed}\n\n".startswith(f"{one}\n\n")]:
            self._words.remove(words)

    def _save(self, words: str, tell: Callable[[Exception], object]) -> None:
        job = partial(turn_jobs.put_aside, conversation=self._id, words=words)
        self._ports.tasks.run(job, lambda _: self._saved(words), partial(self._not_saved, words, tell))

    def _saved(self, words: str) -> None:
        """A tab that is open by now has read the draft before these words were in it."""
        if not self._is_given_back(words):
            self._words.remove(words)

    def _not_saved(self, words: str, tell: Callable[[Exception], object], error: Exception) -> None:
        tell(error)
        if isinstance(error, PASSING):
            self._refused.append(words)
        elif words in self._words:
            self._words.remove(words)

    def _is_given_back(self, words: str) -> bool:
        """Put the words into the open tab, if there is one that does not have them. Returns whether a tab has them."""
        tab = self._ports.sink.chats.tab(self._id)
        if words in self._words and tab is not None:
            self._words.remove(words)
            tab.give_back(words)
            return True
        return words not in self._words
