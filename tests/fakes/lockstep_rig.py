"""Ranks in one process: a leader on the test's thread, and each follower on a thread of its own, by links in memory."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

from engine.protocol.messages import Shutdown
from engine.ranks.follower import Follower
from engine.ranks.inputs import Input, decode_input, decode_report, encode
from engine.ranks.lockstep import GroupLost, Leader

WAIT = 10.0


class Wire:
    """One direction of a link in memory. `sent` are its messages, after they were encoded and decoded."""

    def __init__(self, decode: Callable[[bytes], Any], hear: Callable[[Any], None]) -> None:
        self._decode = decode
        self._hear = hear
        self.sent: list[Any] = []
        self.ending = False

    def send(self, message: Any) -> None:
        """Deliver a message at once."""
        self.sent.append(self._decode(encode(message)))
        self._hear(self.sent[-1])

    def expect_end(self) -> None:
        """Note that the link ends."""
        self.ending = True


class Group:
    """A leader and its followers."""

    def __init__(self, followers: int = 1, clock: Callable[[], float] = lambda: 1.5) -> None:
        self.inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.told: dict[int, Wire] = {}
        self.followers: dict[int, Follower] = {}
        for rank in range(1, followers + 1):
            self._join(rank)
        self.leader = Leader(self.told, self.inbox, clock)  # type: ignore[arg-type] # wires instead of links
        self._threads: list[threading.Thread] = []
        self.ends: dict[int, BaseException | None] = {}

    def _join(self, rank: int) -> None:
        up: Any = Wire(decode_report, lambda report: self.leader.hear(rank, report))
        follower = self.followers[rank] = Follower(up)
        self.told[rank] = Wire(decode_input, follower.hear)

    def run(self, work: Callable[[int, Follower], Any]) -> None:
        """Run `work` for each follower on a thread."""

        def guarded(rank: int, follower: Follower) -> None:
            try:
                self.ends[rank] = work(rank, follower)
            except BaseException as error:  # noqa: BLE001 - the test looks at it
                self.ends[rank] = error

        for rank, follower in self.followers.items():
            thread = threading.Thread(target=guarded, args=(rank, follower))
            self._threads.append(thread)
            thread.start()

    def serve(self) -> None:
        """Let each follower execute what it takes, until Shutdown."""
        self.run(lambda _, follower: _served(follower))

    def join(self) -> None:
        """Wait for the followers' threads."""
        for thread in self._threads:
            thread.join(WAIT)
            assert not thread.is_alive()

    def shut_down(self) -> None:
        """End all ranks."""
        self.inbox.put(Shutdown())
        while not isinstance(self.leader.get(block=True), Shutdown):
            pass
        self.join()

    def lead(self, until: Sequence[Sequence[Any]]) -> None:
        """Execute what the leader takes until each of these lists holds something."""
        while not all(until):
            taken = self.leader.get(block=True)
            if callable(taken):
                taken()


def _served(follower: Follower) -> None:
    while True:
        try:
            message = follower.get(block=True)
        except queue.Empty:
            continue
        if isinstance(message, Shutdown):
            return
        if callable(message):
            message()


def inputs(told: Sequence[Input], *kinds: type) -> list[Input]:
    """The inputs of these kinds."""
    return [one for one in told if isinstance(one, kinds)]


def lost(end: BaseException | None) -> bool:
    """Whether a rank has ended because the group was lost."""
    return isinstance(end, GroupLost)
