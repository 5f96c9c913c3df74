"""The possible sampling settings: one rule for the command line, the settings file and the engine."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.decode.sampling import RowSampler
from engine.protocol.errors import SamplingRefused
from engine.protocol.messages import Generate
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import alternatives

ANY_FLOAT = st.floats()
ANY_INT = st.integers(-(2**70), 2**70)
ANY: dict[str, st.SearchStrategy[Any]] = {
    "temperature": ANY_FLOAT,
    "top_p": ANY_FLOAT,
    "min_p": ANY_FLOAT,
    "repetition_penalty": ANY_FLOAT,
    "top_k": ANY_INT,
    "seed": ANY_INT | st.none(),
    "max_tokens": ANY_INT,
}


@pytest.mark.parametrize(
    ("field", "possible", "others"),
    [
        ("temperature", [0, 5e-324, 0.001, 10], [-1e-320, -1, 10.1, math.inf, math.nan]),
        ("top_p", [0, 0.5, 1], [-0.1, 1.1, 7, math.inf, math.nan]),
        ("min_p", [0, 0.5, 1], [-0.1, 1.1, math.nan]),
        ("repetition_penalty", [0.01, 1, 100], [0, -1, 1e-30, 101, math.inf, math.nan]),
        ("top_k", [-1, 0, 1, 2**60], [-2, -(2**70)]),
        ("seed", [None, 0, 2**63 - 1], [-1, 2**63]),
        ("max_tokens", [1, 2**60], [0, -1]),
    ],
)
def test_values_beyond_a_range_are_refused_in_one_sentence(field: str, possible: list[Any], others: list[Any]) -> None:
    """Both ends of each range are possible. The sentence names the value and says what it must be."""
    assert [Sampling(**{field: value}).refusal for value in possible] == [""] * len(possible)
    for value in others:
        refusal = Sampling(**{field: value}).refusal
        assert str(value) in refusal
        assert " is not possible: it must " in refusal
        assert refusal.endswith(".")


@given(st.fixed_dictionaries({}, optional=ANY))
def test_the_engine_refuses_exactly_what_the_rule_refuses(values: dict[str, Any]) -> None:
    """A request gets either a sampler or the sentence of the rule."""
    sampling = Sampling(**values)
    with pytest.raises(SamplingRefused) if sampling.refusal else nullcontext() as refused:
        assert max(RowSampler(sampling).key(2**40)) < 1 << 32
    assert str(refused.value if refused else "") == sampling.refusal


def test_the_seeds_of_alternatives_are_possible_too() -> None:
    """Each alternative draws from the next seed. After the last seed comes the first."""
    many = Generate("a", "c", (), Sampling(seed=2**63 - 2), alternatives=("b", "c", "d"))
    assert [one.sampling.seed for one in alternatives(many)] == [2**63 - 1, 0, 1]
