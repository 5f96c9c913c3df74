"""The ranks of a group as threads of this process, with the collectives that mlx-lm's split models use.

Nothing is lazy about them: a rank evaluates what it sends.
"""

from __future__ import annotations

import queue
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import mlx.core as mx
import pytest

WAIT = 20.0

T = TypeVar("T")

_own = threading.local()


@dataclass(eq=False)
class _Board:
    """What all ranks share."""

    meeting: threading.Barrier
    given: dict[int, mx.array] = field(default_factory=dict)
    sent: dict[tuple[int, int], queue.SimpleQueue[mx.array]] = field(
        default_factory=lambda: defaultdict(queue.SimpleQueue)
    )


@dataclass(frozen=True, eq=False)
class ThreadedGroup:
    """One rank's view of the group."""

    number: int
    ranks: int
    board: _Board

    def rank(self) -> int:
        """As a group of MLX."""
        return self.number

    def size(self) -> int:
        """As a group of MLX."""
        return self.ranks

    def exchange(self, own: mx.array) -> list[mx.array]:
        """What every rank gives, by rank."""
        mx.eval(own)
        self.board.given[self.number] = own
        self.board.meeting.wait(WAIT)
        given = [self.board.given[rank] for rank in range(self.ranks)]
        self.board.meeting.wait(WAIT)
        return given


def on_each_rank(ranks: int, work: Callable[[ThreadedGroup], T], monkeypatch: pytest.MonkeyPatch) -> list[T]:
    """What `work` returns on each rank."""
    board = _Board(threading.Barrier(ranks))
    for name, collective in {"all_sum": _all_sum, "all_gather": _all_gather, "send": _send, "recv_like": _recv}.items():
        monkeypatch.setattr(mx.distributed, name, collective)

    def guarded(number: int) -> T:
        try:
            _own.group = ThreadedGroup(number, ranks, board)
            with mx.stream(mx.new_stream(mx.cpu)):
                return work(_own.group)
        except BaseException:
            board.meeting.abort()
            raise

    with ThreadPoolExecutor(ranks) as threads:
        return [*threads.map(guarded, range(ranks))]


def _all_sum(x: mx.array, **_: Any) -> mx.array:
    first, *rest = _own.group.exchange(x)
    total: mx.array = sum(rest, first)
    return total


def _all_gather(x: mx.array, **_: Any) -> mx.array:
    gathered: mx.array = mx.concatenate(_own.group.exchange(x))
    return gathered


def _send(x: mx.array, dst: int, **_: Any) -> mx.array:
    mx.eval(x)
    _own.group.board.sent[_own.group.number, dst].put(x)
    return x


def _recv(_x: mx.array, src: int, **_: Any) -> mx.array:
    received: mx.array = _own.group.board.sent[src, _own.group.number].get(timeout=WAIT)
    return received
