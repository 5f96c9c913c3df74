from __future__ import annotations

from engine.memory import LOAD_HEADROOM_BYTES, hot_budget, in_words, load_shortfall

GIB = 1 << 30


def test_a_load_that_does_not_fit_is_known_before() -> None:
    """Running out of GPU memory cannot be caught, so it is computed."""
    assert load_shortfall(4 * GIB, 5 * GIB) == 0
    assert load_shortfall(4 * GIB, 4 * GIB) == LOAD_HEADROOM_BYTES


def test_the_hot_tier_takes_a_modest_share() -> None:
    """A small Mac keeps its memory, a large one does not fill it with chats."""
    assert hot_budget(8 * GIB) < 2 * GIB
    assert hot_budget(512 * GIB) == 8 * GIB


def test_sizes_read_as_people_write_them() -> None:
    """Figures in messages are short."""
    assert (in_words(312_400_000), in_words(4_250_000_000)) == ("312 MB", "4.2 GB")
