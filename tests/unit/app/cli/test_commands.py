"""The commands of `hearth`: their names, their help, their former spellings, and shell completion."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from app.__main__ import COMMANDS
from app.cli import commands
from tests.fakes import command

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
    """With what stands before it."""
    told = shown(capsys, "--help")
    listed = told.partition("Commands:")[2]
    assert [name for name in sorted(COMMANDS) if f" {name} " in listed] == [
        "ask",
        "cache",
        "macs",
        "models",
        "self-test",
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


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--nonsense"], "No such option: --nonsense (see hearth --help)"),
        (["cache", "export"], "Missing argument 'CHAT' (see hearth cache export --help)"),
        (["chat.md", "--wrong"], "No such command 'chat.md' (see hearth --help)"),
        (["ask", "a", "b"], "Got unexpected extra argument(s) (b) (see hearth ask --help)"),
        (
            ["ask", "--seed", "x"],
            (
                "Invalid value for '--seed': Input should be a valid integer, unable to parse string as an integer"
                " (see hearth ask --help)"
            ),
        ),
        (["cache"], "Missing command (see hearth cache --help)"),
        (
            ["cache", "import", "x"],
            "Missing option '--text-file' (see hearth cache import --help)",
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
