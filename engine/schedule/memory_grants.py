"""Memory grants: the memory that is reserved for the rows of one loaded model.

Out of memory on a GPU ends the process, so each row is granted memory before it takes any. The hot tier only saves
time: it is released for a row that needs the memory. On the MLX thread; `engine.schedule.admission` has the arithmetic.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from engine.protocol.errors import MemoryFull
from engine.protocol.shared import own_figure
from engine.schedule.admission import decide, tokens_to_grant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine.cache.memory.hot_tier import HotTier
    from engine.memory.footprint import Admission, Footprint, Verdict
    from engine.protocol.shared import Agreed
    from engine.schedule.sequence import Sequence


_VERDICTS: Final[tuple[Verdict, ...]] = ("refuse", "wait", "now")


class MemoryGrants:
    """Grants tokens to sequences. With no `footprint` their size is unknown, so each may start. `copied` is the most
    bytes of growing caches that a join copies; `free` measures the bytes that may be taken. A row
    starts if each machine that runs the model has room.
    """

    def __init__(
        self,
        footprint: Footprint | None,
        copied: int,
        hot: HotTier,
        free: Callable[[], int],
        agreed: Agreed = own_figure,
    ) -> None:
        self._footprint = footprint
        self._copied = copied
        self._hot = hot
        self._free = free
        self._agreed = agreed

    def may_start(self, sequence: Sequence, all_sequences: Iterable[Sequence]) -> bool:
        """Whether a sequence may start now. Raises MemoryFull, with the figures, if it never could."""
        if sequence.granted or self._footprint is None:
            return True
        admission = self._ask(self._footprint, sequence, all_sequences)
        if admission.verdict == "refuse":
            raise MemoryFull(f"{admission.words}.")
        return admission.verdict == "now"

    def extend(self, sequence: Sequence, all_sequences: Iterable[Sequence]) -> None:
        """Grant more to a row that has used up its tokens. Raises MemoryFull if there is no memory for more."""
        if self._footprint is None or sequence.position < sequence.granted:
            return
        admission = self._ask(self._footprint, sequence, all_sequences)
        if admission.verdict != "now":
            raise MemoryFull(f"{admission.words}.")

    def _ask(self, footprint: Footprint, sequence: Sequence, all_sequences: Iterable[Sequence]) -> Admission:
        running = [other for other in all_sequences if other.granted]
        admission = decide(sequence, running, footprint, self._copied, self._free(), self._hot.bytes)
        if admission.reclaim:
            self._hot.evict(admission.reclaim)
        verdict = _VERDICTS[self._agreed("admission", _VERDICTS.index(admission.verdict))]
        admission = replace(admission, verdict=verdict)
        if verdict == "now":
            sequence.granted = tokens_to_grant(sequence)
        return admission
