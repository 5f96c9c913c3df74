"""The common part of the tiny configurations. A family's own file lists only the differences.

mlx-lm reads the keys that it knows, so one base serves all families: dense, experts, latent attention, windows.
"""

from __future__ import annotations

from typing import Any

Config = dict[str, Any]

WINDOW = 12
"""The tokens of every sliding window: so few that each rotating cache wraps several times in a check."""

BASE: Config = {
    "vocab_size": 96,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "rms_norm_eps": 1e-5,
    "layer_norm_eps": 1e-5,
    "layer_norm_epsilon": 1e-5,
    "norm_eps": 1e-5,
    "max_position_embeddings": 4096,
    "rope_theta": 10000.0,
    "rope_scaling": None,
    "tie_word_embeddings": False,
    "attention_bias": False,
    "mlp_bias": False,
    "use_qk_norm": True,
    "partial_rotary_factor": 0.5,
    "sliding_window": WINDOW,
    "sliding_window_pattern": 2,
    # experts
    "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16,
    "moe_shared_expert_intermediate_size": 16,
    "num_experts": 4,
    "num_local_experts": 4,
    "n_routed_experts": 4,
    "num_experts_per_tok": 2,
    "n_shared_experts": 1,
    "num_shared_experts": 1,
    "norm_topk_prob": True,
    "routed_scaling_factor": 1.0,
    "first_k_dense_replace": 1,
    "n_group": 1,
    "topk_group": 1,
    "topk_method": "noaux_tc",
    "scoring_func": "sigmoid",
    "moe_layer_freq": 1,
    "decoder_sparse_step": 1,
    "mlp_only_layers": [],
    # latent attention
    "kv_lora_rank": 8,
    "q_lora_rank": 12,
    "qk_rope_head_dim": 4,
    "qk_nope_head_dim": 8,
    "v_head_dim": 8,
}

SCALES: Config = {
    "embedding_multiplier": 1.5,
    "attention_multiplier": 0.3,
    "residual_multiplier": 0.7,
    "logits_scaling": 2.0,
}
"""The factors of the granite families."""

SCALED_ROPE: Config = {
    "rope_theta": 10000.0,
    "rope_type": "default",
    "type": "default",
    "llama_4_scaling_beta": 0.1,
    "original_max_position_embeddings": 16,
}
"""A rotation whose scale grows with the position, from token 16 on."""

SLIDING, FULL = "sliding_attention", "full_attention"
ALTERNATING = [SLIDING, FULL]
"""The layer types of a family whose first layer has a window and whose second has none."""
