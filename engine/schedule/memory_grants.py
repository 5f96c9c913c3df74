"""Room: memory for the rows of one loaded model. Owns the asking and granting; the arithmetic is left to admission.

Out of memory on a GPU ends the process, so every row is granted room before it takes any. What the hot tier holds only
saves time, and is given up for a row that needs the room.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.memory.available import free_bytes
from engine.protocol.errors import MemoryFull
from engine.schedule.admission import decide, wanted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.cache.memory.hot import HotTier
    from engine.memory.footprint import Admission, Footprint
    from engine.schedule.sequence import Sequence


class Room:
    """Grants tokens to sequences. `footprint` None: what they take is not known, so each may start. `copied` are the
    most bytes of growing caches that a join copies.
    """

    def __init__(self, footprint: Footprint | None, copied: int, hot: HotTier) -> None:
        self._footprint = footprint
        self._copied = copied
        self._hot = hot

    def lets_in(self, sequence: Sequence, all_sequences: Iterable[Sequence]) -> bool:
        """Whether a sequence may start now. Raises MemoryFull, with the figures, where it never could."""
        if sequence.granted or self._footprint is None:
            return True
        admission = self._ask(self._footprint, sequence, all_sequences)
        if admission.verdict == "refuse":
            raise MemoryFull(f"{admission.words}.")
        return admission.verdict == "now"

    def extend(self, sequence: Sequence, all_sequences: Iterable[Sequence]) -> None:
        """Grant more to a row that has used up its tokens. Raises MemoryFull where there is no more."""
        if self._footprint is None or sequence.position < sequence.granted:
            return
        admission = self._ask(self._footprint, sequence, all_sequences)
        if admission.verdict != "now":
            raise MemoryFull(f"{admission.words}.")

    def _ask(self, footprint: Footprint, sequence: Sequence, all_sequences: Iterable[Sequence]) -> Admission:
        running = [other for other in all_sequences if other.granted]
        admission = decide(sequence, running, footprint, self._copied, free_bytes(), self._hot.bytes)
        if admission.reclaim:
            self._hot.evict(admission.reclaim)
        if admission.verdict == "now":
            sequence.granted = wanted(sequence)
        return admission
