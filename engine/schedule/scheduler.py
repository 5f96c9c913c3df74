"""The scheduler: which sequence is served next, and in which portions. Pure: the caller reads the clock. Sequences are
given in the order of arrival.

Each turn of the loop decodes one token of every row and does at most one piece of other work: a join, some portions of
a restoration, or some portions of a chunk of a prompt. A turn lasts from the end of one turn to the end of the next:
messages, a step, other work. An ordinary turn has no other work.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Iterable
from collections.abc import Sequence as Many

from engine.schedule.sequence import Prefilling, Restoring, Sequence

MOST_ROWS = 8
"""Rows that decode together. Further sequences wait before their prefill."""

CHUNK_ALONE = 2048
CHUNK_WHILE_DECODING = 256
"""Tokens of one prefill chunk: large if no row decodes, small if rows wait for their next token."""

MOST_DIVIDED = 64
"""The most tokens of a chunk that is prefilled in portions while rows decode. The steps in between delay a short chunk
by a few steps. They would make a long prompt take much longer.
"""

LEAST_INTERRUPTED = 512
"""The least tokens of a chunk that is prefilled in portions although no row decodes. A long chunk of a large model
takes many seconds: a message that arrives meanwhile, such as a shutdown, is seen after a portion. A portion costs a
wait for the GPU, which is much in a shorter chunk.
"""

MOST_DRAWN_FROM = 64
"""The most tokens of a chunk after which a token is drawn, if the model computes the logits of all its tokens. In a
longer chunk that can cost more than a separate forward pass for the last token. Up to here a pass takes as long as its
weights take to load, whatever its length.
"""


def next_to_prefill(sequences: Iterable[Sequence], focus: str, decoding: int) -> Sequence | None:
    """The sequence whose next chunk is due: that of the visible conversation first, then the oldest. None if no
    sequence waits, or if the first one has no place beside the `decoding` rows.
    """
    first = _first([s for s in sequences if isinstance(s.state, Prefilling) and not s.prefilled], focus)
    return first if first and decoding + first.rows <= MOST_ROWS else None


def next_to_restore(sequences: Iterable[Sequence], coming: Sequence | None, focus: str) -> Sequence | None:
    """The sequence whose caches are filled next, in the same order. None if `coming` is served first."""
    first = _first([s for s in sequences if is_found(s) or s is coming], focus)
    return None if first is coming else first


def is_found(sequence: Sequence) -> bool:
    """Whether its caches can be filled: its lookup was answered."""
    return isinstance(sequence.state, Restoring) and sequence.state.found is not None


def _first(waiting: Iterable[Sequence], focus: str) -> Sequence | None:
    return min(waiting, key=lambda s: s.conversation != focus, default=None)


def to_join(sequences: Iterable[Sequence], coming: Sequence | None, decoding: int) -> list[Sequence]:
    """The sequences that start to decode now, in the order of arrival.

    If no row decodes yet, prefilled sequences wait for `coming`, the next one, if that needs only a small chunk. Then
    a burst of requests starts together, and its caches are merged once.
    """
    if coming and not decoding and coming.pending_tokens <= CHUNK_WHILE_DECODING:
        return []
    joining = []
    for sequence in ready(sequences):
        if decoding + sequence.rows <= MOST_ROWS:
            joining.append(sequence)
            decoding += sequence.rows
    return joining


def ready(sequences: Iterable[Sequence]) -> list[Sequence]:
    """The sequences whose prompt is prefilled, and that do not decode yet."""
    return [s for s in sequences if s.prefilled]


def chunk_end(position: int, prompt_end: int, bounds: Many[int], decoding: int) -> int:
    """The end of the chunk that starts at `position`. It never crosses a bound, since a checkpoint is taken there."""
    size = CHUNK_WHILE_DECODING if decoding else CHUNK_ALONE
    nearest = min((bound for bound in bounds if position < bound), default=prompt_end)
    return min(position + size, nearest, prompt_end)


def is_divided(size: int, decoding: int) -> bool:
    """Whether a chunk of `size` tokens is prefilled in portions: between steps, or between looks at the inbox."""
    return size <= MOST_DIVIDED if decoding else size >= LEAST_INTERRUPTED


def drawing_end(position: int, end: int, prompt_end: int, most: int) -> int:
    """The end of the chunk from `position` to `end` if a token is drawn after the prompt, from chunks of `most` tokens.
    A longer one leaves the last token of the prompt for a chunk of its own.
    """
    return end - 1 if end == prompt_end and end - position > most else end


MOST_TURNS = 1.5
"""The length of a turn, in ordinary turns, after which it gets no further portion."""

_REMEMBERED = 9
"""Ordinary turns of which the median counts: one slow turn changes nothing."""


class Pace:
    """The length of ordinary turns, and the time of the present turn. All times are seconds of one clock.

    At least one portion of other work is done in each turn, so no sequence starves. The turn ends after the portion
    with which it has taken MOST_TURNS ordinary turns: if no portion takes longer than half an ordinary turn, rows wait
    at most two ordinary turns for their next token.
    """

    def __init__(self) -> None:
        self._ordinary: deque[float] = deque(maxlen=_REMEMBERED)
        self._began = 0.0
        self._last_was_ordinary = False

    @property
    def ordinary(self) -> float:
        """The length of an ordinary turn; 0.0 if none was measured yet."""
        return statistics.median(self._ordinary) if self._ordinary else 0.0

    @property
    def undisturbed(self) -> bool:
        """Whether the last turn was ordinary: nothing else was done since its step."""
        return self._last_was_ordinary

    def has_time(self, now: float) -> bool:
        """Whether another portion fits into the present turn."""
        return now - self._began < MOST_TURNS * self.ordinary

    def end_turn(self, now: float, *, ordinary: bool) -> None:
        """The present turn ends. `ordinary`: it was a step of the batch and nothing else."""
        if ordinary:
            self._ordinary.append(now - self._began)
        self._began, self._last_was_ordinary = now, ordinary
