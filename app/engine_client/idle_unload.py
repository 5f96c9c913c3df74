"""Unloads a model that was not used for the time that the user has set. Called every second. No Qt."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from app.engine_client.connection import EngineConnection

_MINUTE: Final = 60.0


class IdleUnload:
    """`busy` returns whether anything runs or waits, `minutes` the time that the user has set (0: never)."""

    def __init__(
        self,
        connection: EngineConnection,
        busy: Callable[[], bool],
        minutes: Callable[[], int],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connection = connection
        self._busy = busy
        self._minutes = minutes
        self._clock = clock
        self._used = clock()

    def note_use(self) -> None:
        """The user has done something: the time begins again."""
        self._used = self._clock()

    def tick(self) -> None:
        """Unload the model if its time is over."""
        if self._busy() or not self._connection.ready:
            self.note_use()
        elif (minutes := self._minutes()) and self._clock() - self._used >= minutes * _MINUTE:
            self._connection.unload()
