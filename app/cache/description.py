"""Describes the caches for the settings page. Pure."""

from __future__ import annotations

from typing import Final

from engine.protocol.cache_messages import StoreReport
from resources.language.text import mark, plural, tr
from ui.theme.phrases import size

_DAMAGE: Final = {
    "missing": "missing",
    "not_a_file": mark("not a file"),
    "size": mark("of the wrong size"),
    "header": "unreadable",
    "layout": "unreadable",
    "checksum": "changed",
}


def beside_the_rows(shared: int, deleted: int) -> tuple[str, ...]:
    """Return what the sizes of the listed chats do not include, one sentence a line: the bytes that several chats need,
    and those of deleted chats.
    """
    lines = []
    if shared:
        lines.append(
            tr(
                "Chats that begin alike share {size}. The sizes above do not include this part. It is free again once "
                "all of these chats are cleared.",
                size=size(shared),
            )
        )
    if deleted:
        lines.append(tr("Recently deleted chats take {size} more.", size=size(deleted)))
    return tuple(lines)


def facts(report: StoreReport, limit: str) -> tuple[str, ...]:
    """Return one fact a line. `limit` is the sentence of `disk_limit`, empty if the disk does not limit the caches."""
    lines = [limit] if limit else []
    damaged = sum(report.damaged.values())
    if damaged:
        causes = sorted(report.damaged.items())
        kinds = ", ".join(
            tr("{number} {kind}", number=count, kind=tr(_DAMAGE.get(cause, cause))) for cause, count in causes
        )
        lines.append(
            plural(
                "{count} damaged file put aside, and that part read again: {kinds}.",
                "{count} damaged files put aside, and those parts read again: {kinds}.",
                damaged,
                kinds=kinds,
            )
        )
    if failed := sum(report.failures.values()):
        lines.append(
            plural(
                "Reading or writing what is kept has failed once since the engine started.",
                "Reading or writing what is kept has failed {count} times since the engine started.",
                failed,
            )
        )
    return tuple(lines)


def disk_limit(wanted: int | None, free: int, allowed: int) -> str:
    """Say why the caches may take at most `allowed` bytes if `free` are left on the disk. `wanted` is the user's limit
    (None: Hearth chooses).
    """
    left = size(free)
    if wanted is None and allowed:
        return tr(
            "Only {free} are free on the disk, so ready chats take at most {most}.", free=left, most=size(allowed)
        )
    if wanted is None:
        return tr("Only {free} are free on the disk, so no room is left for ready chats.", free=left)
    if allowed:
        return tr(
            "You allow {wanted}, but only {free} are free on the disk, so ready chats take at most {most}.",
            wanted=size(wanted),
            free=left,
            most=size(allowed),
        )
    return tr(
        "You allow {wanted}, but only {free} are free on the disk, so no room is left for ready chats.",
        wanted=size(wanted),
        free=left,
    )
