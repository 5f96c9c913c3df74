"""Greedy replies of the shipped weights, computed by transformers and torch instead of mlx-lm.

Writes `reference.json`: prompts and torch's token ids for them, so that `evaluate` can compare without torch. Run it as
`python -m resources.demo_training.reference MODEL_FOLDER`.
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig

from resources.demo_training.architecture import SHAPE
from resources.demo_training.dialogue import Dialogue
from resources.demo_training.vocabulary import END, START, rendered
from resources.demo_training.words import Split

PROMPTS = 20
LIMIT = 48
_GROUP = 64
_SHIFTED = (
    "input_layernorm.weight",
    "post_attention_layernorm.weight",
    "model.norm.weight",
    "q_norm.weight",
    "k_norm.weight",
)


def torch_weights(folder: Path) -> dict[str, torch.Tensor]:
    """The shipped weights in transformers' names and layout, as float32 with 8-bit matrices dequantised."""
    stored = load_file(folder / "model.safetensors")
    weights = {}
    for name, value in stored.items():
        if name.endswith((".scales", ".biases")):
            continue
        array = value
        if f"{name.removesuffix('.weight')}.scales" in stored:
            array = _multiplied_out(stored, name.removesuffix(".weight"))
        if name.endswith("conv1d.weight"):
            array = np.moveaxis(array, 2, 1)
        if name.endswith(_SHIFTED):
            array = array - 1.0
        weights[name.removeprefix("language_model.")] = torch.from_numpy(np.ascontiguousarray(array, dtype=np.float32))
    return weights


def _multiplied_out(stored: dict[str, np.ndarray], name: str) -> np.ndarray:
    """A quantised matrix as float32. Each stored word holds four 8-bit numbers, lowest first."""
    packed = stored[f"{name}.weight"]
    numbers = packed.view(np.uint8).reshape(packed.shape[0], -1, _GROUP).astype(np.float32)
    return (numbers * stored[f"{name}.scales"][..., None] + stored[f"{name}.biases"][..., None]).reshape(
        packed.shape[0], -1
    )


def model_of(folder: Path) -> Qwen3_5ForCausalLM:
    """The shipped weights in transformers' model."""
    model = Qwen3_5ForCausalLM(Qwen3_5TextConfig(**SHAPE)).float().eval()
    missing, unexpected = model.load_state_dict(torch_weights(folder), strict=False)
    if unexpected or set(missing) - {"lm_head.weight"}:
        raise ValueError(f"weights do not fit: {missing}, {unexpected}")
    model.tie_weights()
    return model


def prompt(seed: int) -> str:
    """A rendered held-out history of one to six turns, ready for the next reply."""
    turns = list(islice(Dialogue(f"reference {seed}", Split.HELD_OUT).turns(), seed % 6 + 1))
    past = "".join(rendered(*turn) for turn in turns[:-1])
    return f"{past}{START}user\n{turns[-1][0]}{END}\n{START}assistant\n"


@torch.no_grad()
def greedy(model: Qwen3_5ForCausalLM, ids: list[int], end: int) -> list[int]:
    """The most probable continuation, of at most `LIMIT` tokens including its end mark."""
    found: list[int] = []
    while len(found) < LIMIT and (not found or found[-1] != end):
        logits = model(input_ids=torch.tensor([ids + found]), use_cache=False).logits
        found.append(int(logits[0, -1].argmax()))
    return found


def write(folder: Path, out: Path) -> None:
    """Write the prompts and torch's tokens for them."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    model = model_of(folder)
    cases = []
    for seed in range(PROMPTS):
        text = prompt(seed)
        cases.append({"prompt": text, "tokens": greedy(model, tokenizer.encode(text).ids, tokenizer.token_to_id(END))})
        print(seed, tokenizer.decode(cases[-1]["tokens"]), flush=True)
    out.write_text(json.dumps(cases, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]), Path(__file__).with_name("reference.json"))
