"""The limit of open files. The test uses processes of its own, because a lowered limit cannot be raised again."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from tests.fakes.command import ROOT

HIGHEST = resource.getrlimit(resource.RLIMIT_NOFILE)[1]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("hard", [64, 4095, HIGHEST])
def test_the_import_of_mlx_lm_raises_the_soft_limit_alone(hard: int) -> None:
    """Without our guard, it raises ValueError below 4,096, and lowers a hard limit above 4,096 for good."""
    code = (
        "import resource; from engine.process.open_files import *; own = resource.setrlimit\n"
        f"own(resource.RLIMIT_NOFILE, (48, {hard}))\nwith hard_limit_kept():\n    import mlx_lm\n"
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE)); assert resource.setrlimit is own"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, [str(min(2048, hard)), str(hard)]), done.stderr
