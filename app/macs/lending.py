"""This Mac as others may use it: a worker that runs as long as the user wants it. Runs on the window's thread; the
worker starts and ends on a thread of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from app.base.errors import words
from engine.workers.errors import OwnKeyLocked
from ui.state.macs import ThisMacView

if TYPE_CHECKING:
    from app.base.ports import Runner
    from app.macs.worker import Post, Worker

LOOK_SECONDS: Final = 5
"""How often it looks whether the address of this Mac has changed."""


class Lending:
    """`made` returns the post of a worker, which may raise AppError. `changed` is called after each change."""

    def __init__(self, made: Callable[[], Post], thread: Runner) -> None:
        self._made = made
        self._thread = thread
        self._worker: Worker | None = None
        self._post: Post | None = None  # known to the thread alone
        self._seconds = 0
        self._is_wanted = self._is_busy = self._is_locked = False
        self._problem = ""
        self.changed: Callable[[], object] = lambda: None

    def lend(self, *, wanted: bool) -> None:
        """Wait for other Macs from now on, or end the group that runs here and wait no more."""
        self._is_wanted, self._is_locked, self._problem = wanted, False, ""
        self._follow()

    def tick(self) -> None:
        """Every second: follow this Mac to another address. A keychain that was denied would ask the user each time."""
        self._seconds = (self._seconds + 1) % LOOK_SECONDS
        if self._is_wanted and not (self._is_busy or self._is_locked or self._seconds):
            self._is_busy = True
            self._thread.run(self._look, self._became, self._failed)

    def new_code(self) -> None:
        """Show a new pairing code."""
        if self._worker is not None:
            self._worker.offer.renew()
            self.changed()

    def close(self) -> None:
        """End the group that runs here, also one that is being started. The process ends without waiting for that."""
        self._is_wanted = False
        self.changed = lambda: None
        if self._worker is not None or self._is_busy:
            self._worker = None
            self._thread.run(self._stop, self._became, self._failed)

    def view(self) -> ThisMacView:
        """Return what the page shows of this Mac."""
        if (worker := self._worker) is None:
            return ThisMacView(self._is_wanted, self._is_busy and not self._problem, problem=self._problem)
        return ThisMacView(self._is_wanted, address=worker.address, code=worker.offer.code, leader=worker.leader)

    def _follow(self) -> None:
        """Start or stop the worker, unless that is being done: then this is called again afterwards."""
        if not self._is_busy and self._is_wanted != (self._worker is not None) and not self._problem:
            self._is_busy = True
            worker, self._worker = self._worker, None  # one that ends has no state any more
            self._thread.run(self._start if worker is None else self._stop, self._became, self._failed)
        self.changed()

    def _start(self) -> Worker | None:
        self._post = self._made()
        return self._look()

    def _look(self) -> Worker | None:
        return self._post.renew() if self._post is not None else None

    def _stop(self) -> Worker | None:
        if self._post is not None:
            self._post.stop()
        self._post = None
        return None

    def _became(self, worker: Worker | None) -> None:
        self._is_busy, self._worker = False, worker
        if worker is not None:
            self._problem = ""
        self._follow()

    def _failed(self, error: Exception) -> None:
        self._is_locked = isinstance(error.__cause__, OwnKeyLocked)
        self._is_busy, self._worker, self._problem = False, None, words(error) if self._is_wanted else ""
        self.changed()
