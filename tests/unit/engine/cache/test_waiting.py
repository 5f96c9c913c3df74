from __future__ import annotations

from engine.cache.waiting import WaitingStates
from storage.segments.records import NewRecord

STATE = NewRecord("state", {}, {})


def test_a_state_is_taken_once() -> None:
    """Whoever writes a state has it for himself; afterwards nothing waits."""
    waiting = WaitingStates()
    waiting.add("chat", "a", STATE)
    assert waiting.take("chat", "a") is STATE
    assert waiting.take("chat", "a") is None
    assert len(waiting) == 0


def test_what_was_superseded_is_not_taken_any_more() -> None:
    """Only the conversation's own states are given up, and only those that are named."""
    waiting = WaitingStates()
    for conversation, key in (("chat", "a"), ("chat", "b"), ("other", "a")):
        waiting.add(conversation, key, STATE)
    waiting.supersede("chat", ["a", "never"])
    assert waiting.take("chat", "a") is None
    assert waiting.take("chat", "b") is waiting.take("other", "a") is STATE
