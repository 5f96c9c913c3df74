from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.markdown.plain import plain


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("**Tara the keeper**\n\nTara was *young*.", "Tara the keeper Tara was young."),
        ("- oranges\n- pears\n\n1. plums", "oranges pears plums"),
        ("## Head\n> said `code`", "Head said code"),
        ("Here:\n```python\nfor x in y:\n```", "Here: for x in y:"),
        ("| Planet | Note |\n| --- | :-: |\n| Mars | red |", "Planet Note Mars red"),
        ("see [the page](https://x.org) and ![a cat](cat.png)", "see the page and a cat"),
        ("2 * 3 = 6, snake_case and a - b", "2 * 3 = 6, snake_case and a - b"),
        ("or a|b", "or a|b"),
        ("One[^1] and two[^two].\n\n[^1]: A note", "One and two. A note"),
        ("all but `[^abc]` and [^x]", "all but [^abc] and [^x]"),
    ],
)
def test_syntax_is_removed_and_words_stay(text: str, words: str) -> None:
    """A preview reads like the message, not like its source."""
    assert plain(text) == words


def test_a_long_rule_takes_no_time() -> None:
    """Each row of the list has such a preview. One of 2,000 signs took a quarter of a minute."""
    start = time.process_time()
    for sign in "-|: ", "-", "- ", "--|", "|":
        assert plain(sign * 2_000 + "x").endswith("x")
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("piece", ["[", "[a](", "![", '{"a":[1,2,[3,'])
def test_brackets_without_end_take_no_time(piece: str) -> None:
    """A whole answer is read aloud in such words. One of 195 KB stopped the window for half a minute."""
    start = time.process_time()
    assert plain(piece * (200_000 // len(piece)))
    assert time.process_time() - start < 1.0


@given(st.text(max_size=300))
def test_any_text_becomes_one_line(text: str) -> None:
    """Every text fits on one row of the list."""
    words = plain(text)
    assert words == " ".join(words.split())
