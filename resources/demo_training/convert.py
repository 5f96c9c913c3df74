"""Converts trained weights to the shipped folder: mlx-lm's names and layout, 8-bit matrices, float32 for all else.

Run it as `python -m resources.demo_training.convert WEIGHTS FOLDER`, after `vocabulary` has written the tokenizer's
files.
"""

from __future__ import annotations

import json
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx import nn
from mlx.utils import tree_flatten
from mlx_lm.models.qwen3_5 import Model, ModelArgs

from resources.demo_training.architecture import SHAPE
from resources.demo_training.vocabulary import END, PAD

GROUP, BITS = 64, 8
_FEWEST_ROWS = 32  # the gates' few rows are not quantised: they are small, and every decision passes through them


def config(tokens: dict[str, int]) -> dict[str, Any]:
    """The content of `config.json`. `tokens` maps the special tokens to their ids."""
    ends = {"eos_token_id": tokens[END], "pad_token_id": tokens[PAD]}
    return {
        "architectures": ["Qwen3_5ForConditionalGeneration"],
        "model_type": "qwen3_5",
        "dtype": "float32",
        "tie_word_embeddings": True,
        **ends,
        "text_config": {"model_type": "qwen3_5_text", "dtype": "float32", **SHAPE, **ends},
        "quantization": {"group_size": GROUP, "bits": BITS, "mode": "affine"},
    }


def quantised(weights: Path, shape: dict[str, Any]) -> Model:
    """The model with the trained weights in mlx-lm's layout, with its larger matrices quantised."""
    # mlx-lm renames keys inside the dictionaries that it is given.
    model = Model(ModelArgs.from_dict(deepcopy(shape)))
    model.load_weights(list(model.sanitize(mx.load(str(weights))).items()), strict=True)
    nn.quantize(model, GROUP, BITS, class_predicate=_is_large)
    return model


def _is_large(_path: str, module: nn.Module) -> bool:
    return hasattr(module, "to_quantized") and module.weight.shape[0] >= _FEWEST_ROWS


def write(weights: Path, folder: Path) -> None:
    """Write `model.safetensors`, `config.json` and `generation_config.json` beside the tokenizer in `folder`."""
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["added_tokens"]
    tokens = {token["content"]: token["id"] for token in vocabulary}
    shape = config(tokens)
    model = quantised(weights, shape)
    mx.save_safetensors(
        str(folder / "model.safetensors"), dict(tree_flatten(model.parameters())), metadata={"format": "mlx"}
    )
    (folder / "config.json").write_text(json.dumps(shape, indent=2) + "\n")
    generation = {
        "eos_token_id": tokens[END],
        "pad_token_id": tokens[PAD],
        "do_sample": True,
        "temperature": 0.7,
        "top_p": 0.9,
    }
    (folder / "generation_config.json").write_text(json.dumps(generation, indent=2) + "\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(sys.argv[2]))
