"""The order in which segments are evicted. Pure: it erases nothing and knows neither SQL nor files.

The least recently used conversation is evicted first. Within a conversation, eviction first removes the checkpoints
that the retention policy does not keep, and then whole segments from the end. If a chain can be resumed only from a
checkpoint, eviction cuts it back to one, so that the rest can be restored up to its end. Eviction reads as little of
the index as it can: only the paths from the victims to their roots.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Protocol

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
    """A stored segment with `followers` children.

    `used` grows with every use of any segment. `records` maps each kind to its bytes. If `stateful`, the model can
    resume only at a checkpoint.
    """

    key: str
    parent: str | None
    used: int
    records: Mapping[str, int]
    followers: int
    stateful: bool
    in_use: bool = False


class EvictionSource(Protocol):
    """What eviction reads of the index, on demand."""

    def tips(self) -> Iterator[tuple[int, str]]:
        """When each segment was last used that has no children and is not in use, and its key; in that order."""

    def path(self, key: str) -> Iterable[Entry]:
        """The segment and its nearest ancestors, all of them or a portion; empty if it is not stored."""

    def in_use(self) -> Iterable[str]:
        """The keys of segments in use that may have checkpoints to evict before them."""


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


def plan(source: EvictionSource, retention: RetentionPolicy, excess: int, slack: int = 0) -> tuple[Victim, ...]:
    """The first victims in order that free at least `excess` bytes, with their trailing ones; all victims if they free
    less. Further victims follow while the surplus stays below `slack` bytes.
    """
    chosen: list[Victim] = []
    if excess <= 0:
        return ()
    for victim in order(source, retention):
        if excess <= 0 and not victim.trailing and victim.bytes >= excess + slack:
            break
        chosen.append(victim)
        excess -= victim.bytes
    return tuple(chosen)


def order(source: EvictionSource, retention: RetentionPolicy) -> Iterator[Victim]:
    """Everything that may be evicted, first to last. Children come before their parents; segments in use never come."""
    forest = _Forest(source, retention)
    begun: set[str] = set()
    for key in forest.tips():
        if key not in begun:
            yield from forest.thin(key)
        end = forest.parent(key)
        yield forest.cut(key)
        while end and forest.is_free(end) and not forest.can_end_at(end):
            useless, end = end, forest.parent(end)
            yield forest.cut(useless, trailing=True)
        if end and forest.is_free(end):
            begun.add(end)
            forest.add_tip(end)
    for key in sorted(source.in_use()):
        if forest.is_end(key):
            yield from forest.thin(key)


class _Forest:
    """The segments read so far that are not evicted yet."""

    def __init__(self, source: EvictionSource, retention: RetentionPolicy) -> None:
        self._source = source
        self._retention = retention
        self._entries: dict[str, Entry] = {}
        self._records: dict[str, dict[str, int]] = {}
        self._followers: dict[str, int] = {}
        self._depths: dict[str, int] = {}
        self._new_tips: list[tuple[int, str]] = []

    def tips(self) -> Iterator[str]:
        """Segments without children that are not in use, least recently used first, including those that
        `add_tip` adds meanwhile.
        """
        for tip in self._source.tips():
            while self._new_tips and self._new_tips[0] < tip:
                yield heappop(self._new_tips)[1]
            if self._is_rooted(tip[1]):
                yield tip[1]
        while self._new_tips:
            yield heappop(self._new_tips)[1]

    def add_tip(self, key: str) -> None:
        """Add a segment that has lost its last child to the tips."""
        heappush(self._new_tips, (self._entries[key].used, key))

    def parent(self, key: str) -> str | None:
        """The parent, if it is stored."""
        parent = self._entries[key].parent
        return parent if parent in self._entries else None

    def is_end(self, key: str) -> bool:
        """Whether the segment is stored and has no children left."""
        return self._is_rooted(key) and not self._followers[key]

    def is_free(self, key: str) -> bool:
        """Whether the segment has no children left and is not in use."""
        return not self._followers[key] and not self._entries[key].in_use

    def can_end_at(self, key: str) -> bool:
        """Whether the records of this segment allow a restore up to its end."""
        return not self._entries[key].stateful or RecordKind.STATE in self._records[key]

    def cut(self, key: str, *, trailing: bool = False) -> Victim:
        """Remove the segment, which must be a leaf."""
        records = self._records.pop(key)
        if parent := self.parent(key):
            self._followers[parent] -= 1
        del self._entries[key]
        return Victim(key, tuple(records), whole=True, bytes=sum(records.values()), trailing=trailing)

    def thin(self, tip: str) -> Sequence[Victim]:
        """Remove the checkpoints before `tip` that the retention policy does not keep, oldest first.

        Checkpoints that another chain shares, and the one at the root, stay.
        """
        own = [key for key in (tip, *self._alone_before(tip)) if RecordKind.STATE in self._records[key]]
        kept = self._retention([self._depths[key] for key in reversed(own)], self._depths[tip])
        spare = [key for key in reversed(own) if self._depths[key] not in kept and key != tip]
        return [self._without_state(key) for key in spare if self._is_spare(key)]

    def _is_rooted(self, key: str) -> bool:
        """Whether the segment is stored and has a root. Follows its parents; a damaged index may hold a ring, which has
        no root.
        """
        path: dict[str, None] = {}
        at: str | None = key
        while at and at not in self._depths and self._look(at):
            if at in path:
                return False
            path[at] = None
            at = self._entries[at].parent
        before = self._depths.get(at, -1) if at else -1
        self._depths.update(zip(reversed(path), count(before + 1)))
        return key in self._entries

    def _look(self, key: str) -> bool:
        if key not in self._entries:
            for entry in self._source.path(key):
                if entry.key not in self._entries:
                    self._entries[entry.key] = entry
                    self._records[entry.key] = dict(entry.records)
                    self._followers[entry.key] = entry.followers
        return key in self._entries

    def _alone_before(self, tip: str) -> Iterator[str]:
        key = self.parent(tip)
        while key and self._followers[key] == 1:
            yield key
            key = self.parent(key)

    def _is_spare(self, key: str) -> bool:
        return self.parent(key) is not None and not self._entries[key].in_use

    def _without_state(self, key: str) -> Victim:
        return Victim(key, (RecordKind.STATE,), whole=False, bytes=self._records[key].pop(RecordKind.STATE))
