"""TeX formulas in Markdown."""

from __future__ import annotations

import time

import hypothesis.strategies as st
import pytest
from hypothesis import given

from ui.markdown.formulas import is_formula
from ui.markdown.lines import LineKind, lines
from ui.markdown.spans import BREAK, FormulaLook
from ui.markdown.stream import MarkdownStream


def shape(text: str) -> list[tuple[LineKind, str]]:
    return [(line.kind, line.text.replace(BREAK, "\n")) for line in lines(text)]


def formulas(text: str) -> list[tuple[str, FormulaLook]]:
    spans = [span for line in lines(text) for span in (*line.spans, *(s for row in line.rows for c in row for s in c))]
    return [(span.text.replace(BREAK, "\n"), span.style.formula) for span in spans if span.style.formula]


INLINE = [r"\(a\,b\\c\)", r"$x_1*y*z$", r"\( \frac{a}{b} \)", r"$\{a\}$", "$5$", r"$E = mc^2$", r"$\text{if } x$"]
DISPLAY = [
    "$$\\int_0^1 x^2\\,dx$$",
    "\\[\na\n= b\n- c\n\n# d\n> e\n\\]",
    "$$\nx\n$$",
    "\\begin{aligned}\na &= b \\\\\n&= c\n\\end{aligned}",
    "\\begin{a}\\begin{b}x\\end{b}\\end{a}",
    r"\[a\\[2pt] b\]",
]
PLAIN = [
    "$5 and $6",
    "It costs $5, or 5$ there",
    "cost $5 (or 5$)",
    "from $5k to $10k",
    "$5-$6",
    "$HOME/bin and $PATH",
    "a$b$c",
    "$ a $",
    "use `$x` and `$y`",
    "$HOME is set or unset as PATH$",
]


@pytest.mark.parametrize("source", INLINE)
def test_a_formula_in_a_sentence_keeps_its_source(source: str) -> None:
    """No escape and no emphasis of Markdown applies inside."""
    assert formulas(f"Let {source} be, **and** so on.") == [(source, FormulaLook.INLINE)]
    assert is_formula(source)


@pytest.mark.parametrize("source", DISPLAY)
def test_a_display_formula_is_a_line(source: str) -> None:
    """Blank lines, dashes, hashes and brackets inside begin no block of Markdown."""
    assert shape(f"Words\n{source}\nmore") == [
        (LineKind.TEXT, "Words"),
        (LineKind.MATH, source),
        (LineKind.TEXT, "more"),
    ]
    assert shape(source) == [(LineKind.MATH, source)]


@pytest.mark.parametrize("text", PLAIN)
def test_prices_and_shell_variables_stay_text(text: str) -> None:
    """A dollar is not always a delimiter."""
    assert formulas(text) == []
    assert "".join(line.text for line in lines(text)) == text.replace("`", "")


def test_a_display_formula_in_a_sentence_splits_it() -> None:
    """The words before and after it stay."""
    assert shape(r"See \[x\] there") == [(LineKind.TEXT, "See"), (LineKind.MATH, r"\[x\]"), (LineKind.TEXT, "there")]
    assert shape("$$\nx\n$$ so **it** is") == [(LineKind.MATH, "$$\nx\n$$"), (LineKind.TEXT, "so it is")]
    assert shape("$$x$$.") == [(LineKind.MATH, "$$x$$.")]


def test_formulas_stand_in_lists_quotes_and_tables() -> None:
    """Their source has neither the indent of the list nor the marks of the quote."""
    assert formulas("- a\n  \\[\n  x\n  \\]\n- $b$") == [
        ("\\[\nx\n\\]", FormulaLook.DISPLAY),
        ("$b$", FormulaLook.INLINE),
    ]
    assert formulas("> $$\n> x\n> $$") == [("$$\nx\n$$", FormulaLook.DISPLAY)]
    assert formulas("| a |\n|---|\n| $x_1$ |") == [("$x_1$", FormulaLook.INLINE)]


def test_code_is_not_a_formula() -> None:
    """Code shows the TeX as it is."""
    assert formulas("`$x$` and `\\(y\\)`\n\n```\n$$\nx\n$$\n```\n\n    \\[x\\]") == []


@pytest.mark.parametrize("text", [r"a \(b, \*c\*", r"\[a", r"\begin{a}x\end{b}"])
def test_a_delimiter_without_an_end_stays(text: str) -> None:
    """Markdown would drop the backslash."""
    assert formulas(text) == []
    assert lines(text)[0].text.startswith(text[:4])


@pytest.mark.parametrize("source", [*INLINE, *DISPLAY])
def test_an_open_formula_shows_its_source(source: str) -> None:
    """While the end is missing, TeX is neither parsed as Markdown nor changed."""
    for end in range(3, len(source)):
        text = "".join(line.text for line in MarkdownStream(source[:end]).lines()).replace(BREAK, "\n")
        assert source.startswith(text) or text.startswith(source[:end])


TEX = st.text(st.sampled_from("ab1 \\{}^_*&=+-,.()[]\n#>`|~"), min_size=1, max_size=40)


@given(TEX.filter(lambda tex: is_formula(f"\\[{tex}\\]")), st.sampled_from(["", "Words.\n\n", "Words\n"]))
def test_any_display_formula_survives(tex: str, before: str) -> None:
    """Any source between the brackets comes out as it went in."""
    assert (f"\\[{tex}\\]", FormulaLook.DISPLAY) in formulas(f"{before}\\[{tex}\\]\n\nAfter.")


@pytest.mark.parametrize(
    "text",
    ["$" * 30_000, "\\[\n" * 10_000, "\\( " * 15_000, "\\begin{a}\n" * 5_000, "$a " * 15_000, "$$a\n\n" * 8_000],
    ids=["dollars", "brackets", "round", "environments", "words", "doubled"],
)
def test_hostile_formulas_are_parsed_in_time(text: str) -> None:
    """No text of 50,000 characters takes seconds."""
    start = time.thread_time()
    lines(text)
    MarkdownStream(text).lines()
    assert time.thread_time() - start < 4
