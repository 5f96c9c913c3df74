"""The stores on a newer SQLite than that of this Python."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STORAGE = ROOT / "tests" / "unit" / "storage"
PLANNED = (
    "library/test_pages.py",
    "library/test_search.py",
    "library/test_search_in_files.py",
    "segments/test_eviction.py",
    "segments/test_growth.py",
    "segments/test_store.py",
    "test_database.py",
)
"""Tests of searches and of the number of operations, because each version plans queries differently. One case of each
runs here. `make soak` runs all tests of the stores.
"""


@pytest.mark.timeout(600)
@pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64",
    reason="elsewhere no later one is installed beside Python's own, which on a Mac is a later one",
)
def test_the_stores_keep_their_promises_on_a_later_sqlite() -> None:
    """Searches find the same, and no operation grows faster than on the SQLite of this Python."""
    options = ["-p", "tests.fakes.later_sqlite", "-p", "no:cacheprovider", "--quick", "--hypothesis-profile", "brief"]
    command = [sys.executable, "-m", "pytest", *options, *(str(STORAGE / path) for path in PLANNED)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert "in the place of" in done.stdout, "the later one was used"
