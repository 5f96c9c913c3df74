"""Streamed Markdown gives the same lines as Markdown parsed at once."""

from __future__ import annotations

import time
from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ui.markdown import lines as markdown
from ui.markdown.lines import LineKind, lines
from ui.markdown.stream import MarkdownStream

SAMPLE = """# Title

Words with **bold**, `code` and a [link](https://a.example).
- one
- two

  more of two
1. first

2. second

```python
def f():
    return "x"

```

| a | b |
|---|---|
| 1 | 2 |

> quote
> > deeper

---
Last words, [later][ref].

[ref]: https://b.example
"""
BLOCKS = ["- ", "1. ", "2. ", "\n", "\n\n", "  ", "    ", "> ", "```", "```py\n", "|", "|-|-|\n", "# ", "---", "==="]
INLINES = ["**", "*", "`", "word", " word", "[a]", "(https://a.example)", "[a]: https://b.example\n", "~~", "x|y\n"]
ODD = ["\r\n", "\t", "é", "👩\u200d👧", "\0", "<b>", "&#10;"]
FORMULAS = ["$", "$$", "$$\n", "\\(", "\\)", "\\[", "\\[\n", "\\]", "\n\\]", "\\begin{a}", "\\end{a}", "$x$", "5", "\\"]
PIECES = st.sampled_from(BLOCKS + INLINES + ODD + FORMULAS)


def streamed(text: str, cuts: list[int]) -> MarkdownStream:
    stream = MarkdownStream()
    bounds = [0, *sorted(cut % (len(text) + 1) for cut in cuts), len(text)]
    for start, end in pairwise(bounds):
        stream.feed(text[start:end])
        stream.lines()
    return stream


@given(st.lists(PIECES, max_size=40).map("".join), st.lists(st.integers(0, 10_000), max_size=12))
def test_any_chunks_end_in_the_same_text(text: str, cuts: list[int]) -> None:
    """When the text has ended, it is parsed whole: nothing of it is lost."""
    assert streamed(text, cuts).text == text


@given(st.lists(PIECES, max_size=40).map("".join), st.lists(st.integers(0, 10_000), max_size=12))
def test_live_lines_do_not_depend_on_the_chunks(text: str, cuts: list[int]) -> None:
    """A tab that was hidden shows the same as a visible one, except for reference links defined later."""
    text = text.replace("]: ", "] ")
    assert streamed(text, cuts).lines() == streamed(text, []).lines()


@pytest.mark.parametrize("text", ["|-|\n>|-|#b[a]\\+    ", "|-|1\ta|-|\t      a\n>|-|b~*=", "`\n```\\\\```---"])
def test_a_block_is_frozen_by_a_whole_line_only(text: str) -> None:
    """The first characters of a line may look like another block than the whole line."""
    assert streamed(text, list(range(len(text)))).lines() == streamed(text, []).lines()


def test_single_characters_end_in_the_same_lines() -> None:
    """The smallest chunks give the same lines."""
    assert streamed(SAMPLE, list(range(len(SAMPLE)))).lines() == streamed(SAMPLE, []).lines()


def test_frozen_blocks_are_the_same_objects() -> None:
    """Finished lines are not parsed again, so comparing lines is cheap."""
    stream = streamed(SAMPLE, [])
    before = stream.lines()
    stream.feed("more")
    assert all(one is other for one, other in zip(before[:10], stream.lines()[:10], strict=True))


@pytest.mark.parametrize("end", ["-", "=", "1", "1.", "#", "``", "```", "|", "> -", "**", "  "])
def test_an_undecided_last_line_is_held_back(end: str) -> None:
    """A paragraph does not become a heading for a moment while the list below it begins."""
    stream = MarkdownStream("Three things:\n" + end)
    assert [(line.kind, line.text) for line in stream.lines()] == [(LineKind.TEXT, "Three things:")]


@pytest.mark.parametrize(
    "end",
    [
        *("| a", "| a | b |\n", "| a | b |\n|--", "| a | b |\n|---|---|"),
        *("| a | b |\n| --", "| a | b |\n| --- |", "| a | b |\n| :-- | --: |"),
    ],
)
def test_the_head_of_a_table_waits_for_its_rule(end: str) -> None:
    """The raw row is never shown before the table."""
    assert [line.text for line in MarkdownStream("See:\n\n" + end).lines()] == ["See:"]


def test_a_table_is_shown_row_by_row() -> None:
    """A table grows as its rows arrive."""
    *rows, _foot = MarkdownStream("| a | b |\n|---|---|\n| 1").lines()
    assert [len(row.rows[0]) for row in rows] == [2, 2]


TABLE = "See:\n\n| a | b |\n|---|--:|\n" + "".join(f"| row {n} | **{n}** |\n" for n in range(60))


@pytest.mark.parametrize("end", ["", "\nAfter it.\n", "no pipe\n\n> quote\n", "\n| c |\n|---|\n| d |\n| e |\n| f |\n"])
def test_a_table_in_pieces_equals_the_table_at_once(end: str) -> None:
    """Rows that are frozen stay as they were, and the next ones are numbered on."""
    text = TABLE + end
    stream = MarkdownStream()
    for at, letter in enumerate(text, 1):
        stream.feed(letter)
        if at % 29 == 0:
            assert stream.lines() == MarkdownStream(text[:at]).lines()
    assert stream.lines() == lines(text)


def test_a_long_table_is_not_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """An update parses its head and its last rows alone."""
    stream = MarkdownStream()
    for row in TABLE.splitlines(keepends=True):
        stream.feed(row)
        stream.lines()
    parsed: list[str] = []
    blocks = markdown.blocks

    def watched(text: str, *arguments: object, **named: object) -> list[markdown.MarkdownBlock]:
        parsed.append(text)
        return blocks(text, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(markdown, "blocks", watched)
    stream.feed("| one more")
    assert len(stream.lines()) == 64
    assert len(parsed[0].splitlines()) <= 5


def test_a_loose_list_stays_one_list() -> None:
    """An item after a blank line stays in its list while its number arrives."""
    text = "1. a\n\n2. b\n\n3. c\n"
    assert streamed(text, list(range(len(text)))).lines() == lines(text)


def test_an_update_at_20k_characters_is_cheap() -> None:
    """The cost of one more token does not grow with the answer."""
    stream = MarkdownStream()
    for _ in range(20_000 // len(SAMPLE)):
        stream.feed(SAMPLE)
        stream.lines()
    start = time.thread_time()
    for _ in range(50):
        stream.feed("word ")
        stream.lines()
    assert (time.thread_time() - start) / 50 < 0.02
