"""Starts a group of Macs again that was given up, once a Mac that was away is back. Runs on the window's thread.

If all Macs answered when the group was given up, the reason is another one, such as a firewall. Then only the user
starts it again: a group that starts by itself and fails each time would load its model for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.engine_client.connection import EngineConnection
from app.engine_client.hosting import Hosting
from app.macs.macs import Macs
from app.macs.reach import MacState

LOOK_SECONDS: Final = 5
"""How often the Macs of a group that was given up are asked."""


class GroupReturn:
    """Asks the Macs of a group that was given up and is still wanted, and starts the group again."""

    def __init__(self, macs: Macs, hosting: Hosting, connection: EngineConnection) -> None:
        self._macs = macs
        self._hosting = hosting
        self._connection = connection
        self._seconds = 0
        self._before: Sequence[MacState | None] = ()
        self._was_away = False

    def tick(self) -> None:
        """Every second: ask the Macs, and start the group if all are back."""
        if not self._hosting.lacks_group:
            self._seconds, self._was_away = 0, False
            return
        if self._seconds == 0:
            self._before = self._macs.states_of(self._connection.model)
        if self._seconds % LOOK_SECONDS == 0:
            self._macs.presenter.look_around()
        self._seconds += 1
        self._judge()

    def _judge(self) -> None:
        """Start the group if a Mac was away, or worked for another one, and now none is and none does."""
        from app.macs.pairing import own_name  # no start needs its libraries

        states = self._macs.states_of(self._connection.model)
        # Answers from before the group was given up do not count.
        answers = [state for state in states if state is not None and all(state is not old for old in self._before)]
        # The Mac's end of the lost group may take some seconds: for that long it works for this one.
        if any(not state.reachable or state.leader not in {"", own_name()} for state in answers):
            self._was_away = True
        elif self._was_away and len(answers) == len(self._before) and not any(state.leader for state in answers):
            self._connection.use(self._connection.model)
