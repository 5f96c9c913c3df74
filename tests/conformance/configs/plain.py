"""Families whose layers all have growing keys and values and a dense feed-forward part, as differences from BASE."""

from __future__ import annotations

from tests.conformance.configs.common import SCALES, Config

_GPT2 = {"n_ctx": 4096, "n_embd": 32, "n_head": 4, "n_layer": 2, "n_positions": 4096}

_BLOCKS = [
    {"attention": {"n_heads_in_group": 2}, "ffn": {"ffn_mult": 1.5}},
    {"attention": {"no_op": True}, "ffn": {"no_op": True}},
]

PLAIN: dict[str, Config] = {
    "afm7": {"hidden_dim": 32, "num_layers": 4, "num_kv_reuse_layers": 2, "num_heads": 4, "num_kv_heads": 2},
    "apertus": {"post_norm": False, "qk_norm": True},
    "cohere": {"logit_scale": 1.0},
    "exaone": {"num_layers": 2},
    "ernie4_5": {"use_bias": False},
    "gemma": {},
    "gemma2": {"query_pre_attn_scalar": 8},
    "glm": {},
    "glm4": {},
    "gpt2": _GPT2,
    "gpt_bigcode": {**_GPT2, "n_inner": 48},
    "gpt_neox": {"rotary_emb_base": 10000, "rotary_pct": 0.5},
    "gptj": {"n_embd": 32, "n_head": 4, "n_layer": 2, "rotary_dim": 4},
    "granite": SCALES,
    "helium": {},
    "hunyuan_v1_dense": {"rope_scaling": {"alpha": 1000.0, "factor": 1.0, "type": "dynamic"}},
    "internlm2": {},
    "internlm3": {},
    "lille-130m": {"block_size": 4096, "n_embd": 64, "n_head": 4, "n_kv_heads": 2, "n_layer": 2},
    "mimo": {},
    "minicpm": {"dim_model_base": 16, "scale_depth": 1.4, "scale_emb": 2.0},
    "minicpm3": {"dim_model_base": 16, "scale_depth": 1.4, "scale_emb": 2.0, "rope_scaling": {"short_factor": 1.0}},
    "nanbeige": {},
    "nanochat": {},
    "nemotron": {"hidden_act": "relu2"},
    "nemotron-nas": {"block_configs": _BLOCKS},
    "olmo2": {},
    "openelm": {
        "num_transformer_layers": 2,
        "model_dim": 32,
        "ffn_dim_divisor": 8,
        "num_query_heads": [4, 4],
        "num_kv_heads": [2, 2],
        "ffn_multipliers": [1.5, 2.0],
    },
    "phi": {},
    "phi3": {},
    "plamo": {"n_shared_head": 2},
    "qwen": {"kv_channels": 8},
    "qwen2": {},
    "qwen3": {},
    "seed_oss": {},
    "stablelm": {"use_qkv_bias": False},
    "starcoder2": {},
    "talkie": {},
    "telechat3": {},
}
