from __future__ import annotations

from engine.cache.disk.pending import PendingStates
from storage.segments.records import NewRecord

STATE = NewRecord("state", {}, {})


def test_a_state_is_taken_once() -> None:
    """Taking a state removes it from the queue."""
    pending = PendingStates()
    pending.add("chat", "a", STATE)
    assert pending.take("chat", "a") is STATE
    assert pending.take("chat", "a") is None
    assert len(pending) == 0


def test_superseded_states_are_discarded() -> None:
    """Only states on the chain of this conversation are discarded, except the oldest and the newest of them, and those
    that are to stay.
    """
    pending = PendingStates()
    for conversation, key in (*(("chat", key) for key in "sabcdef"), ("other", "c")):
        pending.add(conversation, key, STATE)
    assert pending.take("chat", "a") is STATE
    pending.supersede("chat", ["s", "a", "b", "never", "c", "d", "e", "f"], {"s", "f"})
    assert [key for key in "sabcdef" if pending.take("chat", key)] == ["s", "b", "e", "f"]
    assert pending.take("other", "c") is STATE


def test_of_other_branches_only_the_newest_states_wait() -> None:
    """An answer that is regenerated again and again does not fill the memory: the last answers before it wait."""
    pending = PendingStates()
    for key in "abcdef":
        pending.add("chat", key, STATE)
        pending.supersede("chat", ["s", key], {key})
    assert [key for key in "abcdef" if pending.take("chat", key)] == ["c", "d", "e", "f"]


def test_discarding_a_failed_state_keeps_a_later_one() -> None:
    """The same reply may be generated again before the first failure is reported."""
    pending = PendingStates()
    first, again = pending.add("chat", "a", STATE), NewRecord("state", {}, {"later": "yes"})
    other = pending.add("chat", "b", STATE)
    pending.add("chat", "a", again)
    pending.discard("chat", {"a": first, "b": other, "never": 0})
    assert pending.take("chat", "a") is again
    assert pending.take("chat", "b") is None
