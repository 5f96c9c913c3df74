"""Undoes what the user did to a chat in the middle, until the next turn begins. No Qt.

- `TurnRemoval` deletes turns. The newest deletion is undone first: a turn finds its place only in the chat that it was
  taken from.
- `BranchReturn` leads back to the former branch, which a regenerated answer, an edit or a hit of a search has left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from app.base.errors import StillAnswering
from app.base.ports import Ports
from app.chat import turn_jobs
from app.chat.presenter import ChatPresenter
from app.chat.saves import PASSING, save
from app.chat.turn_jobs import Branch, TurnStart
from resources.language.text import mark, mark_plural, plural, tr
from storage.library.library import Library
from storage.library.turns import RemovedTurn
from ui.intents.chat import InChat, ReturnToBranch, UndoDeleteTurn
from ui.intents.notice import undo_notice

DELETED: Final = "turn:"
"""The prefix of the key of the notice that offers to undo a deletion; the conversation's id follows."""
_DONE: Final = mark_plural(
    "The question and its answer were deleted.", "{count} questions and their answers were deleted."
)
_BUSY: Final = mark("Stop the answer first, or wait for its end.")


class TurnRemoval:
    """`changed` is called with the branch after each deletion and each undo. While the chat `is_busy` with an answer,
    there is neither. Replies that are not on disk are saved first, so that an undo brings all of their words back.
    """

    def __init__(
        self, ports: Ports, presenter: ChatPresenter, is_busy: Callable[[], bool], changed: Callable[[Branch], object]
    ) -> None:
        self._id = presenter.id
        self._ports = ports
        self._presenter = presenter
        self._is_busy = is_busy
        self._changed = changed
        self._removed: list[RemovedTurn] = []
        self._is_restoring = False

    def remove(self, message: str) -> None:
        """Delete the turn of this message."""
        if self._is_busy():
            self._presenter.show_error(StillAnswering(tr(_BUSY)))
            return
        waiting = self._presenter.unsaved()

        def job(library: Library) -> tuple[RemovedTurn, Branch]:
            for reply in waiting:
                save(library, reply)
            return library.turns.remove(self._id, message), turn_jobs.read(library, self._id)

        def done(outcome: tuple[RemovedTurn, Branch]) -> None:
            self._removed.append(outcome[0])
            self._offer()
            self._changed(outcome[1])

        self._ports.tasks.run(job, done, self._presenter.show_error)

    def restore(self) -> None:
        """Undo the newest deletion that can still be undone. It can be undone again if the disk takes nothing now."""
        if self._is_busy():
            self._presenter.show_error(StillAnswering(tr(_BUSY)))
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
            self._presenter.show_error(error)

        self._ports.tasks.run(job, done, failed)

    def settle(self) -> None:
        """A turn has begun: no deletion can be undone any more."""
        self._removed = []
        self._offer()

    def _offer(self) -> None:
        """Say how many turns were deleted and offer to undo that, or clear the notice if none can come back."""
        key, count = DELETED + self._id, len(self._removed)
        if not count:
            self._ports.sink.clear_notice(key)
            return
        told = plural(*_DONE, count)
        self._ports.sink.show_notice(undo_notice(key, told, InChat(self._id, UndoDeleteTurn()), conversation=self._id))


_LATER: Final = mark_plural(
    "{count} later turn stays with the former version. The arrows below the message lead back to it.",
    "{count} later turns stay with the former version. The arrows below the message lead back to them.",
)
_TURNED: Final = mark(
    "What you searched for is in another version of this chat, which is shown now. The arrows below the message lead "
    "back to the former one."
)
BRANCHED: Final = "branch:"
"""The prefix of the key of the notice about turns on the former branch; the conversation's id follows."""


class BranchReturn:
    """Remembers the end of the former branch. `stop` ends the answer in progress, and `changed` is called with the
    former branch after an undo.
    """

    def __init__(
        self, ports: Ports, presenter: ChatPresenter, stop: Callable[[], object], changed: Callable[[Branch], object]
    ) -> None:
        self._id = presenter.id
        self._ports = ports
        self._presenter = presenter
        self._stop = stop
        self._changed = changed
        self._leaf = ""
        self._ends_answer = False

    def begin(self, start: TurnStart) -> None:
        """A turn begins. If later turns stay on the former branch, say so."""
        self.settle()
        if start.later and start.back_to:
            self._offer(start.back_to, plural(*_LATER, start.later))
            self._ends_answer = True

    def turned(self, back_to: str) -> None:
        """A search turned the chat to another branch: say so. `back_to` is the end of the former one."""
        self.settle()
        self._offer(back_to, tr(_TURNED))

    def _offer(self, leaf: str, told: str) -> None:
        self._leaf = leaf
        key = BRANCHED + self._id
        self._ports.sink.show_notice(undo_notice(key, told, InChat(self._id, ReturnToBranch()), conversation=self._id))

    def undo(self) -> None:
        """Show the former branch again. An answer that was begun on the new one ends, and stays as an alternative if it
        has a word.
        """
        leaf, ends_answer = self._leaf, self._ends_answer
        self.settle()
        if ends_answer:
            self._stop()
        if leaf:

            def job(library: Library) -> Branch:
                library.messages.show(self._id, leaf)
                return turn_jobs.read(library, self._id)

            self._ports.tasks.run(job, self._changed, self._presenter.show_error)

    def settle(self) -> None:
        """There is no way back any more."""
        self._leaf, self._ends_answer = "", False
        self._ports.sink.clear_notice(BRANCHED + self._id)
