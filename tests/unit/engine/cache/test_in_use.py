from __future__ import annotations

from engine.cache.in_use import MOST, SegmentsInUse


def test_a_conversation_runs_from_its_look_up_to_its_commit() -> None:
    """The segments of its last lookup are in use until it ends. Other conversations are not affected."""
    running = SegmentsInUse()
    running.begin("a", ["x", "y"])
    running.begin("b", ["y", "z"])
    assert running.keys == {"x", "y", "z"}
    running.begin("a", ["w"])
    assert running.keys == {"w", "y", "z"}
    running.end("b")
    running.end("nobody")
    assert running.keys == {"w"}


def test_each_request_ends_for_itself() -> None:
    """Segments that several requests share are in use until the last of them ends. A speculative lookup ends no
    request.
    """
    running = SegmentsInUse()
    running.begin("a", ["x", "y"], ["a1", "a2"])
    running.begin("a", ["x"])
    running.end("a")
    running.end("a", "a1")
    assert running.keys == {"x", "y"}
    running.end("a", "a2")
    assert running.keys == frozenset()


def test_what_never_ends_is_forgotten_when_there_are_too_many() -> None:
    """The oldest entries are dropped, so that nothing is protected from eviction for ever."""
    running = SegmentsInUse()
    for number in range(MOST + 3):
        running.begin(f"c{number}", [f"k{number}"])
    assert running.keys == {f"k{number}" for number in range(3, MOST + 3)}


def test_keys_that_were_handed_out_stay_as_they_were() -> None:
    """Another thread may still use them."""
    running = SegmentsInUse()
    running.begin("a", ["x"])
    before = running.keys
    running.end("a")
    assert before == {"x"}
