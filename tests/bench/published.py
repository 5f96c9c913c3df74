"""Models of published sizes with random weights: real shapes and speeds on machines without real weights.

Depth, widths, heads and states are those of the models' published configurations. Their output is meaningless.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import mlx.core as mx
import xxhash
from mlx.utils import tree_flatten
from mlx_lm import tokenizer_utils
from mlx_lm.utils import quantize_model
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from engine.decode.drafts.head import DraftHead, HeadLayer
from engine.model.draft_head import load_head
from engine.model.identity import Identity
from engine.model.loader import LoadedModel, assemble, measured
from engine.protocol.messages import LoadModel
from tests.fakes import heads
from tests.fakes.tiny_models import CHATML

_LFM2 = {
    "model_type": "lfm2",
    "vocab_size": 65536,
    "hidden_size": 2048,
    "num_hidden_layers": 30,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "max_position_embeddings": 128000,
    "norm_eps": 1e-5,
    "conv_bias": False,
    "conv_L_cache": 3,
    "block_dim": 2048,
    "block_ff_dim": 10752,
    "block_multiple_of": 256,
    "block_ffn_dim_multiplier": 1.0,
    "block_auto_adjust_ff_dim": False,
    "full_attn_idxs": [2, 5, 9, 12, 16, 20, 24, 27],
    "rope_theta": 1000000.0,
}
_FALCON_H1 = {
    "model_type": "falcon_h1",
    "vocab_size": 65537,
    "hidden_size": 2048,
    "intermediate_size": 4096,
    "num_hidden_layers": 24,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "head_dim": 128,
    "mamba_d_conv": 4,
    "mamba_d_ssm": 3072,
    "mamba_d_state": 256,
    "mamba_d_head": 64,
    "mamba_n_heads": 48,
    "mamba_n_groups": 1,
    "max_position_embeddings": 131072,
    "tie_word_embeddings": False,
}
_QWEN3_5_TEXT = {
    "model_type": "qwen3_5_text",
    "vocab_size": 248320,
    "hidden_size": 2560,
    "intermediate_size": 9216,
    "num_hidden_layers": 32,
    "num_attention_heads": 16,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "linear_num_value_heads": 32,
    "linear_num_key_heads": 16,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_conv_kernel_dim": 4,
    "full_attention_interval": 4,
    "tie_word_embeddings": True,
    "rms_norm_eps": 1e-6,
    "max_position_embeddings": 262144,
    "rope_parameters": {"rope_type": "default", "rope_theta": 10000000, "partial_rotary_factor": 0.25},
}
_QWEN3_5_27B_TEXT = _QWEN3_5_TEXT | {
    "hidden_size": 5120,
    "intermediate_size": 17408,
    "num_hidden_layers": 64,
    "num_attention_heads": 24,
    "linear_num_value_heads": 48,
    "tie_word_embeddings": False,
}
_LLAMA_8B = {
    "model_type": "llama",
    "vocab_size": 128256,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "rms_norm_eps": 1e-5,
    "rope_theta": 500000.0,
    "max_position_embeddings": 131072,
    "tie_word_embeddings": False,
}
SIZES: dict[str, dict[str, Any]] = {
    "lfm2-2.6b": _LFM2,
    "falcon-h1-1.5b": _FALCON_H1,
    "llama-8b": _LLAMA_8B,
    "qwen3.5-4b": {"model_type": "qwen3_5", "text_config": _QWEN3_5_TEXT},
    "qwen3.5-27b": {"model_type": "qwen3_5", "text_config": _QWEN3_5_27B_TEXT},
}


def load(name: str) -> LoadedModel:
    """The model of that size, in bfloat16, with a byte tokenizer."""
    config = SIZES[name]
    model = _built(config)
    flat: list[tuple[str, mx.array]] = tree_flatten(model.parameters())  # type: ignore[assignment] # a list, as no dict is given
    with tempfile.TemporaryDirectory() as folder:
        _write_tokenizer(Path(folder), config)
        tokenizer = tokenizer_utils.load(Path(folder))
        head = _head(model, Path(folder))
    weights = sum(array.nbytes for _, array in flat)
    kv_quantization, caches = measured(model, 0)
    digest = xxhash.xxh3_128_hexdigest(name.encode())
    command, identity = LoadModel(name), Identity(digest, digest)
    return replace(assemble(command, config, model, tokenizer, identity, weights, kv_quantization, caches), head=head)


def _head(model: Any, folder: Path) -> DraftHead | None:
    """A draft head with random weights, if the model's family has heads."""
    if model.model_type != "qwen3_5":
        return None
    layer = HeadLayer(model.language_model.args)
    layer.set_dtype(mx.bfloat16)
    parameters = dict(tree_flatten(layer.parameters()))  # type: ignore[no-untyped-call] # mlx does not type it
    heads.save(folder / "mtp.safetensors", parameters)
    return load_head(model, folder)[0]


def write(name: str, folder: Path, bits: int = 0) -> Path:
    """The model of that size as a folder, quantised to `bits` (0: in bfloat16)."""
    config, model = SIZES[name], _built(SIZES[name])
    if bits:
        model, config = quantize_model(model, dict(config), group_size=64, bits=bits)
    mx.save_safetensors(str(folder / "model.safetensors"), dict(tree_flatten(model.parameters())), {"format": "mlx"})
    (folder / "config.json").write_text(json.dumps(config))
    _write_tokenizer(folder, config)
    return folder


def _built(config: dict[str, Any]) -> Any:
    module = import_module(f"mlx_lm.models.{config['model_type']}")
    mx.random.seed(7)
    model = module.Model(module.ModelArgs.from_dict(config))
    model.set_dtype(mx.bfloat16)
    mx.eval(model.parameters())
    return model


def _write_tokenizer(folder: Path, config: dict[str, Any]) -> None:
    """Bytes, three marks, and a name for every other id: random weights can produce any of them."""
    size = config.get("text_config", config)["vocab_size"]
    letters = {letter: index for index, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    others = {f"<{index}>": index for index in range(len(letters) + 3, size)}
    tokenizer = Tokenizer(models.BPE(vocab=letters | others, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<|im_start|>", "<|im_end|>", "<|endoftext|>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>", "chat_template": CHATML}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
