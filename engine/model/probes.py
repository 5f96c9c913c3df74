"""Probes of a model, by running a few tokens through it at load: which caches it has, whether it runs, which of its
growing layers can keep their keys and values quantised, whether its rows can share steps, whether it can compute the
logits of the last token alone, and whether tokens can be taken back. On the thread that steps the model.

Models differ in what they do with the keys of their rows, so `measure` compares the logits of a batched row with those
of the same row alone. It uses a few short rows. The conformance suite takes rows of every family across the windows,
chunks and indexes at which the family begins to compute differently.

Each pass is sent to the device before the next one is built: nothing else orders what a pipeline receives.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import mlx.core as mx
from mlx_lm.models.cache import KVCache, QuantizedKVCache

from engine.cache.codec import codec
from engine.decode import ragged_attention
from engine.decode.cache_merging import Arrangement, batch_form, regrouped
from engine.decode.clustering import PackedRows, PaddedRows
from engine.decode.drafts import replay
from engine.decode.last_logits import last_only, narrow, widen
from engine.decode.ragged_attention import RowPositions
from engine.memory.machine import THIS_MACHINE, Machine
from engine.model.load_failure import FOREIGN
from engine.protocol.messages import Batching, KvBits

PROMPT_TOKENS: Final = 16
"""Enough to fill every recurrent state: convolutions and n-grams look back over fewer tokens."""


def tried(model: Any, caches: Sequence[Any], took: Callable[[mx.array], object] = lambda _logits: None) -> mx.array:
    """The logits after a prompt and one more token, which `caches` have then processed. Nothing is evaluated, but
    `took` gets the logits of each pass before the next one is built.
    """
    took(model(mx.array([[0] * PROMPT_TOKENS]), cache=caches))
    logits: mx.array = model(mx.array([[0]]), cache=caches)
    return logits


_GROUP_SIZES = (64, 32)
"""How many numbers can share a scale and a bias, preferred first. The size of a head must be a multiple of it."""


@dataclass(frozen=True, slots=True)
class KvQuantization:
    """The bits of each number (0: no quantisation), and the group size of every quantised layer, by its path."""

    bits: KvBits = 0
    groups: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def fitting(cls, caches: Sequence[Any], bits: KvBits) -> KvQuantization:
        """For a model whose `caches` have processed some tokens: every growing layer whose heads divide into groups."""
        grown = [(path, leaf) for path, leaf in codec.leaves(caches) if type(leaf) is KVCache and not leaf.empty()]
        groups = {path: size for path, leaf in grown if (size := _group(leaf))}
        return cls(bits, groups) if bits and groups else cls()

    def packed(self, caches: Sequence[Any]) -> list[Any]:
        """Empty caches in which the chosen layers are quantised."""
        groups, bits = self.groups, self.bits
        return codec.rebuilt(caches, lambda path, own: QuantizedKVCache(groups[path], bits) if path in groups else own)


def _group(leaf: Any) -> int:
    """0 if no group size divides the heads, or if the values are empty: such a model computes with the keys itself."""
    heads = (leaf.keys.shape[-1], leaf.values.shape[-1])
    return next((size for size in _GROUP_SIZES if all(head and head % size == 0 for head in heads)), 0)


_ALONE = frozenset(
    {
        "afm7",  # its last layers rotate the queries of each row by the number of keys, the padding included
        "deepseek_v41",  # its own kind of cache cannot be merged
        "gpt_bigcode",  # takes one number as the position, but a batch has one for each row
        "llama4",  # chunked caches cannot be merged
        "minimax_m3_vl",  # attends in blocks that are cut across the padding
    }
)
"""Model types of mlx-lm 0.32.2 whose rows change with the rows beside them, or that cannot be batched."""

_LENGTHS = (5, 11, 60)
"""Two similar lengths that are padded to each other, and a distant one: a wrong offset then has a large effect."""
_STEPS = 2
_CLUSTERS = [[0, 1], [2]]

_TOLERANCE = {mx.float32: 1e-3, mx.float16: 0.02, mx.bfloat16: 0.05}
"""The largest error by rounding, as a share of the spread of the logits: of a row in a batch of unequal rows compared
with equal rows, and of the last token alone compared with the same one beside others.
"""
_SHARE_OF_CONTROL = 0.25
"""The error is also at most this share of the effect of another history of the same length. A batch of equal rows has
no other limit: a wider batch rounds differently in every layer.
"""


@dataclass(frozen=True)
class _Probe:
    """Rows of a model with _LENGTHS: their caches, the tokens of each step, shape (rows,), and the logits of each row
    alone after the last one, shape (rows, vocabulary).

    `control`, shape (rows,), is the effect of another history on the logits. `tolerance` depends on the dtype.
    """

    caches: list[list[Any]]
    tokens: mx.array
    alone: mx.array
    control: mx.array
    tolerance: float


def may_share(model_type: str, caches: Sequence[Any]) -> bool:
    """Whether it is worth probing. Some model types are known to depend on the lengths of other rows in ways that a few
    short rows may not show. Others have `caches` that cannot be merged.
    """
    return model_type not in _ALONE and not codec.unsupported(caches)


def measure(model: Any, fresh_caches: Callable[[], list[Any]], machine: Machine = THIS_MACHINE) -> Batching:
    """How rows of unequal length can decode: in clusters in one pass, padded to each other, or each alone. Machines
    that have other layers of the model take the same passes.

    Takes about as long as thirty short steps. Installs `engine.decode.ragged_attention` in the model's modules.
    """
    try:
        probe = _prepared(model, fresh_caches)
    except FOREIGN:
        return "alone"
    ragged_attention.install(model)
    rows = _Rows(model, machine)
    batchings: tuple[Batching, ...] = ("together", "merged")
    found: Batching = next((one for one in batchings if _passes(rows, probe, one)), "alone")
    del probe
    mx.clear_cache()
    return found


@dataclass(frozen=True)
class _Rows:
    """A model that takes a step of several rows at once. If it fails on one machine, it fails on all that have layers
    of it: otherwise they would wait for each other.
    """

    model: Any
    machine: Machine

    def share(self, forms: Collection[Hashable | None]) -> bool:
        """Whether rows whose caches have these forms can be tried."""
        return bool(self.machine.agree("one form", None not in forms and len(forms) == 1))

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        """The logits, not evaluated yet. Raises one of FOREIGN."""
        try:
            logits: mx.array = self.model(tokens, cache=cache)
        except FOREIGN:
            self.machine.agree("takes a step", 0)
            raise
        if not self.machine.agree("takes a step", 1):
            raise RuntimeError("another machine cannot take this step")
        return logits


def _passes(model: _Rows, probe: _Probe, batching: Batching) -> bool:
    if not model.share({batch_form(one, length, batching) for one, length in zip(probe.caches, _LENGTHS, strict=True)}):
        return False
    try:
        equal, unequal = _in_equal_batch(model, probe, batching), _in_batches(model, probe, batching)
    except FOREIGN:
        return False
    most = _SHARE_OF_CONTROL * probe.control
    rounding = mx.minimum(probe.tolerance * _spread(probe.alone - probe.alone.mean(-1, keepdims=True)), most)
    near = (_spread(equal - probe.alone) <= most).all()
    return bool(near.item()) and all(bool((_spread(one - equal) <= rounding).all().item()) for one in unequal)


def _in_batches(model: _Rows, probe: _Probe, batching: Batching) -> list[mx.array]:
    """The logits of all rows in one batch, for each way in which rows of unequal length can lie in it."""
    before = [PaddedRows([length]) for length in _LENGTHS]
    every = list(range(len(_LENGTHS)))
    arrangements = [Arrangement.of([every], before)]
    if batching == "together":
        padded = [PaddedRows([_LENGTHS[row] for row in cluster]) for cluster in _CLUSTERS]
        arrangements = [
            Arrangement(_CLUSTERS, RowPositions(padded), before),
            Arrangement([every], RowPositions([PackedRows(_LENGTHS)]), before),
        ]
    return [_stepped(model, probe.caches, probe.tokens, one, batching) for one in arrangements]


def _in_equal_batch(model: _Rows, probe: _Probe, batching: Batching) -> mx.array:
    """The logits of each row batched with copies of itself: without padding, in a batch of the same width."""
    width = len(_LENGTHS)
    logits = []
    for row, length in enumerate(_LENGTHS):
        arrangement = Arrangement.of([list(range(width))], [PaddedRows([length])] * width)
        copies = mx.broadcast_to(probe.tokens[row], (width,))
        logits.append(_stepped(model, [probe.caches[row]] * width, copies, arrangement, batching)[:1])
        mx.eval(logits)
    return mx.concatenate(logits)


def _stepped(
    model: _Rows, rows: Sequence[list[Any]], tokens: mx.array, arrangement: Arrangement, batching: Batching
) -> mx.array:
    """The logits after the last step, shape (rows, vocabulary). The rows' own caches are not changed."""
    layers = zip(*(copy.deepcopy(row) for row in rows), strict=True)
    caches = [regrouped(layer, arrangement, batching)[0] for layer in layers]
    for _ in range(_STEPS):
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
    alone = _one_by_one(model, copy.deepcopy(caches), tokens)
    changed = _one_by_one(model, [_prefilled(model, fresh_caches(), other) for other in others], tokens)
    control, tolerance = _spread(changed - alone), _TOLERANCE.get(first.dtype, 0.0)
    return _Probe(caches, tokens, alone, control, tolerance)


def _prompt(row: int, length: int, vocabulary: int) -> list[int]:
    return [(37 * i + 11 * row + 5) % vocabulary for i in range(1, length + 1)]


def _prefilled(model: Any, caches: list[Any], prompt: Sequence[int]) -> list[Any]:
    mx.eval(model(mx.array([prompt]), cache=caches), [cache.state for cache in caches])
    return caches


def _one_by_one(model: Any, rows: Sequence[list[Any]], tokens: mx.array) -> mx.array:
    """The logits of each row after the last step, shape (rows, vocabulary)."""
    logits = []
    for row, caches in enumerate(rows):
        for _ in range(_STEPS):
            last = model(tokens[row : row + 1, None], cache=caches)[:, -1]
            mx.async_eval(last)  # type: ignore[no-untyped-call] # the stub lacks this signature
        logits.append(last.astype(mx.float32))
        mx.eval(logits)
    return mx.concatenate(logits)


def _spread(logits: mx.array) -> mx.array:
    """The root mean square of each row."""
    return mx.sqrt(mx.square(logits).mean(-1))


_NARROW_PASSES = 2
"""The second pass uses the caches that the first one has filled."""


def narrow_if_equal(model: Any, fresh_caches: Callable[[], list[Any]], vocabulary: int) -> None:
    """Narrow `model`, whose logits have the width `vocabulary`, if its last logits and its caches stay the same.

    If the last logits differ from those that the model computes beside all others, or if it computes all in any case,
    it stays wide.
    """
    tokens = mx.array([[(37 * place + 5) % vocabulary for place in range(PROMPT_TOKENS)]])
    caches, others = fresh_caches(), fresh_caches()
    every = [model(tokens, cache=caches)[:, -1:] for _ in range(_NARROW_PASSES)]
    try:
        narrow(model, vocabulary)
        with last_only():
            last = [model(tokens, cache=others) for _ in range(_NARROW_PASSES)]
        equal = all(map(_near, last, every))
    except FOREIGN:
        equal = False
    if not equal:
        widen(model)


def _near(last: mx.array, every: mx.array) -> bool:
    if last.shape != every.shape:
        return False
    expected = every.astype(mx.float32)
    error = _spread(last.astype(mx.float32) - expected)
    return bool((error <= _TOLERANCE.get(every.dtype, 0.0) * mx.std(expected)).item())


_FED, _KEPT = 4, 2
"""Tokens of a pass, and how many of them stay."""


def takes_back(
    model: Any, fresh_caches: Callable[[], list[Any]], vocabulary: int, machine: Machine = THIS_MACHINE
) -> bool:
    """Whether tokens that a pass has fed can be taken back, so that the next logits are those of a row that never got
    them. Machines that have other layers of the model take the same passes.

    Installs `engine.decode.drafts.replay` in the model's modules.
    """
    replay.install(model)
    if machine.agree("trims", replay.trims(fresh_caches())):
        return True
    if not machine.agree("can keep", replay.can_keep(fresh_caches())):
        return False

    def fed_too_many(tokens: mx.array, cache: list[Any]) -> mx.array:
        with replay.Replay(cache) as before:
            logits: mx.array = model(tokens, cache=cache)
        mx.eval(logits)  # a machine of a pipeline may have nothing to take back, and must send what it computed
        before.keep(_KEPT, _FED)
        return logits

    prompt = _prompt(0, PROMPT_TOKENS + _FED, vocabulary)
    start, kept, fed, last = prompt[:PROMPT_TOKENS], prompt[-_FED:][:_KEPT], prompt[-_FED:], prompt[:1]
    plain, taken_back = _Rows(model, machine), _Rows(fed_too_many, machine)
    ends = []
    try:
        for step, tokens in ((plain, kept), (taken_back, fed)):
            caches = fresh_caches()
            for row, given in ((plain, start), (step, tokens), (plain, last)):
                logits = row(mx.array([given]), caches)
                mx.eval(logits, [cache.state for cache in caches])
            ends.append(logits)
    except FOREIGN:
        return False
    return bool(machine.agree("takes back", _near(*ends)))
