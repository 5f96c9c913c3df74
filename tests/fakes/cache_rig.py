"""A cache manager with a real store on a real I/O thread."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mlx.core as mx

from engine.cache.codec.cache_classes import Arrays
from engine.cache.disk.io_thread import Failure, IoThread, Priority
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import CacheManager, Checkpoint
from engine.cache.memory.hot_tier import HotTier
from engine.cache.segment import Needs, Segment, cut
from engine.protocol.cache_messages import StoreReport
from storage.segments.store import SegmentStore

HYBRID = Needs(kv=True, state=True)
QUOTA = 1 << 30
IDS = [*range(500)]


def record(value: float = 0.0) -> Arrays:
    return {"a": mx.full((256,), value, dtype=mx.float32)}


class Rig:
    """A manager whose posted calls run on the test's thread, when the test waits."""

    def __init__(self, folder: Path, hot_bytes: int = QUOTA, thread: type[IoThread] = IoThread) -> None:
        self.posts: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.io = thread(lambda: SegmentStore.open(folder, QUOTA))
        self.manager = CacheManager(self.io, HotTier(hot_bytes), self.posts.put)

    def commit(
        self, segments: Sequence[Segment], new: int = 2, bad: Sequence[Segment] = (), chat: str = "chat"
    ) -> list[int | Failure]:
        """Commit the newest `new` segments of a chain like a turn: its last state and the prefix's are durable. The
        states of `bad` segments are NaNs.
        """
        outcome: list[int | Failure] = []
        fresh = [
            Checkpoint(
                s,
                {"kv": record(), "state": record(math.nan if s in bad else 0.0)},
                durable=s.boundary == 0 or s is segments[-1],
            )
            for s in segments[-new:]
        ]
        self.manager.commit(chat, "m", fresh, segments, outcome.append)
        return outcome

    def wait(self, outcome: list[Any]) -> Any:
        while not outcome:
            self.posts.get(timeout=60)()
        return outcome[0]

    def found(self, segments: Sequence[Segment], enough: int = 1 << 20) -> LookupResult:
        outcome: list[LookupResult] = []
        self.manager.look_up(LookupRequest("chat", segments, HYBRID, 1 << 20, enough), outcome.append)
        found = self.wait(outcome)
        assert isinstance(found, LookupResult)
        return found

    def report(self) -> StoreReport:
        outcome: list[StoreReport] = []
        self.manager.report(outcome.append)
        report = self.wait(outcome)
        assert isinstance(report, StoreReport)
        return report

    def block_io(self) -> threading.Event:
        """Block the I/O thread until the event is set."""
        gate = threading.Event()
        self.io.submit(Priority.RESTORE, lambda _: gate.wait(10), lambda _: None)
        return gate


def waiting_states(manager: CacheManager) -> int:
    """How many states wait to be written to disk."""
    return sum(len(write.states) for write in manager._writes)


def chain(turns: int) -> list[Segment]:
    return list(cut("model", IDS, range(10, 20 * turns + 11, 10)))


def stored(folder: Path, segments: Sequence[Segment]) -> list[str]:
    """K, S or KS for each segment, by the files on disk."""
    here = {path.name for path in folder.glob("??/*")}
    kinds = [[k for k in ("kv", "state") if f"{s.key}.{k}.safetensors" in here] for s in segments]
    return ["".join(kind[0].upper() for kind in found) for found in kinds]
