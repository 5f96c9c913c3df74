"""Lines on the terminal."""

from __future__ import annotations

import pytest

from app.base import terminal
from app.base.terminal import complain, plain, write, write_lines


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "?[31mred"),
        ("\x9b2J\x07", "?2J?"),
        ("a\u202eb\u2066c\u200f", "a?b?c?"),
        ("one\r\ntwo\tthree", "one two three"),
        ("\u2028", "?"),
        ("Größe · 4-bit 👩\u200d💻", "Größe · 4-bit 👩\u200d💻"),
    ],
)
def test_only_what_commands_a_terminal_is_replaced(text: str, shown: str) -> None:
    """All other text stays as it is."""
    assert plain(text) == shown


def test_what_a_person_reads_is_plain(capfd: pytest.CaptureFixture[str]) -> None:
    """On both streams. A complaint is one line, whatever it quotes."""
    complain("its template says \x1b[31m\nhearth: all is well")
    write_lines(["a\x1b", "b"])
    assert capfd.readouterr() == ("a?\nb\n", "hearth: its template says ?[31m hearth: all is well\n")


@pytest.mark.parametrize("is_terminal", [True, False])
def test_an_answer_commands_no_terminal(
    is_terminal: bool,  # noqa: FBT001 - a test's case
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A file gets every character as it is."""
    monkeypatch.setattr(terminal, "is_screen", lambda: is_terminal)
    hostile = "a\x1b]0;title\x07b\x9b2J\rc\n\td\u200fe"
    write(hostile)
    assert capfd.readouterr().out == ("a?]0;title?b?2J?c\n\td\u200fe" if is_terminal else hostile)
