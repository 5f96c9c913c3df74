"""Rolling backups of the library: owns when one is due and which are kept; the copy itself is left to `storage.copies`.

A backup is named after the time of its making, so the newest sorts last.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from storage.copies import copy

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

KEPT: Final = 10
INTERVAL_MS: Final = 24 * 60 * 60 * 1000
_PREFIX: Final = "library-"
_SUFFIX: Final = ".sqlite"
_STAMP: Final = "%Y%m%dT%H%M%SZ"


def backup(source: sqlite3.Connection, folder: Path, now: int) -> Path | None:
    """Copy the library into `folder` unless there is a backup of the last 24 hours; keep the newest ten.

    `now` in ms, UTC. The new backup's path, or None if none was due. Raises as `storage.copies.copy`.
    """
    if not _is_due(backups(folder), now):
        return None
    target = folder / f"{_PREFIX}{_moment(now).strftime(_STAMP)}{_SUFFIX}"
    copy(source, target)
    for old in backups(folder)[:-KEPT]:
        old.unlink()
    return target


def backups(folder: Path) -> list[Path]:
    """The backups in `folder`, oldest first."""
    return sorted(path for path in folder.glob(f"{_PREFIX}*{_SUFFIX}") if _made(path) is not None)


def _is_due(existing: list[Path], now: int) -> bool:
    """A backup from the future says that the clock was set back, not that this one can wait."""
    made = _made(existing[-1]) if existing else None
    return made is None or not made <= now < made + INTERVAL_MS


def _made(path: Path) -> int | None:
    try:
        stamp = datetime.strptime(path.name, f"{_PREFIX}{_STAMP}{_SUFFIX}").replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(stamp.timestamp() * 1000)


def _moment(now: int) -> datetime:
    return datetime.fromtimestamp(now / 1000, UTC)
