"""What comes through the ring must come from the ranks."""

from __future__ import annotations

import faulthandler
from typing import Any

import mlx.core as mx
import pytest

from engine.ranks import ring_check
from engine.ranks.lockstep import GroupLost
from tests.fakes.lockstep_rig import Group

SIZE = 3


class Place:
    """A place in the ring."""

    def __init__(self, rank: int) -> None:
        self._rank = rank

    def rank(self) -> int:
        return self._rank

    def size(self) -> int:
        return SIZE


@pytest.fixture(autouse=True)
def guard(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is done to the guard that would end the process."""
    done: list[str] = []
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda *_, **__: done.append("set"))
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: done.append("cancelled"))
    return done


def run(monkeypatch: pytest.MonkeyPatch, gather: Any) -> Group:
    """The leader checks, with what `gather` makes of its own values; the followers only hear the secret."""
    group = Group(followers=SIZE - 1)
    monkeypatch.setattr(mx.distributed, "all_gather", gather)
    group.run(lambda _, follower: follower.leaders(""))
    try:
        ring_check.check(group.leader, Place(0))  # type: ignore[arg-type] # a place without a ring
    finally:
        group.join()
    return group


def sent(secret: str) -> Any:
    """A ring in which every rank sends what belongs to `secret`."""

    def gather(_own: mx.array, group: Place) -> mx.array:
        return mx.array([one for rank in range(group.size()) for one in ring_check._numbers(secret, rank)], mx.uint32)

    return gather


def test_the_ranks_alone_are_let_through(monkeypatch: pytest.MonkeyPatch, guard: list[str]) -> None:
    """And the guard is off while the group runs."""
    monkeypatch.setattr("secrets.token_hex", lambda _: "5")
    group = run(monkeypatch, sent("5"))
    assert [str(group.ends[rank]) for rank in (1, 2)] == ["5", "5"]
    assert guard == ["set", "cancelled"]


def test_a_stranger_in_the_ring_ends_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """It cannot know what to send, not even from an earlier group."""
    monkeypatch.setattr("secrets.token_hex", lambda _: "5")
    with pytest.raises(GroupLost):
        run(monkeypatch, sent("6"))


def test_a_ring_that_breaks_ends_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger that closes its connection is no error of the load that would come later."""

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("[ring] connection to a peer was lost")

    with pytest.raises(GroupLost):
        run(monkeypatch, broken)


def test_every_rank_sends_something_else() -> None:
    """In every group."""
    values = {tuple(ring_check._numbers(secret, rank)) for secret in ("a", "b") for rank in range(SIZE)}
    assert len(values) == 2 * SIZE
