"""A text that is made to keep the parser busy takes little work, and none of it is lost."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType

import hypothesis.strategies as st
import pytest
from hypothesis import given

from tests.bench.ui.hostile import TEXTS
from ui.markdown.grammar import MAX_PARSED, MAX_WORK
from ui.markdown.lines import MAX_PLAIN, Line, LineKind, lines
from ui.markdown.spans import BREAK, PLAIN, text_of
from ui.markdown.stream import MarkdownStream
from ui.transcript.question_lines import question_spans

SIZE = 100_000
MOST_SECONDS = 2.0
"""Each text takes less than a third of this. Without bounds some take minutes."""
SIGNS = st.sampled_from(
    [*"*_[]()!<>`~|#-+$\\&:= \n\t1a", "\n\n", "](", "![", "**", "```", "$$", "\\[", "<sub>", "[a]: "]
)
CALLS_WHILE_IT_GROWS = 500_000
CALLS_A_CHARACTER = 250
"""Python functions that are called for one character at most, whatever the text."""


def shown(found: tuple[Line, ...]) -> str:
    return "\n".join(line.text.replace(BREAK, "\n") for line in found)


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def calls(work: Callable[[], object]) -> int:
    """How many functions of Python `work` calls."""
    count = 0

    def note(_frame: FrameType, event: str, _value: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.sweep(9)
@pytest.mark.parametrize("name", TEXTS)
def test_no_text_takes_long(name: str) -> None:
    """Each hostile text of 100,000 characters is parsed at once."""
    assert seconds(lambda: lines(TEXTS[name](SIZE))) < MOST_SECONDS


@pytest.mark.sweep(9)
@pytest.mark.parametrize("name", TEXTS)
def test_no_text_takes_long_while_it_grows(name: str) -> None:
    """What arrives last takes no more work than a text may take that grows, however much is there already."""
    text, growing = TEXTS[name](SIZE // 2), MarkdownStream()
    for start in range(0, len(text), 2_000):
        growing.feed(text[start : start + 2_000])
        growing.lines()
    growing.feed("word\n")
    assert calls(growing.lines) < CALLS_WHILE_IT_GROWS


@pytest.mark.parametrize("sign", [" ", "\t", ">", "> ", " >\t", "1", "-", "|", ":", "`", "#"])
def test_a_line_of_one_sign_takes_no_time_while_it_grows(sign: str) -> None:
    """A model that is caught in a loop writes thousands of blanks, and then a word."""
    growing = MarkdownStream(sign * (SIZE // len(sign)) + "word")
    assert seconds(growing.lines) < MOST_SECONDS


@given(st.lists(st.tuples(SIGNS, st.integers(1, 40)), min_size=1, max_size=8), st.integers(1, 400))
def test_any_hostile_text_takes_bounded_work(pieces: list[tuple[str, int]], times: int) -> None:
    """The work is bounded by the length, whatever is repeated in whatever order."""
    text = ("".join(sign * count for sign, count in pieces) * times)[:4_000]
    assert calls(lambda: lines(text)) < CALLS_A_CHARACTER * len(text) + 5_000


def test_a_paragraph_of_many_signs_is_plain_text_and_the_next_is_not() -> None:
    """Only the paragraph that is too much work is shown as it is."""
    signs = "*a " * 1_000
    found = lines(f"{signs}\n\n**bold**")
    assert shown(found[:-1]) == signs.strip()
    assert all(span.style == PLAIN for line in found[:-1] for span in line.spans)
    assert found[-1].spans[0].style.bold


def test_a_long_paragraph_is_cut_into_lines() -> None:
    """No line of the page is so long that writing it delays the window, and no word is lost or cut."""
    words = "word " * 10_000
    found = lines(words)
    assert "".join(line.text for line in found) == words.strip()
    assert max(len(line.text) for line in found) <= MAX_PLAIN + 1
    assert all(line.text.startswith("word") for line in found)


@pytest.mark.parametrize("long", ["\u2066a\u2069" * 10_000, "a\u05d0" * 5_000, "a\u0e01" * 5_000])
@pytest.mark.parametrize(
    "form",
    [
        "{}",
        "# {}",
        "{}\n===",
        "|{}|b|\n|-|-|\n|c|d|",
        "|b|c|\n|-|-|\n|d|e|\n|{}|f|\n|g|h|",
        "```{}\ncode\n```",
        "```\n{}\n```",
    ],
)
def test_a_line_of_any_kind_is_cut(form: str, long: str) -> None:
    """A heading, the head of a table, one of its rows, code and its title. Some signs, and words of two alphabets,
    take Qt time with the square of their number in a line: minutes for a heading of them. All is there.
    """
    found = lines(form.format(long))
    texts = [text_of(spans) for line in found for spans in (line.spans, *(cell for row in line.rows for cell in row))]
    assert max(map(len, texts)) <= MAX_PLAIN + 1
    assert "".join(texts).count("a") >= (0 if form.startswith("```{}") else long.count("a"))
    growing = MarkdownStream()
    for start in range(0, len(form) + len(long), 10_000):
        growing.feed(form.format(long)[start : start + 10_000])
        growing.lines()
    assert lines(growing.text) == found


@pytest.mark.parametrize(
    "words", ["\u6f22\u5b57a\u306e" * 1_000, "\u0e01\u0e33" * 2_000, "a" * 5_000, "\u05d0 a " * 3_000]
)
def test_long_words_of_one_alphabet_are_no_harm(words: str) -> None:
    """Chinese and Thai have no blanks, and a language can have words of another one."""
    assert lines(f"**{words.strip()}**")[0].spans[0].style.bold


def test_a_wide_table_is_plain_text() -> None:
    """A table of more columns than anybody reads is shown as it is."""
    table = "\n".join("|" + cell * 300 for cell in ("a|", "-|", "b|"))
    assert shown(lines(table)) == table
    assert lines(table.replace("a|" * 300, "a|" * 9).replace("-|" * 300, "-|" * 9))[0].kind is LineKind.TABLE


def test_what_is_left_of_a_text_that_is_too_much_work_is_plain() -> None:
    """The beginning is parsed. From the block in which no work is left, the text is shown as it is."""
    text = "".join(f"- **item** {number}\n\n---\n\n" for number in range(MAX_WORK // 10))
    found = lines(text)
    assert found[0].spans[0].style.bold
    rest = "".join(f"- **item** {number}\n\n---\n\n" for number in range(MAX_WORK // 10 - 50, MAX_WORK // 10))
    assert shown(found).strip().endswith(rest.strip())


@pytest.mark.parametrize("piece", ["word\n\n", "word ", "a\nb\n"])
def test_only_the_beginning_of_a_very_long_text_is_parsed(piece: str) -> None:
    """All of it is shown, whether or not it has lines."""
    text = piece * (2 * MAX_PARSED // len(piece))
    assert "".join(shown(lines(text)).split()) == "".join(text.split())


def test_code_of_very_many_rows_is_plain_text() -> None:
    """Each row of code is a block of the page."""
    code = "x\n" * (MAX_WORK + 10)
    found = lines(f"```\n{code}```\n\n# End")
    assert shown(found[:-1]) == code.strip()
    assert {line.kind for line in found[:-1]} == {LineKind.TEXT}
    assert found[-1].kind is LineKind.HEADING


def test_a_lexer_that_takes_long_is_stopped() -> None:
    """Some lexers need time with the square of the length. All of the code is there."""
    code = "s{" * 20_000
    found: list[tuple[Line, ...]] = []
    assert seconds(lambda: found.append(lines(f"```perl\n{code}\n```"))) < MOST_SECONDS
    assert found[0][1].text == code


def test_a_growing_text_that_is_too_much_work_is_all_there() -> None:
    """It is shown as it is up to the next blank line, and then as Markdown again."""
    text = "Words.\n\n" + "*a " * 9_000 + "\nnext\n\n**bold**"
    growing = MarkdownStream()
    for start in range(0, len(text), 1_000):
        growing.feed(text[start : start + 1_000])
        found = growing.lines()
    assert "".join(shown(found).split()) == "".join(text.replace("**", "").split())
    assert found[-1].spans[0].style.bold
    assert growing.text == text


@pytest.mark.parametrize("text", ["```a\n" * 20_000, "![" * 50_000, "```" + "a" * 200_000], ids=range(3))
def test_a_hostile_question_takes_little_time(text: str) -> None:
    """Code and images that never end are looked for once."""
    assert seconds(lambda: question_spans(text, shortened=False)) < MOST_SECONDS


@pytest.mark.parametrize("piece", ["`a` ", "![a](/b) "])
def test_a_question_of_nothing_but_signs_is_shown_as_it_is(piece: str) -> None:
    """Qt would lay out so many pieces for seconds."""
    (span,) = question_spans(piece * 12_000, shortened=False)
    assert span.text == piece * 12_000
