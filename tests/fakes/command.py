"""Runs the command line as a user does: in its own process, on the test's home, with a tiny model."""

from __future__ import annotations

import json
import os
import pty
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def hearth(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run `hearth ARGUMENTS` to its end."""
    return subprocess.run(
        command(*arguments), cwd=ROOT, input=stdin, capture_output=True, text=True, timeout=60, check=False
    )


def limited(limit: int, values: tuple[int, int], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `hearth ARGUMENTS` to its end, under a soft and a hard limit of the system (`resource.RLIMIT_...`)."""
    return subprocess.run(
        command(*arguments),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        preexec_fn=partial(resource.setrlimit, limit, values),
    )


class Talk:
    """`hearth ARGUMENTS` on a terminal of its own, so that words arrive as they are generated."""

    def __init__(self, *arguments: str) -> None:
        self._screen, terminal = pty.openpty()
        self._said = b""
        self.process = subprocess.Popen(
            command(*arguments), cwd=ROOT, stdout=terminal, stderr=subprocess.PIPE, start_new_session=True
        )
        os.close(terminal)

    def first_words(self) -> None:
        """Wait for them."""
        self._said += os.read(self._screen, 1000)

    def end(self) -> tuple[str, str]:
        """Wait for the end. Returns what was written to stdout and to stderr."""
        while piece := self._read():
            self._said += piece
        os.close(self._screen)
        _, complaint = self.process.communicate(timeout=60)
        return self._said.decode("utf-8", "replace").replace("\r\n", "\n"), complaint.decode()

    def _read(self) -> bytes:
        try:
            return os.read(self._screen, 4096)
        except OSError:  # Linux reports a closed terminal this way
            return b""


def command(*arguments: str) -> list[str]:
    """The command and its arguments."""
    return [sys.executable, "-m", "app", *arguments]


def ask(model: Path, conversation: str, prompt: str, *options: str) -> dict[str, Any]:
    """The object that `hearth ask --json` prints, for a short greedy answer."""
    result = hearth(
        "ask", "--json", "--model", str(model), "--temperature", "0", "--max-tokens", "16",
        "--conversation", conversation, *options, prompt,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def batch(model: Path, file: Path, lines: list[tuple[str, str]], *options: str) -> list[dict[str, Any]]:
    """The objects that `hearth ask --batch` prints for (conversation, prompt) lines."""
    file.write_text("".join(json.dumps({"conversation": name, "prompt": prompt}) + "\n" for name, prompt in lines))
    result = hearth(
        "ask", "--model", str(model), "--temperature", "0", "--max-tokens", "16", *options, "--batch", str(file)
    )
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]
