"""The caches of a group in one process: each rank has a real store of its own, and the links are in memory."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from engine.cache.disk.io_thread import IoThread
from engine.cache.memory.hot_tier import HotTier
from engine.ranks.shared_lookups import RankManager
from storage.segments.store import SegmentStore
from tests.fakes.lockstep_rig import WAIT, Group

QUOTA: Final = 1 << 30


class RankCaches:
    """The caches of so many ranks."""

    def __init__(self, folder: Path, ranks: int) -> None:
        self.group = Group(ranks - 1)
        stores = [IoThread(partial(SegmentStore.open, folder / str(rank), QUOTA)) for rank in range(ranks)]
        self.managers: list[Any] = [RankManager(stores[0], HotTier(QUOTA), self.group.leader)]
        for rank, follower in self.group.followers.items():
            self.managers.append(RankManager(stores[rank], HotTier(QUOTA), follower))
        self.group.serve()

    def on_each(self, work: Callable[[int, Any, Callable[[Any], None]], None]) -> list[Any]:
        """Call `work` on each rank's own thread. Returns what each has passed to its third argument."""
        outcomes: list[list[Any]] = [[] for _ in self.managers]
        came = threading.Semaphore(0)

        def begin(rank: int) -> None:
            def then(outcome: Any) -> None:
                outcomes[rank].append(outcome)
                came.release()

            work(rank, self.managers[rank], then)

        self.group.inbox.put(lambda: begin(0))  # first: a rank can only answer what the leader has begun
        for rank, follower in self.group.followers.items():
            follower.put(partial(begin, rank))
        self.group.lead([outcomes[0]])
        for _ in self.managers:
            assert came.acquire(timeout=WAIT)
        return [one[0] for one in outcomes]

    def close(self) -> None:
        """End all ranks."""
        self.group.shut_down()
        for manager in self.managers:
            assert manager.close(WAIT)
