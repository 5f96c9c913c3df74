"""Which sequence is served next, and how much other work fits between two steps of the decode batch."""

from __future__ import annotations

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from engine.cache.lookup import miss
from engine.cache.segment import MissCause
from engine.protocol.messages import Generate, Phase
from engine.schedule.scheduler import (
    CHUNK_ALONE,
    CHUNK_WHILE_DECODING,
    MOST_ROWS,
    MOST_TURNS,
    Pace,
    chunk_end,
    drawing_end,
    next_to_prefill,
    next_to_restore,
    to_join,
)
from engine.schedule.sequence import Restoring, Sequence, Timing
from tests.fakes.sequences import sequence_in


def waiting(conversation: str, arrived: int, phase: Phase = "prefill", left: int = 1000) -> Sequence:
    """A sequence with `left` pending tokens."""
    command = Generate(f"r{arrived}", conversation, ())
    return sequence_in(phase, command, 2000, position=2000 - left)


def test_the_visible_conversation_is_served_first() -> None:
    """The user sees the visible chat progress. The others follow in the order of arrival. A sequence that is being
    restored, or that decodes, gets no chunk.
    """
    first, second, shown = waiting("a", 1), waiting("b", 2), waiting("c", 3)
    assert next_to_prefill([first, second, shown], "c", decoding=0) is shown
    assert next_to_prefill([first, second], "", decoding=0) is first
    assert next_to_prefill([waiting("a", 1, "restoring"), waiting("b", 2, "decode")], "", decoding=1) is None


def test_caches_are_filled_in_the_same_order() -> None:
    """The visible conversation is served first, then the oldest, whether it needs a restoration or a prefill."""
    coming, first, shown = waiting("c", 0), waiting("a", 1, "restoring"), waiting("b", 2, "restoring")
    for filling in (first, shown):
        filling.state_as(Restoring).found = miss(MissCause.NEW)
    assert next_to_restore([coming, first, shown], None, "") is first
    assert next_to_restore([coming, first, shown], None, "b") is shown
    assert next_to_restore([coming], None, "") is None
    assert next_to_restore([first, coming], coming, "") is first
    assert next_to_restore([first, coming], coming, "c") is None


def test_a_full_batch_makes_others_wait() -> None:
    """No prompt is prefilled that could not join with all its alternatives, so that they start together."""
    leader = waiting("a", 1)
    assert next_to_prefill([leader], "", decoding=MOST_ROWS) is None
    assert next_to_prefill([leader], "", decoding=MOST_ROWS - 1) is leader
    leader.siblings = [waiting("a", 2, "queued"), waiting("a", 3, "queued")]
    assert next_to_prefill([leader], "", decoding=MOST_ROWS - 2) is None
    assert next_to_prefill([leader], "", decoding=MOST_ROWS - 3) is leader


def test_a_burst_starts_together() -> None:
    """A prefilled sequence waits for the next one if that needs only a small chunk, and no row decodes yet."""
    first, short, long = waiting("a", 1, left=0), waiting("b", 2, left=20), waiting("c", 3, left=1000)
    assert to_join([first, short], short, decoding=0) == []
    assert to_join([first, short], short, decoding=1) == [first]
    assert to_join([first, long], long, decoding=0) == [first]


def test_no_more_sequences_join_than_there_are_rows() -> None:
    """They join in the order of arrival."""
    rows = [waiting(f"{i}", i, left=0) for i in range(MOST_ROWS + 2)]
    assert to_join(rows, None, decoding=1) == rows[: MOST_ROWS - 1]


def test_chunks_are_small_while_rows_decode_and_never_cross_a_bound() -> None:
    """Rows that decode wait for a small chunk only, and every boundary gets its checkpoint."""
    assert chunk_end(0, 10_000, [], decoding=0) == CHUNK_ALONE
    assert chunk_end(0, 10_000, [], decoding=3) == CHUNK_WHILE_DECODING
    assert chunk_end(0, 10_000, [100, 5000], decoding=0) == 100
    assert chunk_end(100, 10_000, [100, 150], decoding=3) == 150
    assert chunk_end(9_990, 10_000, [100], decoding=0) == 10_000


def test_the_last_token_of_a_long_chunk_has_its_own_pass() -> None:
    """Few logits are computed: a short chunk goes to the end of the prompt, a long one stops before the last token, and
    a chunk that ends earlier is not changed.
    """
    end = partial(drawing_end, most=50)
    assert end(1000, 1001, 1001) == 1001
    assert end(1000, 1050, 1050) == 1050
    assert end(1000, 1051, 1051) == 1050
    assert end(1050, 1051, 1051) == 1051
    assert end(1000, 3000, 3001) == 3000


def test_figures_count_from_the_first_token() -> None:
    """The decode rate leaves out the wait for the first token, and is zero if there is nothing to divide."""
    timing = Timing(arrived=10.0)
    assert (timing.ttft_ms, timing.decode_tps) == (0.0, 0.0)
    timing.token(10.5)
    assert (timing.ttft_ms, timing.decode_tps) == (500.0, 0.0)
    timing.token(10.75)
    timing.token(11.0)
    assert timing.decode_tps == 4.0


STEP = 1.0


def measured(times: list[float]) -> Pace:
    """A pace after ordinary turns of these lengths."""
    pace, now = Pace(), 0.0
    pace.end_turn(now, ordinary=False)
    for length in times:
        now += length
        pace.end_turn(now, ordinary=True)
    pace.end_turn(0.0, ordinary=False)
    return pace


def turns(pace: Pace, portions: list[float], messages: list[float]) -> list[float]:
    """The lengths of the turns in which a piece of work of these portions is done, as the loop does it. Each turn
    begins with messages and a step.
    """
    left, lengths = list(portions), []
    began = now = 0.0
    while left:
        now += (messages.pop(0) if messages else 0.0) + STEP
        while True:
            now += left.pop(0)
            if not left or not pace.has_time(now):
                break
        pace.end_turn(now, ordinary=False)
        lengths.append(now - began)
        began = now
    return lengths


def test_nothing_has_time_before_a_turn_was_measured() -> None:
    """Until then each turn does one portion."""
    pace = Pace()
    assert not pace.has_time(0.0)
    assert len(turns(pace, [0.1] * 3, [])) == 3


def test_one_slow_turn_changes_nothing() -> None:
    """The median of the last ordinary turns counts, and a turn with other work is none."""
    pace = measured([STEP, STEP, 50.0, STEP, STEP])
    assert pace.ordinary == STEP
    pace.end_turn(100.0, ordinary=False)
    assert pace.ordinary == STEP


@given(st.lists(st.floats(0.001, STEP / 2), min_size=1, max_size=200))
def test_rows_wait_two_ordinary_turns_at_most(portions: list[float]) -> None:
    """If no portion takes longer than half an ordinary turn, no turn takes longer than two, and all work is done."""
    lengths = turns(measured([STEP] * 5), portions, [])
    assert max(lengths) <= 2 * STEP + 1e-9
    assert sum(lengths) >= sum(portions)


@given(st.lists(st.floats(0.001, 5 * STEP), min_size=1, max_size=50), st.lists(st.floats(0, 5 * STEP), max_size=50))
def test_no_work_starves(portions: list[float], messages: list[float]) -> None:
    """Each turn does a portion, however long messages and portions take. A turn that is late does no second one."""
    pace = measured([STEP] * 5)
    lengths = turns(pace, portions, list(messages))
    assert len(lengths) <= len(portions)
    longest = max([*messages, 0.0]) + MOST_TURNS * STEP + STEP + max(portions)
    assert max(lengths) <= longest


@given(st.floats(0.01, STEP / 2))
def test_a_turn_is_used(portion: float) -> None:
    """Small portions fill a turn and a half: a restoration is not spread over more turns than necessary."""
    lengths = turns(measured([STEP] * 5), [portion] * 100, [])
    assert all(length >= MOST_TURNS * STEP - 1e-9 for length in lengths[:-1])
