"""Strategies that turn tiny real models into folders made to harm: edited JSON, templates, headers and bytes."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.fakes.chat_tokenizers import TEMPLATES

Edit = tuple[str, int, str, Any]
"""What to do, where (a number that picks a place), the name of a new member, and a value."""

NUMBERS = (-(10**9), -1, 0, 1, 2, 3, 7, 12, 64, 1000, 4096, 10**6, 2**31 - 1, 2**31, 2**32, 2**63, 10**30, 10**400)
WORDS = (
    "",
    "a",
    "float16",
    "float8_e4m3fn",
    "linear",
    "yarn",
    "llama3",
    "longrope",
    "su",
    "mrope",
    "full_attention",
    "sliding_attention",
    "linear_attention",
    "mamba",
    "silu",
    "relu2",
    "gelu_pytorch_tanh",
    "llama",
    "mamba2",
    "gpt2",
    "deepseek_v3",
    "olmo",
    "cache",
    "awq",
    "gptq",
    "mxfp4",
    "nvfp4",
    "bitnet",
    "compressed-tensors",
    "../../../etc/passwd",
    "/dev/zero",
    "custom.Model",
    "os.system",
    "__class__",
    "PreTrainedTokenizerFast",
    "LlamaTokenizer",
    "GPT2Tokenizer",
    "Qwen2Tokenizer",
    "AutoTokenizer",
    "BertJapaneseTokenizer",
    "json_tools",
    "pythonic",
    "deepseek_v32",
    "<|im_end|>",
    "<think>",
    "\ud800",
    "a" * 10_000,
    "{{ 'a' * 10**9 }}",
)
NAMES = (
    "model_type",
    "architectures",
    "model_file",
    "auto_map",
    "text_config",
    "vision_config",
    "quantization",
    "quantization_config",
    "quant_method",
    "quantize_activations",
    "bits",
    "group_size",
    "mode",
    "num_hidden_layers",
    "hidden_size",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "vocab_size",
    "intermediate_size",
    "layer_types",
    "sliding_window",
    "sliding_window_pattern",
    "rope_scaling",
    "rope_parameters",
    "rope_type",
    "rope_theta",
    "factor",
    "original_max_position_embeddings",
    "max_position_embeddings",
    "tie_word_embeddings",
    "num_local_experts",
    "num_experts_per_tok",
    "kv_lora_rank",
    "eos_token_id",
    "tokenizer_class",
    "tool_parser_type",
    "chat_template_type",
    "chat_template",
    "extra_special_tokens",
    "additional_special_tokens",
    "added_tokens_decoder",
    "added_tokens",
    "eos_token",
    "bos_token",
    "model_max_length",
    "split_special_tokens",
    "legacy",
    "add_prefix_space",
    "normalizer",
    "pre_tokenizer",
    "post_processor",
    "decoder",
    "truncation",
    "padding",
    "fix_mistral_regex",
    "temperature",
    "top_k",
    "weight_map",
)
ODD_PARTS: tuple[Any, ...] = (
    {"group_size": 32, "bits": 4},
    {"group_size": 0, "bits": 4},
    {"group_size": 64, "bits": 16, "mode": "affine"},
    {"quant_method": "awq", "bits": 4, "group_size": 32},
    {"quant_method": "fp8", "weight_block_size": [32, 32], "scale_fmt": "ue8m0"},
    {"quant_method": "modelopt", "quant_algo": "NVFP4"},
    {"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": "aaaa"},
    {"type": "Prepend", "prepend": "a" * 10_000},
    {"type": "Sequence", "normalizers": []},
    {"type": "Split", "pattern": {"Regex": "((a*)*)*b"}, "behavior": "Isolated", "invert": False},
    {"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}},
    {"type": "Unigram", "unk_id": 0, "vocab": [["a", 0.0]]},
    {
        "type": "WordPiece",
        "unk_token": "a",
        "continuing_subword_prefix": "#",
        "max_input_chars_per_word": 1,
        "vocab": {},
    },
    {"id": 10**9, "content": "a", "special": True},
    {"AutoTokenizer": ["custom.Riddle", None], "AutoConfig": "custom.Config"},
    {"__float__": "Infinity"},
    {"rope_type": "yarn", "factor": 0, "original_max_position_embeddings": 0},
    {"rope_type": "llama3", "factor": 1e300},
)

values: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.sampled_from(NUMBERS),
        st.sampled_from((float("nan"), float("inf"), -1.5, 1e300, 0.5)),
        st.sampled_from(WORDS),
        st.sampled_from(ODD_PARTS),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)),
    max_leaves=6,
)
edits = st.lists(
    st.tuples(
        st.sampled_from(("set", "set", "set", "add", "add", "drop", "repeat")),
        st.integers(0, 1 << 20),
        st.sampled_from(NAMES),
        values,
    ),
    min_size=1,
    max_size=4,
)


def edited(tree: Any, changes: Sequence[Edit]) -> Any:
    """A copy of a JSON value with these changes. At most one list is repeated: several would fill the memory of the
    test.
    """
    tree, repeated = copy.deepcopy(tree), False
    for act, number, name, value in changes:
        places = list(_places(tree))
        if not places:
            return tree
        holder, key = places[number % len(places)]
        if act == "set":
            holder[key] = copy.deepcopy(value)
        elif act == "add" and isinstance(holder, dict):
            holder[name] = copy.deepcopy(value)
        elif act == "repeat" and isinstance(holder[key], list) and not repeated:
            holder[key] = holder[key] * 500
            repeated = True
        elif act == "drop":
            del holder[key]
    return tree


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every member of every object and item of every list; of long ones only the first."""
    found: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting:
        holder = waiting.pop()
        keys: list[Any] = list(holder)[:40] if isinstance(holder, dict) else list(range(min(len(holder), 8)))
        found += [(holder, key) for key in keys]
        waiting += [holder[key] for key in keys if isinstance(holder[key], dict | list)]
    return found


def edit_json(folder: Path, name: str, changes: Sequence[Edit]) -> None:
    """Change the JSON file `name`; one that is missing was an empty object."""
    file = folder / name
    before = json.loads(file.read_text("utf-8")) if file.exists() else {}
    file.write_text(json.dumps(edited(before, changes)))


byte_edits = st.lists(
    st.tuples(st.sampled_from(("flip", "cut", "insert", "double")), st.integers(0, 1 << 30), st.binary(max_size=40)),
    min_size=1,
    max_size=4,
)


def edit_bytes(data: bytes, changes: Sequence[tuple[str, int, bytes]]) -> bytes:
    """`data` with these changes."""
    for act, number, some in changes:
        at = number % (len(data) + 1)
        if act == "flip":
            data = data[:at] + some + data[at + len(some) :]
        elif act == "cut":
            data = data[:at] + data[at + len(some) :]
        elif act == "insert":
            data = data[:at] + some * 20 + data[at:]
        else:
            data = data[:at] + data[at : at + 200] * 3 + data[at + 200 :]
    return data


def edit_header(file: Path, changes: Sequence[Edit], length: int) -> None:
    """Change the header of a safetensors file, and what it says of its own length by `length`."""
    data = file.read_bytes()
    size = int.from_bytes(data[:8], "little")
    header = edited(json.loads(data[8 : 8 + size]), changes)
    text = json.dumps(header).encode()
    file.write_bytes(max(0, len(text) + length).to_bytes(8, "little") + text + data[8 + size :])


# None of them takes gigabytes in one instruction of Python: that may end the process.
_EXPRESSIONS = (
    "messages",
    "messages[0].content",
    "messages[0]['role']",
    "'a' * (10**6) * (10**6)",
    "range(10**9)|list|length",
    "range(10**12)",
    "lipsum(n=100000)",
    "''.__class__.__mro__",
    "self._TemplateReference__context",
    "cycler.__init__.__globals__",
    "namespace(a=[1])",
    "x ~ x",
    "x * x",
    "bos_token",
    "tools",
    "raise_exception('no')",
    "strftime_now('%Y')",
    "undefined.thing.other",
    "messages[10**9]",
    "1 / 0",
    "'ab'.join(range(10**8)|map('string'))",
    "(" * 300 + "1" + ")" * 300,
    "not " * 2000 + "true",
    "+".join(["1"] * 3000),
    "[" * 500 + "]" * 500,
    "messages|sort|unique|groupby('a')|sum",
    "'a'.encode('rot13')",
)
_BLOCKS = (
    "{{{{ {e} }}}}",
    "{{% for i in {e} %}}{b}{{% endfor %}}",
    "{{% for i in range(100000) %}}{b}{{% endfor %}}",
    "{{% for i in range(300) %}}{{% for j in range(300) %}}{b}{{% endfor %}}{{% endfor %}}",
    "{{% if {e} %}}{b}{{% else %}}{{{{ {e} }}}}{{% endif %}}",
    "{{% set x = {e} %}}{b}",
    "{{% set ns = namespace(a='aaaaaaaa') %}}{{% for i in range(60) %}}{{% set ns.a = ns.a ~ ns.a %}}{{% endfor %}}",
    "{{% set ns = namespace(a=[1]) %}}{{% for i in range(60) %}}{{% set ns.a = ns.a + ns.a %}}{{% endfor %}}",
    "{{% macro m(x) %}}{{{{ m(x) ~ {e} }}}}{{% endmacro %}}{{{{ m(1) }}}}",
    "{{% include 'config.json' %}}{b}",
    "{{% import 'os' as os %}}{b}",
    "{{% raw %}}{b}{{% endraw %}}",
    "{{% generation %}}{b}{{% endgeneration %}}",
    "{{% while true %}}{b}",
    "{{% for m in messages %}}<|im_start|>{{{{ m.role }}}}\n{{{{ m.content }}}}<|im_end|>{b}{{% endfor %}}",
    "{b}{b}{b}{b}",
    "<think>{b}</think>",
)
_fragments: st.SearchStrategy[str] = st.recursive(
    st.sampled_from(("", "text", "{{ x }}", "{{ messages[0].content }}", "{%", "{{ {{", "\x00", "é" * 100)),
    lambda inner: st.builds(
        lambda block, e, b: block.format(e=e, b=b), st.sampled_from(_BLOCKS), st.sampled_from(_EXPRESSIONS), inner
    ),
    max_leaves=8,
)
_LONGEST_TEMPLATE = 200_000
_PUBLISHED = sorted(file.read_text("utf-8") for file in TEMPLATES.glob("*.jinja"))
templates = st.one_of(
    _fragments,
    st.builds(
        lambda whole, at, part: whole[: at % len(whole)] + part + whole[at % len(whole) :],
        st.sampled_from(_PUBLISHED),
        st.integers(0, 1 << 20),
        _fragments,
    ),
    st.builds(lambda part, count: (part * count)[:_LONGEST_TEMPLATE], _fragments, st.sampled_from((10, 1000, 20_000))),
)
