"""Markdown becomes lines."""

from __future__ import annotations

import time

import pytest

from ui.markdown.grammar import clean
from ui.markdown.lines import LineKind, blocks, lines


def shape(text: str) -> list[tuple[LineKind, str, str, str]]:
    return [(line.kind, line.nest, line.marker, line.text) for line in lines(text)]


def test_headings_carry_their_level() -> None:
    """From one to six."""
    assert [(line.kind, line.level) for line in lines("# a\n\n### b")] == [(LineKind.HEADING, 1), (LineKind.HEADING, 3)]


def test_list_items_carry_marker_and_nesting() -> None:
    """Numbers count from the list's start; an inner list is deeper."""
    assert shape("3. a\n4. b\n   - c") == [
        (LineKind.TEXT, "-", "3.", "a"),
        (LineKind.TEXT, "-", "4.", "b"),
        (LineKind.TEXT, "--", "•", "c"),
    ]


def test_list_may_start_at_nought() -> None:
    """Nought is a number too."""
    assert [line.marker for line in lines("0. a\n1. b")] == ["0.", "1."]


def test_second_paragraph_of_an_item_has_no_marker() -> None:
    """The marker stands once."""
    assert shape("- a\n\n  b") == [(LineKind.TEXT, "-", "•", "a"), (LineKind.TEXT, "-", "", "b")]


def test_item_without_text_keeps_its_marker() -> None:
    """An empty item and an item that begins with code show a marker of their own."""
    assert shape("-\n- ```\n  x\n  ```")[:3] == [
        (LineKind.TEXT, "-", "•", ""),
        (LineKind.TEXT, "-", "•", ""),
        (LineKind.CODE_HEAD, "-", "", ""),
    ]


def test_only_tight_items_keep_close() -> None:
    """The first line of a list stands off from what is above; items of a tight list do not."""
    assert [line.tight for line in lines("a\n\n- b\n- c\n- d")] == [False, False, True, True]
    assert [line.tight for line in lines("- b\n\n- c")] == [False, False]


def test_code_block_is_head_rows_and_foot() -> None:
    """Each row of code is one line, all with the block's number."""
    found = lines("```py title\na\n\nb\n```\n\n    c")
    assert [(line.kind, line.text, line.number) for line in found] == [
        (LineKind.CODE_HEAD, "py", 0),
        (LineKind.CODE, "a", 0),
        (LineKind.CODE, "", 0),
        (LineKind.CODE, "b", 0),
        (LineKind.CODE_FOOT, "", 0),
        (LineKind.CODE_HEAD, "", 1),
        (LineKind.CODE, "c", 1),
        (LineKind.CODE_FOOT, "", 1),
    ]


def test_table_holds_rows_and_alignment() -> None:
    """A table is one line with all its cells."""
    (table,) = lines("| a | b |\n|:--|--:|\n| 1 | **2** |\n| 3 |")
    assert [["".join(span.text for span in cell) for cell in row] for row in table.rows] == [
        ["a", "b"],
        ["1", "2"],
        ["3", ""],
    ]
    assert table.aligns == ("left", "right")


def test_quote_and_rule() -> None:
    """Both are lines like others."""
    assert shape("> a\n\n---") == [(LineKind.TEXT, ">", "", "a"), (LineKind.RULE, "", "", "")]


def test_blocks_know_where_they_begin() -> None:
    """The source line of each top-level block is what a stream cuts at."""
    assert [(block.source_line, block.code_count) for block in blocks("a\n\n```\nx\n```\n- b")] == [
        (0, 0),
        (2, 1),
        (5, 0),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\0",
        "\ud800 \udfff",
        "\ufdd0\ufdd1\ufffc\u2029",
        "a\r\nb\r",
        "```",
        "~~~py\nx",
        "|a\n|-",
        "[a]: file:///etc/passwd\n\n[a]",
        "- " * 400 + "x",
        "\u202eabc שלום 👩‍👩‍👧‍👧",
        "&#0; &nbsp; &#xd800; &#xfdd0; &#x2029; &#10; &#xfffc;\n```&#10;\n",
    ],
)
def test_odd_text_never_raises_and_is_printable(text: str) -> None:
    """Whatever a model says, the lines hold nothing that a document cannot."""
    shown = "".join(line.text for line in lines(text))
    assert clean(shown) == shown
    assert "\n" not in shown
    shown.encode()


@pytest.mark.parametrize("text", [">" * 500 + "x", "".join("\n" + "  " * depth + f"- x{depth}" for depth in range(90))])
def test_too_deep_nesting_loses_no_word(text: str) -> None:
    """Where the parser gives up, the source itself is shown."""
    assert "x" + "89" * (len(text) > 600) in "".join(line.text for line in lines(text))


@pytest.mark.parametrize(
    "text",
    ["[" * 30_000, "![" * 15_000, "[a](" * 8_000, "**_" * 8_000, "word " * 20_000, "`" * 50_000],
    ids=["brackets", "images", "links", "emphasis", "words", "ticks"],
)
def test_hostile_text_is_read_in_good_time(text: str) -> None:
    """No text of 50,000 characters takes seconds."""
    start = time.thread_time()
    lines(text)
    assert time.thread_time() - start < 2
