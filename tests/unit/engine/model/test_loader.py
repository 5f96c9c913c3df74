"""Loading: the properties of a loaded model, and that a chat with any model works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models import gemma2, llama
from mlx_lm.models.cache import KVCache, QuantizedKVCache, RotatingKVCache

from engine.cache.codec import codec
from engine.memory.machine import Machine
from engine.model import loader
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, load_model, measured
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import TurnStored
from engine.protocol.errors import ModelBeyondMachine, ModelTooLarge, ModelUnreadable
from engine.protocol.messages import KvBits, LoadModel
from tests.fakes import tiny_models
from tests.fakes.engine_life import Chat, Engine
from tests.fakes.segments import flip


class Strange(KVCache):  # type: ignore[misc] # mlx-lm is untyped
    """A kind of cache that Hearth does not know, although it works."""


def loaded(folder: Path, family: str, kv_bits: KvBits = 0, **changes: Any) -> LoadedModel:
    path = folder / family
    if not path.exists():
        tiny_models.build(path, family, **changes)
    return tiny_models.loaded(path, kv_bits=kv_bits)


def logprobs(model: LoadedModel, caches: list[Any], ids: list[int]) -> mx.array:
    logits: mx.array = model.model(mx.array([ids]), cache=caches)[0, -1]
    return logits - mx.logsumexp(logits)


# --- quantised keys and values


def test_a_model_keeps_its_keys_and_values_quantised(tmp_path: Path) -> None:
    """If quantisation is requested and possible, fresh caches are quantised and their records smaller. Quantised
    attention really runs, and four more bits make its error sixteen times smaller. State stored with other bits has
    another identity; the vocabulary is the same, and so is every ledger.
    """
    plain, *packed = models = [loaded(tmp_path, "llama", bits, hidden_size=256) for bits in (0, 4, 8)]
    assert plain.layout
    for bits, model in zip((4, 8), packed, strict=True):
        assert model.kv_bits == bits
        assert {type(cache) for cache in model.fresh_caches()} == {QuantizedKVCache}
        assert model.layout
        saved = plain.layout.footprint.token_bytes / model.layout.footprint.token_bytes
        assert saved == 32 / (bits + 2 * 32 / 64), "float32, and two more of them for each group of 64"
    exact, four, eight = (logprobs(model, model.fresh_caches(), [3, 1, 4, 1, 5, 9, 2, 6]) for model in models)
    assert 0 < abs(mx.abs(eight - exact).max().item()) < abs(mx.abs(four - exact).max().item()) / 8
    assert len({model.identity.model for model in models}) == 3
    assert len({model.identity.vocabulary for model in models}) == 1


@pytest.mark.parametrize("family", ["llama", "mamba", "gemma2"])
def test_a_model_that_cannot_be_quantised_is_loaded_unquantised(tmp_path: Path, family: str) -> None:
    """Small heads, no growing layer or attention that raises: the model loads without quantisation, and says so."""
    model, plain = loaded(tmp_path, family, 8), loaded(tmp_path, family)
    assert model.kv_bits == 0
    assert model.identity == plain.identity, "what it keeps is what it kept before"
    assert model.layout == plain.layout
    assert not {QuantizedKVCache} & {type(leaf) for _, leaf in codec.leaves(model.fresh_caches())}


def test_attention_that_quantising_breaks_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model whose logits are not finite with quantised keys is not quantised."""
    call = gemma2.Model.__call__

    def broken(self: Any, inputs: mx.array, cache: list[Any]) -> Any:
        if isinstance(cache[0], QuantizedKVCache):
            return mx.full((1, inputs.shape[1], 260), float("nan"))
        return call(self, inputs, cache)

    monkeypatch.setattr(gemma2.Model, "__call__", broken)
    assert loaded(tmp_path, "gemma2", 8).kv_bits == 0


def test_a_model_that_computes_no_number_is_refused(tmp_path: Path) -> None:
    """Its answers would be one token again and again. The error says that its files may be damaged; in a group, that
    one of the Macs may be at fault.
    """
    folder = tiny_models.build(tmp_path / "llama", "llama")
    model = tiny_models.loaded(folder).model
    tiny_models.edit(folder / "config.json", rms_norm_eps=float("nan"))
    with pytest.raises(ModelUnreadable, match="Its files make"):
        tiny_models.loaded(folder)
    model.model.norm.weight = mx.full(model.model.norm.weight.shape, float("nan"))
    with pytest.raises(ModelUnreadable, match="One of the Macs"):
        measured(model, 0, Machine(count=2))


# --- batching, and models that cannot be cached


def test_batching_is_known_at_load(model: LoadedModel) -> None:
    """How rows can share steps is a property of the loaded model. Recurrent states, nested caches and sliding windows
    share them too. Chunked caches cannot be merged.
    """
    assert model.batching == ("alone" if Path(model.path).name == "llama4" else "together")


def test_rows_with_attention_sinks_run_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Merged rotating caches lose their first tokens, so rows of such a model run alone. They are still cached."""
    monkeypatch.setattr(llama.Model, "make_cache", lambda _: [RotatingKVCache(12, keep=4) for _ in range(2)])
    model = loaded(tmp_path, "llama")
    assert model.batching == "alone"
    assert model.uncached == ""


def test_an_unknown_kind_never_breaks_a_chat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A subclass of a known kind may behave differently: its model is neither cached nor batched, and the reason names
    it. Two chats at once with such a model get the answers of the kind that it derives from, and nothing is stored.
    """
    folder = tiny_models.build(tmp_path / "llama", "llama")
    asked = [Chat(name).ask(f"Question {name}") for name in ("one", "two")]
    known = Engine(tmp_path / "known", folder).live(*asked)
    monkeypatch.setattr(llama.Model, "make_cache", lambda _: [Strange(), KVCache()])
    model = loaded(tmp_path, "llama")
    assert (model.layout, model.batching) == (None, "alone")
    strange = Engine(tmp_path / "strange", folder, load=load_model).live(*asked, stores=0)
    assert {strange.finished(ask.request).usage.miss_cause for ask in asked} == {"unsupported"}
    assert [strange.text(ask.request) for ask in asked] == [known.text(ask.request) for ask in asked]
    assert not strange.heard(TurnStored)
    (told,) = strange.heard(protocol.ModelLoaded)
    assert told.uncached == model.uncached == "This model keeps a kind of state that Hearth cannot store yet: Strange."


# --- what cannot be loaded


def test_a_configuration_that_transformers_refuses_is_unreadable(tmp_path: Path) -> None:
    """mlx-lm loads the tokenizer through transformers, whose checks raise errors derived from Exception itself."""
    folder = tiny_models.build(tmp_path / "model", "llama", layer_types=["conv_mixer", "full_attention"])
    with pytest.raises(ModelUnreadable):
        tiny_models.loaded(folder)


def test_a_model_that_does_not_fit_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal states the figures, and no weight is read."""
    folder = tiny_models.build(tmp_path / "model")
    monkeypatch.setattr(loader, "free_bytes", lambda: 10**6)
    monkeypatch.setattr(loader, "_evaluated", pytest.fail)
    with pytest.raises(ModelTooLarge, match="1 MB of memory are free"):
        tiny_models.loaded(folder)


def test_a_share_that_does_not_fit_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The leader of a group says how many machines there are, and may give one of them nearly all layers."""
    folder = tiny_models.build(tmp_path / "model")
    monkeypatch.setattr(loader, "total_bytes", lambda: 10**5)
    with pytest.raises(ModelBeyondMachine):
        load_model(LoadModel(str(folder)), WeightDigests(tmp_path / "weights.json"), machine=Machine(count=1000))


def test_states_are_measured_when_they_are_full(tmp_path: Path) -> None:
    """A state that grows over the first tokens is measured after them, so that a conversation's state fits."""
    model = loaded(tmp_path, "lfm2")
    caches = model.fresh_caches()
    logprobs(model, caches, [5] * 30)
    assert model.layout
    model.layout.check("state", codec.take(caches, 0, 30)["state"])


def test_a_model_that_changes_during_its_load_is_refused(tmp_path: Path) -> None:
    """Otherwise the weights in memory would belong to one model and the identity to another."""
    folder = tiny_models.build(tmp_path / "model")

    def change(stage: str, _done: int, _total: int) -> None:
        if stage == "trying":
            flip(folder / "model.safetensors", -1)

    with pytest.raises(ModelUnreadable, match="changed while"):
        tiny_models.loaded(folder, change)


def test_a_load_reports_its_stages_and_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress comes in order and up to the last byte: the app ends a load that reports nothing new."""
    monkeypatch.setattr(loader, "_READ_BYTES", 4096)
    folder = tiny_models.build(tmp_path / "model")
    told: list[tuple[str, int, int]] = []
    tiny_models.loaded(folder, lambda *step: told.append(step))
    stages = [stage for stage, done, _ in told if not done]
    assert stages == ["checking", "building", "reading", "trying", "hashing", "rendering"]
    read = [(done, total) for stage, done, total in told if stage == "reading"]
    assert len(read) > 5
    assert read == sorted(read)
    assert 0 < read[-1][0] <= read[-1][1]
    hashed = [step for step in told if step[0] == "hashing"][-1]
    assert hashed[1] == hashed[2] == (folder / "model.safetensors").stat().st_size
