from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.cache.segment import MissCause, Needs, Segment, cut, following, needed_records, plan

HYBRID = Needs(kv=True, state=True)
ATTENTION = Needs(kv=True, state=False)
RECURRENT = Needs(kv=False, state=True)
CHAIN = cut("model", list(range(100)), [10, 40, 70])
BOTH = frozenset({"kv", "state"})


def held(*kinds: frozenset[str]) -> dict[str, frozenset[str]]:
    return {segment.key: kind for segment, kind in zip(CHAIN, kinds, strict=False)}


def test_the_longest_prefix_with_everything_wins() -> None:
    """Everything that can be restored is restored."""
    found = plan(CHAIN, held(BOTH, BOTH, BOTH), HYBRID, limit=100)
    assert (found.length, found.cause) == (70, MissCause.NONE)
    assert found.segments == CHAIN


def test_a_hybrid_goes_back_to_the_last_checkpoint() -> None:
    """A chat cannot continue from keys and values without a state at their end."""
    found = plan(CHAIN, held(BOTH, frozenset({"kv"}), frozenset({"kv"})), HYBRID, limit=100)
    assert found.length == 10
    assert plan(CHAIN, held(frozenset({"kv"})), HYBRID, limit=100).cause is MissCause.NO_CHECKPOINT


def test_inner_states_are_not_needed() -> None:
    """Only the state at the end of the restored prefix is read."""
    found = plan(CHAIN, held(frozenset({"kv"}), frozenset({"kv"}), BOTH), HYBRID, limit=100)
    assert found.length == 70


def test_a_gap_in_keys_and_values_ends_the_prefix() -> None:
    """Attention needs every token; recurrent layers need only their state."""
    kinds = held(BOTH, frozenset({"state"}), BOTH)
    assert plan(CHAIN, kinds, HYBRID, limit=100).length == 10
    assert plan(CHAIN, kinds, RECURRENT, limit=100).length == 70
    assert plan(CHAIN, held(frozenset({"kv"}), frozenset({"kv"})), ATTENTION, limit=100).length == 40


def test_one_token_is_always_left_to_feed() -> None:
    """A prompt that is cached to its last token goes back one boundary, because logits need a prefilled token."""
    assert plan(CHAIN, held(BOTH, BOTH, BOTH), HYBRID, limit=70).length == 40


def test_a_window_needs_only_what_it_still_sees() -> None:
    """Segments entirely before the window may lack their window records; others may not."""
    sliding = Needs(kv=True, state=False, window=35)
    window = frozenset({"kv", "window"})
    assert plan(CHAIN, held(frozenset({"kv"}), window, window), sliding, limit=100).length == 70
    assert plan(CHAIN, held(window, frozenset({"kv"}), window), sliding, limit=100).length == 10
    assert [(s.end, kind) for s, kind in needed_records(CHAIN, sliding) if kind == "window"] == [
        (40, "window"),
        (70, "window"),
    ]


@given(st.lists(st.sets(st.sampled_from(["kv", "state"])), min_size=3, max_size=3), st.integers(0, 100))
def test_a_plan_is_always_complete(kinds: list[set[str]], limit: int) -> None:
    """No plan names a missing record, or reaches past the limit."""
    available = {s.key: frozenset(k) for s, k in zip(CHAIN, kinds, strict=True)}
    found = plan(CHAIN, available, HYBRID, limit)
    assert found.length < max(limit, 1)
    assert all("kv" in available[segment.key] for segment in found.segments)
    assert not found.segments or "state" in available[found.segments[-1].key]


def by_definition(kinds: dict[str, frozenset[str]], needs: Needs, limit: int) -> int:
    """The longest prefix whose records are all held, found by trying each."""
    whole = [CHAIN[:n] for n in range(1, len(CHAIN) + 1)]
    fits = [p for p in whole if p[-1].end < limit and all(kind in kinds[s.key] for s, kind in needed_records(p, needs))]
    return fits[-1][-1].end if fits else 0


@given(
    st.lists(st.sets(st.sampled_from(["kv", "window", "state"])), min_size=3, max_size=3),
    st.builds(Needs, st.booleans(), st.booleans(), st.sampled_from([0, 5, 35, 500])),
    st.integers(0, 100),
)
def test_a_plan_is_the_longest_there_is(kinds: list[set[str]], needs: Needs, limit: int) -> None:
    """Walking the chain once finds the same prefix as trying every one, for every mixture of layers."""
    available = {s.key: frozenset(k) for s, k in zip(CHAIN, kinds, strict=True)}
    assert plan(CHAIN, available, needs, limit).length == by_definition(available, needs, limit)


def test_keys_name_exactly_the_tokens_they_cover() -> None:
    """Equal keys mean equal tokens from token 0 on, under one model. The cuts between segments are part of the key."""
    ids = list(range(100))
    assert cut("model", ids, [10, 40]) == CHAIN[:2]
    assert cut("other", ids, [10])[0].key != CHAIN[0].key
    assert cut("model", [99, *ids[1:]], [10, 40])[1].key != CHAIN[1].key
    assert following(CHAIN[1], "model", ids, 70) == CHAIN[2]
    assert CHAIN[1] == Segment(CHAIN[1].key, CHAIN[0].key, 10, 40)
