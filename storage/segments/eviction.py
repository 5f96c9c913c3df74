"""The order in which segments are evicted. Pure: it erases nothing and knows neither SQL nor files.

The chain of segments that was used least recently is evicted first, from its end: that is one conversation, or the part
that several conversations begin with. If a chain can be resumed only from a checkpoint,
eviction cuts it back to one, so that the rest can be restored up to its end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from storage.segments.records import RecordKind


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored segment.

    `used` is the number of its last use, in a count of all uses. `records` maps each kind to its bytes. If `stateful`,
    the model can resume only at a checkpoint.
    """

    key: str
    parent: str | None
    used: int
    records: Mapping[str, int]
    stateful: bool
    pinned: bool = False

    @property
    def is_end(self) -> bool:
        """Whether its records allow a restore up to its end."""
        return not self.stateful or RecordKind.STATE in self.records


@dataclass(frozen=True, slots=True)
class Victim:
    """A segment to erase with its records, `bytes` together.

    A `trailing` victim is useless without the victim before it: evict both or neither.
    """

    key: str
    kinds: tuple[str, ...]
    bytes: int
    trailing: bool = False


def plan(victims: Iterable[Victim], excess: int, slack: int = 0) -> tuple[Victim, ...]:
    """The first of `victims` that free at least `excess` bytes, with their trailing ones; all of them if they free
    less. To make room for the next commits, victims follow as long as less than `slack` bytes are freed in addition.
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


def order(entries: Iterable[Entry], in_use: Collection[str]) -> Iterator[Victim]:
    """Everything that may be evicted, first to last. Children come before their parents; pinned segments and those
    `in_use` never come. A ring of parents in a damaged index has no end, so it never comes either.
    """
    left = {entry.key: entry for entry in entries}
    children = Counter(entry.parent for entry in left.values())
    free = {key for key, entry in left.items() if key not in in_use and not entry.pinned}
    tips = [(left[key].used, key) for key in free if not children[key]]
    heapify(tips)
    while tips:
        _, key = heappop(tips)
        trailing = False
        while True:
            entry = left.pop(key)
            yield Victim(key, tuple(entry.records), sum(entry.records.values()), trailing)
            children[entry.parent] -= 1
            if entry.parent not in left or entry.parent not in free or children[entry.parent]:
                break
            key, trailing = entry.parent, True
            if left[key].is_end:
                heappush(tips, (left[key].used, key))
                break
