"""Trains the demo model on one CUDA GPU with transformers' own Qwen3.5 layers.

Writes `trained.safetensors`, in float32 with transformers' names, beside the tokenizer. Run it as
`python -m resources.demo_training.train FOLDER`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional
from torch.utils.data import DataLoader
from transformers import Qwen3_5ForCausalLM, Qwen3_5TextConfig, get_cosine_with_min_lr_schedule_with_warmup

from resources.demo_training.architecture import SHAPE
from resources.demo_training.corpus import Batches

SEED = 20261
RATE = 1.5e-3
WARM_UP = 150
TRAINED = "trained.safetensors"


def build(start: Path | None) -> Qwen3_5ForCausalLM:
    """A float32 model with the weights of `start`, or with new seeded ones."""
    torch.manual_seed(SEED)
    model = Qwen3_5ForCausalLM(Qwen3_5TextConfig(**SHAPE, use_cache=False))
    if start:
        model.load_state_dict(load_file(start), strict=False)
        model.tie_weights()
    return model.cuda().train()


def optimiser(model: torch.nn.Module, rate: float) -> torch.optim.AdamW:
    """AdamW; only matrices decay."""
    matrices = [p for p in model.parameters() if p.ndim == 2]
    others = [p for p in model.parameters() if p.ndim != 2]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, rate, betas=(0.9, 0.95), fused=True)


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
    batches: Batches,
    steps: int,
    rate: float = RATE,
) -> None:
    """Train `model`. `loss` is that of token ids and their weights. The loader's worker processes make the batches."""
    torch.set_float32_matmul_precision("high")
    adam = optimiser(model, rate)
    schedule = get_cosine_with_min_lr_schedule_with_warmup(adam, WARM_UP, steps, min_lr_rate=0.01)
    loader = DataLoader(batches, None, sampler=range(steps), num_workers=14, prefetch_factor=4)
    began = time.monotonic()
    for step, (ids, weights) in enumerate(loader):
        now = loss(ids.cuda(non_blocking=True), weights.cuda(non_blocking=True))
        now.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        schedule.step()
        adam.zero_grad(set_to_none=True)
        if step % 50 == 0 or step == steps - 1:
            print(f"step {step} loss {now.item():.4f} after {time.monotonic() - began:.0f} s", flush=True)


def main() -> None:
    """Read the arguments, train, and write the weights as float32, without the tied head."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder with tokenizer.json")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--steps", type=int, default=4400)
    parser.add_argument("--rate", type=float, default=RATE, help="the highest learning rate")
    parser.add_argument("--seed", type=int, default=SEED, help="of the dialogues")
    arguments = parser.parse_args()
    model = build(arguments.start)
    batches = Batches(arguments.folder, arguments.seed)
    fit(model, partial(loss_of, model), batches, arguments.steps, arguments.rate)
    weights = {name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()}
    del weights["lm_head.weight"]
    save_file(weights, arguments.folder / TRAINED)


if __name__ == "__main__":
    main()
