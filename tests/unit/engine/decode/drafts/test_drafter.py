"""The drafter finds earlier runs, drafts more while it is right, and waits for a longer repetition after errors."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from engine.decode.drafts import drafter
from engine.decode.drafts.drafter import (
    FIRST_NEEDED,
    GRAM,
    LEAST_LENGTH,
    MOST_LENGTH,
    MOST_NEEDED,
    Drafter,
    TokenHistory,
)

TEXT = list(range(100, 300))


def copying(tokens: int) -> Drafter:
    """A drafter whose row has copied so many tokens of a text."""
    return Drafter([*TEXT, 7, *TEXT[:tokens]])


def test_it_starts_after_five_tokens_that_repeat() -> None:
    """Fewer could be chance."""
    assert not copying(FIRST_NEEDED - 1).length
    assert copying(FIRST_NEEDED).length == FIRST_NEEDED
    assert copying(FIRST_NEEDED).continuation(4) == TEXT[5:9]


def test_a_draft_is_as_long_as_what_has_repeated() -> None:
    """Within limits. After an accepted draft, three tokens are enough."""
    drafter = copying(9)
    assert drafter.length == 9
    drafter.learn(9, 9)
    for token in TEXT[9:18]:
        drafter.add(token)
    assert drafter.length == MOST_LENGTH
    for token in (0, *TEXT[30:33]):
        drafter.add(token)
    assert drafter.length == LEAST_LENGTH
    assert drafter.continuation(drafter.length) == TEXT[33:37]
    drafter.learn(4, 0)
    assert not drafter.length, "five are needed after an error"


def test_it_stops_after_two_rejections_until_more_tokens_repeat() -> None:
    """One accepted token ends a row of rejections; an accepted draft ends the caution."""
    drafter = copying(9)
    drafter.learn(8, 0)
    drafter.learn(8, 1)
    drafter.learn(8, 0)
    assert drafter.length
    drafter.learn(8, 0)
    assert not drafter.length
    drafter.add(TEXT[9])
    assert drafter.length == 2 * FIRST_NEEDED
    drafter.learn(8, 8)
    for token in (0, *TEXT[20:23]):
        drafter.add(token)
    assert drafter.length


def test_the_repetition_it_waits_for_is_limited() -> None:
    """A text of thousands of bad guesses can still be followed by one that is copied."""
    drafter = copying(0)
    for _ in range(40):
        drafter.learn(4, 0)
    for token in TEXT[: MOST_NEEDED - 1]:
        drafter.add(token)
    assert not drafter.length
    drafter.add(TEXT[MOST_NEEDED - 1])
    assert drafter.length


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
