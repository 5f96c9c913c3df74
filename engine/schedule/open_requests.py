"""The open requests of one model: those that have arrived and have not ended.

Pure, on the MLX thread.

Invariants:
- No two open requests have the same name.
- A request is closed once: `close` returns whether it was open until now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.schedule.sequence import Sequence, alternatives, well_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.protocol.messages import Generate


class OpenRequests:
    """The sequences by the name of their request, in the order of arrival."""

    def __init__(self) -> None:
        self._sequences: dict[str, Sequence] = {}
        self._arrivals = 0

    def __iter__(self) -> Iterator[Sequence]:
        """A snapshot: requests may end while a caller iterates."""
        return iter(list(self._sequences.values()))

    def __contains__(self, sequence: Sequence) -> bool:
        return self._sequences.get(sequence.request) is sequence

    def find(self, request: str) -> Sequence | None:
        """The open request of this name."""
        return self._sequences.get(request)

    def can_take(self, command: Generate) -> bool:
        """Whether each request of `command` has a name that no other one has."""
        return well_named(command, self._sequences)

    def open(self, command: Generate, now: float) -> Sequence:
        """Open the requests of `command`, which arrived at `now`: the first, with its alternatives as siblings."""
        sequences = [self._new(one, now) for one in (command, *alternatives(command))]
        first, *first.siblings = sequences
        self._sequences |= {sequence.request: sequence for sequence in sequences}
        return first

    def close(self, sequence: Sequence) -> bool:
        """Close a request. Returns whether it was open."""
        if sequence not in self:
            return False
        del self._sequences[sequence.request]
        return True

    def reopen(self, sequence: Sequence) -> None:
        """Open a request again that was closed just now."""
        self._sequences[sequence.request] = sequence

    def separate(self, sequence: Sequence) -> Sequence | None:
        """Take a request that ends out of its group of alternatives. Returns the heir, the sibling that prefills the
        prompt for the others from now on; None if `sequence` had no siblings.
        """
        for other in self._sequences.values():
            if sequence in other.siblings:
                other.siblings.remove(sequence)
        if not sequence.siblings:
            return None
        heir, *rest = sequence.siblings
        heir.siblings = rest
        return heir

    def _new(self, command: Generate, now: float) -> Sequence:
        self._arrivals += 1
        sequence = Sequence(command, self._arrivals)
        sequence.timing.arrived = now
        return sequence
