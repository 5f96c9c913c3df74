"""Adapters: the model that they make, its identity, and those that are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.utils import load

from engine.model.loader import LoadedModel
from engine.protocol import messages as protocol
from engine.protocol.errors import ModelError
from engine.protocol.messages import LoadModel
from tests.fakes import adapters, tiny_models
from tests.fakes.engine_life import Chat, Engine

KINDS = ("lora", "dora", "full")
FAMILIES = ("llama", "qwen3_5", "lfm2")


def loaded(base: Path, adapter: Path | None = None) -> LoadedModel:
    return tiny_models.loaded(base, adapter=str(adapter) if adapter else "")


def logits(model: LoadedModel) -> mx.array:
    found: mx.array = model.model(mx.array([[3, 1, 4, 1, 5, 9, 2, 6]]), cache=model.fresh_caches())
    return found


@pytest.mark.sweep(4)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_an_adapted_model_computes_as_mlx_lm_does(tmp_path: Path, family: str, kind: str) -> None:
    """Nothing is dropped out at random, and the answers are not those of the base."""
    base = tiny_models.build(tmp_path / "base", family)
    adapter = adapters.build(tmp_path / "adapter", base, kind)
    model = loaded(base, adapter)
    reference: Any = load(str(base), adapter_path=str(adapter))[0]
    expected = reference(mx.array([[3, 1, 4, 1, 5, 9, 2, 6]]), cache=model.fresh_caches())
    assert mx.array_equal(logits(model), expected)
    assert mx.array_equal(logits(model), logits(model))
    assert not mx.allclose(logits(model), logits(loaded(base)), atol=1e-2)
    assert (model.path, model.name) == (str(adapter), "adapter")


def test_an_adapter_works_on_quantised_weights(tmp_path: Path) -> None:
    """LoRA layers lie on quantised ones as mlx-lm trains them."""
    base = tiny_models.quantised(tmp_path / "base")
    adapter = adapters.build(tmp_path / "adapter", base)
    assert not mx.allclose(logits(loaded(base, adapter)), logits(loaded(base)), atol=1e-2)


def test_each_adapter_has_an_identity_of_its_own(tmp_path: Path) -> None:
    """Its weights and its configuration count; the vocabulary is the base's, so ledgers stay valid."""
    base = tiny_models.build(tmp_path / "base", "llama")
    one, two = (adapters.build(tmp_path / str(seed), base, seed=seed) for seed in (1, 2))
    identities = [loaded(base).identity, loaded(base, one).identity, loaded(base, two).identity]
    identities.append(loaded(base, adapters.reconfigure(two, lora_parameters=adapters.LORA | {"scale": 1.0})).identity)
    assert len({identity.model for identity in identities}) == 4
    assert len({identity.vocabulary for identity in identities}) == 1


@pytest.mark.sweep(1)
@pytest.mark.parametrize("kind", KINDS)
def test_caches_of_base_and_adapter_never_mix(tmp_path: Path, kind: str) -> None:
    """One chat goes from the base to the adapter and back. Each time the reply is that of a cold engine, and each
    model restores only what it computed itself.
    """
    base = tiny_models.build(tmp_path / "base", "qwen3_5")
    adapter = adapters.build(tmp_path / "adapter", base, kind)
    chat, used, replies = Chat("a"), [], []
    for own in (None, adapter, None, adapter):
        command = LoadModel(str(base), adapter=str(own) if own else "")
        asked = chat.ask(f"Question {chat.turns}.")
        warm, cold = (
            Engine(tmp_path / place, base, first=command).live(asked) for place in ("disk", f"cold{chat.turns}")
        )
        chat.hear(warm, asked)
        assert warm.text(asked.request) == cold.text(asked.request)
        used.append(warm.finished(asked.request).usage)
        replies.append(warm.text(asked.request))
    assert [usage.cached_from for usage in used] == ["none", "none", "disk", "disk"]
    adapted = Engine(tmp_path / "other", base, first=command).live(Chat("a").ask("Question 0."))
    assert replies[0] != adapted.text("a1")


# --- what is refused


def weights(change: Callable[[dict[str, mx.array]], dict[str, mx.array]]) -> Callable[[Path], None]:
    def spoil(adapter: Path) -> None:
        file = str(adapter / "adapters.safetensors")
        mx.save_safetensors(file, change(dict(mx.load(file))))  # type: ignore[arg-type] # arrays by name

    return spoil


def without_one(held: dict[str, mx.array]) -> dict[str, mx.array]:
    first = next(name for name in held if name.endswith("lora_a"))
    return {name: one for name, one in held.items() if name != first}


def parameters(**changes: Any) -> Callable[[Path], object]:
    return lambda adapter: adapters.reconfigure(adapter, lora_parameters=adapters.LORA | changes)


CONFIG, WEIGHTS = "adapter_config.json", "adapters.safetensors"
NOT_OURS = ("model_unreadable", "Its adapter_config.json is not that of an adapter of mlx-lm.")
UNFIT = "It does not fit its base model: {}."
OTHER_LAYERS = ("adapter_unfit", UNFIT.format("it was trained on other layers"))
OTHER_SIZES = ("adapter_unfit", UNFIT.format("its weights have other sizes"))


def incomplete(name: str, how: str) -> tuple[str, str]:
    return "model_incomplete", f"Its file {name} is {how}."


REFUSED: list[tuple[Callable[[Path], object], tuple[str, str]]] = [
    (
        lambda adapter: adapter.rename(adapter.with_name("gone")),
        ("model_missing", "There is no adapter folder at this place."),
    ),
    (lambda adapter: (adapter / CONFIG).unlink(), incomplete(CONFIG, "missing")),
    (lambda adapter: (adapter / WEIGHTS).unlink(), incomplete(WEIGHTS, "missing")),
    (
        lambda adapter: (adapter / WEIGHTS).rename(adapter / "adapter_model.safetensors"),
        ("adapter_unsupported", "It is an adapter in the format of PEFT, which MLX does not read."),
    ),
    (lambda adapter: (adapter / WEIGHTS).write_bytes(b"rubbish"), incomplete(WEIGHTS, "damaged or incomplete")),
    (lambda adapter: (adapter / CONFIG).write_text("[" * 10_000), NOT_OURS),
    (lambda adapter: (adapter / CONFIG).write_text("{}"), NOT_OURS),
    (lambda adapter: adapters.reconfigure(adapter, num_layers="all"), NOT_OURS),
    (lambda adapter: adapters.reconfigure(adapter, num_layers=1 << 40), NOT_OURS),
    (parameters(rank=1 << 40), NOT_OURS),
    (parameters(scale=1e300), NOT_OURS),
    (parameters(dropout=1), NOT_OURS),
    (parameters(keys=["a" * 1000]), NOT_OURS),
    (parameters(keys=["a"] * 5000), NOT_OURS),
    (
        lambda adapter: adapters.reconfigure(adapter, fine_tune_type="prompt"),
        ("adapter_unsupported", "This version of Hearth does not support this kind of adapter."),
    ),
    (parameters(keys=["self_attn"]), ("adapter_unfit", UNFIT.format("its layers cannot be adapted so"))),
    (parameters(keys=["nothing.like.it"]), OTHER_LAYERS),
    (parameters(rank=3), OTHER_SIZES),
    (lambda adapter: adapters.reconfigure(adapter, num_layers=1), OTHER_LAYERS),
    (lambda adapter: adapters.reconfigure(adapter, fine_tune_type="full"), OTHER_LAYERS),
    (weights(without_one), ("adapter_unfit", UNFIT.format("weights of some layers are missing"))),
    (weights(lambda held: {name: one.astype(mx.int32) for name, one in held.items()}), OTHER_SIZES),
]


@pytest.mark.parametrize(("spoil", "refusal"), REFUSED)
def test_an_adapter_that_cannot_be_used_is_refused(
    tmp_path: Path, spoil: Callable[[Path], object], refusal: tuple[str, str]
) -> None:
    """One sentence says why. Missing weights are never filled with random numbers."""
    base = tiny_models.build(tmp_path / "base", "llama")
    adapter = adapters.build(tmp_path / "adapter", base)
    spoil(adapter)
    with pytest.raises(ModelError) as refused:
        loaded(base, adapter)
    assert (refused.value.code, str(refused.value)) == refusal


def test_an_adapter_without_its_base_is_refused(tmp_path: Path) -> None:
    """The sentence is about the adapter, and the event names it."""
    base = tiny_models.build(tmp_path / "base", "llama")
    adapter = adapters.build(tmp_path / "adapter", base)
    base.rename(tmp_path / "away")
    life = Engine(tmp_path / "home", base, first=LoadModel(str(base), adapter=str(adapter))).live()
    (failed,) = life.heard(protocol.ModelFailed)
    assert (failed.path, failed.code) == (str(adapter), "adapter_alone")
    assert failed.message == "The model that it was trained on is not on this machine any more."


def test_an_adapter_that_changes_during_its_load_is_refused(tmp_path: Path) -> None:
    """Otherwise its caches would have the identity of another one."""
    base = tiny_models.build(tmp_path / "base", "llama")
    adapter = adapters.build(tmp_path / "adapter", base)

    def change(stage: str, _done: int, _total: int) -> None:
        if stage == "trying":
            adapters.reconfigure(adapter, seed=1)

    with pytest.raises(ModelError, match="changed while"):
        tiny_models.loaded(base, change, adapter=str(adapter))
