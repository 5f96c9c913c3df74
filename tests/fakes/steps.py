"""What a call costs SQLite, whatever the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.library.library import Library
    from storage.segments.store import SegmentStore


def steps(store: Library | SegmentStore, act: Callable[[], object]) -> int:
    """Hundreds of steps of SQLite's machine that `act` takes, where each row read is a few steps."""
    taken = 0
    raw = store._database.raw

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    raw.set_progress_handler(count, 100)
    try:
        act()
    finally:
        raw.set_progress_handler(None, 0)
    return taken
