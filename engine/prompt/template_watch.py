"""Watches what renders chat templates, which are programs out of a model folder: processor time and memory.

Rendering must run on the main thread, where Python handles signals. A timer checks it every few hundredths of a second
and ends it if it has taken too much time or memory. That works between two instructions of Python: one that never
returns, or that takes all memory at once, ends with the process. The app then names the model (`EngineProcess`).
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import Final, TypeVar

import psutil

from engine.protocol.errors import TemplateOverrun

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds` of processor time, and `bytes` that the process may grow. Long chats with published templates take a
    few hundredths of a second.
    """

    seconds: float = 5.0
    bytes: int = 1 << 30


USUAL: Final = Limits()

_FIRST_LOOK, _LOOK_EVERY = 0.01, 0.05


def bounded(work: Callable[[], T], limits: Limits = USUAL) -> T:
    """The result of `work`. Raises TemplateOverrun if it takes too much time or memory. Inside another call of this
    function, only the limits of that call count.
    """
    watch = _listening()
    if watch.limits is not None:
        return work()
    watch.begin(limits)
    signal.setitimer(signal.ITIMER_PROF, _FIRST_LOOK, _LOOK_EVERY)
    try:
        return _watched(work)
    except MemoryError as error:
        raise TemplateOverrun from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        watch.limits = None


def _watched(work: Callable[[], T]) -> T:
    """The frame that the watch looks for: a signal that arrives after it has returned must not raise elsewhere."""
    return work()


class _Watch:
    """Checks the work at each signal of the timer. `limits` are None if there is none."""

    def __init__(self) -> None:
        self.limits: Limits | None = None
        self._process = psutil.Process()
        self._until = 0.0
        self._most = 0

    def begin(self, limits: Limits) -> None:
        """Start to watch."""
        self.limits, self._until, self._most = limits, time.thread_time() + limits.seconds, 0

    def look(self, _number: int, frame: FrameType | None) -> None:
        """Check the limits. Raises TemplateOverrun inside the work."""
        if self.limits is None or not _working(frame):
            return
        used = self._process.memory_info().rss
        self._most = self._most or used + self.limits.bytes
        if used > self._most or time.thread_time() > self._until:
            raise TemplateOverrun


@cache
def _listening() -> _Watch:
    """The watch, as the signal's handler from now on: without a handler, a late signal would end the process."""
    watch = _Watch()
    signal.signal(signal.SIGPROF, watch.look)
    signal.siginterrupt(signal.SIGPROF, False)  # noqa: FBT003 # other threads' system calls go on
    return watch


def _working(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code is _watched.__code__:
            return True
        frame = frame.f_back
    return False
