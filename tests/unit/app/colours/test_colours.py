"""Colours: what the window gets of the process that colours code, whatever a code does to that process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from app.base import program
from app.base.program import Program
from app.colours.colours import Colours
from ui.markdown import highlight
from ui.markdown.highlight import NotColoured, coloured, plain_rows
from ui.markdown.lines import LineKind, lines

PYTHON = "def f():\n    return '\u00e9'  # why"
WAIT_S = 3.0
"""The bound is about a second. Without a process of its own, each code below takes minutes."""
HOSTILE = [("bash", "echo $'" + "\\001" * 40), ("bash", "echo $'" + "\\\\" * 60), ("asymptote", "a a()" + "/**/" * 90)]
"""Codes for which the time of a lexer grows exponentially."""


@pytest.fixture
def colours() -> Iterator[Colours]:
    """The process of the app. It has started."""
    made = Colours(program.colours())
    started(made)
    yield made
    made.close()


def started(colours: Colours) -> None:
    with suppress(NotColoured):
        colours.colour("", "")
    assert colours._has_started.wait(60)


def test_the_window_gets_the_colours(colours: Colours) -> None:
    """As the lexer has them."""
    assert colours.colour(PYTHON, "python") == coloured(PYTHON, "python") != plain_rows(PYTHON)
    assert colours.colour(PYTHON, "no-such-thing") == plain_rows(PYTHON)


@pytest.mark.parametrize(("language", "code"), HOSTILE)
def test_a_hostile_code_holds_no_chat_up(colours: Colours, language: str, code: str) -> None:
    """It froze the window, and again at the next start. It stays plain, and the next code has colours."""
    highlight.install(colours.colour)
    before = time.monotonic()
    found = lines(f"```{language}\n{code}\n```")
    assert time.monotonic() - before < WAIT_S
    assert [line.text for line in found if line.kind is LineKind.CODE] == [code]
    assert lines(f"```{language}\n{code}\n```") == found, "nothing is tried again"
    started(colours)
    assert colours.colour(PYTHON, "python") == coloured(PYTHON, "python")


def test_many_hostile_codes_hold_the_window_up_a_few_times(colours: Colours) -> None:
    """Then all code is plain."""
    language, code = HOSTILE[0]
    for number in range(3):
        assert colours.colour(f"{code}{number}", language) == plain_rows(f"{code}{number}")
        if number < 2:
            started(colours)
    with pytest.raises(NotColoured):
        colours.colour(PYTHON, "python")


def test_an_app_without_its_process_shows_plain_code() -> None:
    """But shows it."""
    highlight.install(Colours(Program("/no/such/program", (), Path("/"))).colour)
    found = lines("```python\nprint('without a process')\n```")
    assert [line.text for line in found if line.kind is LineKind.CODE] == ["print('without a process')"]
