from __future__ import annotations

from engine.cache.segment import MOST_IN_USE, SegmentsInUse


def test_a_conversation_runs_from_its_look_up_to_its_commit() -> None:
    """The segments of its last lookup are in use until it ends. Other conversations are not affected. Keys that were
    handed out stay as they were: another thread may still use them.
    """
    in_use = SegmentsInUse()
    in_use.begin("a", ["x", "y"])
    in_use.begin("b", ["y", "z"])
    assert in_use.keys == {"x", "y", "z"}
    in_use.begin("a", ["w"])
    before = in_use.keys
    assert before == {"w", "y", "z"}
    in_use.end("b")
    in_use.end("unknown")
    assert in_use.keys == {"w"}
    assert before == {"w", "y", "z"}


def test_what_never_ends_is_forgotten_when_there_are_too_many() -> None:
    """The oldest entries are dropped, so that nothing is protected from eviction for ever."""
    in_use = SegmentsInUse()
    for number in range(MOST_IN_USE + 3):
        in_use.begin(f"c{number}", [f"k{number}"])
    assert in_use.keys == {f"k{number}" for number in range(3, MOST_IN_USE + 3)}
