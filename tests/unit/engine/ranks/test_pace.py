"""The pace of prompts, by a clock of the test's own."""

from __future__ import annotations

from engine.ranks.pace import FEWEST_TOKENS, Pace


def test_the_pace_is_that_of_the_last_part_of_a_prompt() -> None:
    """Steps of single tokens do not count, and neither does the time between answers."""
    now = [10.0]
    pace = Pace(lambda: now[0])
    assert pace.seconds(100) is None
    for tokens, seconds in ((512, 2.0), (512, 1.0), (1, 50.0), (FEWEST_TOKENS - 1, 5.0), (1, 0.1)):
        pace.begin(tokens)
        now[0] += seconds
    assert pace.tokens_per_second == 512.0
    assert pace.seconds(1024) == 2.0


def test_a_clock_that_stands_still_gives_no_pace() -> None:
    """Nor an error."""
    pace = Pace(lambda: 1.0)
    pace.begin(512)
    pace.begin(1)
    assert pace.tokens_per_second is None
