"""The drafter drafts more while it is right, and waits for a longer repetition after errors."""

from __future__ import annotations

from engine.decode.drafts.drafter import FIRST_NEEDED, LEAST_LENGTH, MOST_LENGTH, MOST_NEEDED, Drafter

TEXT = list(range(100, 300))


def copying(tokens: int) -> Drafter:
    """A drafter whose row has copied so many tokens of a text."""
    return Drafter([*TEXT, 7, *TEXT[:tokens]])


def test_it_starts_after_five_tokens_that_repeat() -> None:
    """Fewer could be chance."""
    assert not copying(FIRST_NEEDED - 1).length
    assert copying(FIRST_NEEDED).length == FIRST_NEEDED
    assert copying(FIRST_NEEDED).draft(4) == TEXT[5:9]


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
    assert drafter.draft(drafter.length) == TEXT[33:37]
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
