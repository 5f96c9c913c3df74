"""Messages about records, between the inputs of the lockstep: none overtakes what decides the work of a rank."""

from __future__ import annotations

import queue
from typing import TYPE_CHECKING, Any

import pytest

from engine.protocol.messages import Ping, Shutdown
from engine.ranks.inputs import Execute, Fetch, Least, Portion, Time, Turn
from engine.ranks.lockstep import GroupLost
from tests.fakes.lockstep_rig import Group, lost
from tests.fakes.shares import part

if TYPE_CHECKING:
    from engine.ranks.follower import Follower
    from engine.ranks.part import Part

FIRST, NEXT = Fetch(0, "key", "kv"), Fetch(0, "key", "kv", at=10)


def follower() -> tuple[Follower, list[Any]]:
    """A follower, and the messages about records that it has dealt with."""
    carried: list[Any] = []
    made = Group().followers[1]
    made.carried = lambda _, message: carried.append(message)
    return made, carried


def test_a_fetch_waits_until_what_was_told_before_it_is_done() -> None:
    """The leader fetches what a turn has stored. A follower may be behind, and has not stored it yet."""
    own, carried = follower()
    for told in (Execute(Ping("de")), FIRST, Execute(Ping("en")), Turn()):
        own.hear(told)
    assert own.get(block=True) == Ping("de")
    assert carried == []
    own.get(block=True)()  # type: ignore[operator] # it is a call
    assert carried == [FIRST]
    assert own.get(block=True) == Ping("en")
    with pytest.raises(queue.Empty):
        own.get(block=True)


def test_a_fetch_is_no_input_of_the_work() -> None:
    """It comes while a rank asks for the time and for a figure. It is dealt with when that work is done."""
    own, carried = follower()
    for told in (FIRST, Time(2.0), FIRST, Least("tokens", 3)):
        own.hear(told)
    assert own.clock() == 2.0
    assert own.least("tokens", 5) == 3
    assert carried == []
    for _ in range(2):
        own.get(block=True)()  # type: ignore[operator] # it is a call
    assert carried == [FIRST, FIRST]


def test_later_portions_wait_for_no_work() -> None:
    """The record is in memory by then."""
    own, carried = follower()
    own.hear(NEXT)
    own.hear(Portion(3))
    assert carried == [NEXT, Portion(3)]


def test_the_leader_deals_with_records_at_once() -> None:
    """They are no reports that it waits for."""
    group, carried = Group(), list[Any]()
    group.leader.carried = lambda rank, message: carried.append((rank, message))
    for message in (FIRST, NEXT, Portion(1)):
        group.leader.hear(1, message)
    assert carried == [(1, FIRST), (1, NEXT), (1, Portion(1))]


@pytest.mark.parametrize("theirs", [part(1, 3), None])
def test_the_leader_learns_the_parts_of_all_ranks(theirs: Part | None) -> None:
    """Also that one has none."""
    group = Group(followers=2)
    group.run(lambda rank, own: own.parts(theirs if rank == 1 else part(2, 3)))
    assert group.leader.parts(part(0, 3)) == {0: part(0, 3), 1: theirs, 2: part(2, 3)}
    group.join()


def test_a_rank_that_does_something_else_than_tell_its_part_ends_the_group() -> None:
    """It has not loaded what the others have."""
    group = Group()
    group.run(lambda _, own: own.least("tokens", 1))
    with pytest.raises(GroupLost) as end:
        group.leader.parts(part(0, 2))
    assert lost(end.value)
    group.followers[1].hear(Least("tokens", 1))
    group.join()


def test_the_leader_is_idle_some_time_after_a_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not between two tokens of an answer."""
    now = [100.0]
    monkeypatch.setattr("engine.ranks.lockstep.time.monotonic", lambda: now[0])
    group = Group()
    idle = [group.leader.is_idle]
    group.run(lambda _, own: own.before_pass(b"1 1"))
    group.leader.before_pass(b"1 1")
    group.join()
    for seconds in (0.1, 1.0):
        now[0] += seconds
        idle.append(group.leader.is_idle)
    assert idle == [True, False, True]


def test_the_leader_has_time_for_records_before_the_group_ends() -> None:
    """Before any other rank hears of the end."""
    group, told = Group(), list[int]()
    group.leader.before_end = lambda: told.append(len(group.told[1].sent))
    group.inbox.put(Shutdown())
    group.leader.get(block=True)
    assert told == [0]
    assert group.told[1].sent == [Execute(Shutdown())]
