"""The stores on the SQLite of another Python than this one."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITHOUT_SQLITE = ("segments/test_header.py", "segments/test_lock.py", "segments/test_kills.py")
"""Tests of files alone, and the kills of a process: what SQLite makes of a kill is in `test_crash`."""


@pytest.mark.timeout(600)
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="elsewhere no later one is installed beside Python's own, which on a Mac is a later one",
)
def test_the_stores_keep_their_promises_on_a_later_sqlite() -> None:
    """Every test that reaches SQLite, those among them that count what it does: it plans queries anew in each version.

    Properties were tried with all of their examples before; here they are tried with a few.
    """
    options = ["-p", "tests.fakes.later_sqlite", "-p", "no:cacheprovider", "--hypothesis-profile", "brief"]
    apart = [f"--ignore=tests/unit/storage/{path}" for path in WITHOUT_SQLITE]
    tests = [sys.executable, "-m", "pytest", *options, *apart, "tests/unit/storage"]
    done = subprocess.run(tests, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert "in the place of" in done.stdout, "the later one was used"
