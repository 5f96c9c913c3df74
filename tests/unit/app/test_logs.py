"""Where records go, and how many."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app import logs

if TYPE_CHECKING:
    import pytest

    from app.paths import Paths


def test_logs_go_to_two_files_of_the_owner(places: Paths) -> None:
    """What Hearth does and what the engine says are kept apart, and only the owner reads them."""
    with logs.written(places.logs, "test"):
        logging.getLogger("app.anything").info("about us")
        logs.ENGINE.info("about it")
    ours, engines = places.logs / "test.log", places.logs / "test-engine.log"
    assert "about us" in ours.read_text()
    assert "about it" not in ours.read_text()
    assert engines.read_text() == "about it\n"
    assert ours.stat().st_mode & 0o777 == 0o600


def test_logs_do_not_grow_for_ever(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old records make room for new ones."""
    monkeypatch.setattr(logs, "_BYTES", 1000)
    with logs.written(places.logs, "test"):
        for number in range(200):
            logging.getLogger("app.anything").info("record %d of many", number)
    files = sorted(places.logs.glob("test.log*"))
    assert len(files) == 4
    assert sum(file.stat().st_size for file in files) <= 4000


def test_a_log_that_cannot_be_written_disturbs_nobody(places: Paths) -> None:
    """On a full disk records are lost; no word of it is printed, and what is logged later is written again."""
    script = (
        "import logging, resource; from app import logs, paths\n"
        "def room(size): resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))\n"
        "with logs.written(paths.find().logs, 'test'):\n"
        "    log = logging.getLogger('app.anything')\n"
        "    log.info('before'); room(0); log.info('lost'); room(resource.RLIM_INFINITY); log.info('after'); room(0)\n"
        "    log.info('lost at the end')\n"
    )
    root = Path(__file__).resolve().parents[3]
    ended = subprocess.run([sys.executable, "-c", script], cwd=root, env=os.environ, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
    written = (places.logs / "test.log").read_text()
    assert "before" in written
    assert "after" in written
