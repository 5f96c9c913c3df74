"""Writes a tiny random model of one family, in files as mlx-lm publishes them.

Every parameter is perturbed, so that no layer is a no-op and every wrong state changes the logits.
"""

from __future__ import annotations

import json
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten, tree_map

from tests.conformance.configs.common import BASE, Config
from tests.conformance.families import FAMILIES
from tests.fakes.tiny_models import write_tokenizer

NOISE = 0.3


def seed(family: str) -> int:
    """The family's own seed, the same in every run."""
    return zlib.crc32(family.encode())


def configuration(family: str) -> dict[str, Any]:
    """The whole tiny configuration of a family."""
    return {**BASE, "model_type": family, **FAMILIES[family]}


def build(family: str, folder: Path, config: Config | None = None) -> Path:
    """Write the family's model into `folder`, which must not exist. `config` replaces its tiny one."""
    config = config or configuration(family)
    module = import_module(f"mlx_lm.models.{family}")
    mx.random.seed(seed(family))  # first: every process that builds the family must get the same weights
    model = module.Model(module.ModelArgs.from_dict(config))
    weights = tree_map(lambda p: p + mx.random.normal(p.shape) * NOISE, model.parameters())
    folder.mkdir(parents=True)
    mx.save_safetensors(str(folder / "model.safetensors"), dict(tree_flatten(weights)), {"format": "mlx"})
    (folder / "config.json").write_text(json.dumps(config))
    write_tokenizer(folder)
    return folder
