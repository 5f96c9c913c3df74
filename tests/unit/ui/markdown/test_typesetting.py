"""Formulas as pictures."""

from __future__ import annotations

import time

import pytest

from ui.markdown.typesetting import INK, SIZE, typeset

DRAWN = [
    r"$x$",
    r"$\frac{a}{b}$",
    r"\(\int_0^1 x^2\,dx\)",
    r"\[\sum_{n=1}^\infty \frac{1}{n^2} = \frac{\pi^2}{6}\]",
    r"$$\begin{pmatrix} a & b \\ c & d \end{pmatrix}$$",
    r"$$\begin{pmatrix} a & b \\ c & d \end{pmatrix}^{-1} = \begin{vmatrix} a \end{vmatrix}_2$$",
    r"\begin{align*} a &= b \\ &= c \end{align*}",
    r"\begin{equation}\label{e} x<y>z \tag{1} \end{equation}",
    r"$\begin{cases} 1 & \text{if } x > 0 \\ 0 & \text{otherwise} \end{cases}$",
    r"$\mathbb{R}^n \to \mathcal{L}(\vec v)$",
    "$$a\u2028= b$$",
]
REFUSED = [
    r"$\frac{a$",
    r"$\def\a{\a\a}\a$",
    r"$\newcommand{\a}{\a} \a$",
    r"$\input{/etc/passwd}$",
    r"$\includegraphics{x.png}$",
    "$$",
    "$$ $$",
    "$" + "x" * 1_300 + "$",
    "$" + r"\sqrt{" * 23 + "x" + "}" * 23 + "$",
    "$" + r"\left(" * 40 + "x" + r"\right)" * 40 + "$",
    "$" + "{" * 200 + "$",
]
ENDLESS = [
    r"$\left(\rule{1em}{1000000em}\right)$",
    r"$\sqrt{\rule{1em}{1000000000em}}$",
    r"$\overbrace{\hspace{1000000em}}$",
    r"$\underbrace{\kern 1000000em x}$",
    "$" + r"\vphantom{" * 6 + "x" + "}" * 6 + "$",
    "$" + r"\phantom" * 20 + "x$",
    "$" + r"\matrix*" * 20 + "x$",
]


@pytest.mark.parametrize("source", DRAWN)
def test_a_formula_becomes_a_picture(source: str) -> None:
    """The picture has a size and a baseline, is drawn in ink, and is SVG that Qt can draw."""
    picture = typeset(source, inline=True)
    assert picture is not None
    assert picture.width > 0
    assert picture.ascent > 0
    assert INK in picture.svg
    assert "<use" not in picture.svg
    assert "<symbol" not in picture.svg


def test_a_fraction_in_a_line_is_smaller() -> None:
    """A display formula has room for large fractions."""
    small, large = typeset(r"$\frac{a}{b}$", inline=True), typeset(r"$\frac{a}{b}$", inline=False)
    assert small is not None
    assert large is not None
    assert small.ascent + small.descent < large.ascent + large.descent


def test_a_condition_stands_apart_from_its_case() -> None:
    """More than the columns of a matrix do, as in TeX. An escaped sign is a letter."""
    rows = r"x & y > 0 \\ \& & z"
    cases = typeset(rf"$\begin{{cases}} {rows} \end{{cases}}$", inline=False)
    matrix = typeset(rf"$\left\{{\begin{{matrix}} {rows} \end{{matrix}}\right.$", inline=False)
    assert cases is not None
    assert matrix is not None
    assert cases.width > matrix.width + SIZE / 3


def test_equation_numbers_are_left_out() -> None:
    """A picture has no page at whose edge a number could stand."""
    one, other = typeset(r"\begin{align} a \tag{7} \end{align}", inline=False), typeset(r"$$a$$", inline=False)
    assert one is not None
    assert other is not None
    assert abs(one.width - other.width) < 2


@pytest.mark.parametrize("source", REFUSED)
def test_other_formulas_are_refused_in_time(source: str) -> None:
    """Broken, huge and self-defining TeX takes no time."""
    start = time.thread_time()
    assert typeset(source, inline=True) is None
    assert time.thread_time() - start < 1


@pytest.mark.parametrize("source", ENDLESS)
def test_a_formula_that_would_be_drawn_for_ever_is_refused(source: str) -> None:
    """A few signs that ask for a bracket of any height, or for what is drawn many times, do not hold other formulas
    up, nor a print that waits for them.
    """
    start = time.thread_time()
    assert typeset(source, inline=False) is None
    assert time.thread_time() - start < 3
