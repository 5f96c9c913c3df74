"""Titles, snippets and storable text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.library.columns import FIELD, LABEL, LONGEST_FIELD, LONGEST_LABEL, TAGS, storable
from storage.library.rows import one_line, title_from


@given(st.text(), st.integers(min_value=2, max_value=80))
def test_one_line_is_short_and_one_line(text: str, length: int) -> None:
    """Any text becomes one line of at most `length` characters and an ellipsis."""
    line = one_line(text, length)
    assert len(line) <= length + 1
    assert line.splitlines() in ([line], [])
    assert " ".join(text.split()).startswith(line.removesuffix("…"))


@given(st.text(alphabet=st.characters(codec=None, exclude_categories=())))
def test_storable_text_is_always_utf8(text: str) -> None:
    """Any text can be written, and well-formed text is unchanged."""
    stored = storable(text)
    assert stored.encode().decode() == stored
    assert not text.isprintable() or stored == text


def test_a_title_is_the_first_line_with_words() -> None:
    """Blank lines are skipped, spaces joined, one endless word is cut, and empty text gives no title."""
    assert title_from("\n \n  Hello   there \nmore") == "Hello there"
    assert title_from("x" * 100) == "x" * 59 + "…"
    assert title_from("  \n ") == ""


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("How do I bake bread?", "How do I bake bread"),
        ("Well, hello \u2013 … ", "Well, hello"),
        ("何を食べますか\uff1f", "何を食べますか"),
        ("Fix f(x) in C#", "Fix f(x) in C#"),
        ("?!", "?!"),
        ("Hi…", "Hi"),
        ("word " * 10 + "words, more and more", "word " * 10 + "words"),
        ("word " * 10 + "of the wide world", ("word " * 10).strip()),
        ("뭐야 " * 30, ("뭐야 " * 20).strip()),
        ("x" * 55 + " broken", "x" * 55),
    ],
)
def test_a_title_ends_at_a_word(text: str, title: str) -> None:
    """It has no punctuation behind its last word, unless there is nothing else. A long line is cut between words, and
    not behind a little word that leads to the next one.
    """
    assert title_from(text) == title


def test_labels_in_a_row_have_a_bound() -> None:
    """Another program may have written it."""
    assert LABEL.read("x" * 5_000_000) == "x" * LONGEST_LABEL
    assert FIELD.read("x" * 5_000_000) == "x" * LONGEST_FIELD
    assert TAGS.read("a\n" * 1_000_000 + "x" * 5_000_000) == ("a",) * 100
    assert TAGS.read("x" * 5_000_000) == ("x" * LONGEST_LABEL,)
