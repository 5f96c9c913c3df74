"""TurnRemoval: deletes turns of one chat, and undoes these deletions until the next turn begins. No Qt.

The newest deletion is undone first: a turn finds its place only in the chat that it was taken from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.base.errors import StillAnswering, refusal
from app.chat import turn_jobs
from app.chat.save_retry import PASSING, save
from resources.language.text import mark, mark_plural, plural, tr
from ui.intents.chat import InChat, UndoDeleteTurn
from ui.intents.notice import undo_notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.base.ports import Ports
    from app.chat.turn_jobs import Branch
    from storage.library.library import Library
    from storage.library.rows import Message
    from storage.library.turns import RemovedTurn

DELETED: Final = "turn:"
"""The prefix of the key of the notice that offers to undo a deletion; the conversation's id follows."""
_DONE: Final = mark_plural(
    "The question and its answer were deleted.",
    "{count} questions and their answers were deleted.",
)
_BUSY: Final = mark("Stop the answer first, or wait for its end.")


class TurnRemoval:
    """`changed` is called with the branch after each deletion and each undo. While the chat `is_busy` with an answer,
    there is neither. The replies that are `unsaved` are saved first, so that an undo brings all of their words back.
    """

    def __init__(
        self,
        conversation: str,
        ports: Ports,
        is_busy: Callable[[], bool],
        changed: Callable[[Branch], object],
        unsaved: Callable[[], Iterable[Message]],
    ) -> None:
        self._id = conversation
        self._ports = ports
        self._is_busy = is_busy
        self._changed = changed
        self._unsaved = unsaved
        self._removed: list[RemovedTurn] = []
        self._is_restoring = False

    def remove(self, message: str) -> None:
        """Delete the turn of this message."""
        if self._is_busy():
            self._failed(StillAnswering(tr(_BUSY)))
            return
        waiting = tuple(self._unsaved())

        def job(library: Library) -> tuple[RemovedTurn, Branch]:
            for reply in waiting:
                save(library, reply)
            removed = library.turns.remove(self._id, message)
            return removed, turn_jobs.read(library, self._id)

        self._ports.tasks.run(job, self._was_removed, self._failed)

    def restore(self) -> None:
        """Undo the newest deletion that can still be undone. It can be undone again if the disk takes nothing now."""
        if self._is_busy():
            self._failed(StillAnswering(tr(_BUSY)))
            return
        if not self._removed or self._is_restoring:
            return
        offered, removed = self._removed, self._removed.pop()
        self._is_restoring = True
        self._offer()

        def job(library: Library) -> Branch:
            library.turns.restore(removed)
            return turn_jobs.read(library, self._id)

        def done(branch: Branch) -> None:
            self._is_restoring = False
            self._changed(branch)

        def failed(error: Exception) -> None:
            self._is_restoring = False
            if isinstance(error, PASSING):
                offered.append(removed)
                self._offer()
            self._failed(error)

        self._ports.tasks.run(job, done, failed)

    def settle(self) -> None:
        """A turn has begun: no deletion can be undone any more."""
        self._removed = []
        self._offer()

    def _was_removed(self, outcome: tuple[RemovedTurn, Branch]) -> None:
        removed, branch = outcome
        self._removed.append(removed)
        self._offer()
        self._changed(branch)

    def _offer(self) -> None:
        """Say how many turns were deleted and offer to undo that, or clear the notice if none can come back."""
        key, count = DELETED + self._id, len(self._removed)
        if not count:
            self._ports.sink.clear_notice(key)
            return
        told = plural(*_DONE, count)
        self._ports.sink.show_notice(undo_notice(key, told, InChat(self._id, UndoDeleteTurn()), conversation=self._id))

    def _failed(self, error: Exception) -> None:
        self._ports.sink.show_notice(refusal(error, self._id))
