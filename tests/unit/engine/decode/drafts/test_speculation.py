"""A row that speculates emits the tokens that it emits without drafts, and its caches cover exactly those."""

from __future__ import annotations

import gc
import itertools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from engine.cache.codec import codec
from engine.decode.batch import Batch
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import Sequence
from tests.fakes.decoding import ids
from tests.fakes.drafting import (
    LONG,
    NEVER,
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
    write,
)
from tests.fakes.rigs import Rig

if TYPE_CHECKING:
    import mlx.core as mx


@pytest.mark.sweep
@each_sampling
def test_drafts_change_no_token(rig: Rig, sampling: Sampling) -> None:
    """Every kind of cache, greedy and drawn with filters, penalties and seeds: the same tokens in fewer passes."""
    expected = answer(rig, sampling)
    batch, row = batch_of(rig), row_of(rig, sampling, mostly(expected))
    batch.join(row)
    steps = write(batch, row, LONG)
    assert row.emitted[:LONG] == expected
    assert steps == LONG if rig.name in NEVER else steps < 0.8 * LONG


@pytest.mark.sweep(3)
@restorable
def test_caches_cover_what_was_emitted_after_every_step(rig: Rig) -> None:
    """Whenever a row leaves, its caches give the logits of a cold prefill of its prompt and its tokens."""
    expected = answer(rig, SAMPLINGS["greedy"])
    batch, row = batch_of(rig), row_of(rig, SAMPLINGS["greedy"], mostly(expected))
    batch.join(row)
    while len(row.emitted) < LONG:
        write(batch, row, len(row.emitted) + 1)
        row.caches = batch.leave(row)
        assert_covered(rig, row)
        batch.join(row)
    assert row.emitted[:LONG] == expected


@pytest.mark.sweep(3)
@restorable
def test_no_token_comes_after_one_that_ends_the_answer(rig: Rig) -> None:
    """Whichever token of a draft that is, of one that was accepted whole or to a part: the step emits it last, the
    caches hold no later one, and the token after it is noted.
    """
    expected = answer(rig, SAMPLINGS["greedy"])
    hints = [*expected[:28], 0, *expected[29:]]
    for begun, kept in itertools.product((5, 17), (1, 2, 4)):
        batch, row = batch_of(rig), row_of(rig, SAMPLINGS["greedy"], hints)
        batch.join(row)
        write(batch, row, begun)
        end = expected[len(row.emitted) + kept - 1]
        if end in expected[len(row.emitted) : len(row.emitted) + kept - 1]:
            continue
        assert batch._speculation is not None
        batch._speculation._ends = [end]
        row.emitted += [token for _, token in step(batch)]
        row.caches = batch.leave(row)
        assert row.emitted == expected[: len(row.emitted)]
        assert row.emitted[-1] == end
        assert row.drawn == expected[len(row.emitted)]
        assert_covered(rig, row)


@pytest.mark.sweep
@restorable
@pytest.mark.parametrize("remove", [Batch.leave, Batch.drop, Batch.drop_group, lambda batch, _: batch.clear()])
def test_nothing_holds_the_caches_of_a_row_that_has_left(rig: Rig, remove: Callable[[Batch, Sequence], object]) -> None:
    """If an answer ends with a draft, its caches are freed with it, whether it was complete, cancelled or failed."""
    expected = answer(rig, SAMPLINGS["greedy"])
    batch, row = batch_of(rig), row_of(rig, SAMPLINGS["greedy"], expected)
    caches = [weakref.ref(leaf) for _, leaf in codec.leaves(row.caches)]
    batch.join(row)
    write(batch, row, 8)
    emitted = step(batch)
    assert len(emitted) > 1
    row.emitted += [token for _, token in emitted]
    remove(batch, row)
    gc.collect()
    assert [cache() for cache in caches] == [None] * len(caches)


@pytest.mark.sweep(3)
@restorable
def test_rows_join_and_leave_beside_a_row_that_speculates(rig: Rig) -> None:
    """A second and a third row join between two drafts and leave again: all emit what they emit alone."""
    prompts = [PROMPT, ids(23, 2), ids(31, 3)]
    expected = [answer(rig, SAMPLINGS["sampled"], prompt) for prompt in prompts]
    batch = batch_of(rig)
    first, second, third = (
        row_of(rig, SAMPLINGS["sampled"], mostly(tokens), prompt)
        for tokens, prompt in zip(expected, prompts, strict=True)
    )
    batch.join(first)
    write(batch, first, 18)
    batch.join(second)
    write(batch, first, 23)
    batch.join(third)
    write(batch, first, 28)
    batch.drop(second)
    batch.drop(third)
    assert write(batch, first, LONG) < LONG - 28 - 4
    for row, tokens in zip((first, second, third), expected, strict=True):
        assert row.emitted[:LONG] == tokens[: len(row.emitted)]


def test_no_draft_goes_beyond_the_answer_or_its_memory(llama: Rig) -> None:
    """A step emits no more tokens than the request has left, or than memory was granted for."""
    expected = answer(llama, SAMPLINGS["greedy"])
    for limits in ({"max_tokens": 40}, {"granted": len(PROMPT) + 40}):
        sampling = Sampling(temperature=0.0, max_tokens=limits.get("max_tokens", 1000))
        batch, row = batch_of(llama), row_of(llama, sampling, expected)
        row.granted = limits.get("granted", 0)
        batch.join(row)
        assert write(batch, row, 40) < 30
        assert row.emitted == expected[:40]


@pytest.mark.parametrize("limit", range(len(PROMPT) + 30, len(PROMPT) + 42))
def test_no_draft_goes_beyond_the_context_limit(llama: Rig, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model with learned positions has none beyond its limit. An answer still reaches the limit."""
    reached: list[int] = []
    model = type(llama.model).__call__

    def watched(self: object, tokens: mx.array, cache: Any) -> mx.array:
        reached.append(cache[0].offset + tokens.shape[1])
        logits: mx.array = model(self, tokens, cache=cache)
        return logits

    hints = mostly(answer(llama, SAMPLINGS["greedy"]))
    batch, row = batch_of(llama, context_limit=limit), row_of(llama, SAMPLINGS["greedy"], hints)
    monkeypatch.setattr(type(llama.model), "__call__", watched)
    batch.join(row)
    steps = write(batch, row, limit - len(PROMPT))
    assert steps < len(row.emitted)
    assert max(reached) == limit
