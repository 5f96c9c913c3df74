from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.markdown.lines import lines
from ui.search.matching import Matcher, count, in_reasoning
from ui.state.chat import LONGEST_QUESTION, LONGEST_REASONING, MessageView, ToolView


def test_all_of_a_reply_is_searched() -> None:
    """Prose, code, tables, reasoning and tool arguments count; markup, languages and buttons do not."""
    text = "A **fox** and a f*o*x.\n\n```fox\nfox = 1\n```\n\n| fox | b |\n|---|---|\n| fox | d |\n"
    reply = MessageView("m", "assistant", text, reasoning="The fox?", tools=(ToolView("fox", '{"a": "fox"}'),))
    assert count(reply, Matcher(("fox",))) == 2 + 1 + 2 + 1 + 1
    assert in_reasoning(reply, Matcher(("fox",))) == 1


def test_a_question_is_searched_as_it_was_typed() -> None:
    """The page shows a question without rendering its Markdown."""
    assert count(MessageView("m", "user", "**fox** f*o*x"), Matcher(("fox",))) == 1


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("docs say", "the [docs](https://x.org/a/b) say"),
        ("foo bar", '[foo](https://x.org/a_(b) "a title") bar'),
        ("MLX-based", "[MLX][home]-based\n\n[home]: https://x.org"),
        ("f\u00fcr alle", "f&uuml;r alle"),
        ("fox", "fo&#120;"),
        ("fox fox", "fox<br>fox"),
        ("H2O", "H<sub>2</sub>O"),
        ("image, not", "![fox](https://x.org/a.png)"),
        ("&amp; says the fox", "`&amp;` [says](https://x.org) the fox"),
        ("2. fox", "1. a\n1. fox"),
        ("1. fox", "1) fox"),
    ],
)
def test_what_markup_interrupts_is_found(words: str, source: str) -> None:
    """An address stands between two words, a character is spelled as an entity, and lists are numbered anew."""
    assert count(MessageView("m", "assistant", source), Matcher((words,))) == 1


PIECES = [
    "fox",
    "a",
    " ",
    "**",
    "_",
    "`&amp;`",
    "`a`",
    "[fox](https://x.org/a)",
    "&amp;",
    "&uuml;",
    "<br>",
    "<sub>x</sub>",
    "(",
    "]",
]


@given(st.lists(st.sampled_from(PIECES), max_size=9), st.data())
def test_the_quick_check_misses_nothing(pieces: list[str], data: st.DataObject) -> None:
    """Any part of the text that the page shows is found."""
    source = "".join(pieces)
    shown = [line.text for line in lines(source) if line.text]
    text = data.draw(st.sampled_from(shown)) if shown else ""
    start = data.draw(st.integers(0, len(text)))
    term = text[start : data.draw(st.integers(start, len(text)))]
    assert Matcher((term,)).may_occur(source) or not term.strip()


@pytest.mark.parametrize(
    "source", ["](a" * 100_000, '](a "' * 60_000, "```a\n" * 60_000, "`a" * 150_000, "](" + "a(" * 150_000]
)
def test_hostile_markup_takes_no_time(source: str) -> None:
    """The check and the count of an imported message are linear."""
    before = time.thread_time()
    Matcher(("fox",)).may_occur(source)
    count(MessageView("m", "user", source), Matcher(("fox",)))
    assert time.thread_time() - before < 1


def test_what_the_page_does_not_show_is_not_searched() -> None:
    """An import may have megabytes in a message, and each search would go through all of them."""
    fox = Matcher(("fox",))
    assert count(MessageView("m", "user", "fox" + "." * LONGEST_QUESTION + "fox"), fox) == 1
    assert in_reasoning(MessageView("m", "assistant", "", reasoning="fox" + "." * LONGEST_REASONING + "fox"), fox) == 1
    assert count(MessageView("m", "assistant", "", tools=(ToolView("", "fox" + "." * 20_000 + "fox"),)), fox) == 1
