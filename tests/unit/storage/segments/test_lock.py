"""The lock between processes."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from storage.folders import locked

if TYPE_CHECKING:
    from pathlib import Path


def test_the_lock_is_held_once_and_free_again_when_closed(tmp_path: Path) -> None:
    """A second holder is refused at once; after the first closes, the lock is free."""
    with closing(locked(tmp_path / "lock")), pytest.raises(BlockingIOError):
        locked(tmp_path / "lock")
    with closing(locked(tmp_path / "lock")) as lock:
        assert not lock.closed
    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600
