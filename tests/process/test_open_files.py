"""Hearth under the limits of `ulimit -n`: it answers, or one sentence says why it cannot."""

from __future__ import annotations

import resource
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.fakes import command

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path


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


def test_a_limit_too_low_for_a_model_is_reported(model: Path, tmp_path: Path) -> None:
    """One sentence gives the figures and the remedy. The engine does not restart again and again."""
    folder = tmp_path / "model"
    shutil.copytree(model, folder)
    for number in range(40):
        (folder / f"model-{number}.safetensors").hardlink_to(folder / "model.safetensors")
    result = asked(folder, (64, 64))
    assert result.returncode == 2
    assert result.stderr == (
        "hearth: model cannot be loaded. It has 41 weight files, and this system lets Hearth open only 64 files at "
        "once. Raise the limit of open files (ulimit -n) and start Hearth again, or pick a smaller model.\n"
    )
