"""A row with drafts by its model's head emits the tokens that it emits without, at any depth, and as few passes as the
head is right.
"""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Callable
from functools import partial
from unittest import mock

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache
from msgspec import structs

from engine.cache.codec import codec
from engine.decode import prefill
from engine.decode.batch import Batch
from engine.decode.drafts.budget import DEPTHS, SHARE, Acceptance, DraftBudget
from engine.decode.drafts.drafter import Drafter
from engine.decode.drafts.head import HeadDrafter, RecentDrafters
from engine.decode.drafts.speculation import Speculation
from engine.decode.drafts.whole_buffers import WholeBuffers
from engine.decode.last_logits import LastLogits, hidden_states
from engine.decode.prefill import prefill_chunk
from engine.model.loader import LoadedModel
from engine.protocol.messages import Generate
from engine.protocol.sampling_settings import Sampling
from engine.schedule.sequence import Sequence
from tests.fakes import heads, tiny_models
from tests.fakes.decoding import pending_sequence, ready
from tests.fakes.drafting import LONG, PROMPT, SAMPLINGS, step

each_sampling = pytest.mark.parametrize("sampling", SAMPLINGS.values(), ids=SAMPLINGS)
each_depth = pytest.mark.parametrize("depth", DEPTHS)


@pytest.fixture(scope="module", params=[False, True], ids=["dense", "experts"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    loaded = tiny_models.loaded(heads.headed(tmp_path_factory.mktemp("headed") / "model", experts=request.param))
    assert loaded.head is not None
    return loaded


@pytest.fixture
def tokens(model: LoadedModel) -> Callable[[Sampling], list[int]]:
    """The answer without drafts."""

    def written(sampling: Sampling) -> list[int]:
        batch, row = Batch(model.model, batching="alone"), row_of(model, sampling)
        batch.join(row)
        while len(row.emitted) < LONG:
            row.emitted += [token for _, token in batch.step()]
        return row.emitted

    return written


def row_of(model: LoadedModel, sampling: Sampling, prompt: list[int] = PROMPT) -> Sequence:
    return ready(model.model, model.fresh_caches(), prompt, sampling)


def drafting(model: LoadedModel, depth: int, ends: tuple[int, ...] = ()) -> tuple[Batch, Speculation]:
    """A batch in which the head always drafts so many tokens, and no text is copied."""
    speculation = Speculation(model.model, 0, ends, model.head)
    for budget in speculation._budgets.values():
        budget.best_length = lambda most: 0 * most  # type: ignore[method-assign] # the head alone drafts
    speculation._head_budget.best_length = lambda most: max(0, min(depth, most))  # type: ignore[method-assign]
    return Batch(model.model, batching="alone", speculation=speculation), speculation


def write(batch: Batch, row: Sequence, count: int) -> list[int]:
    """Decode until `row` has at least `count` tokens. Returns how many each step emitted."""
    emitted = []
    while len(row.emitted) < count:
        new = [token for one, token in step(batch) if one is row]
        row.emitted += new
        emitted.append(len(new))
    return emitted


def foretell(monkeypatch: pytest.MonkeyPatch, expected: list[int], rate: float) -> None:
    """Let the head guess the tokens of an answer, each one right with this chance."""
    chance = random.Random(4)  # noqa: S311 # no secret

    def draft(speculation: Speculation, groups: list[object]) -> mx.array | None:
        row = groups[0].rows[0]  # type: ignore[attr-defined]
        at = row.position - len(PROMPT) + 1
        length = speculation._head_budget.best_length(speculation._room(row))
        guesses = [token if chance.random() < rate else (token + 1) % 250 for token in expected[at : at + length]]
        return mx.array(guesses) if guesses else None

    monkeypatch.setattr(Speculation, "_head_draft", draft)


@pytest.mark.sweep(4)
@each_depth
@each_sampling
def test_a_head_changes_no_token(
    model: LoadedModel, sampling: Sampling, depth: int, tokens: Callable[[Sampling], list[int]]
) -> None:
    """Greedy and drawn, with penalties and seeds: a random head is mostly wrong."""
    batch, _ = drafting(model, depth)
    row = row_of(model, sampling)
    batch.join(row)
    write(batch, row, LONG)
    assert row.emitted[:LONG] == tokens(sampling)[:LONG]


@pytest.mark.sweep(3)
@each_depth
@each_sampling
def test_a_head_that_is_mostly_right_saves_passes(
    model: LoadedModel,
    sampling: Sampling,
    depth: int,
    tokens: Callable[[Sampling], list[int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same tokens, and the caches cover them whenever the row leaves."""
    expected = tokens(sampling)
    foretell(monkeypatch, expected, 0.8)
    batch, _ = drafting(model, depth)
    row = row_of(model, sampling)
    batch.join(row)
    emitted = write(batch, row, LONG - depth)
    assert row.emitted == expected[: len(row.emitted)]
    assert len(emitted) < LONG / (1 + 0.5 * depth**0.5)
    row.caches = batch.leave(row)
    assert codec.covers(row.caches, row.position)
    after = model.model(mx.array([[5]]), cache=row.caches)[0, -1]
    cold = model.model(mx.array([[*PROMPT, *row.emitted, 5]]), cache=model.fresh_caches())[0, -1]
    assert mx.abs(after - cold).max() < 1e-4 * mx.abs(cold).max()


@each_depth
def test_no_token_comes_after_one_that_ends_the_answer(
    model: LoadedModel, depth: int, tokens: Callable[[Sampling], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does the answer go beyond its limit, also in a draft that is right."""
    expected = tokens(SAMPLINGS["greedy"])
    foretell(monkeypatch, expected, 1.0)
    end = expected[12]
    batch, _ = drafting(model, depth, ends=(end,))
    row = row_of(model, SAMPLINGS["greedy"])
    batch.join(row)
    while end not in row.emitted:
        row.emitted += [token for _, token in step(batch)]
    assert row.emitted == expected[: expected.index(end) + 1]


def test_the_head_attends_to_what_the_model_has_computed(model: LoadedModel) -> None:
    """After drafts of any length, of which few tokens are right, and steps without one: its keys are those of a head
    that has got every token with the state that the model drew it from.
    """
    assert model.head is not None
    batch, speculation = drafting(model, 3)
    row = row_of(model, SAMPLINGS["sampled"])
    batch.join(row)
    for depth in (3, 0, 1, 0, 0, 2, 3, 1):
        speculation._head_budget.best_length = lambda most, depth=depth: min(depth, most)  # type: ignore[method-assign, misc]
        write(batch, row, len(row.emitted) + 3)
    cache = row.head_drafter.cache
    cache.trim(row.head_drafter._guessed)
    given = [*PROMPT, *row.emitted]
    with hidden_states() as states:
        model.model(mx.array([given]), cache=model.fresh_caches())
    first = len(PROMPT) + 1  # the step that feeds the first token tells the first state
    alone = KVCache()
    model.head(mx.array(given[first:]), states[0][:, first - 1 : -1], alone)
    assert cache.offset > 20
    for own, expected in ((cache.keys, alone.keys), (cache.values, alone.values)):
        assert mx.allclose(own[..., : cache.offset, :], expected[..., : cache.offset, :], atol=1e-4)


def test_the_head_rests_beside_another_row_and_goes_on_afterwards(
    model: LoadedModel, tokens: Callable[[Sampling], list[int]]
) -> None:
    """Two rows share plain steps. Both emit what they emit alone, and nothing is prefilled for the head."""
    expected, passes = tokens(SAMPLINGS["greedy"]), []
    batch, _ = drafting(model, 2)
    row, other = row_of(model, SAMPLINGS["greedy"]), row_of(model, SAMPLINGS["greedy"], PROMPT[:30])
    batch.join(row)
    write(batch, row, 9)
    batch.join(other)
    before = row.head_drafter
    passes += write(batch, row, 18)[1:]
    assert set(passes[:-1]) <= {1}
    assert not before.is_ready, "the state of the pending token is not known"
    batch.drop(other)
    write(batch, row, LONG)
    assert row.head_drafter is before
    assert before.cache.offset < len(row.emitted)
    assert row.emitted[:LONG] == expected[:LONG]


def test_the_head_guesses_where_no_text_repeats(model: LoadedModel, tokens: Callable[[Sampling], list[int]]) -> None:
    """Copies go first. Both kinds of drafts in one answer change no token of it."""
    expected = tokens(SAMPLINGS["sampled"])
    batch, speculation = drafting(model, 2)
    speculation._budgets[1].best_length = lambda most: 4 * (most > 3)  # type: ignore[method-assign] # whatever it costs
    row = row_of(model, SAMPLINGS["sampled"])
    row.drafter = Drafter([*row.prompt.ids, *expected[20:30]])
    row.drafter.known = len(row.prompt.ids)
    batch.join(row)
    spied = partial(mock.patch.object, autospec=True)
    with (
        spied(HeadDrafter, "draft", side_effect=HeadDrafter.draft) as guessed,
        spied(Drafter, "continuation", side_effect=Drafter.continuation) as copied,
    ):
        write(batch, row, LONG)
    assert row.emitted[:LONG] == expected[:LONG]
    assert guessed.call_count > 10
    assert copied.call_count > 1


@pytest.mark.parametrize("remove", [Batch.leave, Batch.drop, lambda batch, _: batch.clear()])
def test_nothing_of_a_row_that_has_left_is_held(
    model: LoadedModel, remove: Callable[[Batch, Sequence], object]
) -> None:
    """Neither its caches nor, for a private chat, the keys of its head, once the row itself is gone."""
    batch, speculation = drafting(model, 2)
    row = row_of(model, SAMPLINGS["greedy"])
    row.command = structs.replace(row.command, on_disk=False)
    held = [weakref.ref(leaf) for _, leaf in codec.leaves(row.caches)]
    batch.join(row)
    write(batch, row, 9)
    held.append(weakref.ref(row.head_drafter))
    remove(batch, row)
    del row
    gc.collect()
    assert [one() for one in held] == [None] * len(held)
    assert speculation is batch._speculation


@pytest.mark.parametrize("chunks", [[60], [20, 33, 7], [58, 1, 1]], ids=str)
def test_the_head_reads_the_prompt(model: LoadedModel, chunks: list[int]) -> None:
    """In chunks of any size: its keys are those of a head that got every token with the state before it. The logits are
    those of a prefill without a head, and the state of the pending token is known.
    """
    assert model.head is not None
    forward, bounds = LastLogits(model.model), [sum(chunks[:n]) for n in range(1, len(chunks) + 1)]
    row, plain = (pending_sequence(model.fresh_caches(), PROMPT) for _each in range(2))
    row.head_drafter = HeadDrafter(model.head, WholeBuffers(model.model, ()))
    with pytest.MonkeyPatch.context() as patch:
        for end in bounds:
            patch.setattr(prefill, "_chunk_end", lambda *_, end=end: end)
            prefill_chunk(forward, row, 0)
    prefill_chunk(forward, plain, 0)
    assert row.drawn == plain.drawn
    assert row.head_drafter.is_ready
    with hidden_states() as states:
        model.model(mx.array([PROMPT]), cache=model.fresh_caches())
    alone = KVCache()
    model.head(mx.array(PROMPT[1:]), states[0][:, :-1], alone)
    cache = row.head_drafter.cache
    assert cache.offset == len(PROMPT) - 1
    assert mx.allclose(cache.keys[..., : cache.offset, :], alone.keys[..., : cache.offset, :], atol=1e-4)


def test_a_long_prompt_is_read_at_its_end(model: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of it costs nothing."""
    monkeypatch.setattr(prefill, "MOST_READ", 16)
    monkeypatch.setattr("engine.decode.drafts.head.MOST_READ", 16)
    assert model.head is not None
    row = pending_sequence(model.fresh_caches(), PROMPT)
    row.head_drafter = HeadDrafter(model.head, WholeBuffers(model.model, ()))
    monkeypatch.setattr(prefill, "_chunk_end", lambda _forward, sequence, _decoding: sequence.position + 10)
    while row.pending_tokens:
        prefill_chunk(LastLogits(model.model), row, 0)
    assert 16 <= row.head_drafter.cache.offset < 16 + 10


@pytest.mark.sweep(2)
@each_sampling
def test_a_device_that_prepares_shapes_needs_those_of_the_load_alone(
    model: LoadedModel,
    sampling: Sampling,
    tokens: Callable[[Sampling], list[int]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The passes over drafts and the head's own, over whole buffers. The tokens are the same."""
    monkeypatch.setattr("engine.decode.drafts.whole_buffers.gains_from_whole_buffers", lambda _: True)
    batch, speculation = drafting(model, 3)
    at_load = {*speculation._whole.prepared}
    row = row_of(model, sampling)
    batch.join(row)
    write(batch, row, LONG)
    assert row.emitted[:LONG] == tokens(sampling)[:LONG]
    assert speculation._whole.prepared == at_load != set()


def asked(model: LoadedModel, chat: str, prompt: list[int], found: int = 0) -> Sequence:
    """A row of `chat`, whose caches hold the first `found` tokens of its prompt."""
    row = row_of(model, SAMPLINGS["greedy"], prompt)
    row.command, row.position = Generate(chat, chat, ()), found
    return row


def pairs(drafter: HeadDrafter, model: LoadedModel, tokens: list[int]) -> int:
    """How many pairs a drafter has after it has read `tokens`, which a row was fed."""
    with hidden_states() as states:
        model.model(mx.array([tokens]), cache=model.fresh_caches())
    drafter.read(states[0], mx.array(tokens))
    count: int = drafter.cache.offset
    return count


def test_the_next_answer_of_a_chat_starts_with_the_pairs_of_those_before(model: LoadedModel) -> None:
    """Of as many tokens as its caches still hold: a message may have been edited, or less was found."""
    assert model.head is not None
    again = [*PROMPT, 3, 4, *PROMPT]
    for prompt, found, left in (
        (again, len(PROMPT) + 2, len(PROMPT) - 1),
        (again, 20, 19),
        ([*PROMPT[:10], 9, 9, *PROMPT], len(PROMPT), 9),
    ):
        drafters = RecentDrafters(model.head, WholeBuffers(model.model, ()))
        first = drafters.take(asked(model, "a", PROMPT))
        assert pairs(first, model, PROMPT) == len(PROMPT) - 1
        second = drafters.take(asked(model, "a", prompt, found))
        assert second is first
        assert second.cache.offset == left
        assert not second.is_ready, "what is fed next was not drawn from the last state"


def test_the_drafters_of_the_last_four_chats_are_kept(model: LoadedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not that of a private chat, and no more pairs than a limit."""
    assert model.head is not None
    drafters = RecentDrafters(model.head, WholeBuffers(model.model, ()))
    taken = {chat: drafters.take(asked(model, chat, PROMPT)) for chat in "abcde"}
    assert drafters.take(asked(model, "b", PROMPT)) is taken["b"]
    assert drafters.take(asked(model, "a", PROMPT)) is not taken["a"]
    private = asked(model, "p", PROMPT)
    private.command = structs.replace(private.command, on_disk=False)
    assert drafters.take(private) is not drafters.take(private)
    monkeypatch.setattr("engine.decode.drafts.head._MOST_KEPT", 20)
    pairs(taken["e"], model, PROMPT)
    drafters.take(asked(model, "f", PROMPT))
    assert drafters.take(asked(model, "e", PROMPT, len(PROMPT))) is not taken["e"]


def played(cost: Callable[[int], float], rate: float, tokens: int) -> float:
    """The steps' worth of time that an answer takes, with drafts whose tokens are right with this chance. A pass over a
    draft costs so many steps.
    """
    chance, acceptance = random.Random(8), Acceptance()  # noqa: S311 # no secret
    budget = DraftBudget(1, DEPTHS, acceptance)
    time, written = 0.0, 0
    while written < tokens:
        length = budget.best_length(max(DEPTHS))
        accepted = next((at for at in range(length) if chance.random() >= rate), length)
        if length:
            acceptance.learn(length, accepted)
            budget.drafted(length, 1 + accepted, cost(length))
        else:
            budget.ordinary(1.0)
        written += 1 + accepted
        time += cost(length) if length else 1.0
    return time


def test_a_head_that_loses_is_switched_off() -> None:
    """A pass that costs 2.5 steps with a token in three wrong costs 1 % of the answer, and eight steps once."""
    assert played(lambda _length: 2.5, 0.6, 5000) < 5000 * (1 + SHARE) + 8 + 2.5 * 2 * len(DEPTHS)


def test_a_head_that_gains_is_used_at_its_best_depth() -> None:
    """Passes of 1.2 steps, with four of five tokens right: more than 1.4 times as fast. A third token that costs a step
    is not drafted.
    """
    assert played(lambda _length: 1.2, 0.8, 2000) < 2000 / 1.4
    assert played(lambda length: 1.2 + (length > 2), 0.8, 2000) < 2000 / 1.4
