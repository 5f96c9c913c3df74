from __future__ import annotations

from engine.cache.disk.pending import PendingStates
from storage.segments.records import NewRecord

STATE = NewRecord("state", {}, {})


def test_a_state_is_taken_once() -> None:
    """Taking a state removes it from the queue."""
    waiting = PendingStates()
    waiting.add("chat", "a", STATE)
    assert waiting.take("chat", "a") is STATE
    assert waiting.take("chat", "a") is None
    assert len(waiting) == 0


def test_superseded_states_are_discarded() -> None:
    """Only the named states of this conversation are discarded, except the oldest and the newest of them."""
    waiting = PendingStates()
    for conversation, key in (*(("chat", key) for key in "abcdef"), ("other", "c")):
        waiting.add(conversation, key, STATE)
    assert waiting.take("chat", "a") is STATE
    waiting.supersede("chat", ["a", "b", "never", "c", "d", "e"])
    assert [key for key in "abcdef" if waiting.take("chat", key)] == ["b", "e", "f"]
    assert waiting.take("other", "c") is STATE


def test_discarding_a_failed_state_keeps_a_later_one() -> None:
    """The same reply may be generated again before the first failure is reported."""
    waiting = PendingStates()
    first, again = waiting.add("chat", "a", STATE), NewRecord("state", {}, {"later": "yes"})
    other = waiting.add("chat", "b", STATE)
    waiting.add("chat", "a", again)
    waiting.discard("chat", {"a": first, "b": other, "never": 0})
    assert waiting.take("chat", "a") is again
    assert waiting.take("chat", "b") is None
