"""The layers of a pipeline's machines: all of them, none without a layer, no machine above its room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.layer_counts import ALIKE, Capacity, layer_counts

GB = 1 << 30


def test_equal_machines_share_equally() -> None:
    """An odd layer goes to the first of them."""
    assert layer_counts(5, GB, [Capacity(16 * GB, 100)] * 2) == (3, 2)


def test_machines_of_one_speed_share_in_proportion_to_their_room() -> None:
    """So that each keeps the same part of it for conversations."""
    assert layer_counts(48, GB, [Capacity(96 * GB, 100), Capacity(32 * GB, 110)]) == (36, 12)


def test_a_faster_machine_gets_what_it_has_room_for() -> None:
    """Each layer that it has makes a step shorter. The slower one keeps one layer: it must take part."""
    assert layer_counts(20, GB, [Capacity(64 * GB, 100), Capacity(64 * GB, 400)]) == (1, 19)
    assert layer_counts(20, GB, [Capacity(64 * GB, 100), Capacity(12 * GB, 400)]) == (8, 12)


def test_speeds_that_vary_a_little_move_no_layer() -> None:
    """Otherwise each start would give the machines other layers, and nothing that they have stored would fit."""
    counts = layer_counts(32, GB, [Capacity(32 * GB, 100), Capacity(32 * GB, 100)])
    assert counts == layer_counts(32, GB, [Capacity(32 * GB, 100), Capacity(32 * GB, 100 * ALIKE * 0.99)])


@pytest.mark.parametrize(
    ("layers", "rooms"),
    [(64, (32, 16)), (1, (32, 32)), (10, (32, 0))],
    ids=["too large", "fewer layers than machines", "no room at all"],
)
def test_what_cannot_be_split_is_not(layers: int, rooms: tuple[int, int]) -> None:
    """The loader says so, before anything is loaded."""
    assert layer_counts(layers, GB, [Capacity(room * GB, 100) for room in rooms]) is None


@given(
    layers=st.integers(1, 120),
    machines=st.lists(st.tuples(st.integers(0, 200), st.floats(1, 1000)), min_size=2, max_size=8),
)
def test_every_layer_has_one_machine_with_room_for_it(layers: int, machines: list[tuple[int, float]]) -> None:
    """Whatever the machines are, if they have room at all."""
    rooms = [room for room, _ in machines]
    counts = layer_counts(layers, GB, [Capacity(room * GB, speed) for room, speed in machines])
    if counts is None:
        assert layers < len(machines) or min(rooms) < 1 or sum(rooms) < layers
        return
    assert sum(counts) == layers
    assert all(1 <= count <= room for count, room in zip(counts, rooms, strict=True))
