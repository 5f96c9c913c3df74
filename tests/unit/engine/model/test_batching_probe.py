"""The probe measures how the rows of a model can share steps, and finds a model that is wrong when batched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models import gemma2, phi
from mlx_lm.models.base import create_attention_mask, scaled_dot_product_attention
from mlx_lm.models.cache import KVCache, make_prompt_cache

from engine.memory.machine import Machine
from engine.model.probes import measure
from engine.protocol.messages import Batching
from tests.fakes import tiny_models

SIZES = {
    "vocab_size": 96,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "intermediate_size": 48,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "rms_norm_eps": 1e-5,
}


def measured(model: Any) -> Batching:
    return measure(model, lambda: make_prompt_cache(model))


def test_models_that_convert_their_keys_are_padded() -> None:
    """phi converts its keys before it attends, so its rows cannot share steps by cluster, but they can be padded."""
    sizes = {**SIZES, "model_type": "phi", "partial_rotary_factor": 0.5}
    assert measured(phi.Model(phi.ModelArgs.from_dict(sizes))) == "merged"


@pytest.mark.parametrize("name", ["one form", "takes a step"])
def test_rows_run_alone_if_another_machine_fails(tmp_path: Path, name: str) -> None:
    """Machines with other layers of a model find together that it cannot share steps. None waits for another."""
    model = tiny_models.opened(tiny_models.build(tmp_path / "llama", "llama"))
    asked: list[str] = []

    def agreed(what: str, own: int) -> int:
        asked.append(what)
        return 0 if what == name else own

    assert measure(model, lambda: make_prompt_cache(model), Machine(agree=agreed)) == "alone"
    assert name in asked


def test_models_that_are_wrong_when_padded_run_alone() -> None:
    """In mlx-lm 0.32.2, gemma2 applies one row's padding to another row's heads."""
    sizes = {**SIZES, "model_type": "gemma2"}
    assert measured(gemma2.Model(gemma2.ModelArgs.from_dict(sizes))) == "alone"


class Off:
    """One attention layer that is right for one row, and applies `fault` to the offsets of several."""

    def __init__(self, fault: Callable[[mx.array], Any]) -> None:
        self.fault = fault

    def __call__(self, tokens: mx.array, cache: list[Any]) -> mx.array:
        offset = cache[0].offset if tokens.shape[0] == 1 else self.fault(cache[0].offset)
        hidden = mx.sin((tokens[..., None] + 1) * mx.arange(1, 9) * 0.7)
        turned = mx.fast.rope(hidden[:, None], 8, traditional=False, base=100.0, scale=1.0, offset=offset)
        mask = create_attention_mask(hidden, cache[0])
        keys, values = cache[0].update_and_fetch(turned, hidden[:, None])
        seen: mx.array = scaled_dot_product_attention(turned, keys, values, cache=cache[0], scale=1.0, mask=mask)
        return seen[:, 0] @ mx.sin(mx.arange(320, dtype=mx.float32)).reshape(8, 40)

    def modules(self) -> list[Any]:
        return [self]


@pytest.mark.parametrize(
    ("fault", "batching"),
    [
        (lambda offset: offset, "together"),
        (lambda offset: offset + 1, "alone"),
        (lambda offset: mx.full(offset.shape, offset.max()), "alone"),
        (lambda offset: offset.item(), "alone"),
    ],
)
def test_an_offset_that_is_wrong_for_one_row_is_found_out(fault: Callable[[mx.array], Any], batching: Batching) -> None:
    """One position too many, the longest row's offset for all, and one number for several rows all fail the probe."""
    assert measure(Off(fault), lambda: [KVCache()]) == batching
