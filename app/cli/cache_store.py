"""`hearth cache list`, `stats`, `verify` and `gc`: opens the segment store, does the work and words the outcome.

This process opens the store, so no engine may have it open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Final

from app.base import locks
from app.base.errors import AlreadyRunning
from app.base.paths import Paths
from app.base.terminal import counted
from app.cli import home
from storage.errors import StorageError
from storage.library.library import Library
from storage.segments.store import SegmentStore
from ui.theme.phrases import size

LOCK_SECONDS: Final = 1.0
_UNSOUND: Final = 1
_FIGURES: Final = ("bytes", "shared_bytes", "segments", "tokens", "pinned")


@dataclass(frozen=True, slots=True)
class CommandOutcome:
    """The outcome of a command: a value for JSON, and lines for people. `sound`: nothing is wrong with the store.
    `signal` is the signal that interrupted it, or 0.
    """

    value: object
    lines: Sequence[str]
    sound: bool = True
    signal: int = 0

    def report(self, *, json: bool) -> int:
        """Print the outcome, and return the exit status: 0, 1 if something is wrong with the store, 128 + N if signal N
        cut it short.
        """
        if self.signal:
            return 128 + self.signal
        home.report(self.value, self.lines, json=json)
        return 0 if self.sound else _UNSOUND


@contextmanager
def alone(places: Paths) -> Iterator[None]:
    """Within the context, no other process uses the caches. Raises AlreadyRunning."""
    lock = locks.take_engine(places, LOCK_SECONDS)
    if lock is None:
        raise AlreadyRunning("Hearth is using the caches. Close it first, or wait until its command has ended.")
    with closing(lock):
        yield


def run(command: str, *, json: bool) -> int:
    """Run `command`: list, stats, verify or gc, which shrinks the store to its quota. Returns as
    `CommandOutcome.report`. Raises AppError, StorageError.
    """
    places = home.prepared()
    quota = home.cache_quota(places, home.saved(places))
    with alone(places), closing(SegmentStore.open(places.segments)) as store:  # looking at it evicts nothing
        match command:
            case "list":
                outcome = _list(store, places)
            case "verify":
                outcome = _verify(store)
            case "gc":
                outcome = _sweep(store, quota)
            case _:
                outcome = _count(store, quota)
    return outcome.report(json=json)


def _list(store: SegmentStore, places: Paths) -> CommandOutcome:
    titles = _titles(places)
    held = store.index.conversations()
    chats = [
        {
            "conversation": one.conversation,
            "title": titles.get(one.conversation, ""),
            **{name: getattr(one, name) for name in _FIGURES},
        }
        for one in held
    ]
    lines = [
        f"{size(one.bytes):>10}  {one.tokens:>9,} tokens  {'pinned' if one.pinned else '':6}  "
        f"{titles.get(one.conversation) or one.conversation}"
        for one in held
    ]
    return CommandOutcome(chats, lines or ["No chat is kept warm."])


def _titles(places: Paths) -> dict[str, str]:
    """Return the titles by conversation. A library that cannot be read does not concern the caches, so it has none."""
    if not places.library_file.is_file():
        return {}
    try:
        with closing(Library.open(places.library_file)) as library:
            return {summary.id: summary.title for summary in library.conversations.listed()}
    except StorageError:
        return {}


def _count(store: SegmentStore, quota: int) -> CommandOutcome:
    """`refused` counts all damaged records so far by cause."""
    found = store.index.stats()
    figures = {
        "bytes": found.bytes,
        "quota_bytes": quota,
        "conversations": found.conversations,
        "segments": found.segments,
        "records": found.records,
        "written_today": found.written_today,
        "refused": dict(found.causes),
    }
    lines = [
        f"{size(found.bytes)} of {size(quota)} held, {size(found.written_today)} written today",
        f"{counted(found.conversations, 'chat')}, {counted(found.records, 'record')}",
        *([f"refused so far: {_causes(found.causes)}"] if found.causes else []),
    ]
    return CommandOutcome(figures, lines)


def _verify(store: SegmentStore) -> CommandOutcome:
    """Count damage that opening the store has just found and repaired as found here."""
    found = store.verify()
    good = sum(record.bytes for record in found.good)
    damaged = dict(Counter(store.damage_at_opening) + found.causes)
    lines = [f"{counted(len(found.good), 'good record')}, {size(good)}"]
    if damaged:
        lines.append(f"damaged and erased: {_causes(damaged)}")
    checked = {"good": len(found.good), "bytes": good, "damaged": damaged}
    return CommandOutcome(checked, lines, sound=not damaged)


def _causes(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {cause}" for cause, number in sorted(counts.items()))


def _sweep(store: SegmentStore, quota: int) -> CommandOutcome:
    before = store.index.stats()
    store.set_quota(quota)
    after = store.index.stats()
    freed, erased = before.bytes - after.bytes, before.records - after.records
    line = f"{size(freed)} freed, {counted(erased, 'record')} erased"
    return CommandOutcome({"bytes": freed, "records": erased}, [line])
