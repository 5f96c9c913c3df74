"""Parting: when two rows that share steps get a group each, and when they share steps again. Pure.

A shared step costs less than two steps of one row, so rows are parted only if both repeat a long run. They are united
when one of them no longer uses drafts.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

Row = TypeVar("Row", bound=Hashable)

MOST_ROWS = 2
"""Rows that may use drafts. Each takes its passes alone, so more rows would lose more than drafts gain."""

PART_MATCHED = 8
"""Tokens of a run that is worth parting two rows: a shorter one often ends before it has paid for the copies."""
APART_STEPS = 8
"""Steps of a row without a draft after which parted rows are united. A changed word takes fewer."""


class Parting(Generic[Row]):
    """Which rows are parted now."""

    def __init__(self) -> None:
        self._idle: dict[Row, int] = {}
        """The parted rows. Each has its number of steps since its last draft."""

    def __bool__(self) -> bool:
        return bool(self._idle)

    def part(self, matched: Mapping[Row, int]) -> bool:
        """Whether to part rows that share steps. `matched` has, for each that is due for a draft, how many of its last
        tokens repeat an earlier run.
        """
        if len(matched) < MOST_ROWS or min(matched.values()) < PART_MATCHED:
            return False
        self._idle = dict.fromkeys(matched, 0)
        return True

    def unite(self, groups: Iterable[Sequence[Row]]) -> bool:
        """Whether the rows should share steps again. `groups` are the rows of the batch; if others have joined the
        parted ones, these stay as they are.
        """
        long_idle = max(self._idle.values(), default=0) >= APART_STEPS
        if not long_idle or [*map(list, groups)] != [[row] for row in self._idle]:
            return False
        self.end()
        return True

    def stepped(self, drafting: Collection[Row]) -> None:
        """The rows have taken a step, those in `drafting` with a draft."""
        self._idle = {row: 0 if row in drafting else idle + 1 for row, idle in self._idle.items()}

    def keep(self, rows: Collection[Row]) -> None:
        """Only `rows` are left in the batch. A parted row without the other is a row alone."""
        if any(row not in rows for row in self._idle):
            self.end()

    def end(self) -> None:
        """The rows are no longer parted."""
        self._idle = {}
