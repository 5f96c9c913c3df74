"""The lock files of the window and the engine."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QLockFile

from app.base import locks
from app.base.errors import FolderRefused
from app.base.paths import Paths


def test_one_window_and_one_engine(places: Paths) -> None:
    """Each lock has one holder, and is free after its release. The two do not exclude each other."""
    window, engine = locks.take_window(places, 0.0), locks.take_engine(places, 0.0)
    assert window is not None
    assert engine is not None
    assert locks.take_window(places, 0.0) is None
    assert locks.take_engine(places, 0.0) is None
    window.close()
    again = locks.take_window(places, 0.0)
    assert again is not None
    again.close()
    engine.close()


def test_lock_of_a_dead_process_is_free(places: Paths) -> None:
    """After a crash the lock can be taken."""
    script = (
        "import os, signal; from app.base import locks, paths;"
        "lock = locks.take_window(paths.find(), 0.0); print(lock is not None, flush=True);"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    root = Path(__file__).resolve().parents[4]
    dead = subprocess.run([sys.executable, "-c", script], cwd=root, env=os.environ, capture_output=True, check=False)
    assert dead.stdout.strip() == b"True"
    lock = locks.take_window(places, 0.0)
    assert lock is not None
    lock.close()


def test_a_lock_of_qt_counts(places: Paths) -> None:
    """It locks the same file in the same way."""
    qt = QLockFile(str(places.data / "window.lock"))
    assert qt.lock()
    assert locks.take_window(places, 0.0) is None
    qt.unlock()
    lock = locks.take_window(places, 0.0)
    assert lock is not None
    lock.close()


def test_a_lock_is_waited_for(places: Paths) -> None:
    """The holder may be ending just now."""
    before = locks.take_window(places, 0.0)
    assert before is not None
    threading.Timer(0.1, before.close).start()
    lock = locks.take_window(places, 10.0)
    assert lock is not None
    lock.close()


def test_a_lock_file_that_cannot_be_made_is_reported(places: Paths) -> None:
    """If the lock file cannot be made, the error names the folder and does not claim that another process
    has the lock.
    """
    (places.data / "engine.lock").mkdir()
    with pytest.raises(FolderRefused, match=re.escape(str(places.data))):
        locks.take_engine(places, 0.0)


def test_the_reason_why_a_lock_cannot_be_taken_is_reported(places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of a full disk says that the disk is full."""

    def full(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (places.data / "engine.lock").mkdir()
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    with pytest.raises(FolderRefused, match="No space left on device"):
        locks.take_engine(places, 0.0)
