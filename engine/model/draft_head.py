"""Loads the draft head of a model (`engine.decode.drafts.head`), on the thread that steps the model.

Qwen3.5, 3.6 and 3.8 have one, of which mlx-lm reads nothing. Its weights lie in the folder `mtp` below the model's, in
`mtp.safetensors`, or among the model's own as `mtp.*`. It changes no token, so it is no part of the model's identity,
and whatever is wrong with it costs drafts, never the load.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import mlx.core as mx
from mlx.nn.layers.quantized import quantize
from mlx_lm.models.cache import KVCache

from engine.decode.drafts.head import DraftHead, HeadLayer
from engine.memory.footprint import load_shortfall
from engine.memory.machine import free_bytes
from engine.model.file_checks import check_regular, names_in, weight_files
from engine.model.load_failure import FOREIGN
from engine.protocol.errors import ModelError
from engine.protocol.messages import HeadState
from storage.untrusted import UntrustedDataError

log = logging.getLogger(__name__)

_MODELS: Final = ("qwen3_5", "qwen3_5_moe")
_APART: Final = "mtp"
"""The folder, the file and the prefix of the weights."""
_RAW_MEAN: Final = 0.5
"""The weights of norms have means near 1 and above, unless they are stored as the difference to 1. Then one of them is
below this. Tools that convert a model convert the norms of its layers and leave those beside them, so each group is
judged by itself.
"""
_UNFIT: Final = (*FOREIGN, ModelError, UntrustedDataError)
"""The exceptions for a head that cannot be read."""


def load_head(model: Any, folder: Path) -> tuple[DraftHead | None, HeadState]:
    """The head in `folder` of a model from there, and what became of it. None if there is none that fits the model and
    the memory.
    """
    if getattr(model, "model_type", "") not in _MODELS:
        return None, "none"
    try:
        weights = {name: array for file, names in _places(folder) for name, array in _read(file, names)}
        if not weights:
            return None, "missing"
        if load_shortfall(sum(array.nbytes for array in weights.values()), free_bytes()):
            return None, "no_memory"
        head = _built(model.language_model, weights)
    except _UNFIT:
        log.warning("no draft head", exc_info=True)
        return None, "unfit"
    return head, "unfit" if head is None else "ready"


def has_head(model_type: str, folder: Path) -> bool | None:
    """Whether there are weights of a head in `folder` that can be read. None if models of this type have none."""
    if model_type not in _MODELS:
        return None
    try:
        return bool(_places(folder))
    except _UNFIT:
        return False


def _places(folder: Path) -> list[tuple[Path, list[str]]]:
    """The files of the first place that has any tensor of the head, each with the names of those tensors."""
    single = folder / f"{_APART}.safetensors"
    for files in (
        sorted((folder / _APART).glob("[!.]*.safetensors")),
        [single] * single.exists(),
        weight_files(folder),
    ):
        found = []
        for file in files:
            check_regular(file)
            is_apart = _APART in {file.stem, file.parent.name}
            found += [(file, names)] if (names := [n for n in names_in(file) if is_apart or f"{_APART}." in n]) else []
        if found:
            return found
    return []


def _read(file: Path, names: list[str]) -> list[tuple[str, mx.array]]:
    """Tensors of a file, by their names without a prefix."""
    loaded: Mapping[str, mx.array] = mx.load(str(file))  # type: ignore[assignment] # a mapping
    return [(name.rpartition(f"{_APART}.")[2], loaded[name]) for name in names]


def _built(text: Any, weights: dict[str, mx.array]) -> DraftHead | None:
    """Raises one of FOREIGN if the weights are not those of a head of this model."""
    layer = HeadLayer(text.args)
    weights = _as_mlx_lm(weights)
    forms = {name.removesuffix(".scales"): array for name, array in weights.items() if name.endswith(".scales")}

    def form(path: str, module: Any) -> dict[str, int] | bool:
        if path not in forms:
            return False
        packed, inputs = weights[f"{path}.weight"].shape[-1], module.weight.shape[-1]
        return {"group_size": inputs // forms[path].shape[-1], "bits": 32 * packed // inputs}

    quantize(layer, class_predicate=form)
    layer.load_weights(list(weights.items()))
    embedding, arguments = text.model.embed_tokens, text.args
    kind = embedding(mx.array([0])).dtype
    token_bytes = 2 * arguments.num_key_value_heads * arguments.head_dim * kind.size
    logits = embedding.as_linear if arguments.tie_word_embeddings else text.lm_head
    head = DraftHead(layer, embedding, logits, token_bytes)
    probe = head.logits(head(mx.array([0, 1]), mx.ones((1, 2, arguments.hidden_size), kind), KVCache()))
    return head if bool(mx.isfinite(probe).all().item()) else None


def _as_mlx_lm(weights: dict[str, mx.array]) -> dict[str, mx.array]:
    """The tensors as mlx-lm's layer has them: the experts of all in one, and norms around 1."""
    experts = "layers.0.mlp.experts"
    for part in ("gate_proj", "up_proj", "down_proj"):
        each = [weights.pop(f"{experts}.{n}.{part}.weight") for n in range(_count(weights, experts, part))]
        if each:
            weights[f"layers.0.mlp.switch_mlp.{part}.weight"] = mx.stack(each)
    if f"{experts}.gate_up_proj" in weights:
        gate, up = mx.split(weights.pop(f"{experts}.gate_up_proj"), 2, axis=-2)
        down = weights.pop(f"{experts}.down_proj")
        for part, array in (("gate_proj", gate), ("up_proj", up), ("down_proj", down)):
            weights[f"layers.0.mlp.switch_mlp.{part}.weight"] = array
    norms = [name for name in weights if name.endswith("norm.weight") or "pre_fc_norm" in name]
    for group in ([name for name in norms if ("layers." in name) == inside] for inside in (True, False)):
        if group and min(float(weights[name].mean()) for name in group) < _RAW_MEAN:
            weights |= {name: weights[name] + 1 for name in group}
    return weights


def _count(weights: Mapping[str, mx.array], experts: str, part: str) -> int:
    return sum(name.startswith(experts) and name.endswith(f".{part}.weight") for name in weights)
