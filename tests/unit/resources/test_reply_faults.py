"""The detector of degenerate replies."""

from __future__ import annotations

import pytest

from resources.demo_training.reply_faults import fault


def test_plain_reply_is_sound() -> None:
    """A reply that ends and does not repeat itself has no fault."""
    assert fault([5, 6, 7, 8], "Your name is Ada.", 100) == ""


def test_counting_is_sound() -> None:
    """Separators alone do not make a loop."""
    assert fault([1, 9, 2, 9, 3, 9, 4, 9, 5], "1, 2, 3, 4, 5", 100) == ""


def test_a_number_of_equal_digits_is_sound() -> None:
    """2222 is a number, not a loop."""
    assert fault([7, 2, 2, 2, 2, 8], "Your number is 2222.", 100) == ""


@pytest.mark.parametrize(
    ("ids", "text", "name"),
    [
        ([1, 2, 3, 4], "On and on it goes", "endless"),
        ([1, 2] * 6, "so it is so it is", "loop"),
        ([1, 2, 3] * 4, "and so on", "loop"),
        ([1, 2, 3], "The cat sat on it. The cat sat on it. The cat sat on it.", "same sentence"),
        ([], " ", "empty"),
    ],
)
def test_faults_are_named(ids: list[int], text: str, name: str) -> None:
    """Each kind of degenerate reply is found and named."""
    assert fault(ids, text, 4 if name == "endless" else 100) == name
