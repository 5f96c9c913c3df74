"""The families that mlx-lm can split, and their sizes: all that is split can be divided by two and by three."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from engine.model.split import split
from engine.protocol.errors import ModelUnsupported
from engine.protocol.inspection import Split
from tests.conformance import families, folder
from tests.conformance.configs.common import Config
from tests.fakes.lone_rank import lone_rank

_BOTH: Final = (
    "deepseek_v2", "deepseek_v3", "deepseek_v32", "deepseek_v41", "glm4_moe", "glm4_moe_lite", "glm_moe_dsa",
    "kimi_k25", "kimi_k3", "minimax_m3_vl", "ministral3", "mistral4", "qwen2", "qwen3_5", "qwen3_5_moe", "qwen3_moe",
    "solar_open",
)  # fmt: skip
_TENSOR: Final = (
    "exaone_moe", "gpt_oss", "iquestloopcoder", "llama", "longcat_flash", "longcat_flash_ngram", "minimax", "qwen3",
    "step3p5",
)  # fmt: skip
_PIPELINE: Final = ("bailing_hybrid", "qwen3_next")
_REFUSED: Final = ("kimi_vl", "mistral3", "qwen2_vl", "qwen3_vl_moe")
"""mlx-lm can split the models that they wrap, but not them."""

SPLIT: Final[dict[str, tuple[Split, ...]]] = {
    **dict.fromkeys(_BOTH, ("pipeline", "tensor")),
    **dict.fromkeys(_TENSOR, ("tensor",)),
    **dict.fromkeys((*_PIPELINE, *_REFUSED), ("pipeline",)),
}

NOT_RUN: Final = {family: families.NOT_RUN[family] for family in ("muse_spark", "prism_hadamard_qwen35")}

RANKS: Final = (2, 3)

_LAYERS: Final = 4
"""Three ranks then have unequal shares, and some of a hybrid's ranks have only one kind of layer."""

_SIZES: Final[Config] = {
    "hidden_size": 48,
    "num_attention_heads": 12,
    "num_key_value_heads": 6,
    "num_attention_groups": 6,
    "num_heads": 6,
    "index_n_heads": 6,
    "o_groups": 6,
    "linear_num_value_heads": 12,
    "linear_num_key_heads": 6,
    "moe_intermediate_size": 24,
    "shared_expert_intermediate_size": 24,
    "moe_shared_expert_intermediate_size": 24,
    "expert_ffn_hidden_size": 24,
    "shared_intermediate_size": 24,
    "share_expert_dim": 24,
}
_THREE_GROUPS: Final[Config] = {"num_hidden_layers": 6}
_MORE: Final = {"bailing_hybrid": _THREE_GROUPS}
"""Families that need more layers: each machine has whole groups of them."""

_BY_LAYER: Final = ("layer_types", "is_moe_layer", "moe_layer_freq", "sparse_attention_freq")


def configuration(family: str) -> Config:
    """The tiny configuration of a family, with sizes that can be split."""
    return {**_sized(folder.configuration(family)), **_MORE.get(family, {})}


def splittable() -> set[str]:
    """The splits that mlx-lm offers for the families that can be run, each as "family:split"."""
    ways: tuple[Split, ...] = ("pipeline", "tensor")
    return {f"{family}:{how}" for family in families.FAMILIES for how in ways if _can_split(family, how)}


def _can_split(family: str, how: Split) -> bool:
    module = import_module(f"mlx_lm.models.{family}")
    model = module.Model(module.ModelArgs.from_dict(folder.configuration(family)))
    try:
        split(model, lone_rank(1, 2), how)
    except ModelUnsupported:
        return False
    return True


def _sized(config: Config) -> Config:
    sized: dict[str, Any] = {
        key: _sized(value) if isinstance(value, dict) else _SIZES.get(key, value) for key, value in config.items()
    }
    if config.get("num_attention_heads") == config.get("num_key_value_heads"):
        sized |= {key: sized["num_attention_heads"] for key in ("num_key_value_heads",) if key in sized}
    if config.get("num_hidden_layers") == _LAYERS // 2:
        sized["num_hidden_layers"] = _LAYERS
        sized |= {key: config[key] * 2 for key in _BY_LAYER if isinstance(config.get(key), list)}
    return sized
