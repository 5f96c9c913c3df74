from __future__ import annotations

from engine.cache.disk.pending import PendingStates
from storage.segments.records import NewRecord

STATE = NewRecord("state", {}, {})


def test_a_state_is_taken_once() -> None:
    """Whoever writes a state has it for himself; afterwards nothing waits."""
    waiting = PendingStates()
    waiting.add("chat", "a", STATE)
    assert waiting.take("chat", "a") is STATE
    assert waiting.take("chat", "a") is None
    assert len(waiting) == 0


def test_what_was_superseded_is_not_taken_any_more() -> None:
    """Only the conversation's own states are given up, and only those that are named; of these the oldest and the
    newest that still wait are not.
    """
    waiting = PendingStates()
    for conversation, key in (*(("chat", key) for key in "abcdef"), ("other", "c")):
        waiting.add(conversation, key, STATE)
    assert waiting.take("chat", "a") is STATE
    waiting.supersede("chat", ["a", "b", "never", "c", "d", "e"])
    assert [key for key in "abcdef" if waiting.take("chat", key)] == ["b", "e", "f"]
    assert waiting.take("other", "c") is STATE


def test_what_could_not_be_written_leaves_a_later_state_in_its_place() -> None:
    """The same reply may be made again while the first failure is on its way back."""
    waiting = PendingStates()
    first, again = waiting.add("chat", "a", STATE), NewRecord("state", {}, {"later": "yes"})
    other = waiting.add("chat", "b", STATE)
    waiting.add("chat", "a", again)
    waiting.discard("chat", {"a": first, "b": other, "never": 0})
    assert waiting.take("chat", "a") is again
    assert waiting.take("chat", "b") is None
