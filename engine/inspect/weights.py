"""Counts the parameters of a model, their bytes and their bits. Evaluates nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlx.utils import tree_flatten

if TYPE_CHECKING:
    import mlx.core as mx


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights that a model uses. `bits` is the mean of its quantised weights, scales left out; 0 without them."""

    parameters: int
    size: int
    bits: float


def of_model(model: Any) -> Weights:
    """The weights of `model`, whose quantised layers hold several parameters in each number."""
    arrays: list[tuple[str, mx.array]] = tree_flatten(model.parameters())  # type: ignore[assignment] # a list, as no dict is given
    plain = sum(array.size for _, array in arrays)
    packed = [module for _, module in model.named_modules() if _is_packed(module)]
    unpacked = sum(_parameters(module) for module in packed)
    stored = sum(module[name].size for module in packed for name in ("weight", "scales", "biases") if name in module)
    bits = sum(module.bits * _parameters(module) for module in packed) / unpacked if unpacked else 0.0
    return Weights(plain - stored + unpacked, sum(array.nbytes for _, array in arrays), round(bits, 2))


def _is_packed(module: Any) -> bool:
    return hasattr(module, "bits") and "weight" in module and "scales" in module


def _parameters(module: Any) -> int:
    return int(module.weight.nbytes * 8 // module.bits)
