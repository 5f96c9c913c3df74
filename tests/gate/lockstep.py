"""An engine whose threads take turns, so that it does the same in each run.

Before its loop takes a message or a step, the I/O thread and the tokenizer thread finish their jobs. If the loop would
wait, the next stage of a journey begins.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, cast
from unittest import mock

from engine.cache.disk.io_thread import IoThread, Priority
from engine.cache.manager import CacheManager
from engine.cache.memory.hot_tier import HotTier
from engine.model.identity import WeightDigests
from engine.protocol.messages import Command, Shutdown
from engine.server import generation
from engine.server.model_loads import Inbox
from engine.server.server import Server
from engine.turn.prepare import TokenizerThread
from storage.segments.store import SegmentStore
from tests.fakes.engine_life import QUOTA, Engine

_SECONDS = 60.0


class OpenJobs:
    """The jobs that other threads have not answered yet."""

    def __init__(self) -> None:
        self._count = 0
        self._changed = threading.Condition()

    def begin(self) -> None:
        """A job is given to a thread."""
        self._add(1)

    def end(self) -> None:
        """The result of a job is in the inbox."""
        self._add(-1)

    def _add(self, change: int) -> None:
        with self._changed:
            self._count += change
            self._changed.notify_all()

    def settle(self) -> None:
        """Wait until every job has ended."""
        with self._changed:
            assert self._changed.wait_for(lambda: not self._count, _SECONDS), "a thread is stuck"


class SettlingIo(IoThread):
    """An I/O thread that the loop can wait for."""

    def __init__(self, jobs: OpenJobs, open_store: Callable[[], SegmentStore]) -> None:
        self._open_jobs = jobs
        super().__init__(open_store)

    def submit(self, priority: Priority, job: Callable[[SegmentStore], Any], done: Callable[[Any], None]) -> None:
        def passed_on(result: Any) -> None:
            done(result)
            self._open_jobs.end()

        self._open_jobs.begin()
        super().submit(priority, job, passed_on)


class SettlingTokenizer(TokenizerThread):
    """A tokenizer thread that the loop can wait for."""

    def __init__(self, jobs: OpenJobs, post: Callable[[Callable[[], None]], None]) -> None:
        def passed_on(call: Callable[[], None]) -> None:
            post(call)
            jobs.end()

        self._open_jobs = jobs
        super().__init__(passed_on)

    def submit(self, job: Callable[[], Any], then: Callable[[Callable[[], Any]], None]) -> None:
        self._open_jobs.begin()
        super().submit(job, then)


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
        jobs = OpenJobs()
        io = SettlingIo(jobs, lambda: SegmentStore.open(self.home / "segments", QUOTA))
        inbox = Stages(jobs.settle, stages)
        self.manager = CacheManager(io, HotTier(self.hot_bytes), inbox.put)
        digests = WeightDigests(self.home / "weights.json")
        with mock.patch.object(generation, "TokenizerThread", partial(SettlingTokenizer, jobs)):
            Server(cast("Inbox", inbox), self.events.append, self.manager, digests, self.load, self.machine).run()
