"""Families with sliding windows or chunks, as differences from BASE."""

from __future__ import annotations

from tests.conformance.configs.common import ALTERNATING, BASE, FULL, SCALED_ROPE, SLIDING, WINDOW, Config

_BY_TYPE = {FULL: {"rope_theta": 10000.0}, SLIDING: {"rope_theta": 1000.0}}
_GEMMA3N = {
    "num_hidden_layers": 4,
    "num_kv_shared_layers": 2,
    "vocab_size_per_layer_input": 96,
    "rope_local_base_freq": 10000.0,
    "final_logit_softcapping": 30.0,
    "layer_types": [*ALTERNATING, *ALTERNATING],
    "activation_sparsity_pattern": [0.5, 0.5, 0.0, 0.0],
    "hidden_size_per_layer_input": 8,
    "altup_num_inputs": 2,
    "altup_coef_clip": 120.0,
    "altup_correct_scale": True,
    "altup_active_idx": 0,
    "laurel_rank": 8,
}
GEMMA4: Config = {
    "num_hidden_layers": 4,
    "num_kv_shared_layers": 2,
    "vocab_size_per_layer_input": 96,
    "global_head_dim": 16,
    "hidden_size_per_layer_input": 8,
    "tie_word_embeddings": True,
}

WINDOWS: dict[str, Config] = {
    "afmoe": {"layer_types": ALTERNATING, "num_dense_layers": 1},
    "cohere2": {"logit_scale": 1.0},
    "deepseek_v41": {
        "num_hidden_layers": 3,
        "head_dim": 16,
        "o_groups": 2,
        "o_lora_rank": 8,
        "compress_ratios": [0, 4, 4],
        "kv_source_layer_ids": [1],
        "index_source_layer_ids": [1],
        "index_n_heads": 2,
        "index_head_dim": 8,
        "index_topk": 3,
        "hc_mult": 2,
        "hc_sinkhorn_iters": 4,
    },
    "exaone4": {"sliding_window_pattern": "LG", "layer_types": ALTERNATING},
    "exaone_moe": {"layer_types": ALTERNATING, "is_moe_layer": [False, True]},
    "gemma3_text": {"query_pre_attn_scalar": 8},
    "gemma3n": {"text_config": {**BASE, **_GEMMA3N, "model_type": "gemma3n"}},
    "gemma4_text": GEMMA4,
    "gpt_oss": {"layer_types": ALTERNATING},
    "iquestloopcoder": {"loop_num": 2, "loop_window_size": WINDOW},
    "laguna": {"layer_types": ALTERNATING},
    "llama": {"layer_types": ALTERNATING},
    "llama4_text": {"intermediate_size_mlp": 48, "no_rope_layers": [1, 0]},
    "mellum": {"layer_types": ALTERNATING, "rope_parameters": _BY_TYPE},
    "mimo_v2_flash": {
        "hybrid_layer_pattern": [1, 0],
        "moe_layer_freq": [0, 1],
        "add_swa_attention_sink_bias": True,
        "add_full_attention_sink_bias": False,
        "sliding_window_size": WINDOW,
        "layernorm_epsilon": 1e-5,
        "swa_rope_theta": 10000.0,
        "swa_num_attention_heads": 4,
        "swa_num_key_value_heads": 2,
        "swa_head_dim": 8,
        "swa_v_head_dim": 8,
        "topk_method": "noaux_tc",
        "scoring_func": "sigmoid",
    },
    "ministral3": {"layer_types": ALTERNATING, "rope_parameters": SCALED_ROPE},
    "muse_glimmer": {"layer_types": ALTERNATING},
    "olmo3": {"layer_types": ALTERNATING},
    "plamo3": {"window_size": WINDOW},
    "smollm3": {"no_rope_layer_interval": 2},
    "spark2_5": {"layer_types": ALTERNATING, "rope_parameters": _BY_TYPE},
    "step3p5": {
        "num_attention_groups": 2,
        "layer_types": ALTERNATING,
        "moe_num_experts": 4,
        "moe_top_k": 2,
        "share_expert_dim": 16,
        "moe_layers_enum": "1",
    },
}
