"""Hearth under `ulimit -f 0`, which lets no file grow: one sentence says so."""

from __future__ import annotations

import resource

import pytest

from tests.fakes import command

FOLDER = "the system lets it write no larger file (see ulimit -f).\n"
LIBRARY = "hearth: The system lets Hearth write no larger file (see ulimit -f, or the format of the disk).\n"


@pytest.mark.parametrize(
    ("words", "end"), [(("ask", "--conversation", "a", "Hi"), FOLDER), (("cache", "list"), LIBRARY)]
)
def test_a_command_that_can_write_no_file_says_so(words: tuple[str, ...], end: str) -> None:
    """On stderr, in one line, and with the status of an error."""
    result = command.limited(resource.RLIMIT_FSIZE, (0, 0), *words)
    assert result.returncode == 2
    assert result.stderr.startswith("hearth: ")
    assert result.stderr.endswith(end)
    assert result.stderr.count("\n") == 1
