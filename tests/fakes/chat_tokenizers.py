"""Tokenizers with the published families' chat templates: Hugging Face's own in mlx-lm's wrapper, with real merges.

The vocabulary is trained on a few lines, so that line breaks, spaces and words merge and a wrong cut is visible.
"""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

from mlx_lm.chat_templates import deepseek_v32
from mlx_lm.tokenizer_utils import TokenizerWrapper
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from engine.model.identity import Identity
from engine.model.loader import LoadedModel
from engine.prompt.chat_template import ChatTemplate
from engine.prompt.imported_prefixes import ImportedPrefixes

TEMPLATES = Path(__file__).parent / "templates"
ENDS = {
    "chatml": "<|im_end|>",
    "qwen3": "<|im_end|>",
    "qwen3_5": "<|im_end|>",
    "llama3": "<|eot_id|>",
    "gemma2": "<end_of_turn>",
    "gemma3": "<end_of_turn>",
    "gpt_oss": "<|return|>",
    "falcon_h1": "<|im_end|>",
    "lfm2": "<|im_end|>",
    "mistral_first": "</s>",
    "mistral_last": "</s>",
    "deepseek_v32": "<｜end▁of▁sentence｜>",  # noqa: RUF001 # the model's own letters
}
"""The token that ends a reply, by the template's name."""

_MARKS = [
    *["<|im_start|>", "<|im_end|>", "<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"],
    *["<bos>", "<start_of_turn>", "<end_of_turn>", "<|start|>", "<|end|>", "<|message|>", "<|channel|>", "<|return|>"],
    *["<|call|>", "<s>", "</s>", "[INST]", "[/INST]", "[TOOL_CALLS]", "[TOOL_RESULTS]", "[/TOOL_RESULTS]"],
    *["<｜begin▁of▁sentence｜>", "<｜end▁of▁sentence｜>", "<｜User｜>", "<｜Assistant｜>"],  # noqa: RUF001 # as above
    *["\n\n\n", "  "],  # some vocabularies have runs of spaces among their added tokens
]
_THOUGHTFUL = ("qwen3", "qwen3_5", "lfm2", "deepseek_v32")
_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_CORPUS = (
    "user\n\nassistant\n\nsystem\n\n user\n assistant\n system\n model\n\n tool\n\n\n the reply, the answer.\n\n"
    "What is this?\nThat is that:\n\n - one\n - two\n hello, hello! functions tools think thinking final analysis\n"
)


@cache
def _trained() -> str:
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(_WORDS), "isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    trainer = trainers.BpeTrainer(
        vocab_size=420, min_frequency=1, initial_alphabet=alphabet, special_tokens=_MARKS, show_progress=False
    )
    tokenizer.train_from_iterator([_CORPUS] * 3, trainer)
    return tokenizer.to_str()


def tokenizer(name: str, template: str | None = None) -> Any:
    """mlx-lm's wrapper around the tokenizer of the family `name`, optionally with the text of another `template`."""
    raw = Tokenizer.from_str(_trained())
    if name in _THOUGHTFUL:
        raw.add_tokens(["<think>", "</think>"])
    end = ENDS.get(name, "<|im_end|>")
    marks = {"bos_token": "<s>", "eos_token": end}
    fast = PreTrainedTokenizerFast(tokenizer_object=raw, **marks)
    if name == "deepseek_v32":
        return TokenizerWrapper(fast, chat_template=deepseek_v32.apply_chat_template)
    fast.chat_template = template or (TEMPLATES / f"{name}.jinja").read_text("utf-8")
    return TokenizerWrapper(fast)


def tokenizer_with_spaces(template: str, scheme: Literal["first", "always"], *, rstrip: bool = False) -> Any:
    """mlx-lm's wrapper around a tokenizer like SentencePiece's, which reads a space before a text by this scheme. If
    `rstrip`, its turn marks take the spaces behind them.
    """
    signs = [*(f"<0x{byte:02X}>" for byte in range(256)), "▁", *map(chr, range(33, 127))]
    raw = Tokenizer(models.BPE({sign: i for i, sign in enumerate(signs)}, [], byte_fallback=True))
    raw.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme=scheme, split=scheme == "always")
    raw.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    marks = ("<|im_start|>", "<|im_end|>", "<s>", "</s>", "[INST]")
    raw.add_special_tokens([AddedToken(mark, rstrip=rstrip, normalized=False) for mark in marks])
    fast = PreTrainedTokenizerFast(tokenizer_object=raw)
    fast.eos_token, fast.chat_template = "<|im_end|>", template
    return TokenizerWrapper(fast)


@cache
def model(name: str, template: str | None = None) -> Any:
    """The parts of a loaded model that prompts are made with."""
    return with_tokenizer(tokenizer(name, template), name)


def with_tokenizer(wrapped: Any, name: str) -> Any:
    """The same for this tokenizer."""
    parts: Any = SimpleNamespace(
        template=ChatTemplate(wrapped),
        tokenizer=wrapped,
        identity=Identity(f"model {name}", f"vocabulary {name}"),
        context_limit=0,
        growth=1.0,
        vocabulary_size=len(wrapped.get_vocab()),
        imported_prefixes=ImportedPrefixes(),
    )
    parts.encode = partial(LoadedModel.encode, parts)
    return parts
