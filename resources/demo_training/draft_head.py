"""Trains the draft head of the shipped model on one CUDA GPU, with transformers' own Qwen3.5 layer. The model itself
stays as it is: the head learns its choices from its states.

Writes `mtp.safetensors`, with 8-bit matrices, into the folder of the model. Run it as
`python -m resources.demo_training.draft_head MODEL_FOLDER`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx
import torch
from transformers import Qwen3_5TextConfig, Qwen3_5TextModel
from transformers.models.qwen3_5.modeling_qwen3_5 import Qwen3_5RMSNorm

from resources.demo_training.architecture import SHAPE
from resources.demo_training.convert import BITS, GROUP
from resources.demo_training.reference import model_of
from resources.demo_training.train import DEVICE, fit, parser_of, rows

if TYPE_CHECKING:
    from transformers import Qwen3_5ForCausalLM

SEED = 20264


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


def loss_of(
    head: Head, model: Qwen3_5ForCausalLM, depth: int, ids: torch.Tensor, weights: torch.Tensor
) -> torch.Tensor:
    """The weighted mean cross-entropy of what the model would draw, and of what the head guesses: one token beyond the
    next one, then another from its own states, up to `depth`.
    """
    with torch.no_grad():
        true = model.model(input_ids=ids).last_hidden_state
    hidden, total = true, torch.zeros((), device=ids.device)
    for ahead in range(1, depth + 1):
        hidden = head(model.model.embed_tokens(ids[:, ahead:-1]), hidden[:, : ids.shape[1] - 1 - ahead])
        wanted = model.lm_head(true[:, ahead:-1]).softmax(-1)
        each = -(wanted * model.lm_head(hidden).log_softmax(-1)).sum(-1)
        total = total + (each * weights[:, ahead + 1 :]).sum() / weights[:, ahead + 1 :].sum()
    return total / depth


def write(head: Head, folder: Path) -> None:
    """Write the head under the names of a Qwen3.5 checkpoint. Its norms are stored as their difference to 1."""
    stored: dict[str, mx.array] = {}
    for name, value in head.state_dict().items():
        array = mx.array(value.float().cpu().numpy())
        path = f"mtp.{name.removeprefix('text.')}"
        if "embed_tokens" not in name and array.ndim == 1:
            stored[path] = array
        elif "embed_tokens" not in name:
            parts = mx.quantize(array, GROUP, BITS)
            stored |= {
                path.removesuffix("weight") + end: part
                for end, part in zip(("weight", "scales", "biases"), parts, strict=True)
            }
    mx.save_safetensors(str(folder / "mtp.safetensors"), stored, {"format": "mlx"})


def main() -> None:
    """Read the arguments, train, and write the weights."""
    parser = parser_of(__doc__ or "", 2000)
    parser.add_argument("folder", type=Path, help="the model's folder")
    parser.add_argument("--depth", type=int, default=2, help="tokens that the head guesses from its own states")
    arguments = parser.parse_args()
    model = model_of(arguments.folder).to(DEVICE).requires_grad_(requires_grad=False)
    torch.manual_seed(SEED)
    head = Head().to(DEVICE)
    batches = rows(arguments.folder, SEED, arguments.tokens)
    fit(head, partial(loss_of, head, model, arguments.depth), batches, arguments)
    write(head, arguments.folder)


if __name__ == "__main__":
    main()
