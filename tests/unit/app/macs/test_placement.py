"""How a model is divided over several Macs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.base.settings import ModelSettings
from app.macs.placement import MODEL_SHARE, WORTH, Division, measured, placed
from engine.protocol.inspection import LayerKind, ModelFacts, Split

GB = 10**9


def facts(layers: int, *splits: Split) -> ModelFacts:
    """A model with so many layers."""
    kinds: list[LayerKind] = ["attention"] * layers
    return ModelFacts("llama", 1, 1, 0, 0, tuple(kinds), 1, 0, splits=splits)


@given(st.integers(1, 200), st.lists(st.integers(1, 1 << 40), min_size=1, max_size=8))
def test_every_layer_is_on_one_mac_and_every_mac_has_one(layers: int, memory: list[int]) -> None:
    """If there are enough layers. A Mac with more memory has no fewer."""
    given_to = Division(layers, 0, tuple(memory)).by_memory()
    if layers < len(memory):
        assert given_to == ()
        return
    assert sum(given_to) == layers
    assert min(given_to) >= 1
    for one, other in ((a, b) for a in range(len(memory)) for b in range(len(memory))):
        if memory[one] > memory[other]:
            assert given_to[one] >= given_to[other]


def test_the_shares_follow_the_memory() -> None:
    """Twice the memory takes twice the layers."""
    assert Division(48, 0, (64 * GB, 128 * GB)).by_memory() == (16, 32)


MACHINES = st.lists(st.tuples(st.integers(1, 1 << 38), st.integers(1, 1 << 30)), min_size=2, max_size=6)


def division(layers: int, layer_bytes: int, machines: list[tuple[int, int]]) -> Division:
    """Over machines with so much memory, which take so long for a layer."""
    memory, times = zip(*machines, strict=True)
    return Division(layers, layer_bytes, memory, times)


@given(st.integers(1, 120), st.integers(0, 1 << 32), MACHINES, st.lists(st.integers(0, 60), max_size=6))
def test_no_split_by_speed_is_slower_than_that_by_memory_or_exceeds_it(
    layers: int, layer_bytes: int, machines: list[tuple[int, int]], now: list[int]
) -> None:
    """Every layer is on one Mac, and every Mac has one. A model that nearly fills the Macs is divided by memory."""
    own = division(layers, layer_bytes, machines)
    alone, given_to = own.by_memory(), own.by_speed(now)
    if layers < len(machines):
        assert given_to == ()
        return
    assert (sum(given_to), min(given_to) >= 1) == (layers, True)
    assert own.step(given_to) <= own.step(alone)
    held = zip(given_to, own.memory, strict=True)
    assert given_to == alone or all(count * layer_bytes <= MODEL_SHARE * memory for count, memory in held)


@given(st.integers(2, 120), MACHINES, st.integers(1, 1 << 30))
def test_equally_fast_macs_share_by_memory(layers: int, machines: list[tuple[int, int]], time: int) -> None:
    """There is nothing to gain. So Macs that are equal get equal parts."""
    own = division(layers, 1, [(memory, time) for memory, _ in machines])
    assert own.by_speed() == own.by_memory()


@given(st.integers(1, 60), st.integers(2, 4), st.integers(2, 8))
def test_a_mac_that_is_so_many_times_faster_gets_so_many_times_the_layers(each: int, macs: int, times: int) -> None:
    """If all have equal memory, and enough of it."""
    slow = [(64 * GB, 1000 * times)] * (macs - 1)
    own = division(each * (macs - 1 + times), 1, [(64 * GB, 1000), *slow])
    assert own.by_speed() == (each * times, *[each] * (macs - 1))


def test_the_memory_of_a_fast_mac_is_a_limit() -> None:
    """Of a model of 40 layers with a GB each, a Mac with 16 GB gets ten layers at most. If the large Mac is the fast
    one, it gets more layers than its memory says.
    """
    assert division(40, GB, [(16 * GB, 10), (64 * GB, 100)]).by_speed() == (10, 30)
    assert division(40, GB, [(64 * GB, 10), (16 * GB, 20)]).by_speed() == (36, 4)


def test_a_model_that_nearly_fills_the_macs_is_divided_by_memory() -> None:
    """The fast Mac has no room for more layers."""
    assert division(40, GB, [(16 * GB, 10), (40 * GB, 100)]).by_speed() == (11, 29)


def test_a_small_gain_moves_no_layer() -> None:
    """Times vary from load to load, and other layers need new processes. What the Macs have stays, too."""
    alike = division(60, 1, [(64 * GB, 100), (64 * GB, 120)])
    assert alike.by_speed() == (30, 30)
    assert alike.by_speed((31, 29)) == (31, 29)
    faster = division(60, 1, [(64 * GB, 100), (64 * GB, 200)])
    assert faster.by_speed() == (40, 20)
    assert faster.step((40, 20)) > WORTH * faster.step((39, 21))
    assert faster.by_speed((39, 21)) == (39, 21)


@pytest.mark.parametrize("now", [(10, 50), (40, 21), (60, 0), (20, 20, 20), ()])
def test_what_the_macs_have_is_given_up_if_it_is_slow_or_for_another_group(now: tuple[int, ...]) -> None:
    """Also if the layers are those of another model."""
    assert division(60, 1, [(64 * GB, 100), (64 * GB, 120)]).by_speed(now) == (30, 30)


def test_times_that_a_load_has_measured_decide_about_the_next_one() -> None:
    """And stay in the settings. If the model or the memory of a Mac is unknown, the layers stay as they are."""
    own = placed(ModelSettings(macs=("mac",)), facts(30, "pipeline"), (64, 64))
    assert (own.shares, own.layer_times) == ((15, 15), ())
    after = measured(own, facts(30, "pipeline"), (64, 64), (100, 200))
    assert (after.shares, after.layer_times) == ((20, 10), (100, 200))
    assert measured(own, None, (64, 64), (100, 200)).shares == (15, 15)
    assert measured(own, facts(30, "pipeline"), (64, 0), (100, 200)).shares == (15, 15)


@pytest.mark.parametrize("times", [(), (100,), (100, 0), (0, 0), (100, -1), (100, 1 << 70), (1, 2, 3)])
def test_times_that_cannot_be_change_nothing(times: tuple[int, ...]) -> None:
    """A model that is split between its heads has none, and another Mac may say anything."""
    own = placed(ModelSettings(macs=("mac",)), facts(30, "pipeline"), (64, 64))
    assert measured(own, facts(30, "pipeline"), (64, 64), times) == own


def test_other_macs_have_times_of_their_own() -> None:
    """The layers and the times of the former Macs are forgotten."""
    before = ModelSettings(macs=("new",), shares=(20, 10), layer_times=(100, 200))
    after = placed(before, facts(30, "pipeline"), (64, 64))
    assert (after.shares, after.layer_times) == ((15, 15), ())


@pytest.mark.parametrize(
    ("splits", "memory", "split", "given_to"),
    [
        (("pipeline", "tensor"), (64, 128), "pipeline", (11, 21)),
        (("pipeline",), (64, 0), "pipeline", ()),
        (("tensor",), (64, 128), "tensor", ()),
        ((), (64, 128), "pipeline", (11, 21)),
    ],
)
def test_a_model_is_split_between_its_layers_if_it_can_be(
    splits: tuple[Split, ...], memory: tuple[int, ...], split: Split, given_to: tuple[int, ...]
) -> None:
    """Heads are divided evenly, and so are layers if a Mac was never asked for its memory."""
    own = placed(ModelSettings(macs=("mac",)), facts(32, *splits), memory)
    assert (own.split, own.shares) == (split, given_to)


def test_a_model_that_was_never_inspected_is_divided_evenly() -> None:
    """The engine says if that is impossible."""
    assert placed(ModelSettings(macs=("mac",)), None, (64, 64)) == ModelSettings(macs=("mac",))


def test_a_model_that_returns_to_this_mac_forgets_its_shares() -> None:
    """And keeps its other settings."""
    before = ModelSettings("Mine", split="tensor", shares=(1, 2), layer_times=(1, 2))
    assert placed(before, facts(3), (64,)) == ModelSettings("Mine")
