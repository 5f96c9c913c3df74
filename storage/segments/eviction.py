"""Eviction: owns in which order segments give up their space. Pure; doing it is left to `storage.segments.store`.

The conversation that was used longest ago goes first. Of one conversation, checkpoints inside the chain go first, then
whole segments from the end; where a chain lives on checkpoints, it is cut back to one, so that what is left can be
restored to its end. Of what is stored no more is looked at than has to be: the ways to the root of those that go.

Which checkpoints go is the engine's own rule of retention in its strictest form: the newest turns stay dense, older
ones at distances that double, counted from the start of the chain, so that what stays now is not what goes next.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


SPANS_A_TURN: Final = 2
"""What the user says and what the model says: a chain grows by this many segments a turn."""

DENSE: Final = 2
"""How many of the newest turns keep their checkpoints without a gap."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored segment, which `followers` others follow. `used` grows with every use of any segment; `records` are
    bytes by kind. With `stateful` its model can only go on from where there is a checkpoint.
    """

    key: str
    parent: str | None
    used: int
    records: Mapping[str, int]
    followers: int
    stateful: bool
    in_use: bool = False


class Stock(Protocol):
    """What is stored, as far as it is asked for."""

    def tips(self) -> Iterator[tuple[int, str]]:
        """When each segment was used that nothing follows and nobody uses now, and its key; in that order."""

    def way(self, key: str) -> Iterable[Entry]:
        """The segment and those before it, or the nearest of them; none where it is not stored."""

    def used(self) -> Iterable[str]:
        """The keys of what is in use, as far as it may have old checkpoints to give up."""


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


def plan(stock: Stock, excess: int, slack: int = 0) -> tuple[Victim, ...]:
    """The first victims in order that free at least `excess` bytes, with what trails them; all of them if even those
    do not. Those after them too, as long as it stays less than `slack` bytes more.
    """
    chosen: list[Victim] = []
    if excess <= 0:
        return ()
    for victim in order(stock):
        if excess <= 0 and not victim.trailing and victim.bytes >= excess + slack:
            break
        chosen.append(victim)
        excess -= victim.bytes
    return tuple(chosen)


def order(stock: Stock) -> Iterator[Victim]:
    """Everything that may be evicted, first to last. A parent comes after its children; nothing in use comes at all."""
    forest = _Forest(stock)
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
            forest.bare(end)
    for key in sorted(stock.used()):
        if forest.is_end(key):
            yield from forest.thin(key)


def keeps(turn: int, newest: int) -> bool:
    """Whether turn number `turn` (0: the start of the chain) keeps its checkpoint when `newest` is the newest."""
    level = ((newest - turn) // DENSE).bit_length()
    return turn == 0 or turn % (1 << level) == 0


class _Forest:
    """What is left while the order is being told, as far as it was looked at."""

    def __init__(self, stock: Stock) -> None:
        self._stock = stock
        self._entries: dict[str, Entry] = {}
        self._records: dict[str, dict[str, int]] = {}
        self._followers: dict[str, int] = {}
        self._depths: dict[str, int] = {}
        self._bare: list[tuple[int, str]] = []

    def tips(self) -> Iterator[str]:
        """Segments that nothing follows and nobody uses, the one used longest ago first; those laid bare meanwhile take
        their turn.
        """
        for tip in self._stock.tips():
            while self._bare and self._bare[0] < tip:
                yield heappop(self._bare)[1]
            if self._is_rooted(tip[1]):
                yield tip[1]
        while self._bare:
            yield heappop(self._bare)[1]

    def bare(self, key: str) -> None:
        """Let a segment that nothing follows any more have its turn among the tips."""
        heappush(self._bare, (self._entries[key].used, key))

    def parent(self, key: str) -> str | None:
        """The parent, if it is stored."""
        parent = self._entries[key].parent
        return parent if parent in self._entries else None

    def is_end(self, key: str) -> bool:
        """Whether the segment is there and nothing follows it any more."""
        return self._is_rooted(key) and not self._followers[key]

    def is_free(self, key: str) -> bool:
        """Whether nothing follows the segment and nobody uses it now."""
        return not self._followers[key] and not self._entries[key].in_use

    def can_end_at(self, key: str) -> bool:
        """Whether a conversation can be restored up to the end of this segment, as far as its records tell."""
        return not self._entries[key].stateful or "state" in self._records[key]

    def cut(self, key: str, *, trailing: bool = False) -> Victim:
        """Remove the segment, which is a leaf."""
        records = self._records.pop(key)
        if parent := self.parent(key):
            self._followers[parent] -= 1
        del self._entries[key]
        return Victim(key, tuple(records), whole=True, bytes=sum(records.values()), trailing=trailing)

    def thin(self, tip: str) -> Sequence[Victim]:
        """Remove checkpoints of the chain below `tip` that no other chain shares, the oldest first.

        Those that `keeps` names stay, one a turn, and the one at the root.
        """
        newest = self._turn(tip)
        kept = {newest} if "state" in self._records[tip] else set()
        spare = []
        for key in [key for key in self._alone_before(tip) if "state" in self._records[key]]:
            turn = self._turn(key)
            if turn in kept or not keeps(turn, newest):
                spare.append(key)
            kept.add(turn)
        return [self._without_state(key) for key in reversed(spare) if self._is_spare(key)]

    def _is_rooted(self, key: str) -> bool:
        """Whether the segment is stored and has a root, found by looking at its way there: a ring, which only rot
        makes, has none.
        """
        way: dict[str, None] = {}
        at: str | None = key
        while at and at not in self._depths and self._look(at):
            if at in way:
                return False
            way[at] = None
            at = self._entries[at].parent
        before = self._depths.get(at, -1) if at else -1
        self._depths.update(zip(reversed(way), count(before + 1)))
        return key in self._entries

    def _look(self, key: str) -> bool:
        if key not in self._entries:
            for entry in self._stock.way(key):
                if entry.key not in self._entries:
                    self._entries[entry.key] = entry
                    self._records[entry.key] = dict(entry.records)
                    self._followers[entry.key] = entry.followers
        return key in self._entries

    def _turn(self, key: str) -> int:
        return self._depths[key] // SPANS_A_TURN

    def _alone_before(self, tip: str) -> Iterator[str]:
        key = self.parent(tip)
        while key and self._followers[key] == 1:
            yield key
            key = self.parent(key)

    def _is_spare(self, key: str) -> bool:
        return self.parent(key) is not None and not self._entries[key].in_use

    def _without_state(self, key: str) -> Victim:
        return Victim(key, ("state",), whole=False, bytes=self._records[key].pop("state"))
