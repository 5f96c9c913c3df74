"""Where records go, and how many."""

from __future__ import annotations

import logging
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
