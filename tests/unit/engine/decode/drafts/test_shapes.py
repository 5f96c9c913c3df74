"""Tokens are fed in passes that prepare nothing, and a draft is known to prepare a shape before it is fed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.decode.drafts.budget import LENGTHS
from engine.decode.drafts.shapes import FED_AGAIN, PASSES, ROOM, PassShapes, room


def prepared(*sizes: int, position: int = 5) -> PassShapes:
    """Shapes in the room of `position`."""
    shapes = PassShapes(used=True)
    for tokens in sizes:
        shapes.add(position, tokens)
    return shapes


def test_a_shape_serves_its_whole_room() -> None:
    """At each position of the room, up to its last token. The next room needs its own."""
    shapes = prepared(*PASSES)
    assert not shapes.unprepared(0)
    assert not shapes.unprepared(ROOM - 17)
    assert shapes.unprepared(ROOM - 16) == [16]
    assert shapes.unprepared(ROOM - 4) == [*LENGTHS]
    assert room(ROOM) == ROOM
    assert room(ROOM + 1) == 2 * ROOM


@given(st.integers(0, 3 * ROOM), st.integers(1, 40), st.sets(st.sampled_from(FED_AGAIN)))
def test_tokens_are_fed_again_without_preparing(position: int, tokens: int, sizes: set[int]) -> None:
    """All of them, in single tokens and in passes whose shapes are prepared."""
    shapes = prepared(*sizes)
    portions = shapes.portions(position, tokens)
    assert sum(portions) == tokens
    ends = [position + sum(portions[: at + 1]) for at in range(len(portions))]
    assert all(size == 1 or (size in sizes and end <= ROOM) for size, end in zip(portions, ends, strict=True))


def test_few_passes_feed_tokens_again() -> None:
    """With all shapes prepared, four passes or five feed those of any draft."""
    passes = [len(prepared(*FED_AGAIN).portions(100, tokens)) for tokens in range(2, 18)]
    assert max(passes) == 4
    assert sum(passes) < 2.5 * len(passes)
    assert prepared(*FED_AGAIN).portions(100, 17) == [17]


def test_a_device_that_prepares_nothing_takes_one_pass() -> None:
    """At every position, and no draft needs preparing."""
    shapes = PassShapes(used=False)
    assert shapes.portions(3000, 13) == [13]
    assert not shapes.unprepared(3000)
