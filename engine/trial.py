"""The trial of a model: whether its rows may share steps, found out by running some. Owns the measure and its limits.

Models differ in what they do with the keys of their rows. What matters is whether a row in company gets the logits that
it gets alone, so that is what is measured, once at load.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mlx.core as mx

from engine import attention
from engine.arrangement import Seating, arranged, form

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.protocol import Company

_LENGTHS = (5, 11, 60)
"""Two near ones that are padded to each other, and one far from both: a wrong offset is then wrong by much."""
_STEPS = 2
_CLUSTERS: dict[Company, list[list[int]]] = {"together": [[0, 1], [2]], "merged": [[0, 1, 2]]}

_TOLERANCE = {mx.float32: 1e-3, mx.float16: 0.02, mx.bfloat16: 0.05}
"""The error of a row in unequal company beside equal company, as a share of how far its logits spread: rounding."""
_SHARE_OF_CONTROL = 0.25
"""And never more than this share of what another history of the same length does. That is all that is asked of equal
company beside none: the arithmetic of a wider batch rounds differently in every layer."""

_FAILURES = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What the code of a model raises that is given something it was not written for."""


@dataclass(frozen=True)
class _Trial:
    """Rows of a model: their caches, what they are fed, (rows,), and the logits of each alone, (rows, vocabulary).

    `control`, (rows,), is by how much another history moves them; `tolerance` that of their type.
    """

    caches: list[list[Any]]
    tokens: mx.array
    alone: mx.array
    control: mx.array
    tolerance: float


def measure(model: Any, fresh_caches: Callable[[], list[Any]]) -> Company:
    """How rows of unequal length may decode: in clusters in one pass, padded to each other, or each alone.

    Takes about the time of thirty short steps. Puts `engine.attention` into the model's modules.
    """
    try:
        trial = _prepared(model, fresh_caches)
    except _FAILURES:
        return "alone"
    attention.install(model)
    companies: tuple[Company, ...] = ("together", "merged")
    return next((company for company in companies if _passes(model, trial, company)), "alone")


def _passes(model: Any, trial: _Trial, company: Company) -> bool:
    forms = {form(own, length, company) for own, length in zip(trial.caches, _LENGTHS, strict=True)}
    if None in forms or len(forms) > 1:
        return False
    try:
        equal, unequal = _in_equal_company(model, trial, company), _in_company(model, trial, company)
    except _FAILURES:
        return False
    most = _SHARE_OF_CONTROL * trial.control
    rounding = trial.tolerance * _spread(trial.alone - trial.alone.mean(-1, keepdims=True))
    near = (_spread(equal - trial.alone) <= most) & (_spread(unequal - equal) <= mx.minimum(rounding, most))
    return bool(near.all().item())


def _in_company(model: Any, trial: _Trial, company: Company) -> mx.array:
    """The logits of all rows beside each other."""
    seating = Seating.of(_CLUSTERS[company], _LENGTHS)
    return _stepped(model, trial.caches, trial.tokens, seating, company)


def _in_equal_company(model: Any, trial: _Trial, company: Company) -> mx.array:
    """The logits of each row beside its own copies: nothing is padded, and the batch is as wide."""
    width = len(_LENGTHS)
    logits = []
    for row, length in enumerate(_LENGTHS):
        seating = Seating.of([list(range(width))], [length] * width)
        copies = mx.broadcast_to(trial.tokens[row], (width,))
        logits.append(_stepped(model, [trial.caches[row]] * width, copies, seating, company)[:1])
    return mx.concatenate(logits)


def _stepped(model: Any, rows: Sequence[list[Any]], tokens: mx.array, seating: Seating, company: Company) -> mx.array:
    """The logits after the last step, shape (rows, vocabulary); the rows' own caches stay as they are."""
    layers = zip(*(copy.deepcopy(row) for row in rows), strict=True)
    caches = [arranged(layer, seating, company)[0] for layer in layers]
    for _ in range(_STEPS):
        logits: mx.array = model(tokens[:, None], cache=caches)[:, -1]
        seating.places.advance()
    return logits.astype(mx.float32)


def _prepared(model: Any, fresh_caches: Callable[[], list[Any]]) -> _Trial:
    first = model(mx.array([[1]]), cache=fresh_caches())
    prompts = [_prompt(row, length, first.shape[-1]) for row, length in enumerate(_LENGTHS)]
    others = [_prompt(row + 3, length, first.shape[-1]) for row, length in enumerate(_LENGTHS)]
    tokens = mx.array([prompt[0] for prompt in prompts])
    caches = [_prefilled(model, fresh_caches(), prompt) for prompt in prompts]
    alone = _one_by_one(model, copy.deepcopy(caches), tokens)
    changed = _one_by_one(model, [_prefilled(model, fresh_caches(), other) for other in others], tokens)
    return _Trial(caches, tokens, alone, _spread(changed - alone), _TOLERANCE.get(first.dtype, 0.0))


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
        logits.append(last.astype(mx.float32))
    return mx.concatenate(logits)


def _spread(logits: mx.array) -> mx.array:
    """The root mean square of each row."""
    return mx.sqrt(mx.square(logits).mean(-1))
