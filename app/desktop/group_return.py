"""Starts a group again that was given up, once a Mac that was away is back. Runs on the window's thread.

If all Macs answer when the group is given up, the reason is another one, such as a firewall. Then only the user starts
it again: a group that starts by itself and fails each time would load its model for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.macs.reach import MacState

LOOK_SECONDS: Final = 5
"""How often the Macs of a group that was given up are asked."""


class GroupReturn:
    """`lacks_group` says whether the group of the model was given up and is still wanted. `look` asks its Macs,
    `states` returns what each has answered last, and `start` starts the group again.
    """

    def __init__(
        self,
        lacks_group: Callable[[], bool],
        look: Callable[[], object],
        states: Callable[[], Sequence[MacState | None]],
        start: Callable[[], object],
    ) -> None:
        self._lacks_group = lacks_group
        self._look = look
        self._states = states
        self._start = start
        self._seconds = 0
        self._before: Sequence[MacState | None] = ()
        self._was_away = False

    def tick(self) -> None:
        """Every second: ask the Macs, and start the group if all are back."""
        if not self._lacks_group():
            self._seconds, self._was_away = 0, False
            return
        if self._seconds == 0:
            self._before = self._states()
        if self._seconds % LOOK_SECONDS == 0:
            self._look()
        self._seconds += 1
        self._judge()

    def _judge(self) -> None:
        answers = [state for state in self._states() if state is not None and not self._is_old(state)]
        if any(_is_away(state) for state in answers):
            self._was_away = True
        elif self._was_away and len(answers) == len(self._before) and not any(state.leader for state in answers):
            self._start()

    def _is_old(self, state: MacState) -> bool:
        """Whether a Mac gave this answer before the group was given up."""
        return any(state is old for old in self._before)


def _is_away(state: MacState) -> bool:
    """Whether a Mac does not answer, or works for another one. Its end of the lost group may take some seconds: for
    that long it works for this one.
    """
    from app.macs.pairing import own_name  # no start needs its libraries

    return not state.reachable or state.leader not in {"", own_name()}
