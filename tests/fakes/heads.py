"""Draft heads with random weights, for the tiny models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten

from engine.decode.drafts.head import HeadLayer
from tests.fakes import tiny_models

_GROWN = ("norm.weight", "layers.0.self_attn.q_norm.weight", "layers.0.self_attn.k_norm.weight")
_EXPERTS = {
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16,
    "norm_topk_prob": True,
}


def weights_of(folder: Path) -> dict[str, mx.array]:
    """Random weights of a head for the model in `folder`, by their names without a prefix. As in real heads, some norms
    have grown far above 1.
    """
    mx.random.seed(11)
    layer = HeadLayer(tiny_models.opened(folder).language_model.args)
    plain: list[tuple[str, mx.array]] = tree_flatten(layer.parameters())  # type: ignore[assignment, no-untyped-call] # a list of arrays
    return {name: array + mx.random.normal(array.shape) * 0.3 + (name in _GROWN) for name, array in plain}


def save(file: Path, weights: dict[str, mx.array], prefix: str = "mtp.") -> None:
    """Write a head's weights."""
    file.parent.mkdir(exist_ok=True)
    mx.save_safetensors(str(file), {prefix + name: array for name, array in weights.items()})


def headed(folder: Path, *, experts: bool = False) -> Path:
    """A tiny Qwen3.5 with a head beside it, dense or with experts."""
    text: dict[str, Any] = tiny_models.CONFIGS["qwen3_5"]["text_config"]
    changes: dict[str, Any] = {"text_config": text | _EXPERTS, "model_type": "qwen3_5_moe"} if experts else {}
    tiny_models.build(folder, "qwen3_5", **changes)
    save(folder / "mtp.safetensors", weights_of(folder))
    return folder
