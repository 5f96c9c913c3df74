"""Eviction: owns in which order segments give up their space. Pure; doing it is left to `storage.segments.store`.

The conversation that was used longest ago goes first. Of one conversation, checkpoints inside the chain go first (at
distances that double one stays, so that every cut leaves a shorter prefix that can be restored), then whole segments
from the end.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored segment. `used` grows with every use of any segment; `records` are bytes by kind."""

    key: str
    parent: str | None
    used: int
    records: Mapping[str, int]
    in_use: bool = False


@dataclass(frozen=True, slots=True)
class Victim:
    """Records to erase, `bytes` together; with `whole` the segment itself goes too."""

    key: str
    kinds: tuple[str, ...]
    whole: bool
    bytes: int


def plan(entries: Iterable[Entry], excess: int) -> tuple[Victim, ...]:
    """The first victims in order that free at least `excess` bytes; all of them if even those do not."""
    chosen: list[Victim] = []
    for victim in order(entries):
        if excess <= 0:
            break
        chosen.append(victim)
        excess -= victim.bytes
    return tuple(chosen)


def order(entries: Iterable[Entry]) -> Iterator[Victim]:
    """Everything that may be evicted, first to last. A parent comes after its children; nothing in use comes at all."""
    forest = _Forest(entries)
    tips = [(forest.entries[key].used, key) for key in forest.leaves() if not forest.entries[key].in_use]
    heapify(tips)
    begun: set[str] = set()
    while tips:
        _, key = heappop(tips)
        if key not in begun:
            yield from forest.thin(key)
        parent = forest.parent(key)
        yield forest.cut(key)
        if parent and not forest.children[parent] and not forest.entries[parent].in_use:
            begun.add(parent)
            heappush(tips, (forest.entries[parent].used, parent))
    for key in forest.leaves():
        yield from forest.thin(key)


class _Forest:
    """What is left while the order is being told."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = {entry.key: entry for entry in entries}
        self.records = {key: dict(entry.records) for key, entry in self.entries.items()}
        self.children: defaultdict[str, set[str]] = defaultdict(set)
        for key in self.entries:
            if parent := self.parent(key):
                self.children[parent].add(key)

    def parent(self, key: str) -> str | None:
        """The parent, if it is stored."""
        parent = self.entries[key].parent
        return parent if parent in self.entries else None

    def leaves(self) -> list[str]:
        """Segments that nothing follows, in the order of their keys."""
        return sorted(key for key in self.entries if not self.children[key])

    def cut(self, key: str) -> Victim:
        """Remove the segment, which is a leaf."""
        records = self.records.pop(key)
        if parent := self.parent(key):
            self.children[parent].discard(key)
        del self.entries[key]
        return Victim(key, tuple(records), whole=True, bytes=sum(records.values()))

    def thin(self, tip: str) -> Sequence[Victim]:
        """Remove checkpoints of the chain below `tip` that no other chain shares, the oldest first.

        Those 1, 2, 4, 8, ... checkpoints before the tip stay, and the one at the root.
        """
        inside = [key for key in self._alone_before(tip) if "state" in self.records[key]]
        spare = [key for distance, key in enumerate(inside, start=1) if distance & (distance - 1)]
        return [self._without_state(key) for key in reversed(spare) if self._is_spare(key)]

    def _alone_before(self, tip: str) -> Iterator[str]:
        key = self.parent(tip)
        while key and len(self.children[key]) == 1:
            yield key
            key = self.parent(key)

    def _is_spare(self, key: str) -> bool:
        return self.parent(key) is not None and not self.entries[key].in_use

    def _without_state(self, key: str) -> Victim:
        return Victim(key, ("state",), whole=False, bytes=self.records[key].pop("state"))
