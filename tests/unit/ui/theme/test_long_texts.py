"""Long texts from outside are cut where they are shown."""

from __future__ import annotations

import pytest

from ui.theme.long_texts import LONGEST, breakable, cut


@pytest.mark.parametrize("text", ["", "A title", "two\nlines", "a" * LONGEST, "a\n" * 39])
def test_a_text_that_can_be_read_is_shown_whole(text: str) -> None:
    """Nothing is added to it."""
    assert cut(text) == text


@pytest.mark.parametrize(("text", "shown"), [("a" * 2_000, "a" * LONGEST), ("a\n" * 41, "a\n" * 40)])
def test_a_longer_one_ends_with_an_ellipsis(text: str, shown: str) -> None:
    """It is too long in letters or in rows."""
    assert cut(text) == f"{shown.rstrip()}…"


def test_a_long_row_of_other_letters_is_broken() -> None:
    """Qt lays out several alphabets quickly only in short rows. The break comes after a blank if one is near."""
    assert max(map(len, breakable("ä b " * 5_000, 20_000).split("\n"))) < LONGEST + 60
