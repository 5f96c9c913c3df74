"""Watches the renderings of chat templates: processor time, memory, and the size of one text.

Rendering must run on the main thread, where Python handles signals. A timer checks the rendering every few hundredths
of a second and ends it if it has taken too much time or memory. The short renderings of a probe share one allowance, so
that many slow ones are not allowed either.
"""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import psutil

from engine.protocol.errors import TemplateOverrun

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType


@dataclass(frozen=True, slots=True)
class Limits:
    """For one rendering, or for several that share them: `seconds` of processor time, `bytes` that the process may
    grow, and `chars` of one text, or eighths of a list's items. Long chats with published templates take a few
    hundredths of a second.
    """

    seconds: float = 5.0
    bytes: int = 1 << 30
    chars: int = 1 << 26


USUAL: Final = Limits()

_FIRST_LOOK, _LOOK_EVERY = 0.01, 0.05


def bounded(render: Callable[[], str], limits: Limits = USUAL) -> str:
    """The text that `render` returns. Raises TemplateOverrun if it takes too much time or memory, or is too long."""
    watch = _listening()
    watch.begin(limits)
    signal.setitimer(signal.ITIMER_PROF, _FIRST_LOOK, _LOOK_EVERY)
    try:
        text = _watched(render)
    except MemoryError as error:
        raise TemplateOverrun from error
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    if len(text) > most_chars():
        raise TemplateOverrun
    return text


@contextmanager
def sharing(limits: Limits) -> Iterator[None]:
    """Have all renderings inside share `limits`, besides their own."""
    watch = _listening()
    watch.share(limits)
    try:
        yield
    finally:
        watch.share(None)


def _watched(render: Callable[[], str]) -> str:
    """The frame that the watch looks for: a signal that arrives after it has returned must not raise elsewhere."""
    return render()


class _Watch:
    """Checks a rendering at each signal of the timer."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._limits = USUAL
        self._until = 0.0
        self._most = 0
        self._shared: Limits | None = None
        self._shared_until = 0.0

    @property
    def chars(self) -> int:
        """The most characters of one text, now."""
        return self._limits.chars

    def share(self, limits: Limits | None) -> None:
        """From now on all renderings share `limits`, or have only their own."""
        self._shared = limits
        self._shared_until = time.thread_time() + limits.seconds if limits else 0.0

    def begin(self, limits: Limits) -> None:
        """Start to watch a rendering. Raises TemplateOverrun if the time that it shares has passed."""
        now = time.thread_time()
        self._limits, self._until, self._most = limits, now + limits.seconds, 0
        if shared := self._shared:
            self._limits = Limits(limits.seconds, min(limits.bytes, shared.bytes), min(limits.chars, shared.chars))
            self._until = min(self._until, self._shared_until)
        if now > self._until:
            raise TemplateOverrun

    def look(self, _number: int, frame: FrameType | None) -> None:
        """Check the limits. Raises TemplateOverrun inside the rendering."""
        if not _rendering(frame):
            return
        used = self._process.memory_info().rss
        self._most = self._most or used + self._limits.bytes
        if used > self._most or time.thread_time() > self._until:
            raise TemplateOverrun


@cache
def _listening() -> _Watch:
    """The watch, as the signal's handler from now on: without a handler, a late signal would end the process."""
    watch = _Watch()
    signal.signal(signal.SIGPROF, watch.look)
    signal.siginterrupt(signal.SIGPROF, False)  # noqa: FBT003 # other threads' system calls go on
    return watch


def _rendering(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code is _watched.__code__:
            return True
        frame = frame.f_back
    return False


def most_chars() -> int:
    """The most characters of one text, now."""
    return _listening().chars
