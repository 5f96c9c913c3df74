"""The direction of a text."""

from __future__ import annotations

import pytest

from ui.theme.direction import is_right_to_left


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", False), ("12:30", False), ("Lisbon", False), ("لشبونة", True), ("השעה", True), ("1. «لشبونة» Lisbon", True)],
)
def test_the_first_letter_decides(text: str, expected: bool) -> None:  # noqa: FBT001 - a table of cases
    """Figures and signs before it do not."""
    assert is_right_to_left(text) is expected
