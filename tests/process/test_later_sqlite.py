"""The stores on the SQLite of another Python than this one."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(600)
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="elsewhere no later one is installed beside Python's own, which on a Mac is a later one",
)
def test_the_stores_keep_their_promises_on_a_later_sqlite() -> None:
    """Every test of theirs, those among them that count what SQLite does: it plans queries anew in each version."""
    tests = [sys.executable, "-m", "pytest", "-p", "tests.fakes.later_sqlite", "-p", "no:cacheprovider"]
    done = subprocess.run([*tests, "tests/unit/storage"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert "in the place of" in done.stdout, "the later one was used"
