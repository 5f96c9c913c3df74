"""Admission: whether there is enough memory to start a sequence, and the memory that is reserved for rows.

Out of memory on a GPU ends the process, so each row is granted memory for a number of tokens before it takes any. At
the end of the grant it needs another one. When a row joins or leaves, its neighbours are copied before the old buffers
are freed, so memory for that copy is reserved too. The hot tier only saves time: it is released for a row that needs
the memory. On the MLX thread; all sizes are in bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, Protocol

from engine.memory.footprint import GROWTH_TOKENS, Admission, Footprint, Verdict, admit, row_bytes
from engine.protocol.errors import MemoryFull
from engine.schedule.sequence import Sequence

MOST_GRANTED_AHEAD = 2048
"""Tokens of an answer that are granted at once: few answers are longer, and those get another grant."""

_VERDICTS: Final[tuple[Verdict, ...]] = ("refuse", "wait", "now")


class Evictable(Protocol):
    """The hot tier: what it holds, and a way to have less."""

    @property
    def bytes(self) -> int:
        """The bytes that it holds."""

    def evict(self, size: int) -> object:
        """Release at least so many bytes."""


class MemoryGrants:
    """Grants tokens to sequences. With no `footprint` their size is unknown, so each may start. `copied` is the most
    bytes of growing caches that a join copies; `free` measures the bytes that may be taken, and `agree`
    gives the least of the verdicts of all machines that run the model.
    """

    def __init__(
        self,
        footprint: Footprint | None,
        copied: int,
        hot: Evictable,
        free: Callable[[], int],
        agree: Callable[[str, int], int],
    ) -> None:
        self._footprint = footprint
        self._copied = copied
        self._hot = hot
        self._free = free
        self._agree = agree

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
        verdict = _VERDICTS[self._agree("admission", _VERDICTS.index(admission.verdict))]
        admission = replace(admission, verdict=verdict, is_elsewhere=verdict != admission.verdict)
        if verdict == "now":
            sequence.granted = tokens_to_grant(sequence)
        return admission


def tokens_to_grant(sequence: Sequence) -> int:
    """The tokens that `sequence` should be granted now, including those that it holds."""
    prompt, limit = len(sequence.prompt.ids), sequence.command.sampling.max_tokens
    return min(prompt + limit, max(prompt, sequence.position) + MOST_GRANTED_AHEAD)


def decide(
    sequence: Sequence, running: Iterable[Sequence], footprint: Footprint, copied: int, free: int, reclaimable: int
) -> Admission:
    """Decide about `sequence` beside the `running` ones, which have their grants. Sizes are in bytes: `copied` is the
    most of its growing caches that a join copies, `free` the memory that can be taken, `reclaimable` what the hot tier
    can release.
    """
    others = [other for other in running if other is not sequence]
    promised = sum(_growth(footprint, other, other.granted) for other in others)
    own = [tokens_to_grant(sequence)] * sequence.rows
    twice = _held_twice(footprint, [*own, *(other.granted for other in others)], copied)
    need = _growth(footprint, sequence, tokens_to_grant(sequence))
    freed = sum(max(_held(footprint, other), other.rows * row_bytes(footprint, other.granted)) for other in others)
    freed += twice - _held_twice(footprint, own, copied)
    return admit(need, max(0, free - promised - twice), freed, reclaimable)


def _held_twice(footprint: Footprint, rows: list[int], copied: int) -> int:
    """The most bytes that are in memory twice while one of `rows`, given by their tokens, joins or leaves."""
    if len(rows) == 1:
        return 0
    fixed = replace(footprint, token_bytes=0)
    growing = sum(footprint.token_bytes * tokens for tokens in rows)
    return min(growing, copied) + sum(row_bytes(fixed, tokens) for tokens in rows)


def _growth(footprint: Footprint, sequence: Sequence, tokens: int) -> int:
    """The bytes that a sequence and its alternatives need to reach `tokens`, beyond those that it holds."""
    return max(0, sequence.rows * row_bytes(footprint, tokens) - _held(footprint, sequence))


def _held(footprint: Footprint, sequence: Sequence) -> int:
    """The least bytes that a sequence holds: its caches may still have to grow to the footprint's multiple."""
    least = replace(footprint, growth=GROWTH_TOKENS)
    return row_bytes(least, sequence.position) if sequence.position else 0
