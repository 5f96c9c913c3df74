"""How long a download waits for an answer, and when it tries again."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from app.hub.errors import HubBusy, HubClosed, HubError, HubUnreachable
from app.hub.fetch.progress import FetchWaiting

T = TypeVar("T")

_SPREAD: Final = 0.25


@dataclass(frozen=True, slots=True)
class RetryPatience:
    """The limits of patience.

    - `answer_s`: no byte for so long is a failure.
    - `attempts`: so many failures in a row end the download. An attempt that brings `progress` bytes starts a new row.
    - The wait doubles from `first_s` to `longest_s`. A wait that the hub orders is kept up to `longest_order_s`.
    """

    answer_s: float = 30.0
    attempts: int = 7
    first_s: float = 1.0
    longest_s: float = 30.0
    longest_order_s: float = 300.0
    progress: int = 256 * 1024
    wait: Callable[[float], object] = time.sleep
    draw: Callable[[], float] = random.random

    def pause_s(self, failures: int, error: HubError) -> float | None:
        """The wait after the given number of failures; None if waiting makes no sense."""
        may_pass = isinstance(error, HubUnreachable | HubBusy) and not isinstance(error, HubClosed)
        if not may_pass or failures >= self.attempts:
            return None
        ordered = error.wait if isinstance(error, HubBusy) else None
        if ordered is not None:
            return ordered if ordered <= self.longest_order_s else None
        pause = min(self.longest_s, self.first_s * 2.0 ** (failures - 1))
        return pause * (1 + _SPREAD * self.draw())  # many clients that failed together return apart


def insist(
    patience: RetryPatience,
    attempt: Callable[[], T],
    tell: Callable[[FetchWaiting], object],
    here: Callable[[], int] = lambda: 0,
) -> T:
    """Call `attempt` until it succeeds, and return its result. `here` returns the bytes that are here. Raises the last
    HubError.
    """
    failures = 0
    while True:
        before = here()
        try:
            return attempt()
        except HubError as error:
            failures = 1 if here() - before >= patience.progress else failures + 1
            pause = patience.pause_s(failures, error)
            if pause is None:
                raise
            tell(FetchWaiting(pause, str(error), error.told))
            patience.wait(pause)
