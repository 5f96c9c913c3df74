"""The library outlives the kill of whoever writes it. The full form is a part of `make soak`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.copies import PARTIAL
from tests.soak import library_kills

if TYPE_CHECKING:
    from pathlib import Path


def test_what_was_acknowledged_outlives_every_kill(tmp_path: Path) -> None:
    """Twenty-five lives are killed while they type, send, stream, edit, attach and delete; nothing that the library
    had returned is missing, no turn is there by half, and half copies do not pile up.
    """
    seen = library_kills.witness(25, tmp_path)
    assert seen.problems == []
    assert seen.deeds > 25
    unfinished = {path.name.partition(PARTIAL)[0] for path in (tmp_path / "backups").glob(f"*{PARTIAL}*")}
    assert len(unfinished) <= 1
