"""TurnRemoval: deletes a turn of one chat, and undoes the last deletion until the next turn begins. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.base.errors import StillAnswering, refusal
from app.chat import turn_jobs
from resources.language.text import mark, tr
from ui.state.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from app.chat.turn_jobs import Branch
    from storage.library.library import Library
    from storage.library.turns import RemovedTurn

DELETED: Final = "turn:"
"""The prefix of the key of the notice that offers to undo a deletion; the conversation's id follows."""
_DONE: Final = mark("The question and its answer were deleted.")

_BUSY: Final = mark("Stop the answer first, or wait for its end.")


class TurnRemoval:
    """`changed` is called with the branch after each deletion and each undo. While the chat `is_busy` with an answer,
    there is neither.
    """

    def __init__(
        self, conversation: str, ports: Ports, is_busy: Callable[[], bool], changed: Callable[[Branch], object]
    ) -> None:
        self._id = conversation
        self._ports = ports
        self._is_busy = is_busy
        self._changed = changed
        self._removed: RemovedTurn | None = None

    def remove(self, message: str) -> None:
        """Delete the turn of this message."""
        if self._is_busy():
            self._failed(StillAnswering(tr(_BUSY)))
            return

        def job(library: Library) -> tuple[RemovedTurn, Branch]:
            removed = library.turns.remove(self._id, message)
            return removed, turn_jobs.read(library, self._id)

        self._ports.tasks.run(job, self._was_removed, self._failed)

    def restore(self) -> None:
        """Undo the last deletion, if it can still be undone."""
        if self._is_busy():
            self._failed(StillAnswering(tr(_BUSY)))
            return
        removed = self._removed
        self.settle()
        if removed is None:
            return

        def job(library: Library) -> Branch:
            library.turns.restore(removed)
            return turn_jobs.read(library, self._id)

        self._ports.tasks.run(job, self._changed, self._failed)

    def settle(self) -> None:
        """The last deletion can no longer be undone."""
        self._removed = None
        self._ports.sink.clear_notice(DELETED + self._id)

    def _was_removed(self, outcome: tuple[RemovedTurn, Branch]) -> None:
        self._removed, branch = outcome
        self._ports.sink.show_notice(
            Notice(DELETED + self._id, tr(_DONE), tr("Undo"), undoes=True, conversation=self._id, passing=True)
        )
        self._changed(branch)

    def _failed(self, error: Exception) -> None:
        self._ports.sink.show_notice(refusal(error, self._id))
