"""How a download goes on: the reports of its worker, as values, its meter, how long it waits for an answer, and when it
tries again.

Each report is one JSON object on a line, with its kind as `event`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Final, TypeVar

import msgspec

from app.hub.errors import HubBusy, HubClosed, HubError, HubUnreachable
from resources.language.sentence import Sentence
from storage.untrusted import JsonDecoder

T = TypeVar("T")

_SPREAD: Final = 0.25
_SMOOTHING_S: Final = 5.0
_PAUSE_S: Final = 0.2
"""A download reports no more often than people can read."""


class Started(msgspec.Struct, frozen=True, tag="started", tag_field="event"):
    """The hub told what there is. `done` bytes of `total` are here from an earlier attempt."""

    repository: str
    commit: str
    total: int
    done: int = 0
    files: int = 0
    licence: str = ""


class FetchProgress(msgspec.Struct, frozen=True, tag="progress", tag_field="event"):
    """`done` of `total` bytes are here. `rate` is in bytes per second; `seconds_left` is None if unknown."""

    done: int
    total: int
    rate: float = 0.0
    seconds_left: float | None = None


class FetchWaiting(msgspec.Struct, frozen=True, omit_defaults=True, tag="waiting", tag_field="event"):
    """The next attempt follows in `seconds`; `text` says why, and `told` is the same for a reader that may show it in
    another language.
    """

    seconds: float
    text: str
    told: Sentence | str = ""


class Verifying(msgspec.Struct, frozen=True, tag="verifying", tag_field="event"):
    """The digest of a large file is computed. Without a file, the complete model is written to the disk."""

    file: str = ""


class Done(msgspec.Struct, frozen=True, tag="done", tag_field="event"):
    """The model is in `folder`, complete and verified."""

    repository: str
    commit: str
    folder: str
    licence: str = ""


class Failed(msgspec.Struct, frozen=True, omit_defaults=True, tag="error", tag_field="event"):
    """The download ended. `message` is one sentence, and `told` is the same for a reader that may show it in another
    language.
    """

    code: str
    message: str
    told: Sentence | str = ""


Report = Started | FetchProgress | FetchWaiting | Verifying | Done | Failed
_decoder: Final[JsonDecoder[Report]] = JsonDecoder(Report)


def encode(report: Report) -> bytes:
    """One line."""
    return msgspec.json.encode(report) + b"\n"


def decode(line: bytes) -> Report:
    """The report in a line. Raises UntrustedDataError."""
    return _decoder.decode(line)


class Meter:
    """Counts the bytes of a download, of which `done` of `total` are here, and reports them to `tell` with their speed,
    which is smoothed over some seconds.
    """

    def __init__(self, done: int, total: int, tell: Callable[[Report], object]) -> None:
        self.tell = tell
        self.done = done
        self.total = total
        self._told = monotonic()
        self._fresh = 0
        self._bytes = 0.0
        self._seconds = 0.0

    def came(self, count: int) -> None:
        """Count bytes that came from the hub, and report them from time to time."""
        self.done += count
        self._fresh += count
        now = monotonic()
        passed = now - self._told
        if passed < _PAUSE_S:
            return
        fade = math.exp(-passed / _SMOOTHING_S)
        self._bytes, self._seconds = self._bytes * fade + self._fresh, self._seconds * fade + passed
        self._told, self._fresh = now, 0
        rate = self._bytes / self._seconds
        left = (self.total - self.done) / rate if rate else None
        self.tell(FetchProgress(self.done, self.total, round(rate, 1), left))

    def lost(self, count: int) -> None:
        """Count bytes that have to come again."""
        self.done = max(0, self.done - count)


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
    wait: Callable[[float], object] = sleep
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
