"""Describes the caches for the settings page. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ui.theme.phrases import counted, size

if TYPE_CHECKING:
    from engine.protocol.messages import StoreReport

_DAMAGE: Final = {
    "missing": "missing",
    "not_a_file": "not a file",
    "size": "of the wrong size",
    "header": "unreadable",
    "layout": "unreadable",
    "schema": "of an older format",
    "foreign": "of another chat or model",
    "checksum": "changed",
}


def facts(report: StoreReport, limit: str) -> tuple[str, ...]:
    """Return one fact a line. `limit` is the sentence of `disk_limit`, empty if the disk does not limit the caches."""
    lines = [limit] if limit else []
    damaged = sum(report.damaged.values())
    if damaged:
        kinds = ", ".join(f"{count} {_DAMAGE.get(cause, cause)}" for cause, count in sorted(report.damaged.items()))
        lines.append(f"{counted(damaged, 'damaged file')} put aside, and those parts read again: {kinds}.")
    if failed := sum(report.failures.values()):
        lines.append(f"Reading or writing what is kept has failed {counted(failed, 'time')} since the engine started.")
    return tuple(lines)


def disk_limit(wanted: int | None, free: int, allowed: int) -> str:
    """Say why the caches may take at most `allowed` bytes if `free` are left on the disk. `wanted` is the user's limit
    (None: Hearth chooses).
    """
    outcome = f"ready chats take at most {size(allowed)}" if allowed else "no room is left for them"
    disk = f"only {size(free)} are free on the disk, so {outcome}."
    return f"O{disk[1:]}" if wanted is None else f"You allow {size(wanted)}, but {disk}"
