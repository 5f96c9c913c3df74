"""A row in a batch equals the row alone, and batching costs no memory."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import ArraysCache, KVCache, RotatingKVCache

from engine.cache.codec import codec
from engine.decode import batch as batch_module
from engine.decode.batch import Batch
from engine.decode.regroup import regrouped
from engine.decode.sampling import RowSampler, draw_all, recent_tokens
from engine.protocol.messages import Batching, Sampling
from tests.fakes import tiny_models
from tests.fakes.decoding import GREEDY, Listener, difference, ids, largest, quantised_rows, ready, run

if TYPE_CHECKING:
    from pathlib import Path

    from engine.model.loader import LoadedModel
    from engine.schedule.sequence import Sequence
    from tests.fakes.rigs import Rig

ROUNDING = 1e-4
"""Of the largest logit: what the order of sums makes in float32."""
UNEQUAL = [ids(9, 1), ids(23, 2), ids(330, 3), ids(14, 4), ids(310, 5)]
"""Rows that are padded to each other, and rows that are packed."""

each = pytest.mark.parametrize(
    ("model", "batching"),
    [*((family, "together") for family in tiny_models.CONFIGS), ("falcon_h1", "merged"), ("gemma3_text", "merged")],
    indirect=["model"],
)
sharing = pytest.mark.parametrize(
    ("model", "batching"), [("lfm2", "together"), ("falcon_h1", "merged")], indirect=["model"]
)
"""Models whose rows can share a buffer."""


RICH = Sampling(temperature=1.3, top_p=0.9, top_k=40, repetition_penalty=1.2, seed=5)
"""Everything that a draw can depend on."""


def sampled(*others: Sampling) -> pytest.MarkDecorator:
    """Each model with a draw that depends on everything, and one model with `others`: a draw sees only logits."""
    combinations = [(*one, RICH) for one in each.args[1]] + [("llama", "together", other) for other in others]
    return pytest.mark.parametrize(("model", "batching", "sampling"), combinations, indirect=["model"])


@pytest.fixture
def listener(model: LoadedModel, batching: Batching) -> Listener:
    return Listener(model.model, model.fresh_caches, batching)


def alone(model: LoadedModel, tokens: list[int], steps: int, sampling: Sampling) -> list[int]:
    batch, row = Batch(model.model, batching="alone"), ready(model.model, model.fresh_caches(), tokens, sampling)
    batch.join(row)
    run(batch, steps)
    return row.emitted


# --- at the logits


@each
def test_unequal_rows_in_a_batch_equal_rows_alone(listener: Listener) -> None:
    """Rows of 9 to 330 tokens join and leave while others decode. All logits equal those of each row alone."""
    rows = [listener.ready(tokens) for tokens in UNEQUAL]
    for row in rows:
        listener.batch.join(row)
        listener.step(3)
    listener.batch.leave(rows[1])
    listener.step(3)
    listener.batch.drop(rows[2])
    listener.step(3)
    listener.batch.leave(rows[0])
    listener.step(3)
    assert {row.request: listener.error(row) < ROUNDING for row in rows} == {row.request: True for row in rows}


@each
def test_the_measure_sees_one_changed_token(listener: Listener) -> None:
    """One changed token in the history moves the logits by far more than these tests tolerate."""
    cold, changed = (listener.cold([*UNEQUAL[0][:-3], token, *UNEQUAL[0][-2:]])[-1] for token in (7, 8))
    assert largest(cold - changed) > 20 * ROUNDING * largest(cold)


@each
def test_a_burst_joins_as_one_after_another_would(listener: Listener) -> None:
    """Rows that arrive together join the present rows, each in the cluster that suits its length."""
    rows = [listener.ready(tokens) for tokens in UNEQUAL]
    listener.batch.join_all(rows[:2])
    listener.step(2)
    listener.batch.join_all(rows[2:])
    listener.step(4)
    assert [listener.error(row) < ROUNDING for row in rows] == [True] * 5


@sharing
def test_rows_of_equal_length_are_not_padded(listener: Listener) -> None:
    """Alternatives of one answer share a buffer, without a mask."""
    rows = [listener.ready([*ids(30), last]) for last in (3, 4, 5)]
    listener.batch.join_all(rows)
    listener.step(4)
    assert listener.batch.widths == [[3]]
    assert listener.batch._groups[0].positions.layouts[0].mask(40, mx.float32) is None
    assert [listener.error(row) < ROUNDING for row in rows] == [True] * 3


@each
def test_a_row_that_leaves_takes_exactly_its_state(listener: Listener) -> None:
    """The caches of a row that left hold its prompt and every emitted token: a cold prefill gives the same logits."""
    rows = [listener.ready(tokens) for tokens in UNEQUAL]
    listener.batch.join_all(rows)
    listener.step(12)
    for row in (rows[1], rows[0], rows[4], rows[3], rows[2]):
        caches = listener.batch.leave(row)
        tokens = listener.tokens(row)
        assert row.position == len(row.prompt.ids) + len(row.emitted)
        assert codec.covers(caches, len(tokens))
        warm = listener.bare(mx.array([[5]]), cache=caches)[0, -1]
        cold = listener.cold([*tokens, 5])[-1]
        assert largest(warm - cold) < ROUNDING * largest(cold)
    assert len(listener.batch) == 0


@each
def test_a_row_continues_after_a_pause_and_in_another_turn(listener: Listener) -> None:
    """Paused rows lose no token. A finished row continues from its caches with a new prompt."""
    rows = [listener.ready(tokens) for tokens in UNEQUAL]
    listener.batch.join_all(rows)
    listener.step(5)
    for row in rows[:3]:
        row.caches = listener.batch.leave(row)
    listener.step(4)
    listener.batch.join_all(rows[:3])
    listener.step(4)
    done = rows[2]
    caches = listener.batch.leave(done)
    tokens = [*listener.tokens(done), *ids(6, 9)]
    again = ready(listener.bare, caches, tokens, position=done.position)
    listener.batch.join(again)
    listener.step(4)
    assert [listener.error(row) < ROUNDING for row in [*rows, again]] == [True] * 6


@each
def test_joining_and_leaving_in_any_order_leaves_no_trace(listener: Listener) -> None:
    """Rows join, leave, pause, resume and are dropped in a random order. All logits equal those of each row alone."""
    chance = random.Random(5)  # noqa: S311 # a play of events, no secret
    paused: list[Sequence] = []
    for turn in range(30):
        inside = listener.batch.sequences
        act = chance.choice(("join", "join", "burst", "pause", "drop", "resume"))
        if act in ("join", "burst") and len(inside) < 6:
            count = 1 if act == "join" else 2
            lengths = [chance.choice((2, 5, 11, 40, 300, 330, 350)) for _ in range(count)]
            listener.batch.join_all([listener.ready(ids(length, turn + length)) for length in lengths])
        elif act == "pause" and inside:
            paused.append(chance.choice(inside))
            paused[-1].caches = listener.batch.leave(paused[-1])
        elif act == "drop" and len(inside) > 3:
            listener.batch.drop(chance.choice(inside))
        elif act == "resume" and paused:
            listener.batch.join(paused.pop(0))
        listener.step(chance.randint(1, 3))
    assert len(listener.heard) > 8
    assert max(listener.error(row) for row in listener.heard) < ROUNDING


def test_quantised_rows_in_a_batch_equal_rows_alone(tmp_path: Path) -> None:
    """With 8-bit keys and values, padded or apart, every row gets the logits that it gets alone."""
    lone, many = quantised_rows(tmp_path, UNEQUAL)
    assert many.batch.widths == [[2, 3]]
    assert difference(lone, many) < ROUNDING


# --- who shares with whom


@sharing
def test_rows_share_by_length(listener: Listener, batching: Batching) -> None:
    """Long rows share a cluster, and short rows another; in one forward pass if the model can."""
    listener.batch.join_all([listener.ready(tokens) for tokens in UNEQUAL])
    expected = [[2, 3]] if batching == "together" else [[2], [3]]
    assert sorted(listener.batch.widths) == sorted(expected)


@each
def test_one_row_has_plain_caches(listener: Listener) -> None:
    """A row alone decodes on plain caches, before other rows join and after they have left."""
    kinds = [type(leaf) for _, leaf in codec.leaves(listener.fresh_caches())]
    rows = [listener.ready(tokens) for tokens in UNEQUAL[:2]]
    listener.batch.join(rows[0])
    listener.step()
    assert [type(leaf) for _, leaf in codec.leaves(listener.model.caches)] == kinds
    listener.batch.join(rows[1])
    listener.step(2)
    listener.batch.drop(rows[0])
    listener.step(2)
    assert [type(leaf) for _, leaf in codec.leaves(listener.model.caches)] == kinds
    assert listener.error(rows[1]) < ROUNDING


@each
def test_caches_that_do_not_fit_affect_no_other_row(model: LoadedModel, batching: Batching) -> None:
    """Caches that are too few, of another class or window, or empty: the row decodes or fails by itself."""
    listener = Listener(model.model, model.fresh_caches, batching)
    good = [listener.ready(tokens) for tokens in UNEQUAL[:2]]
    bad = [listener.ready(ids(12, 7)) for _ in range(4)]
    bad[0].caches = bad[0].caches[:-1]
    bad[1].caches = [RotatingKVCache(4), *bad[1].caches[1:]]
    bad[2].caches = [ArraysCache(2), *bad[2].caches[1:]]
    bad[3].caches = [KVCache() for _ in bad[3].caches]
    listener.batch.join_all([good[0], *bad, good[1]])
    for row in bad:
        listener.batch.drop(row)
    listener.step(4)
    assert len(listener.batch) == 2
    assert [listener.error(row) < ROUNDING for row in good] == [True, True]


def test_rows_with_partly_empty_states_stay_apart() -> None:
    """A slot that is empty in every row stays empty in the batch. If only some rows fill it, the rows stay apart."""
    model = Remembering()
    batch = Batch(model, batching="together")
    unset = [ready(model, [ArraysCache(2)], ids(5, n)) for n in (1, 2)]
    filled = ready(model, [ArraysCache(2)], ids(5, 3))
    filled.caches[0][1] = mx.zeros((1, 1))
    batch.join_all([*unset, filled])
    run(batch, 2)
    assert sorted(map(sum, batch.widths)) == [1, 2]
    assert batch.leave(unset[0])[0][1] is None


class Remembering:
    """A model whose only state is the sum of its tokens, in the first of two slots."""

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        before = 0 if cache[0][0] is None else cache[0][0]
        cache[0][0] = before + tokens.sum(axis=1, keepdims=True)
        return mx.broadcast_to(cache[0][0][:, :, None], (*tokens.shape, 4)).astype(mx.float32)

    def parameters(self) -> dict[str, Any]:
        return {}

    def modules(self) -> list[Any]:
        return []


# --- failures


class Failing:
    """Raises MemoryError at the call of that number, once."""

    def __init__(self, function: Callable[..., Any], at: int) -> None:
        self._function = function
        self._left = at

    @property
    def reached(self) -> bool:
        return self._left <= 0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        self._left -= 1
        if not self._left:
            raise MemoryError("no memory for the copy")
        return self._function(*args, **kwargs)


Act = Callable[[Batch, list["Sequence"]], object]
SHORT = [ids(9, 1), ids(23, 2), ids(300, 3), ids(14, 4)]
ACTS: dict[str, Act] = {
    "join": lambda batch, rows: batch.join_all(rows[3:]),
    "leave": lambda batch, rows: batch.leave(rows[0]),
    "drop": lambda batch, rows: batch.drop(rows[1]),
}


def fails(act: Act, listener: Listener, rows: list[Sequence], at: int) -> bool:
    """Whether `act` fails when the copy of layer number `at` does. It may copy fewer layers."""
    failing = Failing(regrouped, at)
    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(MemoryError):
        patch.setattr(batch_module, "regrouped", failing)
        act(listener.batch, rows)
    return failing.reached


@pytest.mark.parametrize("name", ACTS)
@each
def test_a_change_that_fails_leaves_the_batch_as_it_was(listener: Listener, name: str) -> None:
    """If an inner layer or the last cannot be copied when rows join, leave or are dropped, every row keeps its own
    state, and the change can be made later.
    """
    for at in (2, len(listener.fresh_caches())):
        rows = [listener.ready(tokens) for tokens in SHORT]
        listener.batch.join_all(rows[:3])
        listener.step(1)
        before = listener.batch.sequences
        if fails(ACTS[name], listener, rows, at):
            assert listener.batch.sequences == before
            assert all(row.caches and row.drawn is not None for row in rows[3:])
            listener.step(1)
            ACTS[name](listener.batch, rows)
        listener.step(1)
        heard = [row for row in rows if row in listener.heard]
        assert [listener.error(row) < ROUNDING for row in heard] == [True] * len(heard)
        listener.batch.clear()
        listener.heard.clear()


def test_a_group_can_be_dropped_without_a_copy(rig_of: Callable[[str], Rig]) -> None:
    """If its neighbours cannot be regrouped, a row leaves with all of them. Other groups stay."""
    rig = rig_of("llama")
    batch = Batch(rig.model, batching="merged")
    rows = [ready(rig.model, rig.fresh_caches(), tokens) for tokens in UNEQUAL]
    batch.join_all(rows)
    assert batch.drop_group(rows[0]) == [rows[0], rows[1], rows[3]]
    assert batch.sequences == [rows[2], rows[4]]


def test_a_row_that_is_not_in_the_batch_is_named(rig_of: Callable[[str], Rig]) -> None:
    """Removing a row twice raises an error that names its request."""
    rig = rig_of("llama")
    row = ready(rig.model, rig.fresh_caches(), UNEQUAL[0])
    with pytest.raises(LookupError, match=row.request):
        Batch(rig.model, batching="together").leave(row)


# --- drawing


@sampled(Sampling(seed=11))
def test_the_same_seed_draws_the_same_in_a_batch(model: LoadedModel, sampling: Sampling, batching: Batching) -> None:
    """A seed belongs to its row: neighbours with other settings and lengths do not affect it."""
    expected = alone(model, UNEQUAL[0], 8, sampling)
    batch = Batch(model.model, batching=batching)
    row, near, far = (
        ready(model.model, model.fresh_caches(), tokens, settings)
        for tokens, settings in zip(UNEQUAL, (sampling, Sampling(temperature=0.9, seed=3), Sampling()), strict=False)
    )
    batch.join_all([near, far, row])
    run(batch, 8)
    assert row.emitted == expected
    assert alone(model, UNEQUAL[0], 8, Sampling(temperature=1.3, seed=77)) != expected


def stepped(model: LoadedModel, tokens: list[int], steps: int, sampling: Sampling) -> list[int]:
    """The tokens drawn if every token from the prompt's last one on is fed in a step of its own."""
    caches, sampler, prompt, emitted = model.fresh_caches(), RowSampler(sampling), len(tokens), list[int]()
    if tokens[:-1]:
        model.model(mx.array([tokens[:-1]]), cache=caches)
    for position in range(prompt, prompt + steps):
        fed = mx.array([[*tokens, *emitted][-1]])
        logits = model.model(fed[None], cache=caches)[:, -1]
        before = recent_tokens(tokens, emitted, position - 1)
        emitted.append(int(draw_all(logits, [sampler], [position], [before], fed).item()))  # type: ignore[arg-type] # an id
    return emitted


@sampled(GREEDY, Sampling(temperature=0.0, repetition_penalty=1.4), Sampling(temperature=1.0, seed=5))
def test_a_first_token_is_the_one_that_a_step_would_draw(
    model: LoadedModel, sampling: Sampling, batching: Batching
) -> None:
    """The token drawn after a whole prompt, of one token or many, alone or in a batch, is the one drawn if the prompt's
    last token is fed by itself: same key, same penalties.
    """
    prompts = [ids(length, 3) for length in (1, 2, 9, 32, 33, 34, 90)]
    expected = [stepped(model, tokens, 3, sampling) for tokens in prompts]
    assert [alone(model, tokens, 3, sampling) for tokens in prompts] == expected
    batch = Batch(model.model, batching=batching)
    rows = [ready(model.model, model.fresh_caches(), tokens, sampling) for tokens in prompts]
    batch.join_all(rows)
    run(batch, 3)
    assert [row.emitted for row in rows] == expected


@each
def test_a_row_that_leaves_before_its_first_step_loses_nothing(model: LoadedModel, batching: Batching) -> None:
    """Its caches hold the prompt, and its first token is kept. Whenever it joins again, it emits the same tokens."""
    sampling = Sampling(temperature=1.0, seed=5)
    batch = Batch(model.model, batching=batching)
    rows = [ready(model.model, model.fresh_caches(), tokens, sampling) for tokens in UNEQUAL[:2]]
    batch.join_all(rows)
    rows[0].caches = batch.leave(rows[0])
    assert codec.covers(rows[0].caches, len(UNEQUAL[0]))
    assert rows[0].position == len(UNEQUAL[0])
    run(batch, 3)
    batch.join(rows[0])
    run(batch, 5)
    assert [row.emitted for row in rows] == [
        alone(model, UNEQUAL[0], 5, sampling),
        alone(model, UNEQUAL[1], 8, sampling),
    ]


# --- memory


def own_bytes(rows: list[Sequence]) -> int:
    return sum(cache.nbytes for row in rows for cache in row.caches)


@pytest.mark.parametrize("long", [4_000, 16_000])
def test_a_long_row_beside_short_ones_is_not_padded(long: int) -> None:
    """One long row and three of 100 tokens hold at most a tenth more than their own caches."""
    model = Keeping()
    rows = [ready(model, model.fresh(), ids(length, n)) for n, length in enumerate((long, 101, 101, 101))]
    own = own_bytes(rows)
    batch = Batch(model, batching="together")
    for row in rows:
        batch.join(row)
    run(batch, 2)
    assert batch.nbytes <= 1.1 * own


def test_joining_and_leaving_copies_no_long_row() -> None:
    """While other rows join and leave beside a row of 16k tokens, and when it leaves itself, less than a tenth of the
    batch is held twice.
    """
    model = Keeping()
    long = ready(model, model.fresh(), ids(16_000))
    short = [ready(model, model.fresh(), ids(101, n)) for n in (2, 3, 4)]
    batch = Batch(model, batching="together")
    batch.join_all([long, short[0]])
    run(batch, 2)
    most = 0.1 * batch.nbytes
    acts = (
        lambda: batch.join(short[1]),
        lambda: batch.join(short[2]),
        lambda: batch.leave(short[0]),
        lambda: batch.drop(short[1]),
        lambda: batch.leave(long),
    )
    for act in acts:
        before = mx.get_active_memory()
        mx.reset_peak_memory()
        act()
        mx.synchronize()
        assert mx.get_peak_memory() - before <= most


def test_a_merge_holds_its_rows_twice_and_no_more() -> None:
    """Eight equal rows become one buffer, and seven again. The old buffers stay until the new ones are complete."""
    model = Keeping(layers=20)
    rows = [ready(model, model.fresh(), ids(500, n)) for n in range(8)]
    batch = Batch(model, batching="together")
    whole = own_bytes(rows)
    acts: list[Callable[[], object]] = [lambda: batch.join_all(rows), lambda: batch.drop(rows[3])]
    for act in acts:
        before = mx.get_active_memory()
        mx.reset_peak_memory()
        act()
        mx.synchronize()
        assert mx.get_peak_memory() - before <= 1.05 * whole
        assert mx.get_active_memory() - before <= 0.05 * whole, "the old buffers are freed"
    assert batch.widths == [[7]]


@each
def test_a_row_that_left_does_not_hold_the_batch(listener: Listener) -> None:
    """Extracted state has buffers of its own: when the batch is dropped, its memory is freed."""
    rows = [listener.ready(ids(20 + i, i)) for i in range(6)]
    listener.batch.join_all(rows)
    listener.step(3)
    kept = listener.batch.leave(rows[0])
    listener.batch.clear()
    listener.heard.clear()
    listener.model.logits.clear()
    mx.clear_cache()
    held = sum(leaf.nbytes for _, leaf in codec.leaves(kept))
    before = mx.get_active_memory()
    del kept
    mx.clear_cache()
    assert before - mx.get_active_memory() < 2.5 * held, "six rows would be six times as much"


@pytest.mark.parametrize("batching", ["together", "merged"])
def test_memory_stays_flat_over_200_joins_and_leaves(batching: Batching) -> None:
    """Rows that join and leave, in any cluster, leave no memory behind."""
    model = Keeping()
    batch = Batch(model, batching=batching)
    stay = [ready(model, model.fresh(), ids(length, length)) for length in (600, 40)]
    batch.join_all(stay)
    held = []
    for turn in range(200):
        row = ready(model, model.fresh(), ids(30 + turn % 7, turn))
        batch.join(row)
        batch.step()
        batch.drop(row)
        mx.synchronize()
        held.append(mx.get_active_memory() - batch.nbytes)
    assert max(held[150:]) <= max(held[:50]) + 100_000, "one of the rows alone takes more"


class Keeping:
    """A model that is all caches: attention layers with one small head, and almost no weights."""

    def __init__(self, layers: int = 4) -> None:
        self.layers = range(layers)

    def fresh(self) -> list[Any]:
        return [KVCache() for _ in self.layers]

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        logits = mx.zeros((*tokens.shape, 16))
        for layer in cache:
            keys = mx.broadcast_to(
                tokens[:, None, :, None].astype(mx.float32), (tokens.shape[0], 1, tokens.shape[1], 16)
            )
            layer.update_and_fetch(keys, keys)
            logits = mx.depends(logits, mx.array(layer.offset)) + 0
        mx.eval([layer.state for layer in cache])
        return logits

    def parameters(self) -> dict[str, Any]:
        return {}

    def modules(self) -> list[Any]:
        return []
