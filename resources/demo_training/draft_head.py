"""Trains the draft head of the model on one CUDA GPU, with transformers' own Qwen3.5 layer. The model itself stays as
`train` left it: the head learns its choices from its states.

Writes `mtp.safetensors`, with 8-bit matrices, beside the tokenizer and the trained weights. Run it as
`python -m resources.demo_training.draft_head FOLDER`.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx
import torch
from transformers import Qwen3_5TextConfig, Qwen3_5TextModel
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5RMSNorm

from resources.demo_training.architecture import SHAPE
from resources.demo_training.convert import BITS, GROUP
from resources.demo_training.corpus import Batches
from resources.demo_training.train import TRAINED, build, fit

if TYPE_CHECKING:
    from transformers import Qwen3_5ForCausalLM

SEED = 20264
STEPS = 2000
DEPTH = 2  # tokens that the head guesses from its own states


class Head(torch.nn.Module):
    """A layer over tokens and the states that they were drawn from. `text` has an embedding of one token, unused."""

    def __init__(self) -> None:
        super().__init__()
        one = {"num_hidden_layers": 1, "full_attention_interval": 1, "vocab_size": 1}
        config = Qwen3_5TextConfig(**SHAPE | one, use_cache=False)
        self.fc = torch.nn.Linear(2 * config.hidden_size, config.hidden_size, bias=False)
        self.pre_fc_norm_embedding = Qwen3_5RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.pre_fc_norm_hidden = Qwen3_5RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.text = Qwen3_5TextModel(config)

    def forward(self, embedded: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """The states that would follow, both of shape (rows, tokens, size)."""
        joined = torch.cat([self.pre_fc_norm_embedding(embedded), self.pre_fc_norm_hidden(hidden)], dim=-1)
        return self.text(inputs_embeds=self.fc(joined)).last_hidden_state


def loss_of(head: Head, model: Qwen3_5ForCausalLM, ids: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    """The weighted mean cross-entropy of what the model would draw, and of what the head guesses: one token beyond the
    next one, then another from its own states.
    """
    with torch.no_grad():
        true = model.model(input_ids=ids).last_hidden_state
    hidden, total = true, torch.zeros((), device=ids.device)
    for ahead in range(1, DEPTH + 1):
        hidden = head(model.model.embed_tokens(ids[:, ahead:-1]), hidden[:, : ids.shape[1] - 1 - ahead])
        wanted = model.lm_head(true[:, ahead:-1]).softmax(-1)
        each = -(wanted * model.lm_head(hidden).log_softmax(-1)).sum(-1)
        total = total + (each * weights[:, ahead + 1 :]).sum() / weights[:, ahead + 1 :].sum()
    return total / DEPTH


def write(head: Head, folder: Path) -> None:
    """Write the head under the names of a Qwen3.5 checkpoint. Its norms are stored as their difference to 1."""
    stored: dict[str, mx.array] = {}
    for name, value in head.state_dict().items():
        path, array = f"mtp.{name.removeprefix('text.')}", mx.array(value.cpu().numpy())
        if array.ndim == 1:
            stored[path] = array
        elif "embed_tokens" not in name:
            ends = ("weight", "scales", "biases")
            stored |= {
                path.replace("weight", end): part
                for end, part in zip(ends, mx.quantize(array, GROUP, BITS), strict=True)
            }
    mx.save_safetensors(str(folder / "mtp.safetensors"), stored, {"format": "mlx"})


def main(folder: Path) -> None:
    """Train, and write the weights."""
    model = build(folder / TRAINED).requires_grad_(requires_grad=False)
    torch.manual_seed(SEED)
    head = Head().cuda()
    fit(head, partial(loss_of, head, model), Batches(folder, SEED), STEPS)
    write(head, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
