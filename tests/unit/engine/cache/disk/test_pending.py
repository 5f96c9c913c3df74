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
    """Only the named states of this conversation are discarded, except the oldest and the newest of them."""
    pending = PendingStates()
    for conversation, key in (*(("chat", key) for key in "abcdef"), ("other", "c")):
        pending.add(conversation, key, STATE)
    assert pending.take("chat", "a") is STATE
    pending.supersede("chat", ["a", "b", "never", "c", "d", "e"])
    assert [key for key in "abcdef" if pending.take("chat", key)] == ["b", "e", "f"]
    assert pending.take("other", "c") is STATE


def test_discarding_a_failed_state_keeps_a_later_one() -> None:
    """The same reply may be generated again before the first failure is reported."""
    pending = PendingStates()
    first, again = pending.add("chat", "a", STATE), NewRecord("state", {}, {"later": "yes"})
    other = pending.add("chat", "b", STATE)
    pending.add("chat", "a", again)
    pending.discard("chat", {"a": first, "b": other, "never": 0})
    assert pending.take("chat", "a") is again
    assert pending.take("chat", "b") is None
