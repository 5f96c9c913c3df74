from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from engine.memory.footprint import HEADROOM_BYTES, Footprint, row_bytes
from engine.protocol.errors import MemoryFull
from engine.protocol.messages import Generate, Phase
from engine.protocol.sampling_settings import Sampling
from engine.schedule.admission import MOST_GRANTED_AHEAD, MemoryGrants, decide, tokens_to_grant
from engine.schedule.sequence import Sequence
from tests.fakes.sequences import sequence_in

PRINT = Footprint(token_bytes=1 << 14, windows=(), state_bytes=1 << 20)
COPIED = 1 << 22
"""Less than two of the rows here have, so that a copy is bounded."""


def sequence(
    prompt: int, most: int = 100, *, position: int = 0, phase: Phase = "prefill", granted: int = 0
) -> Sequence:
    command = Generate("r", "c", (), Sampling(max_tokens=most))
    return sequence_in(phase, command, prompt, position=position, granted=granted)


def at_the_limit(asked: Sequence, beside: list[Sequence], *needs: int, footprint: Footprint = PRINT) -> tuple[str, str]:
    """The verdicts if exactly so much memory is free, and one byte less."""
    free = HEADROOM_BYTES + sum(needs)
    exact, less = (decide(asked, beside, footprint, COPIED, free - missing, 0).verdict for missing in (0, 1))
    return exact, less


def test_a_sequence_that_fits_may_start_now() -> None:
    """The memory for its prompt and answer is enough; one byte less is not."""
    assert at_the_limit(sequence(1000), [], row_bytes(PRINT, 1100)) == ("now", "refuse")


def test_granted_memory_is_not_free() -> None:
    """A row that has just begun will still grow. A new sequence waits for it to end."""
    other = sequence(1000, position=10, phase="decode", granted=1100)
    promised = row_bytes(PRINT, 1100) - row_bytes(PRINT, 10)
    need, copy = row_bytes(PRINT, 1100), COPIED + 2 * PRINT.state_bytes
    assert at_the_limit(sequence(1000), [other], need, promised, copy) == ("now", "wait")


def test_a_row_is_granted_the_whole_buffers_of_its_drafts() -> None:
    """They may grow by more tokens at once than a step needs. What a row holds already is not overrated: it may not
    have grown yet.
    """
    whole = replace(PRINT, growth=1024)
    need = PRINT.token_bytes * 2048 + PRINT.state_bytes
    assert at_the_limit(sequence(1000), [], need, footprint=whole) == ("now", "refuse")
    other = sequence(10, 500, position=20, phase="decode", granted=510)
    promised, copy = PRINT.token_bytes * (1024 - 256), COPIED + 2 * PRINT.state_bytes
    assert at_the_limit(sequence(1000), [other], need, promised, copy, footprint=whole) == ("now", "wait")


def test_a_copy_of_short_rows_takes_no_more_memory_than_they_do() -> None:
    """Neighbours are copied when a row joins or leaves: all that they hold, but never more than a cluster may hold."""
    other = sequence(10, 10, position=20, phase="decode", granted=20)
    need, copy = row_bytes(PRINT, 20), 40 * PRINT.token_bytes + 2 * PRINT.state_bytes
    assert at_the_limit(sequence(10, 10), [other], need, copy) == ("now", "wait")


def test_alternatives_do_not_wait_for_the_room_of_their_own_copies() -> None:
    """Nothing but their end would free it."""
    leader = sequence(1000)
    leader.siblings = [sequence(1000)]
    need, copy = 2 * row_bytes(PRINT, 1100), COPIED + 2 * PRINT.state_bytes
    assert at_the_limit(leader, [], need, copy) == ("now", "refuse")


def test_an_endless_answer_gets_its_memory_in_grants() -> None:
    """An answer without a limit is not refused. Its grants grow with what it has written."""
    endless = sequence(1000, 1 << 20)
    assert tokens_to_grant(endless) == 1000 + MOST_GRANTED_AHEAD
    endless.position = 1000 + MOST_GRANTED_AHEAD
    assert tokens_to_grant(endless) == 1000 + 2 * MOST_GRANTED_AHEAD
    assert tokens_to_grant(sequence(1000, 50)) == 1050


@pytest.mark.parametrize(
    ("free", "words"), [(1 << 40, "Another of the Macs .* has too little memory"), (0, "takes 22 MB .* and 0 MB are")]
)
def test_a_refusal_says_where_memory_is_missing(free: int, words: str) -> None:
    """The figures are those of this Mac, so they say nothing if only another one refuses."""
    hot = SimpleNamespace(bytes=0, evict=pytest.fail)
    grants = MemoryGrants(PRINT, COPIED, hot, lambda: free, lambda _name, _own: 0)
    with pytest.raises(MemoryFull, match=words):
        grants.may_start(sequence(1000), [])
    with pytest.raises(MemoryFull, match=words):
        grants.extend(sequence(1000), [])
