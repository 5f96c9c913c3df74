"""The commands of `hearth`: their names, their help, their former spellings, and shell completion."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from app.__main__ import COMMANDS
from app.cli import commands, self_test
from app.tour import tour
from tests.fakes import command

if TYPE_CHECKING:
    from pathlib import Path

CACHE_COMMANDS = ("list", "stats", "verify", "gc", "import", "export")


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert commands.main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return " ".join(out.split())


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_each_command_that_the_process_knows_is_there(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`app.__main__` decides by these names without loading typer."""
    assert f"Usage: hearth {name} " in shown(capsys, name, "--help")


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The second half of a tour is missing, because only a tour starts it."""
    told = shown(capsys, "--help")
    listed = told.partition("Commands:")[2]
    assert [name for name in sorted(COMMANDS) if f" {name} " in listed] == [
        "ask",
        "cache",
        "macs",
        "models",
        "self-test",
        "tour",
        "worker",
    ]
    assert "FILE" in told
    assert "HEARTH_HOME" in told
    cache = shown(capsys, "cache", "--help").partition("Commands:")[2]
    assert [name for name in CACHE_COMMANDS if f" {name} " in cache] == list(CACHE_COMMANDS)


@pytest.mark.parametrize("name", CACHE_COMMANDS)
def test_help_of_a_cache_command_explains_its_arguments(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command has a description and takes `--json`."""
    told = shown(capsys, "cache", name, "--help")
    assert told.startswith(f"Usage: hearth cache {name} [OPTIONS]")
    assert "--json Print one object." in told


def test_commands_that_began_as_options_keep_their_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--self-test`, `--tour DIR` and `--tour=DIR` do what the commands of these names do."""
    monkeypatch.setattr(self_test, "run", lambda: 1)
    monkeypatch.setattr(tour, "run", lambda folder: 3 if folder == tmp_path else 4)
    monkeypatch.setattr(tour, "run_again", lambda folder: 5 if folder == tmp_path else 6)
    assert (commands.main(["--self-test"]), commands.main(["self-test"])) == (1, 1)
    assert (commands.main(["--tour", str(tmp_path)]), commands.main([f"--tour={tmp_path}"])) == (3, 3)
    assert commands.main(["--tour-again", str(tmp_path)]) == 5
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--nonsense"], "unrecognized arguments: --nonsense (see hearth --help)"),
        (["tour"], "the following arguments are required: DIR (see hearth tour --help)"),
        (["chat.md", "--wrong"], "argument COMMAND: invalid choice: 'chat.md' (see hearth --help)"),
        (["ask", "a", "b"], "unrecognized arguments: b (see hearth ask --help)"),
        (["ask", "--seed", "x"], "argument --seed: not a valid integer (see hearth ask --help)"),
        (["cache"], "the following arguments are required: COMMAND (see hearth cache --help)"),
        (
            ["cache", "import", "x"],
            "the following arguments are required: --text-file (see hearth cache import --help)",
        ),
    ],
)
def test_what_is_wrong_with_the_arguments_is_one_line(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line goes to stderr and names the help; the status is 2."""
    assert commands.main(arguments) == 2
    assert capsys.readouterr() == ("", f"hearth: {complaint}\n")


@pytest.mark.parametrize(("words", "expected"), [("hearth ca", "cache"), ("hearth cache ver", "verify")])
def test_a_shell_completes_commands(words: str, expected: str) -> None:
    """The shell asks through variables only, so a process without arguments must not open the window."""
    completed = complete("complete_bash", COMP_WORDS=words, COMP_CWORD=str(words.count(" ")))
    assert completed.split() == [expected]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_can_be_shown(shell: str) -> None:
    """The script asks `hearth` by the variable that `app.__main__` looks for."""
    assert "_HEARTH_COMPLETE" in complete(f"source_{shell}")


def complete(instruction: str, **variables: str) -> str:
    """Return the answer of `hearth` to a shell."""
    return subprocess.run(
        [sys.executable, "-m", "app"],
        cwd=command.ROOT,
        env={**os.environ, "_HEARTH_COMPLETE": instruction, **variables},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
