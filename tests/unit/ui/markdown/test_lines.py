"""Markdown as lines."""

from __future__ import annotations

import time

import pytest

from ui.markdown.grammar import clean
from ui.markdown.lines import LineKind, blocks, lines


def shape(text: str) -> list[tuple[LineKind, str, str, str]]:
    return [(line.kind, line.nest, line.marker, line.text) for line in lines(text)]


def test_headings_have_their_level() -> None:
    """Levels are 1 to 6."""
    assert [(line.kind, line.level) for line in lines("# a\n\n### b")] == [(LineKind.HEADING, 1), (LineKind.HEADING, 3)]


def test_list_items_have_marker_and_nesting() -> None:
    """Numbers start at the list's start, and an inner list is nested deeper."""
    assert shape("3. a\n4. b\n   - c") == [
        (LineKind.TEXT, "-", "3.", "a"),
        (LineKind.TEXT, "-", "4.", "b"),
        (LineKind.TEXT, "--", "•", "c"),
    ]


def test_a_list_may_start_at_zero() -> None:
    """Zero is a valid start."""
    assert [line.marker for line in lines("0. a\n1. b")] == ["0.", "1."]


def test_the_second_paragraph_of_an_item_has_no_marker() -> None:
    """The marker is shown once."""
    assert shape("- a\n\n  b") == [(LineKind.TEXT, "-", "•", "a"), (LineKind.TEXT, "-", "", "b")]


def test_an_item_without_text_keeps_its_marker() -> None:
    """An empty item, or one that begins with code, shows its marker on a line of its own."""
    assert shape("-\n- ```\n  x\n  ```")[:3] == [
        (LineKind.TEXT, "-", "•", ""),
        (LineKind.TEXT, "-", "•", ""),
        (LineKind.CODE_HEAD, "-", "", ""),
    ]


def test_only_items_of_tight_lists_are_tight() -> None:
    """The first line of a list is never tight."""
    assert [line.tight for line in lines("a\n\n- b\n- c\n- d")] == [False, False, True, True]
    assert [line.tight for line in lines("- b\n\n- c")] == [False, False]


def test_a_code_block_is_head_rows_and_foot() -> None:
    """Each row of code is one line with the number of its block. Words behind the language name the file."""
    found = lines("```py  app.py\na\n\nb\n```\n\n    c")
    assert [(line.kind, line.text, line.number) for line in found] == [
        (LineKind.CODE_HEAD, "py app.py", 0),
        (LineKind.CODE, "a", 0),
        (LineKind.CODE, "", 0),
        (LineKind.CODE, "b", 0),
        (LineKind.CODE_FOOT, "", 0),
        (LineKind.CODE_HEAD, "", 1),
        (LineKind.CODE, "c", 1),
        (LineKind.CODE_FOOT, "", 1),
    ]


@pytest.mark.parametrize("language", ["mermaid", "SVG"])
def test_a_drawing_is_shown_as_code(language: str) -> None:
    """Nothing that a model wrote is run, and the card says so."""
    head, code, _foot = lines(f"```{language}\ngraph TD; A --> B\n```")
    assert (head.text, code.text) == (f"{language} · shown as code", "graph TD; A --> B")


def test_a_table_holds_rows_and_alignment() -> None:
    """Each row is a line with all cells of it, and the table has a foot."""
    *rows, foot = lines("| a | b |\n|:--|--:|\n| 1 | **2** |\n| 3 |")
    assert [["".join(span.text for span in cell) for row in line.rows for cell in row] for line in rows] == [
        ["a", "b"],
        ["1", "2"],
        ["3", ""],
    ]
    assert [line.number for line in rows] == [0, 1, 2]
    assert {line.aligns for line in rows} == {("left", "right")}
    assert foot.kind is LineKind.TABLE_FOOT


def test_quotes_and_rules_are_lines() -> None:
    """A quote nests its lines, and a rule is a line."""
    assert shape("> a\n\n---") == [(LineKind.TEXT, ">", "", "a"), (LineKind.RULE, "", "", "")]


def test_blocks_have_their_source_line() -> None:
    """A stream freezes blocks by their source lines."""
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
def test_any_text_becomes_printable_lines(text: str) -> None:
    """No text raises, and no line holds a character that a document cannot hold."""
    shown = "".join(line.text for line in lines(text))
    assert clean(shown) == shown
    assert "\n" not in shown
    shown.encode()


@pytest.mark.parametrize("text", [">" * 500 + "x", "".join("\n" + "  " * depth + f"- x{depth}" for depth in range(90))])
def test_too_deep_nesting_loses_no_text(text: str) -> None:
    """The source is shown instead if the parser gives up."""
    assert "x" + "89" * (len(text) > 600) in "".join(line.text for line in lines(text))


@pytest.mark.parametrize(
    "text",
    ["[" * 30_000, "![" * 15_000, "[a](" * 8_000, "**_" * 8_000, "word " * 20_000, "`" * 50_000],
    ids=["brackets", "images", "links", "emphasis", "words", "ticks"],
)
def test_hostile_text_is_parsed_in_time(text: str) -> None:
    """No text of 50,000 characters takes seconds."""
    start = time.thread_time()
    lines(text)
    assert time.thread_time() - start < 2
