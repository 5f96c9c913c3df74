"""How a model is divided over several Macs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.base.settings import ModelSettings
from app.macs.placement import placed, shares
from engine.protocol.inspection import LayerKind, ModelFacts, Split

GB = 10**9


def facts(layers: int, *splits: Split) -> ModelFacts:
    """A model with so many layers."""
    kinds: list[LayerKind] = ["attention"] * layers
    return ModelFacts("llama", 1, 1, 0, 0, tuple(kinds), 1, 0, splits=splits)


@given(st.integers(1, 200), st.lists(st.integers(1, 1 << 40), min_size=1, max_size=8))
def test_every_layer_is_on_one_mac_and_every_mac_has_one(layers: int, memory: list[int]) -> None:
    """If there are enough layers. A Mac with more memory has no fewer."""
    given_to = shares(layers, memory)
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
    assert shares(48, (64 * GB, 128 * GB)) == (16, 32)


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
    before = ModelSettings("Mine", split="tensor", shares=(1, 2))
    assert placed(before, facts(3), (64,)) == ModelSettings("Mine")
