"""Two rows that speculate: each emits the tokens that it emits alone, whether they share steps or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from engine.decode.batch import Batch
from engine.decode.drafts.budget import APART_STEPS
from engine.protocol.messages import Batching
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import Sequence
from tests.fakes.decoding import ids
from tests.fakes.drafting import (
    LONG,
    PROMPT,
    SAMPLINGS,
    answer,
    assert_covered,
    batch_of,
    each_sampling,
    mostly,
    restorable,
    row_of,
    step,
)
from tests.fakes.rigs import Rig

PROMPTS = PROMPT, ids(45, 2)

each_batching = pytest.mark.parametrize("batching", ["together", "alone"])


def pair(
    rig: Rig, sampling: Sampling, hints: Callable[[list[int]], list[int]] = mostly
) -> list[tuple[Sequence, list[int]]]:
    """Two rows with drafts by `hints`, which are right in most places, and the tokens that each emits alone."""
    expected = [answer(rig, sampling, prompt) for prompt in PROMPTS]
    return [
        (row_of(rig, sampling, hints(tokens), prompt), tokens) for prompt, tokens in zip(PROMPTS, expected, strict=True)
    ]


def steps(batch: Batch, *rows: Sequence) -> Iterator[dict[Sequence, int]]:
    """Decode until each of `rows` has LONG tokens. Yields after each step how many tokens it emitted of each row."""
    while min(len(row.emitted) for row in rows) < LONG:
        count = dict.fromkeys(batch.sequences, 0)
        for row, token in step(batch):
            row.emitted.append(token)
            count[row] += 1
        yield count


@pytest.mark.sweep(4)
@restorable
@each_sampling
@each_batching
def test_drafts_change_no_token(rig: Rig, sampling: Sampling, batching: Batching) -> None:
    """Every kind of cache, greedy and drawn: both rows emit the same tokens in fewer steps."""
    rows = pair(rig, sampling)
    batch = batch_of(rig, batching)
    batch.join_all([row for row, _ in rows])
    counts = [[*count.values()] for count in steps(batch, *batch.sequences)]
    assert min(map(sum, counts)) >= len(rows), "no row waits for the other"
    assert len(counts) < 0.8 * LONG
    for row, tokens in rows:
        assert row.emitted[:LONG] == tokens


@pytest.mark.sweep(3)
@restorable
@each_batching
def test_caches_cover_what_was_emitted_whenever_a_row_leaves(rig: Rig, batching: Batching) -> None:
    """Parted or sharing, after a draft or without: a row leaves with caches of its own and its next token, and joins
    again.
    """
    rows = pair(rig, SAMPLINGS["greedy"])
    batch = batch_of(rig, batching)
    batch.join_all([row for row, _ in rows])
    for turn, _ in enumerate(steps(batch, *batch.sequences)):
        if turn % 3 == 2:
            row = rows[turn // 3 % 2][0]
            row.caches = batch.leave(row)
            assert_covered(rig, row)
            batch.join(row)
    for row, tokens in rows:
        assert row.emitted[:LONG] == tokens


def begun(tokens: list[int]) -> list[int]:
    """The beginning of an answer, a long run."""
    return tokens[:28]


def test_rows_are_parted_for_long_runs_and_united_after_them(llama: Rig) -> None:
    """Rows share steps until both repeat a long run, and again when one of them has had no draft for some steps."""
    rows, widths = pair(llama, SAMPLINGS["greedy"], begun), list[int]()
    batch = batch_of(llama, "together")
    batch.join_all([row for row, _ in rows])
    for _ in steps(batch, *batch.sequences):
        widths.append(len(batch._groups))
    assert widths == sorted(widths[:8]) + sorted(widths[8:], reverse=True), "parted once, and united once"
    assert (widths[0], widths[8], widths[-1]) == (1, 2, 1)
    assert widths.count(2) > APART_STEPS
    for row, own in rows:
        assert row.emitted[:LONG] == own


def test_rows_are_not_parted_for_prose_or_short_runs(llama: Rig) -> None:
    """A row of prose, in which a few tokens repeat by chance, shares its steps with one that repeats a long run, and
    with one that repeats short ones.
    """
    short = [token if place % 7 else 251 for place, token in enumerate(answer(llama, SAMPLINGS["greedy"]))]
    for row in (pair(llama, SAMPLINGS["greedy"], begun)[0][0], row_of(llama, SAMPLINGS["greedy"], short)):
        batch = batch_of(llama, "together")
        batch.join_all([row, row_of(llama, SAMPLINGS["sampled"], prompt=PROMPTS[1])])
        for count in steps(batch, *batch.sequences):
            assert len(batch._groups) == 1
            assert set(count.values()) == {1}


@pytest.mark.sweep(2)
@restorable
def test_a_third_row_may_join_parted_rows(rig: Rig) -> None:
    """Then all share steps and none has drafts. When it has left, the others draft again."""
    rows = pair(rig, SAMPLINGS["sampled"])
    third = row_of(rig, SAMPLINGS["sampled"], prompt=ids(31, 3))
    batch, drafted, beside = batch_of(rig, "together"), list[bool](), 0
    batch.join_all([row for row, _ in rows])
    for count in steps(batch, *batch.sequences):
        drafted.append(max(count.values()) > 1)
        beside += third in count
        if third in count:
            assert set(count.values()) == {1}
        if any(drafted) and not beside:
            batch.join(third)
        elif beside == 5 and third in batch.sequences:
            batch.drop(third)
    assert beside == 5
    assert drafted.count(True) > 1, "again, when the third has left"
    for row, tokens in rows:
        assert row.emitted[:LONG] == tokens


def test_passes_alone_are_charged_to_the_drafts(llama: Rig) -> None:
    """Two rows that were parted take longer for a step without a draft than while they share it."""
    batch = batch_of(llama, "together")
    batch.join_all([row for row, _ in pair(llama, SAMPLINGS["greedy"], begun)])
    speculation = batch._speculation
    assert speculation is not None
    budget = speculation._budgets[2]
    while not (len(batch._groups) == 2 and min(speculation._parting._idle.values()) == 2):
        for one, token in step(batch):
            one.emitted.append(token)
    credit = budget._credit
    emitted = batch.step()
    speculation.took(1.5, undisturbed=True)
    assert len(emitted) == 2
    assert budget._credit == pytest.approx(credit - 0.5)
