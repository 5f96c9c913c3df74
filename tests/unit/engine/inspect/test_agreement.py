"""The facts of a model agree with what the model then uses when it is loaded and has processed a conversation.

A cache allocates room for 256 tokens at once, so it is measured when that room is full: after 256 and after 512 tokens.
The last of them is a step of one token, as in an answer: a sliding window drops its surplus there.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx.utils import tree_flatten, tree_map
from mlx_lm.utils import load_model as load_by_mlx_lm
from mlx_lm.utils import quantize_model, save_config
from msgspec import structs

from engine.cache.codec import codec
from engine.inspect.facts import inspected
from engine.memory.footprint import GROWTH_TOKENS
from engine.protocol.errors import AdapterUnfit
from engine.protocol.inspection import InspectModel, ModelFacts
from storage.segments.records import RecordKind
from tests.conformance.folder import build
from tests.fakes import adapters, tiny_models

pytestmark = pytest.mark.filterwarnings("ignore:`rope_scaling` is deprecated:FutureWarning")

TOKENS = 2 * GROWTH_TOKENS


def converted(folder: Path, change: Callable[[Any, dict[str, Any]], tuple[Any, dict[str, Any]]]) -> None:
    model, config = load_by_mlx_lm(folder)
    model, config = change(model, config)
    mx.eval(model.parameters())
    mx.save_safetensors(str(folder / "model.safetensors"), dict(tree_flatten(model.parameters())), {"format": "mlx"})
    save_config(config, folder / "config.json")


def quantised(folder: Path) -> None:
    converted(folder, lambda model, config: quantize_model(model, config, group_size=32, bits=4))


def halved(folder: Path) -> None:
    def change(model: Any, config: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        model.set_dtype(mx.bfloat16)
        return model, config

    converted(folder, change)


def unchanged(_folder: Path) -> None:
    pass


MODELS = {
    "llama": unchanged,
    "llama in bfloat16": halved,
    "llama in 4 bits": quantised,
    "qwen2": unchanged,
    "qwen3_5": unchanged,
    "qwen3_5 in 4 bits": quantised,
    "falcon_h1": unchanged,
    "lfm2": unchanged,
    "gemma3_text": unchanged,
    "gemma3n": unchanged,
    "mamba2": unchanged,
    "nemotron_h": unchanged,
    "deepseek_v3": unchanged,
    "gpt_oss": unchanged,
    "kimi_linear": unchanged,
    "recurrent_gemma": unchanged,
}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", MODELS)
def test_the_facts_agree_with_the_loaded_model(tmp_path: Path, name: str) -> None:
    """Within five percent: the weights, the bytes of each token, the bytes of a checkpoint, and of a conversation."""
    folder = build(name.split(maxsplit=1)[0], tmp_path / "model")
    MODELS[name](folder)
    facts = inspected(InspectModel(str(folder)))
    loaded = tiny_models.loaded(folder)
    assert facts.weight_bytes == pytest.approx(parameter_bytes(loaded.model), rel=0.05)
    caches = loaded.fresh_caches()
    at_half, at_end = (bytes_after(loaded.model, caches, GROWTH_TOKENS) for _ in range(2))
    assert facts.token_bytes == pytest.approx((at_end - at_half) / GROWTH_TOKENS, rel=0.05)
    assert conversation_bytes(facts, TOKENS) == pytest.approx(at_end, rel=0.05)
    assert facts.fixed_bytes == pytest.approx(checkpoint_bytes(caches), rel=0.05)
    assert facts.shares_steps == (loaded.batching != "alone")
    assert facts.context_limit == loaded.context_limit
    assert len(facts.layers) == len(loaded.model.layers)


def parameter_bytes(model: Any) -> int:
    arrays: list[mx.array] = []
    tree_map(arrays.append, model.parameters())
    return sum(array.nbytes for array in arrays)


def bytes_after(model: Any, caches: list[Any], tokens: int) -> int:
    """The bytes of the arrays in `caches` after so many more tokens."""
    model(mx.array([[1] * (tokens - 1)]), cache=caches)
    mx.eval([leaf.state for _, leaf in codec.leaves(caches)])
    mx.eval(model(mx.array([[1]]), cache=caches), [leaf.state for _, leaf in codec.leaves(caches)])
    return sum(leaf.nbytes for _, leaf in codec.leaves(caches))


def conversation_bytes(facts: ModelFacts, tokens: int) -> int:
    windows = sum(min(tokens, window.tokens) * window.token_bytes for window in facts.windows)
    return facts.fixed_bytes + tokens * facts.token_bytes + windows


def checkpoint_bytes(caches: list[Any]) -> int:
    """The bytes of the record that a checkpoint adds to keys and values."""
    return codec.size_of(codec.take(caches, TOKENS - 1, TOKENS).get(RecordKind.STATE, {}))


def test_quantised_weights_are_counted_as_parameters(tmp_path: Path) -> None:
    """A conversion to 4 bits changes the bytes and the bits, not the number of parameters."""
    folder = build("llama", tmp_path / "model")
    before = inspected(InspectModel(str(folder)))
    quantised(folder)
    after = inspected(InspectModel(str(folder)))
    assert after.parameters == before.parameters
    assert (before.bits, after.bits) == (0, 4)
    assert after.weight_bytes < before.weight_bytes / 3
    assert after.token_bytes == before.token_bytes


def test_a_quantised_model_of_the_hub_has_the_same_facts(tmp_path: Path) -> None:
    """Its configuration names the quantisation."""
    folder = build("qwen3_5", tmp_path / "model")
    quantised(folder)
    here = inspected(InspectModel(str(folder)))
    tiny_models.edit(folder / "config.json", torch_dtype="float32")
    (folder / "model.safetensors").unlink()
    there = inspected(InspectModel(str(folder), weight_bytes=here.weight_bytes))
    assert there == structs.replace(here, draft_head=None), "only the files tell whether there is a draft head"


def test_caches_of_an_unknown_class_are_compared_at_two_lengths(tmp_path: Path) -> None:
    """Hearth cannot store those of DeepSeek V4.1, but says how large they become."""
    folder = build("deepseek_v41", tmp_path / "model")
    facts = inspected(InspectModel(str(folder)))
    model, _ = load_by_mlx_lm(folder)
    caches = model.make_cache()
    at_half, at_end = (bytes_after(model, caches, 1024) for _ in range(2))
    assert facts.token_bytes == pytest.approx((at_end - at_half) / 1024, rel=0.05)
    assert conversation_bytes(facts, 2048) == pytest.approx(at_end, rel=0.05)
    assert not facts.shares_steps


@pytest.mark.parametrize("kind", ["lora", "dora", "full"])
def test_an_adapter_counts_with_its_model(tmp_path: Path, kind: str) -> None:
    """Its weights are added to those of the model, unless they replace them."""
    base = tiny_models.build(tmp_path / "base", "llama")
    adapter = adapters.build(tmp_path / "adapter", base, kind)
    facts = inspected(InspectModel(str(base), adapter=str(adapter)))
    loaded = tiny_models.loaded(base, adapter=str(adapter))
    assert facts.weight_bytes == parameter_bytes(loaded.model)
    added = facts.weight_bytes - inspected(InspectModel(str(base))).weight_bytes
    assert (added == 0) if kind == "full" else (added > 0)


def test_an_adapter_of_another_model_is_refused(tmp_path: Path) -> None:
    """As the loader refuses it."""
    other = tiny_models.build(tmp_path / "other", "qwen3_5")
    adapter = adapters.build(tmp_path / "adapter", other, "lora")
    base = tiny_models.build(tmp_path / "base", "llama")
    with pytest.raises(AdapterUnfit, match="does not fit its base model"):
        inspected(InspectModel(str(base), adapter=str(adapter)))
