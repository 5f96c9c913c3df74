"""Checks records of the store, a part at a time, so that restores come between the parts. On the I/O thread."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from engine.protocol.cache_messages import CacheChecked
from storage.errors import DamagedRecord

if TYPE_CHECKING:
    from collections.abc import Collection

    from storage.segments.store import SegmentStore

STEP_BYTES: Final = 64 << 20
"""A part ends with the record that reaches so many bytes."""


def check_part(store: SegmentStore, conversation: str, after: str, in_use: Collection[str]) -> CacheChecked:
    """Check the records of a conversation, or of all (""), that follow the record `after`. Damaged ones are refused.
    The last part of all records also erases files that belong to none, except segments `in_use`.
    """
    found = {f"{record.segment}.{record.kind}": record for record in store.index.records(conversation)}
    total = sum(record.bytes for record in found.values())
    damaged: Counter[str] = Counter()
    checked = 0
    for name in sorted(name for name in found if name > after):
        if checked >= STEP_BYTES:
            return CacheChecked(conversation, after, checked, total, dict(damaged))
        try:
            store.check(found[name])
        except DamagedRecord:
            damaged.update(store.index.holders([found[name].segment]))
        checked += found[name].bytes
        after = name
    strays = 0 if conversation else _tidy(store, in_use)
    return CacheChecked(conversation, "", checked, total, dict(damaged), strays)


def _tidy(store: SegmentStore, in_use: Collection[str]) -> int:
    """Make rows and files agree. Returns the number of disagreements."""
    found = store.disagreements()
    if found:
        store.gc(in_use)
    return len(found)
