"""BranchReturn: the way back to the former branch of a chat. No Qt.

A regenerated answer or an edit in the middle of a chat leaves the later turns there, and a hit of a search may be on
another branch. A notice says so and offers to undo the change, until the next turn begins.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from app.base.errors import refusal
from app.chat import turn_jobs
from resources.language.text import plural, tr
from ui.intents.chat import InChat, ReturnToBranch
from ui.intents.notice import undo_notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Ports
    from app.chat.turn_jobs import Branch, TurnStart
    from storage.library.library import Library

BRANCHED: Final = "branch:"
"""The prefix of the key of the notice about turns on the former branch; the conversation's id follows."""


class BranchReturn:
    """Remembers the end of the former branch. `stop` ends the answer in progress, and `changed` is called with the
    former branch after an undo.
    """

    def __init__(
        self, conversation: str, ports: Ports, stop: Callable[[], object], changed: Callable[[Branch], object]
    ) -> None:
        self._id = conversation
        self._ports = ports
        self._stop = stop
        self._changed = changed
        self._leaf = ""
        self._ends_answer = False

    def begin(self, start: TurnStart) -> None:
        """A turn begins. If later turns stay on the former branch, say so."""
        self.settle()
        if start.later and start.back_to:
            told = plural(
                "{count} later turn stays with the former version. The arrows below the message lead back to it.",
                "{count} later turns stay with the former version. The arrows below the message lead back to them.",
                start.later,
            )
            self._offer(start.back_to, told)
            self._ends_answer = True

    def turned(self, back_to: str) -> None:
        """A search turned the chat to another branch: say so. `back_to` is the end of the former one."""
        self.settle()
        self._offer(
            back_to,
            tr(
                "What you searched for is in another version of this chat, which is shown now. "
                "The arrows below the message lead back to the former one."
            ),
        )

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
            job = partial(_shown, conversation=self._id, leaf=leaf)
            failed = lambda error: self._ports.sink.show_notice(refusal(error, self._id))  # noqa: E731 - one line
            self._ports.tasks.run(job, self._changed, failed)

    def settle(self) -> None:
        """There is no way back any more."""
        self._leaf, self._ends_answer = "", False
        self._ports.sink.clear_notice(BRANCHED + self._id)


def _shown(library: Library, conversation: str, leaf: str) -> Branch:
    library.messages.show(conversation, leaf)
    return turn_jobs.read(library, conversation)
