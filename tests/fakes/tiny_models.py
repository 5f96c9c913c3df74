"""Tiny random models in real folders, loadable by mlx-lm: real caches and real arithmetic, built in a second.

Every parameter is perturbed, so that no layer is a no-op and every wrong state changes the logits.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

import mlx.core as mx
from mlx.utils import tree_flatten, tree_map
from mlx_lm import utils
from mlx_lm.convert import convert
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, Tell, load_model
from engine.protocol.messages import LoadModel

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

_QWEN3_5_TEXT = {
    "model_type": "qwen3_5_text",
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "linear_num_value_heads": 4,
    "linear_num_key_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "linear_conv_kernel_dim": 4,
    "full_attention_interval": 2,
    "tie_word_embeddings": True,
    "rms_norm_eps": 1e-6,
    "vocab_size": 260,
    "max_position_embeddings": 4096,
    "rope_parameters": {"rope_type": "default", "rope_theta": 10000, "partial_rotary_factor": 0.5},
}
_QWEN3_5 = {"model_type": "qwen3_5", "text_config": _QWEN3_5_TEXT}
_LFM2 = {
    "model_type": "lfm2",
    "vocab_size": 260,
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
    "norm_eps": 1e-5,
    "conv_bias": False,
    "conv_L_cache": 3,
    "block_dim": 32,
    "block_ff_dim": 48,
    "block_multiple_of": 8,
    "block_ffn_dim_multiplier": 1.0,
    "block_auto_adjust_ff_dim": False,
    "full_attn_idxs": [1],
    "rope_theta": 10000.0,
}
_FALCON_H1 = {
    "model_type": "falcon_h1",
    "vocab_size": 260,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "mamba_d_conv": 4,
    "mamba_d_ssm": 32,
    "mamba_d_state": 8,
    "mamba_d_head": 8,
    "mamba_n_heads": 4,
    "mamba_n_groups": 1,
    "mamba_expand": 1,
    "max_position_embeddings": 4096,
    "tie_word_embeddings": True,
}
_LLAMA = {
    "model_type": "llama",
    "vocab_size": 260,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-5,
    "max_position_embeddings": 4096,
    "tie_word_embeddings": True,
}
_GEMMA3 = {
    "model_type": "gemma3_text",
    "vocab_size": 260,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "sliding_window": 12,
    "sliding_window_pattern": 2,
    "query_pre_attn_scalar": 8,
    "max_position_embeddings": 4096,
}
_LLAMA4_TEXT = {
    "model_type": "llama4_text",
    "vocab_size": 260,
    "hidden_size": 32,
    "intermediate_size": 48,
    "intermediate_size_mlp": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "attention_bias": False,
    "attention_chunk_size": 12,
    "interleave_moe_layer_step": 2,
    "num_local_experts": 2,
    "num_experts_per_tok": 1,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "rope_scaling": None,
    "use_qk_norm": True,
    "max_position_embeddings": 4096,
}
_LLAMA4 = {"model_type": "llama4", "text_config": _LLAMA4_TEXT}
_MAMBA = {
    "model_type": "mamba",
    "vocab_size": 260,
    "hidden_size": 32,
    "intermediate_size": 64,
    "state_size": 8,
    "num_hidden_layers": 2,
    "conv_kernel": 4,
    "use_bias": False,
    "use_conv_bias": True,
    "time_step_rank": 4,
    "tie_word_embeddings": True,
}
_GEMMA2 = {
    "model_type": "gemma2",
    "vocab_size": 260,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "rms_norm_eps": 1e-5,
    "query_pre_attn_scalar": 8,
    "max_position_embeddings": 4096,
}
CONFIGS: dict[str, dict[str, Any]] = {
    "qwen3_5": _QWEN3_5,
    "lfm2": _LFM2,
    "falcon_h1": _FALCON_H1,
    "llama": _LLAMA,
    "gemma3_text": _GEMMA3,
    "llama4": _LLAMA4,
}
"""One of each mix of caches: recurrent + attention (twice), both nested in one layer, attention, window + attention,
chunked + attention.
"""

SPECIAL: dict[str, dict[str, Any]] = {"mamba": _MAMBA, "gemma2": _GEMMA2}
"""For single tests: recurrent only; attention that cannot be quantised."""


_END_TOKEN = 257


_built: dict[str, dict[str, tuple[bytes, int]]] = {}
"""The files of each model that was built, by their names: their content and the time of their last change."""


def build(folder: Path, family: str = "qwen3_5", **changes: Any) -> Path:
    """Write the model `family` with a byte tokenizer into `folder`. A model that was built before is copied, with the
    times of its files, so that `engine_life.load_once` knows it again.
    """
    config = (CONFIGS | SPECIAL)[family] | changes
    folder.mkdir(parents=True, exist_ok=True)
    known = json.dumps(config)
    if known not in _built:
        _make(folder, config)
        _built[known] = {file.name: (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.iterdir()}
    for name, (content, changed) in _built[known].items():
        (folder / name).write_bytes(content)
        os.utime(folder / name, ns=(changed, changed))
    mx.random.seed(7)
    return folder


def _make(folder: Path, config: dict[str, Any]) -> None:
    module = import_module(f"mlx_lm.models.{config['model_type']}")
    mx.random.seed(7)
    model = module.Model(module.ModelArgs.from_dict(config))
    model.update(tree_map(lambda p: p + mx.random.normal(p.shape) * 0.3, model.parameters()))
    weights = dict(tree_flatten(model.parameters()))
    _talk_on(weights)
    mx.save_safetensors(str(folder / "model.safetensors"), weights, {"format": "mlx"})
    (folder / "config.json").write_text(json.dumps(config))
    write_tokenizer(folder)


def quantised(folder: Path) -> Path:
    """A llama whose weights mlx-lm has quantised to 4 bits."""
    plain = build(folder.with_name(f"{folder.name}-plain"), "llama", hidden_size=64, intermediate_size=64)
    convert(str(plain), str(folder), quantize=True, q_bits=4, q_group_size=32)
    return folder


def let_write(folder: Path, template: str) -> Path:
    """Give the model in `folder` another chat template. The time of the file follows from the template, so that
    `engine_life.load_once` knows the model again.
    """
    file = folder / "tokenizer_config.json"
    changed = file.stat().st_mtime_ns + crc32(template.encode())
    edit(file, chat_template=template)
    os.utime(file, ns=(changed, changed))
    return folder


def edit(file: Path, **changes: Any) -> None:
    """Change fields of a JSON file."""
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes))


def loaded(folder: Path, tell: Tell | None = None, **options: Any) -> LoadedModel:
    """The model in `folder` as the engine loads it. `options` are those of the command."""
    command, digests = LoadModel(str(folder), **options), WeightDigests(folder.parent / "weights.json")
    return load_model(command, digests, tell) if tell else load_model(command, digests)


def opened(folder: Path) -> Any:
    """The bare model in `folder`."""
    model: Any = utils.load_model(folder)[0]
    return model


def _talk_on(weights: dict[str, mx.array]) -> None:
    """Greedy answers of a random model end anywhere. A zero row for the end token lets them reach the
    requested length.
    """
    for name, weight in weights.items():
        if name.endswith(("embed_tokens.weight", "lm_head.weight")):
            weight[_END_TOKEN] = 0


def write_tokenizer(folder: Path) -> None:
    """Write a byte tokenizer with a ChatML template into `folder`."""
    vocabulary = {letter: index for index, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|im_start|>", "<|im_end|>", "<|endoftext|>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "chat_template": CHATML,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
