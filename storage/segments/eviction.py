"""Eviction: owns in which order segments give up their space. Pure; doing it is left to `storage.segments.store`.

The conversation that was used longest ago goes first. Of one conversation, checkpoints inside the chain go first, then
whole segments from the end; where a chain lives on checkpoints, it is cut back to one, so that what is left can be
restored to its end.

Which checkpoints go is the engine's own rule of retention in its strictest form: the newest turns stay dense, older
ones at distances that double, counted from the start of the chain, so that what stays now is not what goes next.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


SPANS_A_TURN: Final = 2
"""What the user says and what the model says: a chain grows by this many segments a turn."""

DENSE: Final = 2
"""How many of the newest turns keep their checkpoints without a gap."""


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
    """Records to erase, `bytes` together; with `whole` the segment itself goes too.

    A `trailing` one is of no use without the victim before it: whoever evicts that evicts this.
    """

    key: str
    kinds: tuple[str, ...]
    whole: bool
    bytes: int
    trailing: bool = False


def plan(entries: Iterable[Entry], excess: int) -> tuple[Victim, ...]:
    """The first victims in order that free at least `excess` bytes, with what trails them; all of them if even those
    do not.
    """
    chosen: list[Victim] = []
    if excess <= 0:
        return ()
    for victim in order(entries):
        if excess <= 0 and not victim.trailing:
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
        end = forest.parent(key)
        yield forest.cut(key)
        while end and forest.is_free(end) and not forest.can_end_at(end):
            useless, end = end, forest.parent(end)
            yield forest.cut(useless, trailing=True)
        if end and forest.is_free(end):
            begun.add(end)
            heappush(tips, (forest.entries[end].used, end))
    for key in forest.leaves():
        yield from forest.thin(key)


def keeps(turn: int, newest: int) -> bool:
    """Whether turn number `turn` (0: the start of the chain) keeps its checkpoint when `newest` is the newest."""
    level = ((newest - turn) // DENSE).bit_length()
    return turn == 0 or turn % (1 << level) == 0


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a segment stands in its tree: how many segments are before it."""

    root: str
    depth: int


class _Forest:
    """What is left while the order is being told."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = {entry.key: entry for entry in entries}
        self.records = {key: dict(entry.records) for key, entry in self.entries.items()}
        self.children: defaultdict[str, set[str]] = defaultdict(set)
        for key in self.entries:
            if parent := self.parent(key):
                self.children[parent].add(key)
        self._places = self._placed()
        self.entries = {key: self.entries[key] for key in self._places}  # a ring, which only rot makes, has no end
        self._stateful = {place.root for key, place in self._places.items() if "state" in self.records[key]}

    def _placed(self) -> dict[str, _Place]:
        places = {key: _Place(key, 0) for key in self.entries if not self.parent(key)}
        reached = list(places)
        for key in reached:
            for child in self.children[key]:
                places[child] = _Place(places[key].root, places[key].depth + 1)
                reached.append(child)
        return places

    def parent(self, key: str) -> str | None:
        """The parent, if it is stored."""
        parent = self.entries[key].parent
        return parent if parent in self.entries else None

    def leaves(self) -> list[str]:
        """Segments that nothing follows, in the order of their keys."""
        return sorted(key for key in self.entries if not self.children[key])

    def is_free(self, key: str) -> bool:
        """Whether nothing follows the segment and nobody uses it now."""
        return not self.children[key] and not self.entries[key].in_use

    def can_end_at(self, key: str) -> bool:
        """Whether a conversation can be restored up to the end of this segment, as far as its records tell: where any
        segment of the tree ever had a checkpoint, it takes one.
        """
        return self._places[key].root not in self._stateful or "state" in self.records[key]

    def cut(self, key: str, *, trailing: bool = False) -> Victim:
        """Remove the segment, which is a leaf."""
        records = self.records.pop(key)
        if parent := self.parent(key):
            self.children[parent].discard(key)
        del self.entries[key]
        return Victim(key, tuple(records), whole=True, bytes=sum(records.values()), trailing=trailing)

    def thin(self, tip: str) -> Sequence[Victim]:
        """Remove checkpoints of the chain below `tip` that no other chain shares, the oldest first.

        Those that `keeps` names stay, one a turn, and the one at the root.
        """
        newest = self._turn(tip)
        kept = {newest} if "state" in self.records[tip] else set()
        spare = []
        for key in [key for key in self._alone_before(tip) if "state" in self.records[key]]:
            turn = self._turn(key)
            if turn in kept or not keeps(turn, newest):
                spare.append(key)
            kept.add(turn)
        return [self._without_state(key) for key in reversed(spare) if self._is_spare(key)]

    def _turn(self, key: str) -> int:
        return self._places[key].depth // SPANS_A_TURN

    def _alone_before(self, tip: str) -> Iterator[str]:
        key = self.parent(tip)
        while key and len(self.children[key]) == 1:
            yield key
            key = self.parent(key)

    def _is_spare(self, key: str) -> bool:
        return self.parent(key) is not None and not self.entries[key].in_use

    def _without_state(self, key: str) -> Victim:
        return Victim(key, ("state",), whole=False, bytes=self.records[key].pop("state"))
