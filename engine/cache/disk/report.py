"""What the app asks of the store: its figures, its sizes, and a check of its records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from engine.cache.disk.io_thread import Failure
from engine.protocol.cache_messages import CacheChecked, CacheSize, CacheSizes, StoreReport
from storage.errors import Problem
from storage.segments.records import Holding, Stats
from storage.segments.store import SegmentStore

OVER_ONCE_OPEN = frozenset(
    problem.value for problem in (Problem.VANISHED, Problem.LOCKED, Problem.IN_THE_WAY, Problem.IO)
)
"""Codes of trouble that ends when the store can be opened and read. Other trouble ends with the next successful write.
"""

REFUSALS = frozenset({Problem.DISK_FULL, Problem.READ_ONLY, Problem.PERMISSION, Problem.IO})
"""Codes of trouble of a disk that is there, and erases nothing."""

STEP_BYTES = 64 << 20
"""A part ends with the record that reaches so many bytes."""

_NAN = "nan"


def figures(store: SegmentStore) -> tuple[Stats, int]:
    """The current figures, and the quota in bytes. On the I/O thread."""
    return store.index.stats(), store.quota_bytes


def report(
    now: tuple[Stats, int] | Failure,
    quota: int,
    trouble: Failure | None,
    refused: int,
    failures: Mapping[str, int],
) -> StoreReport:
    """The report to the app. `quota` stands for that of a store which cannot be read.

    `refused` counts the turns of this run that were not kept because of a NaN, `failures` the failed jobs by code.
    """
    code, words = (trouble.code, trouble.message) if trouble else ("", "")
    if isinstance(now, Failure):
        return StoreReport(0, quota, 0, 0, _counted({}, refused), words, code, dict(failures))
    stats, quota = now
    return StoreReport(
        held_bytes=stats.bytes,
        quota_bytes=quota,
        conversations=stats.conversations,
        records=stats.records,
        damaged=_counted(dict(stats.causes), refused),
        trouble=words,
        code=code,
        failures=dict(failures),
        identities={name: tuple(chats) for name, chats in stats.identities.items()},
    )


def cache_sizes(store: SegmentStore, conversation: str) -> CacheSizes:
    """What the store holds of a conversation, or of all (""). On the I/O thread."""
    sizes = tuple(map(_size, store.index.conversations(conversation)))
    return CacheSizes(conversation, sizes, 0 if conversation else store.index.stats().shared_bytes)


def _size(held: Holding) -> CacheSize:
    return CacheSize(held.conversation, held.bytes, held.tokens, held.used, held.shared_bytes)


def _counted(causes: dict[str, int], refused: int) -> dict[str, int]:
    return causes | {_NAN: refused} if refused else causes


def check_part(store: SegmentStore, after: str) -> CacheChecked:
    """Check the records that follow the record `after`: a part at a time, so that restores come between the parts.
    Damaged ones are refused, and the last part also makes rows and files agree. On the I/O thread.
    """
    found = store.verify(after, STEP_BYTES)
    damaged = Counter(chat for record, _ in found.damaged for chat in store.index.holders([record.segment]))
    wrong = () if found.after else store.reconcile()
    checked = sum(record.bytes for record in found.good)
    return CacheChecked(found.after, checked, found.total, dict(damaged), len(wrong))
