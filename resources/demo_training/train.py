"""Trains the demo model on one CUDA GPU with transformers' own Qwen3.5 layers.

Writes `model.safetensors` in float32 with transformers' names. Run it as `python -m resources.demo_training.train
--tokenizer FOLDER --out FOLDER`.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch.nn import functional
from torch.utils.data import DataLoader
from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig

from resources.demo_training.architecture import SHAPE
from resources.demo_training.corpus import Rows
from resources.demo_training.words import Split

SEED = 20261
WARM_UP = 150
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def rows(folder: Path, seed: int, tokens: int) -> Rows:
    """The batches of a training, with the tokenizer in `folder`."""
    return Rows(Tokenizer.from_file(str(folder / "tokenizer.json")), Split.TRAIN, f"train {seed}", tokens)


def build(start: Path | None) -> Qwen3_5ForCausalLM:
    """A float32 model with the weights of `start`, or with new seeded ones."""
    torch.manual_seed(SEED)
    model = Qwen3_5ForCausalLM(Qwen3_5TextConfig(**SHAPE, use_cache=False))
    if start:
        model.load_state_dict(load_file(start), strict=False)
        model.tie_weights()
    return model.to(DEVICE).train()


def rate(step: int, steps: int, peak: float) -> float:
    """The learning rate: a short rise, then a cosine down to almost zero."""
    if step < WARM_UP:
        return peak * (step + 1) / WARM_UP
    return peak * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (step - WARM_UP) / (steps - WARM_UP))))


def optimiser(model: torch.nn.Module) -> torch.optim.AdamW:
    """AdamW; only matrices decay."""
    matrices = [p for p in model.parameters() if p.ndim == 2]
    others = [p for p in model.parameters() if p.ndim != 2]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, betas=(0.9, 0.95), fused=torch.cuda.is_available())


def loss_of(model: torch.nn.Module, ids: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The weighted mean cross-entropy of every next token."""
    with torch.autocast(ids.device.type, dtype=torch.bfloat16):
        logits = model(input_ids=ids[:, :-1]).logits
    each = functional.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten(), reduction="none")
    wanted = weights[:, 1:].flatten()
    return (each * wanted).sum() / wanted.sum()


def fit(
    model: torch.nn.Module,
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    batches: Rows,
    arguments: argparse.Namespace,
) -> None:
    """Train `model`. `loss` is that of token ids and their weights. The loader's worker processes make the batches."""
    torch.set_float32_matmul_precision("high")
    adam, steps = optimiser(model), arguments.steps
    loader = DataLoader(batches, None, sampler=range(steps), num_workers=arguments.workers, prefetch_factor=4)
    began = time.monotonic()
    for step, (ids, weights) in enumerate(loader):
        for group in adam.param_groups:
            group["lr"] = rate(step, steps, arguments.rate)
        now = loss(ids.to(DEVICE, non_blocking=True), weights.to(DEVICE, non_blocking=True))
        now.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        adam.zero_grad(set_to_none=True)
        if step % 50 == 0 or step == steps - 1:
            print(f"step {step} loss {now.item():.4f} after {time.monotonic() - began:.0f} s", flush=True)


def parser_of(description: str, steps: int) -> argparse.ArgumentParser:
    """A parser with the arguments of every training."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--tokens", type=int, default=65536, help="tokens in a batch")
    parser.add_argument("--rate", type=float, default=1.5e-3, help="the highest learning rate")
    parser.add_argument("--workers", type=int, default=14)
    return parser


def main() -> None:
    """Read the arguments, train, and write the weights as float32, without the tied head."""
    parser = parser_of(__doc__ or "", 4400)
    parser.add_argument("--tokenizer", type=Path, required=True, help="folder with tokenizer.json")
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--seed", type=int, default=SEED, help="of the dialogues")
    arguments = parser.parse_args()
    model = build(arguments.start)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters on {DEVICE}", flush=True)
    batches = rows(arguments.tokenizer, arguments.seed, arguments.tokens)
    fit(model, partial(loss_of, model), batches, arguments)
    weights = {name: value.detach().float().cpu().contiguous() for name, value in model.state_dict().items()}
    del weights["lm_head.weight"]
    arguments.out.mkdir(parents=True, exist_ok=True)
    save_file(weights, arguments.out / "model.safetensors")


if __name__ == "__main__":
    main()
