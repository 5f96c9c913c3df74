"""The hits of a search in one conversation: how many each message has, and which one the user looks at. No Qt."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """One hit: the number `number`, from 0, in the message `message`."""

    message: str
    number: int


class Hits(NamedTuple):
    """The messages that have hits, in the order of the conversation, each with their number."""

    counts: tuple[tuple[str, int], ...] = ()

    @property
    def total(self) -> int:
        """The number of all hits."""
        return sum(count for _, count in self.counts)

    def position(self, place: Place) -> int:
        """The number of a hit among all hits, from 1. 0 if its message has no hits any more."""
        before = 0
        for message, count in self.counts:
            if message == place.message:
                return before + min(place.number, count - 1) + 1
            before += count
        return 0

    def at(self, position: int) -> Place | None:
        """The hit at a position, counted from 1. Positions go around: 0 is the last hit. None without hits."""
        if not self.total:
            return None
        number = (position - 1) % self.total
        for message, count in self.counts:
            if number < count:
                return Place(message, number)
            number -= count
        raise AssertionError("the position is below the total")
