from __future__ import annotations

from typing import TYPE_CHECKING

from engine.protocol.messages import Generate, Phase
from engine.schedule.metrics import Timing
from engine.schedule.scheduler import (
    CHUNK_ALONE,
    CHUNK_WHILE_DECODING,
    MOST_DRAWN_FROM,
    MOST_ROWS,
    chunk_end,
    drawing_end,
    next_to_prefill,
    next_to_restore,
    to_join,
)
from tests.fakes.sequences import sequence_in

if TYPE_CHECKING:
    from engine.schedule.sequence import Sequence


def waiting(conversation: str, arrived: int, phase: Phase = "prefill", left: int = 1000) -> Sequence:
    """A sequence with `left` tokens of its prompt to read."""
    command = Generate(f"r{arrived}", conversation, ())
    return sequence_in(phase, command, 2000, arrived=arrived, position=2000 - left)


def test_the_visible_conversation_is_served_first() -> None:
    """Who looks at a chat sees it move; the others follow in the order they came."""
    first, second, shown = waiting("a", 1), waiting("b", 2), waiting("c", 3)
    assert next_to_prefill([first, second, shown], "c", decoding=0) is shown
    assert next_to_prefill([second, first], "", decoding=0) is first


def test_only_sequences_that_are_ready_are_read() -> None:
    """What still waits for its records, or decodes already, is not prefilled."""
    assert next_to_prefill([waiting("a", 1, "restoring"), waiting("b", 2, "decode")], "", decoding=1) is None


def test_caches_are_filled_in_the_same_order() -> None:
    """The visible conversation's first, then the oldest that has something to fill."""
    first, shown, done = waiting("a", 1, "restoring"), waiting("b", 2, "restoring"), waiting("c", 0)
    first.restoration = shown.restoration = iter(())
    assert next_to_restore([shown, first, done], None, "") is first
    assert next_to_restore([first, shown, done], None, "b") is shown
    assert next_to_restore([done], None, "") is None


def test_restoring_and_reading_take_turns_by_the_same_rule() -> None:
    """Who is on the screen, or came first, is served first, whichever of both it needs."""
    filling, coming = waiting("a", 1, "restoring"), waiting("b", 2)
    filling.restoration = iter(())
    assert next_to_restore([filling], coming, "") is filling
    assert next_to_restore([filling], coming, "b") is None


def test_a_full_batch_lets_others_wait() -> None:
    """No prompt is read that could not join."""
    assert next_to_prefill([waiting("a", 1)], "", decoding=MOST_ROWS) is None
    assert next_to_prefill([waiting("a", 1)], "", decoding=MOST_ROWS - 1) is not None


def test_alternatives_need_a_place_each() -> None:
    """What could not join as a whole is not read, so that its alternatives start together."""
    leader = waiting("a", 1)
    leader.siblings = [waiting("a", 2, "queued"), waiting("a", 3, "queued")]
    assert next_to_prefill([leader], "", decoding=MOST_ROWS - 2) is None
    assert next_to_prefill([leader], "", decoding=MOST_ROWS - 3) is leader


def test_a_burst_starts_together() -> None:
    """Who is read waits for the next one if that takes a small chunk only, and nobody is decoding yet."""
    first, short, long = waiting("a", 1, left=0), waiting("b", 2, left=20), waiting("c", 3, left=1000)
    assert to_join([first, short], short, decoding=0) == []
    assert to_join([first, short], short, decoding=1) == [first]
    assert to_join([first, long], long, decoding=0) == [first]


def test_no_more_join_than_there_are_places() -> None:
    """In the order in which they came."""
    rows = [waiting(f"{i}", i, left=0) for i in range(MOST_ROWS + 2)]
    assert to_join(reversed(rows), None, decoding=1) == rows[: MOST_ROWS - 1]


def test_chunks_are_small_in_company_and_never_cross_a_bound() -> None:
    """Running tabs wait for a small chunk only, and every boundary gets its checkpoint."""
    assert chunk_end(0, 10_000, [], decoding=0) == CHUNK_ALONE
    assert chunk_end(0, 10_000, [], decoding=3) == CHUNK_WHILE_DECODING
    assert chunk_end(0, 10_000, [100, 5000], decoding=0) == 100
    assert chunk_end(100, 10_000, [100, 150], decoding=3) == 150
    assert chunk_end(9_990, 10_000, [100], decoding=0) == 10_000


def test_the_last_token_of_a_long_chunk_is_read_by_itself() -> None:
    """No more logits are computed than a few: a short chunk is read to the prompt's end, a long one up to its last
    token; what ends before the prompt does is read as it is."""
    most = 1000 + MOST_DRAWN_FROM
    assert drawing_end(1000, 1001, 1001) == 1001
    assert drawing_end(1000, most, most) == most
    assert drawing_end(1000, most + 1, most + 1) == most
    assert drawing_end(most, most + 1, most + 1) == most + 1
    assert drawing_end(1000, 3000, 3001) == 3000


def test_figures_count_from_the_first_token() -> None:
    """The decode rate does not include the wait for the first token, and is zero where there is nothing to divide."""
    timing = Timing(arrived=10.0)
    assert (timing.ttft_ms, timing.decode_tps) == (0.0, 0.0)
    timing.token(10.5)
    assert (timing.ttft_ms, timing.decode_tps) == (500.0, 0.0)
    timing.token(10.75)
    timing.token(11.0)
    assert timing.decode_tps == 4.0
