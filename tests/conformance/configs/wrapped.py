"""Families that wrap another family's text model. The text part is the configuration of that family."""

from __future__ import annotations

from tests.conformance.configs.common import ALTERNATING, BASE, SCALED_ROPE, WINDOW, Config
from tests.conformance.configs.hybrids import KIMI_K3, LFM2, QWEN3_5, QWEN3_5_MOE
from tests.conformance.configs.windows import GEMMA4


def _text(model_type: str, own: Config) -> Config:
    return {"text_config": {**BASE, **own, "model_type": model_type}}


_LLAMA4 = {
    "attention_chunk_size": WINDOW,
    "num_hidden_layers": 4,
    "interleave_moe_layer_step": 2,
    "intermediate_size_mlp": 48,
    "num_experts_per_tok": 1,
}
_MINIMAX = {
    "dense_intermediate_size": 48,
    "shared_intermediate_size": 16,
    "moe_layer_freq": [0, 1],
    "index_n_heads": 2,
    "index_head_dim": 8,
    "index_block_size": 4,
    "index_topk_blocks": 3,
    "sparse_attention_freq": [0, 1],
}

WRAPPED: dict[str, Config] = {
    "gemma3": _text("gemma3_text", {"query_pre_attn_scalar": 8}),
    "gemma4": _text("gemma4_text", GEMMA4),
    "kimi_k25": _text("deepseek_v3", {}),
    "kimi_k3": _text("kimi_linear", KIMI_K3),
    "kimi_vl": _text("deepseek_v3", {}),
    "lfm2-vl": _text("lfm2", LFM2),
    "llama4": _text("llama4_text", _LLAMA4),
    "minimax_m3_vl": _text("minimax_m3_vl_text", _MINIMAX),
    "mistral3": _text("ministral3", {"layer_types": ALTERNATING, "rope_parameters": SCALED_ROPE}),
    "pixtral": _text("mistral", {}),
    "qwen2_vl": _text("qwen2", {}),
    "qwen3_5": _text("qwen3_5_text", QWEN3_5),
    "qwen3_5_moe": _text("qwen3_5_moe_text", QWEN3_5_MOE),
    "qwen3_vl": _text("qwen3", {}),
    "qwen3_vl_moe": _text("qwen3_moe", {}),
}
