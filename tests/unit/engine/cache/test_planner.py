from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cache.segment import MissCause, Needs, Segment, cut, following, needed_records, plan

HYBRID = Needs(kv=True, state=True)
ATTENTION = Needs(kv=True, state=False)
RECURRENT = Needs(kv=False, state=True)
CHAIN = cut("model", list(range(100)), [10, 40, 70])
SLIDING = Needs(kv=True, state=False, window=35)


EACH = ["kv 10", "kv 40", "kv 70"]


@pytest.mark.parametrize(
    ("needs", "records"),
    [
        (ATTENTION, EACH),
        (HYBRID, [*EACH, "state 70"]),
        (RECURRENT, ["state 70"]),
        (SLIDING, [*EACH, "window 40", "window 70"]),
    ],
)
def test_each_kind_of_layer_needs_its_own_records(needs: Needs, records: list[str]) -> None:
    """Attention needs every token, a window what it still sees, and recurrent layers only the state at the end."""
    assert [f"{kind} {segment.end}" for segment, kind in needed_records(CHAIN, needs)] == records


def test_keys_and_values_without_a_state_are_a_miss_of_its_own() -> None:
    """They are there, but nothing can continue from them."""
    assert plan(CHAIN, {CHAIN[0].key: {"kv"}}, HYBRID, limit=100).cause is MissCause.NO_CHECKPOINT


def by_definition(kinds: dict[str, frozenset[str]], needs: Needs, limit: int) -> tuple[Segment, ...]:
    """The longest prefix whose records are all held, found by trying each."""
    whole = [CHAIN[:n] for n in range(1, len(CHAIN) + 1)]
    fits = [p for p in whole if p[-1].end < limit and all(kind in kinds[s.key] for s, kind in needed_records(p, needs))]
    return fits[-1] if fits else ()


@given(
    st.lists(st.sets(st.sampled_from(["kv", "window", "state"])), min_size=3, max_size=3),
    st.builds(Needs, st.booleans(), st.booleans(), st.sampled_from([0, 5, 35, 500])),
    st.integers(0, 100),
)
def test_a_plan_is_the_longest_there_is(kinds: list[set[str]], needs: Needs, limit: int) -> None:
    """Walking the chain once finds the same prefix as trying every one, for every mixture of layers. No plan names a
    missing record, or reaches past the limit.
    """
    available = {s.key: frozenset(k) for s, k in zip(CHAIN, kinds, strict=True)}
    found = plan(CHAIN, available, needs, limit)
    assert found.segments == by_definition(available, needs, limit)
    assert (found.cause is MissCause.NONE) == bool(found.segments)
    assert found.length == (found.segments[-1].end if found.segments else 0) < max(limit, 1)
    assert not needs.kv or all("kv" in available[segment.key] for segment in found.segments)
    assert not needs.state or not found.segments or "state" in available[found.segments[-1].key]
    everything = {segment.key: {"kv", "window", "state"} for segment in CHAIN}
    assert plan(CHAIN, everything, needs, limit=40).length == 10, "the last token still has to be fed"


def test_keys_name_exactly_the_tokens_they_cover() -> None:
    """Equal keys mean equal tokens from token 0 on, under one model. The cuts between segments are part of the key."""
    ids = list(range(100))
    assert cut("model", ids, [10, 40]) == CHAIN[:2]
    assert cut("other", ids, [10])[0].key != CHAIN[0].key
    assert cut("model", [99, *ids[1:]], [10, 40])[1].key != CHAIN[1].key
    assert following(CHAIN[1], "model", ids, 70) == CHAIN[2]
    assert CHAIN[1] == Segment(CHAIN[1].key, CHAIN[0].key, 10, 40)
