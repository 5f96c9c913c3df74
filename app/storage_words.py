"""What the caches are, in words. Owns the sentences of the settings; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ui.phrases import counted, size

if TYPE_CHECKING:
    from engine.protocol import StoreReport

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


def facts(report: StoreReport, wanted: int | None, allowed: int) -> tuple[str, ...]:
    """One fact a line. `wanted` is what the user allows (None: left to Hearth), `allowed` what that came to."""
    lines = [f"{counted(report.records, 'record')} of {counted(report.conversations, 'chat')}."]
    if wanted is not None and allowed < wanted:
        lines.append(f"You allow {size(wanted)}, but the last room on the disk is left free.")
    damaged = sum(report.damaged.values())
    if damaged:
        kinds = ", ".join(f"{count} {_DAMAGE.get(cause, cause)}" for cause, count in sorted(report.damaged.items()))
        lines.append(f"{counted(damaged, 'record')} refused and read again instead: {kinds}.")
    return tuple(lines)
