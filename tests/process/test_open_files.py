"""Hearth under the limits of `ulimit -n`: it answers."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

import pytest

from tests.fakes import command


def asked(model: Path, limits: tuple[int, int]) -> subprocess.CompletedProcess[str]:
    words = ["ask", "--model", str(model), "--temperature", "0", "--max-tokens", "4", "--conversation", "a", "Hi"]
    return command.limited(resource.RLIMIT_NOFILE, limits, *words)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("hard", [64, 4095, None])
def test_an_answer_comes_under_any_usual_limit(model: Path, hard: int | None) -> None:
    """No usual hard limit stops the engine, not even one that is too low to import mlx-lm."""
    highest = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    result = asked(model, (hard, hard) if hard else (256, highest))
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.strip()
