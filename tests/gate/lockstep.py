"""An engine whose threads take turns, so that it does the same in each run.

Before its loop takes a message or a step, the I/O thread finishes its jobs. If the loop would wait, the next stage of a
journey begins.
"""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING, Any, cast

from engine.cache.disk.disk_tier import open_store
from engine.cache.disk.io_thread import IoThread
from engine.cache.manager import CacheManager
from engine.cache.memory.hot_tier import HotTier
from engine.model.identity import WeightDigests
from engine.protocol.messages import Shutdown
from engine.server.server import Server
from tests.fakes.engine_life import QUOTA, Engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from engine.cache.disk.io_thread import Priority
    from engine.protocol.messages import Command
    from engine.server.model_loads import Inbox
    from storage.segments.store import SegmentStore

_SECONDS = 60.0


class SettlingIo(IoThread):
    """An I/O thread that the loop can wait for."""

    def __init__(self, open_store: Callable[[], SegmentStore]) -> None:
        self._open_jobs = 0
        self._changed = threading.Condition()
        super().__init__(open_store)

    def submit(self, priority: Priority, job: Callable[[SegmentStore], Any], done: Callable[[Any], None]) -> None:
        self._count(1)

        def passed_on(result: Any) -> None:
            done(result)
            self._count(-1)

        super().submit(priority, job, passed_on)

    def _count(self, change: int) -> None:
        with self._changed:
            self._open_jobs += change
            self._changed.notify_all()

    def settle(self) -> None:
        """Wait until every job is done and its result is in the inbox."""
        with self._changed:
            assert self._changed.wait_for(lambda: not self._open_jobs, _SECONDS), "the disk is stuck"


class Stages:
    """The inbox of an engine in lockstep. Each stage is the commands that arrive together, once the engine is at rest;
    after the last one it is shut down.
    """

    def __init__(self, settle: Callable[[], None], stages: Iterator[Iterable[Command]]) -> None:
        self._settle = settle
        self._stages = stages
        self._arrived: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.put = self._arrived.put

    def empty(self) -> bool:
        self._settle()
        return self._arrived.empty()

    def get(self, block: bool = True) -> Any:  # noqa: FBT001, FBT002 - the signature of a queue
        """The next message. Raises queue.Empty if there is none and the caller does not wait."""
        if self.empty() and block:
            for command in next(self._stages, (Shutdown(),)):
                self.put(command)
        return self._arrived.get_nowait()


class SteadyEngine(Engine):
    """An engine in lockstep."""

    def travel(self, stages: Iterator[Iterable[Command]]) -> None:
        """Run all stages, then end."""
        io = SettlingIo(lambda: open_store(self.home / "segments", QUOTA))
        inbox = Stages(io.settle, stages)
        self.manager = CacheManager(io, HotTier(self.hot_bytes), inbox.put)
        digests = WeightDigests(self.home / "weights.json")
        Server(cast("Inbox", inbox), self.events.append, self.manager, digests, self.load, self.machine).run()
