"""Families with experts or latent attention over growing keys and values, as differences from BASE."""

from __future__ import annotations

from tests.conformance.configs.common import SCALED_ROPE, SCALES, Config

_SPARSE_INDEX = {"index_head_dim": 8, "index_n_heads": 2, "index_topk": 6}
_LONGCAT = {
    "attention_method": "MLA",
    "zero_expert_type": "identity",
    "ffn_hidden_size": 48,
    "moe_topk": 2,
    "expert_ffn_hidden_size": 16,
    "zero_expert_num": 2,
    "num_layers": 2,
    "mla_scale_q_lora": True,
    "mla_scale_kv_lora": True,
}

EXPERTS: dict[str, Config] = {
    "Klear": {},
    "bailing_moe": {},
    "dbrx": {
        "d_model": 32,
        "ffn_config": {"ffn_hidden_size": 16, "moe_num_experts": 4, "moe_top_k": 2},
        "attn_config": {"kv_n_heads": 2, "clip_qkv": 8.0, "rope_theta": 10000.0},
        "n_layers": 2,
        "n_heads": 4,
    },
    "deepseek": {},
    "deepseek_v2": {"topk_method": "greedy", "rope_scaling": {"type": "yarn", "factor": 4.0}},
    "deepseek_v3": {},
    "deepseek_v32": _SPARSE_INDEX,
    "dots1": {},
    "ernie4_5_moe": {"use_bias": False, "moe_num_experts": 4, "moe_intermediate_size": 16, "moe_k": 2},
    "glm4_moe": {},
    "glm4_moe_lite": {},
    "glm_moe_dsa": {**_SPARSE_INDEX, "rope_parameters": {"rope_theta": 10000.0}},
    "granitemoe": SCALES,
    "hunyuan": {
        "moe_topk": 2,
        "num_shared_expert": 1,
        "use_mixed_mlp_moe": True,
        "use_cla": True,
        "cla_share_factor": 2,
        "rope_scaling": {"alpha": 1000.0, "factor": 1.0, "type": "dynamic"},
    },
    "longcat_flash": _LONGCAT,
    "minimax": {"rotary_dim": 4, "shared_intermediate_size": 16},
    "mistral4": {"rope_parameters": SCALED_ROPE},
    "mixtral": {},
    "olmoe": {},
    "phimoe": {},
    "phixtral": {"num_vocab": 96, "model_dim": 32, "num_heads": 4, "num_layers": 2, "rotary_dim": 4},
    "qwen2_moe": {},
    "qwen3_moe": {},
    "solar_open": {},
    "youtu_llm": {},
}
