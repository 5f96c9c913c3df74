"""Probes whether the rows of a model can share steps, by running a few rows at load.

Models differ in what they do with the keys of their rows, so the probe compares the logits of a batched row with those
of the same row alone. It uses a few short rows, and rows that cross the model's thresholds. The caches of the latter
are filled with random numbers, because prefilling so many tokens would take too long. A threshold is probed if it is at
most MOST_TOKENS, one of the first MOST_ROWS, and if its rows fit into a quarter of the free memory.

Each pass is sent to the device before the next one is built: nothing else orders what a pipeline receives.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine.cache.codec import codec
from engine.cache.codec.codec import Layout, Piece
from engine.cache.codec.kinds import TOKEN_AXIS
from engine.decode import ragged_attention
from engine.decode.ragged_attention import RowPositions
from engine.decode.regroup import Arrangement, batch_form, regrouped
from engine.decode.row_layouts import PackedRows, PaddedRows
from engine.memory.footprint import row_bytes
from engine.protocol.errors import CacheMismatch
from engine.protocol.shared import own_figure
from storage.segments.records import RecordKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    from engine.memory.footprint import Footprint
    from engine.protocol.messages import Batching
    from engine.protocol.shared import Agreed

_ALONE = frozenset(
    {
        "deepseek_v41",  # its own kind of cache cannot be merged
        "gpt_bigcode",  # takes one number as the position, but a batch has one for each row
        "llama4",  # chunked caches cannot be merged
        "minimax_m3_vl",  # attends in blocks that are cut across the padding
    }
)
"""Model types of mlx-lm 0.32.2 whose rows change with the rows beside them, or that cannot be batched."""

MOST_TOKENS = 1 << 14
"""A threshold beyond this is not probed."""
MOST_ROWS = 4
"""Each threshold needs a row besides the short ones. Models have at most two."""

_ROWS_AT_ONCE = 3
"""Copies of each row in memory at the same time: the row itself, the one in the batch, and one that is being computed.
The rows are those that cross thresholds and a short one, which may be padded to their length.
"""
_SHARE_OF_FREE = 4

_LENGTHS = (5, 11, 60)
"""Two similar lengths that are padded to each other, and a distant one: a wrong offset then has a large effect."""
_STEPS = 2
_CLUSTERS = [[0, 1], [2]]
_SHORT, _LONG = 1, 2
"""Indices into these rows: one whose length is that of the row beside those that cross a threshold, and one that serves
as the model of the latter.
"""

_STEPS_ACROSS = 3
"""The steps begin one token before a threshold: one reaches it, and two lie behind it."""

_TOLERANCE = {mx.float32: 1e-3, mx.float16: 0.02, mx.bfloat16: 0.05}
"""The error of a row in a batch of unequal rows compared with equal rows, as a share of the spread of its logits:
rounding.
"""
_SHARE_OF_CONTROL = 0.25
"""The error is also at most this share of the effect of another history of the same length. A batch of equal rows has
no other limit: a wider batch rounds differently in every layer.
"""

_FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""The exceptions that a model's code raises on input that it was not written for."""


@dataclass(frozen=True)
class _Probe:
    """Rows of a model: their caches, the tokens of each of `steps`, shape (rows,), and the logits of each row alone
    after them, shape (rows, vocabulary). `clusters` lists the rows that share a padded buffer if rows are clustered.

    `control`, shape (rows,), is the effect of another history on the logits. `tolerance` depends on the dtype.
    """

    lengths: Sequence[int]
    clusters: list[list[int]]
    steps: int
    caches: list[list[Any]]
    tokens: mx.array
    alone: mx.array
    control: mx.array
    tolerance: float


def reachable(thresholds: Sequence[int], footprint: Footprint, free: int) -> tuple[int, ...]:
    """The `thresholds` (ascending) that can be probed together in `free` bytes of memory."""
    far = [length for length in thresholds if length > max(_LENGTHS)]
    fitting = [
        length
        for rows, length in enumerate(far[:MOST_ROWS], 2)
        if length <= MOST_TOKENS and _ROWS_AT_ONCE * rows * row_bytes(footprint, length) <= free // _SHARE_OF_FREE
    ]
    return tuple(length for length in thresholds if length in fitting or length not in far)


def may_share(model_type: str, caches: Sequence[Any]) -> bool:
    """Whether it is worth probing. Some model types are known to depend on the lengths of other rows in ways that a few
    short rows may not show. Others have `caches` that cannot be merged.
    """
    return model_type not in _ALONE and not codec.unsupported(caches)


def measure(
    model: Any,
    fresh_caches: Callable[[], list[Any]],
    thresholds: Iterable[int] = (),
    agreed: Agreed = own_figure,
) -> Batching:
    """How rows of unequal length can decode: in clusters in one pass, padded to each other, or each alone. Probes rows
    that cross each of `thresholds`. Machines that have other layers of the model take the same passes.

    Takes about as long as thirty short steps, and ten more for each row that crosses a threshold and for the short one
    beside them. Installs `engine.decode.ragged_attention` in the model's modules.
    """
    far = [length for length in thresholds if length > max(_LENGTHS)]
    try:
        near = _prepared(model, fresh_caches)
        probes = [near, _across(model, fresh_caches, near, far)] if far else [near]
    except (*_FAILURES, CacheMismatch):
        return "alone"
    ragged_attention.install(model)
    found = _best(_Rows(model, agreed), probes)
    del near, probes
    mx.clear_cache()
    return found


@dataclass(frozen=True)
class _Rows:
    """A model that takes a step of several rows at once. If it fails on one machine, it fails on all that have layers
    of it: otherwise they would wait for each other.
    """

    model: Any
    agreed: Agreed

    def share(self, forms: Collection[Hashable | None]) -> bool:
        """Whether rows whose caches have these forms can be tried."""
        return bool(self.agreed("one form", None not in forms and len(forms) == 1))

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        """The logits, not evaluated yet. Raises one of _FAILURES."""
        try:
            logits: mx.array = self.model(tokens, cache=cache)
        except _FAILURES:
            self.agreed("takes a step", 0)
            raise
        if not self.agreed("takes a step", 1):
            raise RuntimeError("another machine cannot take this step")
        return logits


def _best(model: _Rows, probes: Sequence[_Probe]) -> Batching:
    batchings: tuple[Batching, ...] = ("together", "merged")
    return next(
        (batching for batching in batchings if all(_passes(model, probe, batching) for probe in probes)), "alone"
    )


def _passes(model: _Rows, probe: _Probe, batching: Batching) -> bool:
    if not model.share(
        {batch_form(one, length, batching) for one, length in zip(probe.caches, probe.lengths, strict=True)}
    ):
        return False
    try:
        equal, unequal = _in_equal_batch(model, probe, batching), _in_batches(model, probe, batching)
    except _FAILURES:
        return False
    most = _SHARE_OF_CONTROL * probe.control
    rounding = mx.minimum(probe.tolerance * _spread(probe.alone - probe.alone.mean(-1, keepdims=True)), most)
    near = (_spread(equal - probe.alone) <= most).all()
    return bool(near.item()) and all(bool((_spread(one - equal) <= rounding).all().item()) for one in unequal)


def _in_batches(model: _Rows, probe: _Probe, batching: Batching) -> list[mx.array]:
    """The logits of all rows in one batch, for each way in which rows of unequal length can lie in it."""
    before = [PaddedRows([length]) for length in probe.lengths]
    every = list(range(len(probe.lengths)))
    arrangements = [Arrangement.of([every], before)]
    if batching == "together":
        padded = [PaddedRows([probe.lengths[row] for row in cluster]) for cluster in probe.clusters]
        arrangements = [
            Arrangement(probe.clusters, RowPositions(padded), before),
            Arrangement([every], RowPositions([PackedRows(probe.lengths)]), before),
        ]
    return [_stepped(model, probe.caches, probe.tokens, one, batching, probe.steps) for one in arrangements]


def _in_equal_batch(model: _Rows, probe: _Probe, batching: Batching) -> mx.array:
    """The logits of each row batched with copies of itself: without padding, in a batch of the same width."""
    width = len(probe.lengths)
    logits = []
    for row, length in enumerate(probe.lengths):
        arrangement = Arrangement.of([list(range(width))], [PaddedRows([length])] * width)
        copies = mx.broadcast_to(probe.tokens[row], (width,))
        logits.append(_stepped(model, [probe.caches[row]] * width, copies, arrangement, batching, probe.steps)[:1])
        mx.eval(logits)
    return mx.concatenate(logits)


def _stepped(
    model: _Rows, rows: Sequence[list[Any]], tokens: mx.array, arrangement: Arrangement, batching: Batching, steps: int
) -> mx.array:
    """The logits after the last step, shape (rows, vocabulary). The rows' own caches are not changed."""
    layers = zip(*(copy.deepcopy(row) for row in rows), strict=True)
    caches = [regrouped(layer, arrangement, batching)[0] for layer in layers]
    for _ in range(steps):
        logits = model(tokens[:, None], caches)[:, -1]
        mx.async_eval(logits)  # type: ignore[no-untyped-call] # the stub lacks this signature
        arrangement.positions.advance()
    return logits.astype(mx.float32)


def _prepared(model: Any, fresh_caches: Callable[[], list[Any]]) -> _Probe:
    first = model(mx.array([[1]]), cache=fresh_caches())
    prompts = [_prompt(row, length, first.shape[-1]) for row, length in enumerate(_LENGTHS)]
    others = [_prompt(row + 3, length, first.shape[-1]) for row, length in enumerate(_LENGTHS)]
    tokens = mx.array([prompt[0] for prompt in prompts])
    caches = [_prefilled(model, fresh_caches(), prompt) for prompt in prompts]
    alone = _one_by_one(model, copy.deepcopy(caches), tokens, _STEPS)
    changed = _one_by_one(model, [_prefilled(model, fresh_caches(), other) for other in others], tokens, _STEPS)
    control, tolerance = _spread(changed - alone), _TOLERANCE.get(first.dtype, 0.0)
    return _Probe(_LENGTHS, _CLUSTERS, _STEPS, caches, tokens, alone, control, tolerance)


def _across(model: Any, fresh_caches: Callable[[], list[Any]], near: _Probe, far: Sequence[int]) -> _Probe:
    """One row that crosses each threshold, and a short one."""
    lengths = [_LENGTHS[_SHORT], *(length - 1 for length in far)]
    tokens = mx.broadcast_to(near.tokens[_LONG], (len(lengths),))

    def rows(history: int) -> list[list[Any]]:
        seeds = enumerate(lengths, history * len(lengths))
        return [_invented(near.caches[_LONG], fresh_caches(), length, seed) for seed, length in seeds]

    caches = rows(0)
    alone = _one_by_one(model, copy.deepcopy(caches), tokens, _STEPS_ACROSS)
    control = _spread(_one_by_one(model, rows(1), tokens, _STEPS_ACROSS) - alone)
    clusters = [[row] for row in range(len(lengths))]
    return _Probe(lengths, clusters, _STEPS_ACROSS, caches, tokens, alone, control, near.tolerance)


def _invented(source: list[Any], fresh: list[Any], length: int, seed: int) -> list[Any]:
    """`fresh` filled as if after `length` tokens: random keys and values with the spread of those in `source`, and its
    states.
    """
    layout = Layout.of(source)
    assert layout, "rows share no steps unless their caches are known"
    records = codec.take(source, 0, max(_LENGTHS))
    names = [name for kind, arrays in records.items() if kind != RecordKind.STATE for name in arrays]
    keys = dict(zip(names, mx.random.split(mx.random.key(seed), max(1, len(names))), strict=False))
    invented = {
        kind: {
            name: _noise(array, min(length, layout.max_tokens.get(name.rpartition(".")[0], length)), keys[name])
            if name in keys
            else array
            for name, array in arrays.items()
        }
        for kind, arrays in records.items()
    }
    restored = codec.restore(layout, fresh, [Piece(0, length, invented)])
    assert restored == length, "records like the model's own fit"
    return fresh


def _noise(like: mx.array, tokens: int, key: mx.array) -> mx.array:
    shape = (*like.shape[:TOKEN_AXIS], tokens, *like.shape[TOKEN_AXIS + 1 :])
    if not mx.issubdtype(like.dtype, mx.floating):
        size = shape[-1] * like.dtype.size
        return mx.random.randint(0, 256, (*shape[:-1], size), mx.uint8, key).view(like.dtype)
    mean, spread = like.mean(TOKEN_AXIS, keepdims=True), like.std(TOKEN_AXIS, keepdims=True)
    noise: mx.array = mx.random.normal(shape, key=key) * spread + mean
    return noise.astype(like.dtype)


def _prompt(row: int, length: int, vocabulary: int) -> list[int]:
    return [(37 * i + 11 * row + 5) % vocabulary for i in range(1, length + 1)]


def _prefilled(model: Any, caches: list[Any], prompt: Sequence[int]) -> list[Any]:
    mx.eval(model(mx.array([prompt]), cache=caches), [cache.state for cache in caches])
    return caches


def _one_by_one(model: Any, rows: Sequence[list[Any]], tokens: mx.array, steps: int) -> mx.array:
    """The logits of each row after the last step, shape (rows, vocabulary)."""
    logits = []
    for row, caches in enumerate(rows):
        for _ in range(steps):
            last = model(tokens[row : row + 1, None], cache=caches)[:, -1]
            mx.async_eval(last)  # type: ignore[no-untyped-call] # the stub lacks this signature
        logits.append(last.astype(mx.float32))
        mx.eval(logits)
    return mx.concatenate(logits)


def _spread(logits: mx.array) -> mx.array:
    """The root mean square of each row."""
    return mx.sqrt(mx.square(logits).mean(-1))
