"""Model cards as plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.hub.client import CUT, LONGEST, plain_card


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("---\nlicense: mit\ntags:\n- mlx\n---\n# Name\n\nText.", "Name\n\nText."),
        ("---\r\nlicense: mit\r\n---\r\nText.", "Text."),
        ("---\nnever closed", "never closed"),
        ("Some **bold** [page](https://x.org) and `code`\non two lines.", "Some bold page and code on two lines."),
        ("- one\n- two\n  - three\n\n1. first", "• one\n• two\n  • three\n\n1. first"),
        ("| a | b |\n|---|---|\n| 1 | **2** |", "a   b\n1   2"),
        ("Use:\n```python\nload('x')\nask()\n```", "Use:\n\nload('x')\nask()"),
        ("<div align='center'><img src='x.png'/>\n<b>Try</b> it<br>now</div>", "Try it\n\nnow"),
        ("a <!-- hidden -->b", "a b"),
        ("It writes <think> first, and 1 < 2 > 0.", "It writes <think> first, and 1 < 2 > 0."),
        ("plain and \u202eturned", "plain and turned"),
        ("", ""),
    ],
)
def test_marks_are_removed_and_words_stay(card: str, text: str) -> None:
    """The card reads like a text, in paragraphs, lists and rows."""
    assert " ".join(plain_card(card).split()) == " ".join(text.split())


def test_paragraphs_and_lists_keep_their_lines() -> None:
    """A blank line is between paragraphs, none between the items of a list."""
    assert plain_card("# Name\n\nText.\n\n- one\n- two\n") == "Name\n\nText.\n\n• one\n• two"


def test_a_long_card_is_cut_and_says_so() -> None:
    """A card of megabytes becomes a text that a window can show."""
    text = plain_card("word " * LONGEST)
    assert text.endswith(CUT)
    assert len(text) <= LONGEST + len(CUT) + 2


@given(st.text(alphabet=st.sampled_from("-#*`<>[]()|!\n ab\u202e\x00"), max_size=400) | st.text(max_size=200))
def test_any_card_becomes_text(card: str) -> None:
    """No card breaks the page, and no control character is shown."""
    assert all(sign.isprintable() or sign == "\n" for sign in plain_card(card))


@pytest.mark.parametrize("sign", ["[", "<!--", "<a ", "> ", "`", "---\n"])
def test_a_hostile_card_is_read_in_a_moment(sign: str) -> None:
    """Patterns and parser take linear time; the test's own limit on time would fail it."""
    assert len(plain_card(sign * LONGEST)) <= LONGEST + len(CUT) + 2
