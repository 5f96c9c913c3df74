"""Converts trained weights to the shipped folder: mlx-lm's names and layout, 8-bit matrices, float32 for all else.

Run it as `python -m resources.demo_training.convert FOLDER`, after `train` has written its weights there.
"""

from __future__ import annotations

import shutil
import sys
from copy import deepcopy
from pathlib import Path

import mlx.core as mx
from mlx import nn
from mlx.utils import tree_flatten
from mlx_lm.models.qwen3_5 import Model, ModelArgs

from resources import DEMO_MODEL
from resources.demo_training.architecture import CONFIG

GROUP, BITS = CONFIG["quantization"]["group_size"], CONFIG["quantization"]["bits"]
_FEWEST_ROWS = 32  # the gates' few rows are not quantised: they are small, and every decision passes through them
_UNCHANGED = ("config.json", "generation_config.json", "tokenizer_config.json", "chat_template.jinja")


def main(folder: Path) -> None:
    """Write `model.safetensors` beside the trained weights, and what training leaves as it is shipped."""
    model = Model(ModelArgs.from_dict(deepcopy(CONFIG)))  # mlx-lm renames keys inside what it is given
    model.load_weights(list(model.sanitize(mx.load(str(folder / "trained.safetensors"))).items()), strict=True)
    nn.quantize(model, GROUP, BITS, class_predicate=_is_large)
    mx.save_safetensors(str(folder / "model.safetensors"), dict(tree_flatten(model.parameters())), {"format": "mlx"})
    for file in _UNCHANGED:
        shutil.copy(DEMO_MODEL / file, folder)


def _is_large(_path: str, module: nn.Module) -> bool:
    return hasattr(module, "to_quantized") and module.weight.shape[0] >= _FEWEST_ROWS


if __name__ == "__main__":
    main(Path(sys.argv[1]))
