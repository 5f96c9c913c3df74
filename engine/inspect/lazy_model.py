"""Builds a model whose parameters are never evaluated: their types and shapes are known, their data stays on disk.
Counts them.

On the inspector's main thread. mlx-lm's own code builds the model, so that it is the one that the engine would load.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import mlx.core as mx
from mlx.nn.layers.quantized import quantize
from mlx.utils import tree_flatten
from mlx_lm.utils import _get_classes, load_model

from engine.model.adapter import put_on
from engine.model.configuration import parts
from engine.model.patches import patch

_TYPES: Final = {"float16": mx.float16, "bfloat16": mx.bfloat16, "float32": mx.float32}


def from_files(folder: Path, adapter: Path | None = None) -> Any:
    """The model of the weight files in `folder`, with the adapter in the folder `adapter`. Only headers are read."""
    model: Any = load_model(folder, lazy=True)[0]
    if adapter is not None:
        put_on(model, adapter)
    patch(model)
    return model


def from_config(config: Mapping[str, Any]) -> Any:
    """The model that `config` describes, of the type and the quantisation that it names, without weight files."""
    model_class, arguments_class = _get_classes(dict(config))
    model = model_class(arguments_class.from_dict(dict(config)))
    model.set_dtype(_type(config))
    quantization = config.get("quantization")
    if isinstance(quantization, dict):
        quantize(
            model,
            group_size=quantization["group_size"],
            bits=quantization["bits"],
            mode=quantization.get("mode", "affine"),
            class_predicate=_predicate(quantization),
        )
    model.eval()
    patch(model)
    return model


def _type(config: Mapping[str, Any]) -> mx.Dtype:
    """The type of the weights. Nearly all published models have bfloat16."""
    for part in parts(config):
        for name in ("dtype", "torch_dtype"):
            if found := _TYPES.get(str(part.get(name))):
                return found
    return mx.bfloat16


def _predicate(quantization: Mapping[str, Any]) -> Callable[[str, Any], Any]:
    """Says how to quantise a layer, as mlx-lm's conversion decided. That leaves out layers that it cannot divide."""

    def quantised(path: str, module: Any) -> Any:
        if path in quantization:
            return quantization[path]
        return hasattr(module, "to_quantized") and module.weight.shape[-1] % quantization["group_size"] == 0

    return quantised


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights that a model uses. `bits` is the mean of its quantised weights, scales left out; 0 without them."""

    parameters: int
    size: int
    bits: float


def weights_of(model: Any) -> Weights:
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
