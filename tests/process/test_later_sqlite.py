"""The stores on a newer SQLite than that of this Python."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STORAGE = ROOT / "tests" / "unit" / "storage"
ELSEWHERE = (
    "library/test_archive.py",
    "library/test_attachments.py",
    "library/test_expiry.py",
    "recovery/test_cells.py",
    "recovery/test_pages.py",
    "recovery/test_salvage.py",
    "segments/test_crash.py",
    "segments/test_damage.py",
    "segments/test_environment.py",
    "segments/test_header.py",
    "segments/test_kills.py",
    "segments/test_lock.py",
    "segments/test_rot.py",
    "test_errors.py",
    "test_untrusted.py",
)
"""Tests of files, their format, failing calls and damage, which each version of SQLite treats alike. `make soak` runs
them too.
"""


@pytest.mark.timeout(600)
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="elsewhere no later one is installed beside Python's own, which on a Mac is a later one",
)
def test_the_stores_keep_their_promises_on_a_later_sqlite() -> None:
    """Runs every test that uses SQLite, including those that count its operations, because each version plans queries
    differently.
    """
    assert all((STORAGE / path).is_file() for path in ELSEWHERE)
    options = ["-p", "tests.fakes.later_sqlite", "-p", "no:cacheprovider", "--hypothesis-profile", "brief"]
    command = [sys.executable, "-m", "pytest", *options, *(f"--ignore={STORAGE / path}" for path in ELSEWHERE)]
    done = subprocess.run([*command, str(STORAGE)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert "in the place of" in done.stdout, "the later one was used"
