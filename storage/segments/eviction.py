"""The order in which segments are evicted. Pure: it erases nothing and knows neither SQL nor files.

The least recently used conversation is evicted first. Within a conversation, eviction first removes the checkpoints
that the retention policy does not keep, and then whole segments from the end. If a chain can be resumed only from a
checkpoint, eviction cuts it back to one, so that the rest can be restored up to its end.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    RetentionPolicy = Callable[[Sequence[int], int], Collection[int]]
    """Which checkpoints of a chain to keep when space is short.

    Takes the depths of the chain's checkpoints (segments from its root, ascending) and the depth of its last segment;
    returns the depths to keep.
    """


def keep_all(depths: Sequence[int], last: int) -> Sequence[int]:  # noqa: ARG001 - the policy that ignores it
    """The retention policy that removes no checkpoint before its segment goes."""
    return depths


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored segment.

    `used` grows with every use of any segment. `records` maps each kind to its bytes. If `stateful`, the model can
    resume only at a checkpoint.
    """

    key: str
    parent: str | None
    used: int
    records: Mapping[str, int]
    stateful: bool
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Victim:
    """Records to erase, `bytes` together. If `whole`, the segment itself is erased too.

    A `trailing` victim is useless without the victim before it: evict both or neither.
    """

    key: str
    kinds: tuple[str, ...]
    whole: bool
    bytes: int
    trailing: bool = False


def plan(victims: Iterable[Victim], excess: int, slack: int = 0) -> tuple[Victim, ...]:
    """The first of `victims` that free at least `excess` bytes, with their trailing ones; all of them if they free
    less. Further ones follow while the surplus stays below `slack` bytes.
    """
    chosen: list[Victim] = []
    if excess <= 0:
        return ()
    for victim in victims:
        if excess <= 0 and not victim.trailing and victim.bytes >= excess + slack:
            break
        chosen.append(victim)
        excess -= victim.bytes
    return tuple(chosen)


def order(entries: Iterable[Entry], in_use: Collection[str], retention: RetentionPolicy) -> Iterator[Victim]:
    """Everything that may be evicted, first to last. Children come before their parents; pinned segments and those
    `in_use` never come. Checkpoints before a segment in use come last; those before a pinned one stay.
    """
    forest = _Forest(entries, in_use, retention)
    begun: set[str] = set()
    while tip := forest.next_tip():
        if tip not in begun:
            yield from forest.thin(tip)
        end = forest.parent(tip)
        yield forest.cut(tip)
        while end and forest.is_free(end) and not forest.can_end_at(end):
            useless, end = end, forest.parent(end)
            yield forest.cut(useless, trailing=True)
        if end and forest.is_free(end):
            begun.add(end)
            forest.add_tip(end)
    for key in sorted(in_use):
        if forest.is_end(key):
            yield from forest.thin(key)


class _Forest:
    """The segments that are not evicted yet. A ring of parents in a damaged index has no root and is left out."""

    def __init__(self, entries: Iterable[Entry], in_use: Collection[str], retention: RetentionPolicy) -> None:
        self._in_use = in_use
        self._retention = retention
        stored = {entry.key: entry for entry in entries}
        children: defaultdict[str | None, list[str]] = defaultdict(list)
        for entry in stored.values():
            children[entry.parent if entry.parent in stored else None].append(entry.key)
        self._depths = dict.fromkeys(children[None], 0)
        for key in (reached := list(self._depths)):
            self._depths |= dict.fromkeys(children[key], self._depths[key] + 1)
            reached += children[key]
        self._entries = {key: stored[key] for key in reached}
        self._records = {key: dict(stored[key].records) for key in reached}
        self._followers = {key: len(children[key]) for key in reached}
        self._tips = [(stored[key].used, key) for key in reached if self.is_free(key)]
        heapify(self._tips)

    def next_tip(self) -> str | None:
        """Take the least recently used segment without children that is not in use; None if there is none."""
        return heappop(self._tips)[1] if self._tips else None

    def add_tip(self, key: str) -> None:
        """Add a segment that has lost its last child to the tips."""
        heappush(self._tips, (self._entries[key].used, key))

    def parent(self, key: str) -> str | None:
        """The parent, if it is stored."""
        parent = self._entries[key].parent
        return parent if parent in self._entries else None

    def is_end(self, key: str) -> bool:
        """Whether the segment is stored and has no children left."""
        return self._followers.get(key) == 0

    def is_free(self, key: str) -> bool:
        """Whether the segment has no children left and may be evicted."""
        return self.is_end(key) and not self._stays(key)

    def _stays(self, key: str) -> bool:
        return key in self._in_use or self._entries[key].pinned

    def can_end_at(self, key: str) -> bool:
        """Whether the records of this segment allow a restore up to its end."""
        return not self._entries[key].stateful or RecordKind.STATE in self._records[key]

    def cut(self, key: str, *, trailing: bool = False) -> Victim:
        """Remove the segment, which must be a leaf."""
        records = self._records.pop(key)
        if parent := self.parent(key):
            self._followers[parent] -= 1
        del self._entries[key], self._followers[key]
        return Victim(key, tuple(records), whole=True, bytes=sum(records.values()), trailing=trailing)

    def thin(self, tip: str) -> Sequence[Victim]:
        """Remove the checkpoints before `tip` that the retention policy does not keep, oldest first.

        Checkpoints that another chain shares, and the one at the root, stay.
        """
        own = [key for key in (tip, *self._alone_before(tip)) if RecordKind.STATE in self._records[key]]
        kept = self._retention([self._depths[key] for key in reversed(own)], self._depths[tip])
        spare = [key for key in reversed(own) if self._depths[key] not in kept and key != tip]
        return [self._without_state(key) for key in spare if self.parent(key) and not self._stays(key)]

    def _alone_before(self, tip: str) -> Iterator[str]:
        key = self.parent(tip)
        while key and self._followers[key] == 1:
            yield key
            key = self.parent(key)

    def _without_state(self, key: str) -> Victim:
        return Victim(key, (RecordKind.STATE,), whole=False, bytes=self._records[key].pop(RecordKind.STATE))
