"""The families of mlx-lm: those that are checked, those that are not and why, and those in every test run."""

from __future__ import annotations

import pkgutil
from typing import Final

import mlx_lm.models

from tests.conformance.configs.common import Config
from tests.conformance.configs.experts import EXPERTS
from tests.conformance.configs.hybrids import HYBRIDS
from tests.conformance.configs.plain import PLAIN
from tests.conformance.configs.windows import WINDOWS
from tests.conformance.configs.wrapped import WRAPPED

FAMILIES: Final[dict[str, Config]] = {**PLAIN, **EXPERTS, **WINDOWS, **HYBRIDS, **WRAPPED}

NOT_RUN: Final = {
    "bitnet": "its layers are Metal kernels, with no other way to compute them",
    "muse_spark": "its rotation is a Metal kernel, with no other way to compute it",
    "olmo": "needs a further package, and ends the process without it",
    "phi3small": "its attention ends the process on a CPU",
    "prism_hadamard_qwen35": "exists as packed 2-bit weights only; its layers and caches are qwen3_5's",
}
"""Families that cannot be made as a tiny float32 model here."""

NOT_LOADED: Final = {
    "gear": "transformers, which mlx-lm loads the tokenizer with, does not know the layer type conv_mixer",
}
"""Families whose folders mlx-lm cannot load, although it has their models."""

_SHARED: Final = {
    "activations",
    "base",
    "bitlinear_layers",
    "cache",
    "gated_delta",
    "mla",
    "pipeline",
    "rope_utils",
    "ssm",
    "switch_layers",
}
"""Modules beside the families with parts that several of them use."""

TESTED: Final = (
    # the hybrids
    "qwen3_5",
    "qwen3_5_moe",
    "qwen3_next",
    "falcon_h1",
    "lfm2",
    "lfm2_moe",
    "granitemoehybrid",
    "nemotron_h",
    "jamba",
    "plamo2",
    "kimi_linear",
    "olmo_hybrid",
    # one of each other kind of cache
    "gemma3_text",
    "recurrent_gemma",
    "llama4",
    "deepseek_v32",
    "mamba2",
    "gpt_oss",
    "longcat_flash_ngram",
    # the patched, one that decodes alone, and one that cannot be cached
    "gemma2",
    "plamo3",
    "afm7",
    "deepseek_v41",
)
"""The families of every test run. `make conformance` checks all of them."""

REASONS: Final = {
    "afm7": "mlx-lm counts the padding of other rows as positions in the layers that share keys",
    "deepseek_v41": "a cache of its own kind, which can be neither merged nor stored",
    "gpt_bigcode": "mlx-lm counts positions with one number for all rows",
    "llama4": "mlx-lm cannot merge the caches of its chunked layers",
    "minimax_m3_vl": "mlx-lm cuts its blocks across the padding of other rows",
}
"""Why a family decodes alone, or is refused."""

WIDE: Final = {
    "gptj": "its layers take the positions of all tokens",
    "hunyuan": "its layers take the keys of the layer before them",
    "talkie": "its head is an array and no module",
}
"""Why a family computes the logits of all tokens of a pass."""

PATCHES: Final = {
    "gemma2": "patched: the masks of a batch also fit heads that share keys",
    "plamo3": "patched: the rotating cache holds everything that the window covers",
}


def offered() -> set[str]:
    """The families that the installed mlx-lm has a module for."""
    return {module.name for module in pkgutil.iter_modules(mlx_lm.models.__path__)} - _SHARED
