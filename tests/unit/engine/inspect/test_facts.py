"""The facts of a model folder, from its configuration and the headers of its weights."""

from __future__ import annotations

from pathlib import Path

import mlx.core as mx
import pytest
from msgspec import structs

from engine.inspect.facts import inspected
from engine.model.configuration import context_limit
from engine.protocol.inspection import InspectModel, ModelFacts, WindowBytes
from engine.protocol.sampling_settings import OwnSampling
from tests.fakes import tiny_models


def facts(folder: Path, weight_bytes: int = 0) -> ModelFacts:
    return inspected(InspectModel(str(folder), weight_bytes=weight_bytes))


def without_weights(folder: Path) -> Path:
    (folder / "model.safetensors").unlink()
    return folder


LAYERS = {
    "qwen3_5": ("recurrent", "attention"),
    "lfm2": ("recurrent", "attention", "recurrent"),
    "falcon_h1": ("mixed", "mixed"),
    "llama": ("attention", "attention"),
    "gemma3_text": ("window", "attention"),
    "llama4": ("window", "window", "window", "attention"),
    "mamba": ("recurrent", "recurrent"),
}


@pytest.mark.parametrize(("family", "layers"), LAYERS.items(), ids=LAYERS)
def test_each_layer_has_a_kind(tmp_path: Path, family: str, layers: tuple[str, ...]) -> None:
    """The kind of a layer is that of its caches. Chunked layers share no steps: mlx-lm cannot merge them."""
    found = facts(tiny_models.build(tmp_path / "model", family))
    assert (found.layers, found.shares_steps) == (layers, family != "llama4")


def test_a_llama_in_figures(tmp_path: Path) -> None:
    """Keys and values of two layers, two heads of eight float32 numbers each."""
    found = facts(tiny_models.build(tmp_path / "model", "llama"))
    assert (found.model_type, found.context_limit, found.bits) == ("llama", 4096, 0.0)
    assert (found.token_bytes, found.fixed_bytes, found.windows) == (2 * 2 * 2 * 8 * 4, 0, ())
    assert found.weight_bytes == 4 * found.parameters


def test_a_window_has_a_limit_in_tokens(tmp_path: Path) -> None:
    """The bytes of a sliding window are apart from those that grow without limit."""
    found = facts(tiny_models.build(tmp_path / "model", "gemma3_text"))
    assert found.windows == (WindowBytes(12, 2 * 2 * 8 * 4),)
    assert found.token_bytes == 2 * 2 * 8 * 4


def test_nothing_is_evaluated(tmp_path: Path) -> None:
    """Weights of zeros and weights of any other numbers give the same facts in the same memory."""
    folder = tiny_models.build(tmp_path / "model", "qwen3_5")
    mx.synchronize()
    mx.clear_cache()
    mx.reset_peak_memory()
    before = mx.get_active_memory()
    found = facts(folder)
    assert mx.get_peak_memory() - before < found.weight_bytes / 4


@pytest.mark.parametrize("family", ["llama", "qwen3_5", "falcon_h1", "gemma3_text"])
def test_a_model_of_the_hub_has_the_same_facts(tmp_path: Path, family: str) -> None:
    """Its weights are not on this machine, so their type is the one that the configuration names."""
    folder = tiny_models.build(tmp_path / "model", family, torch_dtype="float32")
    here = facts(folder)
    assert facts(without_weights(folder), here.weight_bytes) == structs.replace(here, draft_head=None)


def test_without_a_type_the_weights_are_bfloat16(tmp_path: Path) -> None:
    """Nearly all published models are."""
    folder = tiny_models.build(tmp_path / "model", "llama")
    here = facts(folder)
    assert 2 * facts(without_weights(folder), 1000).token_bytes == here.token_bytes


def test_an_inspection_tells_what_the_maker_suggests(tmp_path: Path) -> None:
    """As a load does."""
    folder = tiny_models.build(tmp_path / "model", "llama")
    (folder / "generation_config.json").write_text('{"temperature": 0.6}')
    assert facts(folder).sampling == OwnSampling(0.6)


@pytest.mark.parametrize(("promised", "limit"), [(4096, 4096), (1 << 31, 1 << 31), (10**30, 0), (-5, 0)])
def test_a_limit_that_no_model_has_is_unknown(promised: int, limit: int) -> None:
    """A page would say "1000000000000000000000000000k context"."""
    assert context_limit({"max_position_embeddings": promised}) == limit
