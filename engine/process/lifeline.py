"""Ties the engine's process to the app's: the engine ends when the app is gone, even if its main thread hangs.

- `end_within` bounds every wait for the end: a watchdog thread in C that needs no lock of the interpreter.
- `Ending` ends the engine in the middle of a long computation, once the cache writes of earlier answers are done.
- The thread that reads stdin notices its end.
- Linux: the kernel also sends a signal when the parent dies. Its handler is C code, which runs even if other C code
  holds the lock of the interpreter.
"""

from __future__ import annotations

import ctypes
import faulthandler
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

NOTICE_SECONDS: Final = 1.0
"""How long the main thread may take to notice that it must end, before another thread ends the process for it."""
STUCK_SECONDS: Final = 10.0
"""How long Python code may take to run at all: C code may hold the interpreter's lock."""
WRITES_SECONDS: Final = 20.0
"""How long the last cache writes may take. What is not written is prefilled again."""
CLOSING_SECONDS: Final = 25.0
"""How long the end of the process may take once it has begun: a little longer than the cache writes."""
DEATH_SIGNAL: Final = signal.SIGUSR1
_PR_SET_PDEATHSIG: Final = 1


def end_within(seconds: float) -> None:
    """End this process with status 1 in `seconds`, unless it has ended before. A later call replaces an earlier one.

    The stacks of all threads then go to stderr and show where the main thread hung.
    """
    faulthandler.dump_traceback_later(seconds, exit=True)


class Ending:
    """The end of the engine, which begins on the first thread that notices that it is due.

    `tell` notifies the main thread, and gives it a function that it must call then. If it computes for more than
    NOTICE_SECONDS instead, the process ends without it: a chunk of a prompt can take a large model many seconds.
    `finish_writes` is called first, with the seconds that it may take. `end_within` and `leave` end the process.
    """

    def __init__(
        self,
        tell: Callable[[Callable[[], None]], object],
        end_within: Callable[[float], object] = end_within,
        leave: Callable[[int], object] = os._exit,
    ) -> None:
        self.finish_writes: Callable[[float], object] = lambda _seconds: None
        self._tell = tell
        self._end_within = end_within
        self._leave = leave
        self._first = threading.Lock()
        self._noticed = threading.Event()

    def begin(self) -> None:
        """End the process soon. A second call does nothing."""
        if self._first.acquire(blocking=False):
            self._end_within(STUCK_SECONDS)
            self._tell(self._notice)
            if not self._noticed.wait(NOTICE_SECONDS):
                self._end_alone()

    def _notice(self) -> None:
        """The main thread has noticed: it has time to finish the cache writes and to end the process."""
        self._end_within(CLOSING_SECONDS)
        self._noticed.set()

    def _end_alone(self) -> None:
        log.info("the main thread is busy, so the engine ends without it")
        faulthandler.dump_traceback()
        self._end_within(CLOSING_SECONDS)
        self.finish_writes(WRITES_SECONDS)
        self._leave(0)


def tie_to(parent: int) -> bool:
    """End with the process `parent`. Returns False if it has already died."""
    if sys.platform == "linux":  # platform: elsewhere the kernel sends no signal, and the end of stdin has to do
        _signal_at_death_of(parent)
    return os.getppid() == parent  # checked last: a parent that died earlier sends no signal


def _signal_at_death_of(parent: int) -> None:
    """Have the kernel send DEATH_SIGNAL when `parent` dies.

    The handler is libc's `alarm`, called with the signal's number: SIGALRM ends the process ten seconds later, after
    the cache writes had time to finish. No Python code has to run for that.
    """
    if not _is_child_of_main_thread(parent):
        log.info("the engine was started by a thread that may end before its process; only stdin tells of its end")
        return
    libc = ctypes.CDLL(None, use_errno=True)
    libc.signal.argtypes = (ctypes.c_int, ctypes.c_void_p)
    libc.signal.restype = ctypes.c_void_p
    libc.signal(DEATH_SIGNAL, ctypes.cast(libc.alarm, ctypes.c_void_p))
    if libc.prctl(_PR_SET_PDEATHSIG, int(DEATH_SIGNAL), 0, 0, 0):
        log.warning("the kernel does not report the app's death: %s", os.strerror(ctypes.get_errno()))


def _is_child_of_main_thread(parent: int) -> bool:
    """Whether the main thread of `parent` started this process. The kernel reports the death of that thread, not of its
    process.

    True if the kernel does not say: the app starts its engine from its main thread.
    """
    with suppress(OSError):
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text("ascii").split()
        return str(os.getpid()) in children
    return True
