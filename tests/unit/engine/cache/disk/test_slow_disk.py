"""Chats on a disk that is slower than the conversation: each can be continued later, whatever waits or is superseded.

The manager, the I/O thread and the store are real. The disk does one write each time that the test allows.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.cache.disk.io_thread import IoThread, Priority
from engine.cache.lookup import LookupRequest, LookupResult
from engine.cache.manager import Checkpoint
from engine.cache.retention import LEFT
from engine.cache.segment import Segment, cut
from storage.segments.store import SegmentStore
from tests.fakes.cache_rig import HYBRID, Rig, waiting_states

SAID, ANSWERED = 3, 5
TURN = SAID + ANSWERED


class SlowIo(IoThread):
    """Reads at once. Writes wait until the test runs them."""

    def __init__(self, opened: Callable[[], SegmentStore]) -> None:
        super().__init__(opened)
        self.held: deque[tuple[Any, Any]] = deque()

    def submit(self, priority: Priority, job: Callable[[SegmentStore], Any], done: Callable[[Any], None]) -> None:
        if priority is Priority.WRITE:
            self.held.append((job, done))
        else:
            super().submit(priority, job, done)

    def clear(self, count: int | None = None) -> None:
        for _ in range(len(self.held) if count is None else min(count, len(self.held))):
            super().submit(Priority.WRITE, *self.held.popleft())

    def close(self, seconds: float) -> bool:
        self.clear()
        return super().close(seconds)


class Disk(Rig):
    """A manager over a folder, with a disk that writes on command."""

    io: SlowIo

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, thread=SlowIo)
        self.lives = itertools.count()

    def write(self, count: int | None = None) -> None:
        """Let so many jobs be done, or all."""
        self.io.clear(count)
        done: list[bool] = []
        IoThread.submit(self.io, Priority.WRITE, lambda _: True, lambda told: self.posts.put(lambda: done.append(told)))
        self.wait(done)

    def reached(self, chat: Chat, segments: Sequence[Segment]) -> int:
        """How far a prompt of these segments, and one token more, would be restored if the engine started now."""
        self.manager.hot.clear()
        outcome: list[LookupResult] = []
        self.manager.look_up(LookupRequest(chat.name, segments, HYBRID, segments[-1].end + 1, 0), outcome.append)
        held = len(self.io.held)
        length: int = self.wait(outcome).plan.length
        while len(self.io.held) > held:
            self.io.held.pop()  # a note of use, which would take the place of a turn
        return length


@dataclass
class Chat:
    """A conversation with a model of its own: the tokens of its branch. The first `system` of them come before the
    first turn.
    """

    name: str
    system: int
    made: int = 0
    ids: list[int] = field(default_factory=list)
    stored: list[tuple[set[str], list[Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ids = [1] * self.system

    @property
    def turns(self) -> int:
        return (len(self.ids) - self.system) // TURN

    def chain(self) -> tuple[Segment, ...]:
        ends = range(self.system + TURN, len(self.ids) + 1, TURN)
        return cut(self.name, self.ids, [self.system, *(end - ANSWERED for end in ends), *ends])

    def act(self, what: str, back: int, disk: Disk) -> None:
        """Answer a new question (`turn`), the last one once more or with the same words again, or go back first."""
        kept = max(0, self.turns - {"turn": 0, "back": back}.get(what, 1))
        at = self.system + kept * TURN
        said, reply = self.ids[at : at + SAID], self.ids[at + SAID : at + TURN]
        self.ids[at:] = [
            *(said if said and what != "back" else self._new(SAID)),
            *(reply if reply and what == "same" else self._new(ANSWERED)),
        ]
        self._commit(disk, new=2 if kept or not self.system else 3)

    def _commit(self, disk: Disk, new: int) -> None:
        chain, outcome = self.chain(), list[Any]()
        records = {"kv": {"a": mx.zeros((4,))}, "state": {"a": mx.zeros((4,))}}
        fresh = [Checkpoint(s, records, durable=s is chain[-1] or s.end == self.system) for s in chain[-new:]]
        disk.manager.commit(self.name, self.name, fresh, chain, outcome.append)
        self.stored.append(({segment.key for segment in chain[:2]}, outcome))

    def _new(self, count: int) -> list[int]:
        self.made += 1
        return [2 + self.made] * count


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disk]:
    made = Disk(tmp_path_factory.mktemp("slow") / "segments")
    yield made
    assert made.manager.close(60)


CHATS = st.integers(0, 1)
STORY = st.lists(
    st.tuples(CHATS, st.sampled_from(["turn", "turn", "turn", "again", "same", "write", "write"]), st.just(0))
    | st.tuples(CHATS, st.just("back"), st.integers(1, 5)),
    min_size=1,
    max_size=16,
)
SYSTEM = st.sampled_from([0, 4])


def tell(disk: Disk, system: int, story: Sequence[tuple[int, str, int]], then: Callable[[Chat], None]) -> list[Chat]:
    """Play the events with two new chats. Calls `then` with a chat after each write."""
    life = next(disk.lives)
    chats = [Chat(f"{life}{name}", system) for name in "ab"]
    for number, what, back in story:
        if what == "write":
            disk.write(1)
            then(chats[number])
        else:
            chats[number].act(what, back, disk)
    return [chat for chat in chats if chat.turns]


@given(STORY | st.lists(st.tuples(CHATS, st.just("turn"), st.just(0)), max_size=40), SYSTEM)
@example([(0, "turn", 0)] * 3, 0)
@example([*[(0, "turn", 0)] * 3, (0, "write", 0)], 0)
@example([(0, "turn", 0)] * 12, 4)
@example([(0, "again", 0)] * 12, 4)
@settings(max_examples=40)
def test_each_chat_goes_on_after_a_slow_disk_and_wherever_it_is_cut_off(
    disk: Disk, story: list[tuple[int, str, int]], system: int
) -> None:
    """A chat of which any turn was written does not start at token 0, whenever the disk is cut off. However far the
    disk is behind, three states of a chat wait, and that of the shared prefix; if the user answers again or goes back,
    some of the branches that were left wait too. When all is written, the next turn starts at the end of the last one.
    Regenerating it starts where the turn before it ended, or earlier if the user went back; never at token 0.
    """

    def cut_off(chat: Chat) -> None:
        first = chat.chain()[:2][-1].key if chat.turns else ""
        if any(outcome and first in begun for begun, outcome in chat.stored):
            assert disk.reached(chat, chat.chain()) > 0

    chats, acts = tell(disk, system, story, cut_off), {what for _, what, _ in story}
    left = LEFT if acts - {"turn", "write"} else 0
    assert waiting_states(disk.manager) <= len(chats) * (left + (4 if system else 3))
    disk.write()
    assert waiting_states(disk.manager) == 0
    for chat in chats:
        chain = chat.chain()
        assert disk.reached(chat, chain) == chain[-1].end
        regenerated = disk.reached(chat, chain[:-1])
        if chat.turns > 1 and "back" not in acts:
            assert regenerated == chain[-3].end
        assert regenerated > 0 or (chat.turns == 1 and not system)
