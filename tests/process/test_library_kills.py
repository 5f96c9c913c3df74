"""The library survives the kill of a process that writes it. `make soak` runs a longer form."""

from __future__ import annotations

from pathlib import Path

from storage.copies import PARTIAL
from tests.soak import library_kills


def test_acknowledged_data_survives_every_kill(tmp_path: Path) -> None:
    """Fifteen processes are killed while they type, send, stream, edit, attach and delete. No acknowledged data is
    missing, no turn is incomplete, and unfinished copies do not pile up.
    """
    seen = library_kills.witness(15, tmp_path)
    assert seen.problems == []
    assert seen.deeds > 15
    unfinished = {path.name.partition(PARTIAL)[0] for path in (tmp_path / "backups").glob(f"*{PARTIAL}*")}
    assert len(unfinished) <= 1
