"""The probe measures how the rows of a model can share steps, and finds a model that is wrong when batched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mlx.core as mx
import pytest
from mlx_lm.models import gemma2, phi
from mlx_lm.models.base import create_attention_mask, scaled_dot_product_attention
from mlx_lm.models.cache import ChunkedKVCache, KVCache, make_prompt_cache

from engine.memory.footprint import Footprint, row_bytes
from engine.model.batching_probe import MOST_ROWS, MOST_TOKENS, measure, reachable
from engine.model.identity import WeightDigests
from engine.model.loader import load_model
from engine.protocol.messages import LoadModel
from tests.fakes import tiny_models

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.protocol.messages import Batching, KvBits

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


@pytest.mark.parametrize("family", ["qwen3_5", "lfm2", "falcon_h1", "llama", "gemma3_text"])
def test_models_that_only_attend_to_their_keys_share_steps(family: str, tmp_path: Path) -> None:
    """Recurrent states, nested caches and sliding windows can share steps too."""
    assert measured(tiny_models.opened(tiny_models.build(tmp_path / family, family))) == "together"


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

    assert measure(model, lambda: make_prompt_cache(model), (), agreed) == "alone"
    assert name in asked


def test_models_that_are_wrong_when_padded_run_alone() -> None:
    """In mlx-lm 0.32.2, gemma2 applies one row's padding to another row's heads."""
    sizes = {**SIZES, "model_type": "gemma2"}
    assert measured(gemma2.Model(gemma2.ModelArgs.from_dict(sizes))) == "alone"


def test_models_with_unmergeable_caches_run_alone(tmp_path: Path) -> None:
    """Chunked caches cannot be merged, whatever the model supports."""
    model = tiny_models.opened(tiny_models.build(tmp_path / "llama", "llama"))
    assert measure(model, lambda: [ChunkedKVCache(16) for _ in model.layers]) == "alone"


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


@pytest.mark.parametrize("tried", [(), (64,), (100,), (64, 100, 300)], ids=str)
def test_a_fault_beyond_a_threshold_is_found_if_it_is_probed(tried: tuple[int, ...]) -> None:
    """Short rows do not show a fault that begins at 100 tokens; a row across that threshold does."""
    model = Off(lambda offset: mx.where(offset >= 100, offset + 1, offset))
    batching = measure(model, lambda: [KVCache()], tried)
    assert batching == ("alone" if 100 in tried else "together")


@pytest.mark.parametrize("bits", [0, 4, 8])
def test_crossing_a_threshold_changes_nothing_for_a_right_model(bits: KvBits, tmp_path: Path) -> None:
    """The random caches of long rows, plain or quantised, never make a correct model look wrong."""
    folder = tiny_models.build(tmp_path / "llama", "llama", hidden_size=256)
    model = load_model(LoadModel(str(folder), bits), WeightDigests(tmp_path / "digests"))
    assert model.kv_bits == bits
    assert measure(model.model, model.fresh_caches, (64, 100, 300)) == "together"


@pytest.mark.parametrize(
    ("family", "changes"),
    [
        ("gemma3_text", {"sliding_window": 100}),
        ("qwen3_5", {}),
        ("falcon_h1", {}),
    ],
)
def test_windows_and_states_cross_a_threshold(family: str, changes: dict[str, Any], tmp_path: Path) -> None:
    """Rotating caches wrap during the probe, and recurrent states work beside random keys."""
    model = tiny_models.opened(tiny_models.build(tmp_path / family, family, **changes))
    assert measure(model, lambda: make_prompt_cache(model), (100,)) == "together"


def test_a_threshold_is_probed_if_its_rows_fit_into_memory() -> None:
    """Thresholds that short rows cross cost nothing. Others are limited by memory and by length."""
    footprint = Footprint(1000, (), 0)
    assert reachable((12, 60), footprint, 0) == (12, 60)
    room = 4 * 3 * 2 * row_bytes(footprint, 2048)
    assert reachable((12, 2048, 4096), footprint, room) == (12, 2048)
    assert reachable((12, 2048), footprint, room - 4) == (12,)
    assert reachable((MOST_TOKENS, MOST_TOKENS + 1), footprint, 1 << 40) == (MOST_TOKENS,)
    assert reachable(range(50, 500), footprint, 1 << 40) == (*range(50, 61), *range(61, 61 + MOST_ROWS))


def test_an_unprobed_threshold_is_reported(tmp_path: Path) -> None:
    """The model reports the length from which its rows were not probed, unless its rows run alone."""
    changes = {"sliding_window": MOST_TOKENS + 1, "max_position_embeddings": 1 << 17}
    folder = tiny_models.build(tmp_path / "far", "gemma3_text", **changes)
    model = load_model(LoadModel(str(folder)), WeightDigests(tmp_path / "digests"))
    assert (model.batching, model.untried) == ("together", MOST_TOKENS + 1)
    near = tiny_models.build(tmp_path / "near", "gemma3_text", sliding_window=100)
    assert load_model(LoadModel(str(near)), WeightDigests(tmp_path / "digests")).untried == 0
    alone = tiny_models.build(tmp_path / "alone", "llama4", sliding_window=MOST_TOKENS + 1)
    assert load_model(LoadModel(str(alone)), WeightDigests(tmp_path / "digests")).untried == 0


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
