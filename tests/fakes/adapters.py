"""Adapters of tiny models in the format of mlx-lm, with random weights that change every answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten
from mlx_lm.tuner.utils import linear_to_lora_layers

from tests.fakes import tiny_models

LORA: dict[str, Any] = {"rank": 4, "scale": 10.0, "dropout": 0.1}


def build(folder: Path, base: Path, kind: str = "lora", seed: int = 11, **parameters: Any) -> Path:
    """Write an adapter for the model in `base` into `folder`."""
    folder.mkdir(parents=True)
    model = tiny_models.opened(base)
    mx.random.seed(seed)
    config = {"fine_tune_type": kind, "num_layers": -1, "lora_parameters": LORA | parameters, "model": str(base)}
    before = _parameters(model)
    if kind != "full":
        linear_to_lora_layers(model, -1, LORA | parameters, use_dora=kind == "dora")
    own = _parameters(model)
    if kind == "full":
        names = [name for name, one in own.items() if one.ndim == 2 and "embed" not in name]
    else:
        names = [name for name in own if name not in before and name.endswith((".lora_a", ".lora_b", ".m"))]
    weights = {name: own[name] + mx.random.normal(own[name].shape) * 0.2 for name in names}
    mx.save_safetensors(str(folder / "adapters.safetensors"), weights)
    (folder / "adapter_config.json").write_text(json.dumps(config))
    return folder


def _parameters(model: Any) -> dict[str, mx.array]:
    return dict(tree_flatten(model.parameters()))


def reconfigure(folder: Path, **changes: Any) -> Path:
    """Change the configuration of the adapter in `folder`."""
    tiny_models.edit(folder / "adapter_config.json", **changes)
    return folder
