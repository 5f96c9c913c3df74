"""The history finds earlier runs and what followed them."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from engine.decode.drafts import drafter
from engine.decode.drafts.drafter import GRAM, TokenHistory

texts = st.lists(st.integers(0, 3), max_size=60)


@given(texts, texts)
def test_tokens_added_one_by_one_are_indexed_as_at_once(before: list[int], after: list[int]) -> None:
    """At every length, what is found was really there: the last tokens equal the earlier run, and it goes on so."""
    grown = TokenHistory(before)
    for token in after:
        grown.add(token)
    tokens = [*before, *after]
    following = grown.continuation(1)
    if grown.matched:
        run = tokens[len(tokens) - grown.matched :]
        ends = [end for end in range(GRAM, len(tokens)) if tokens[max(0, end - len(run)) : end] == run]
        assert following[0] in {tokens[end] for end in ends}
    else:
        assert not following
    assert bool(TokenHistory(tokens).matched) == bool(grown.matched)


@given(texts)
def test_a_run_that_never_occurred_before_is_not_found(tokens: list[int]) -> None:
    """A match needs three tokens that occurred before, with a token after them."""
    last = tokens[-GRAM:]
    earlier = any(tokens[end - GRAM : end] == last for end in range(GRAM, len(tokens)))
    assert bool(TokenHistory(tokens).matched) == (len(tokens) > GRAM and earlier)


def test_it_follows_one_run_although_a_later_one_begins_alike() -> None:
    """A copied text goes on as its source, even where three of its tokens occurred again later."""
    source = [1, 2, 3, 4, 5, 6, 7]
    copied = TokenHistory([*source, 9, 4, 5, 6, 8, 9, 1, 2, 3])
    for token in (4, 5, 6):
        copied.add(token)
    assert copied.matched == 6
    assert copied.continuation(1) == [7]


def test_a_cycle_is_continued_beyond_its_end() -> None:
    """A repetition whose period is shorter than the draft goes round."""
    assert TokenHistory([1, 2, 3, 1, 2, 3]).continuation(7) == [1, 2, 3, 1, 2, 3, 1]
    assert TokenHistory([4, 4, 4, 4]).continuation(3) == [4, 4, 4]


def test_only_the_end_of_a_very_long_text_is_searched() -> None:
    """The index has a limited size."""
    chance = random.Random(1)  # noqa: S311 # a text, no secret
    rest = [chance.randrange(10, 1 << 17) for _ in range(drafter.MOST_INDEXED)]
    assert not TokenHistory([1, 2, 3, 4, *rest, 1, 2, 3]).matched
    assert TokenHistory([*rest, 1, 2, 3, 4, 1, 2, 3]).continuation(1) == [4]
