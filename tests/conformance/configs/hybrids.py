"""Families with recurrent state, alone or beside attention, as differences from BASE."""

from __future__ import annotations

from tests.conformance.configs.common import FULL, SCALES, SLIDING, WINDOW, Config

_LINEAR = "linear_attention"
_DELTA = {
    "num_hidden_layers": 4,
    "linear_num_value_heads": 4,
    "linear_num_key_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "linear_conv_kernel_dim": 4,
    "full_attention_interval": 2,
}
QWEN3_5: Config = {
    **_DELTA,
    "rope_parameters": {"type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5},
    "num_experts": 0,
}
QWEN3_5_MOE: Config = {**QWEN3_5, "num_experts": 4}
_LFM2 = {
    "num_hidden_layers": 4,
    "conv_bias": False,
    "conv_L_cache": 3,
    "block_dim": 32,
    "block_ff_dim": 48,
    "block_multiple_of": 8,
    "block_ffn_dim_multiplier": 1.0,
    "block_auto_adjust_ff_dim": False,
    "full_attn_idxs": [1, 3],
}
LFM2: Config = _LFM2
_KDA = {"kda_layers": [1, 3], "full_attn_layers": [2, 4], "num_heads": 4, "head_dim": 8, "short_conv_kernel_size": 4}
_LATENT_HYBRID = {"num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 4}
KIMI_K3: Config = {**_LATENT_HYBRID, "linear_attn_config": _KDA, "num_experts_per_token": 2}
_MAMBA = {"state_size": 8, "conv_kernel": 4, "use_bias": False, "use_conv_bias": True, "time_step_rank": 4}
_NGRAM = {
    "ffn_hidden_size": 48,
    "moe_topk": 2,
    "expert_ffn_hidden_size": 16,
    "zero_expert_num": 2,
    "num_layers": 2,
    "mla_scale_q_lora": True,
    "mla_scale_kv_lora": True,
    "ngram_vocab_size_ratio": 3,
}

HYBRIDS: dict[str, Config] = {
    "baichuan_m1": {"num_hidden_layers": 4, "sliding_window_layers": [0, 2], "conv_window": 2},
    "bailing_hybrid": {**_LATENT_HYBRID, "layer_group_size": 2, "group_norm_size": 2},
    "bailing_moe_linear": {"num_hidden_layers": 4, "layer_group_size": 2, "group_norm_size": 2},
    "bailing_moe_v3": {**_LATENT_HYBRID, "layer_group_size": 2},
    "falcon_h1": {
        "mamba_d_conv": 4,
        "mamba_d_ssm": 32,
        "mamba_d_state": 8,
        "mamba_d_head": 8,
        "mamba_n_heads": 4,
        "mamba_expand": 1,
        "embedding_multiplier": 1.5,
        "lm_head_multiplier": 1.0,
    },
    "gear": {
        "num_hidden_layers": 3,
        "layer_types": ["conv_mixer", SLIDING, FULL],
        "query_pre_attn_scalar": 8,
    },
    "granitemoehybrid": {
        **SCALES,
        "num_hidden_layers": 4,
        "layer_types": ["mamba", "attention", "mamba", "attention"],
        "shared_intermediate_size": 16,
        "mamba_n_heads": 4,
        "mamba_d_head": 8,
        "mamba_expand": 1,
        "mamba_proj_bias": False,
        "mamba_d_state": 8,
        "mamba_d_conv": 4,
        "mamba_n_groups": 1,
        "mamba_conv_bias": True,
    },
    "jamba": {
        "num_hidden_layers": 4,
        "attn_layer_offset": 1,
        "attn_layer_period": 2,
        "expert_layer_offset": 1,
        "expert_layer_period": 2,
        "mamba_d_conv": 4,
        "mamba_d_state": 8,
        "mamba_expand": 2,
    },
    "kimi_linear": {
        **_LATENT_HYBRID,
        "linear_attn_config": _KDA,
        "model_max_length": 4096,
        "num_experts_per_token": 2,
    },
    "lfm2": _LFM2,
    "lfm2_moe": {**_LFM2, "use_expert_bias": True, "num_dense_layers": 2},
    "longcat_flash_ngram": _NGRAM,
    "mamba": {**_MAMBA, "intermediate_size": 64},
    "mamba2": {**_MAMBA, "num_heads": 8, "n_groups": 1, "intermediate_size": 64, "time_step_limit": [0.0, 100.0]},
    "nemotron_h": {
        "num_hidden_layers": 6,
        "hybrid_override_pattern": "M*ME-*",
        "mamba_num_heads": 4,
        "mamba_head_dim": 8,
        "mamba_proj_bias": False,
        "ssm_state_size": 8,
        "conv_kernel": 4,
        "n_groups": 2,
        "use_bias": False,
        "use_conv_bias": True,
    },
    "olmo_hybrid": {
        **_DELTA,
        "linear_allow_neg_eigval": True,
        "layer_types": [_LINEAR, FULL, _LINEAR, FULL],
    },
    "plamo2": {
        "num_hidden_layers": 4,
        "hidden_size_per_head": 8,
        "attention_window_size": WINDOW,
        "full_attention_idx": [3],
        "mamba_d_state": 8,
        "mamba_d_conv": 4,
        "mamba_num_heads": 4,
        "mamba_step": 2,
    },
    "qwen3_next": _DELTA,
    "recurrent_gemma": {
        "num_hidden_layers": 4,
        "conv1d_width": 4,
        "logits_soft_cap": 30.0,
        "attention_window_size": WINDOW,
        "block_types": ["recurrent", "attention"],
        "num_key_value_heads": 1,
    },
    "rwkv7": {"a_low_rank_dim": 8, "v_low_rank_dim": 8, "gate_low_rank_dim": 8, "decay_low_rank_dim": 8},
}
