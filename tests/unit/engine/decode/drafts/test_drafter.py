"""The drafter drafts more while it is right, and waits for a longer repetition after errors."""

from __future__ import annotations

from engine.decode.drafts.drafter import FIRST_LENGTH, MOST_LENGTH, MOST_NEEDED, Drafter

TEXT = list(range(100, 300))


def copying(tokens: int) -> Drafter:
    """A drafter whose row has copied so many tokens of a text."""
    return Drafter([*TEXT, 7, *TEXT[:tokens]])


def test_it_starts_after_three_tokens_that_repeat() -> None:
    """Two could be chance."""
    assert not copying(2).length
    assert copying(3).length == FIRST_LENGTH
    assert copying(3).draft(4) == TEXT[3:7]


def test_drafts_grow_while_they_are_accepted_whole() -> None:
    """Up to a limit. A draft that is right to a part is followed by one as long as that part."""
    drafter, lengths = copying(5), []
    for _ in range(4):
        drafter.learn(drafter.length, drafter.length)
        lengths.append(drafter.length)
    assert lengths == [8, 16, 16, 16] == [*lengths[:1], MOST_LENGTH, MOST_LENGTH, MOST_LENGTH]
    drafter.learn(16, 6)
    assert drafter.length == 6
    drafter.learn(6, 1)
    assert drafter.length == FIRST_LENGTH


def test_it_stops_after_two_rejections_until_more_tokens_repeat() -> None:
    """One accepted token ends a row of rejections; an accepted draft ends the caution."""
    drafter = copying(5)
    drafter.learn(4, 0)
    drafter.learn(4, 1)
    drafter.learn(4, 0)
    assert drafter.length
    drafter.learn(4, 0)
    assert not drafter.length
    drafter.add(TEXT[5])
    assert drafter.length == FIRST_LENGTH
    drafter.learn(4, 4)
    for token in (0, *TEXT[20:23]):
        drafter.add(token)
    assert drafter.draft(drafter.length) == TEXT[23:31]


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
