"""A head is found wherever publishers put it, and one that does not fit its model is no head: the model loads."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache

from engine.decode.drafts.head import DraftHead
from engine.inspect.facts import inspected
from engine.model import draft_head
from engine.model.draft_head import has_head, load_head
from engine.protocol.inspection import InspectModel
from tests.fakes import heads, tiny_models

Weights = dict[str, mx.array]


@pytest.fixture(params=[False, True], ids=["dense", "experts"])
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return heads.headed(tmp_path / "model", experts=request.param)


def guess(head: DraftHead | None) -> mx.array:
    """What the head guesses after some tokens."""
    assert head is not None
    mx.random.seed(3)
    hidden = mx.random.normal((1, 5, 32))
    return head.logits(head(mx.array([3, 1, 4, 1, 5]), hidden, KVCache()))


PLACES: dict[str, Callable[[Path, Weights], None]] = {
    "a folder": lambda folder, weights: heads.save(folder / "mtp" / "model.safetensors", weights, ""),
    "a folder, with the prefix": lambda folder, weights: heads.save(folder / "mtp" / "weights.safetensors", weights),
    "a file without the prefix": lambda folder, weights: heads.save(folder / "mtp.safetensors", weights, ""),
    "among the model's": lambda folder, weights: heads.save(folder / "model-2.safetensors", weights),
    "among those of a multimodal model": lambda folder, weights: heads.save(
        folder / "model-2.safetensors", weights, "model.mtp."
    ),
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_head_is_found_in_each_place(folder: Path, place: Callable[[Path, Weights], None]) -> None:
    """It guesses the same as in the file beside the model, and neither the model nor its identity is another one."""
    before = tiny_models.loaded(folder)
    (folder / "mtp.safetensors").unlink()
    place(folder, heads.weights_of(folder))
    model = tiny_models.loaded(folder)
    assert mx.array_equal(guess(model.head), guess(before.head))
    if not (folder / "model-2.safetensors").exists():
        assert model.identity == before.identity


def raw(weights: Weights) -> Weights:
    """Norms as the difference to 1, as in the original checkpoints."""
    return {name: array - 1 if "norm" in name else array for name, array in weights.items()}


def mixed(weights: Weights) -> Weights:
    """Only those of the layer as the difference to 1."""
    return weights | {name: array for name, array in raw(weights).items() if name.startswith("layers")}


def fused(weights: Weights) -> Weights:
    """The experts as in the original checkpoints, if there are any."""
    experts = "layers.0.mlp.switch_mlp"
    if f"{experts}.up_proj.weight" not in weights:
        return weights
    gate, up, down = (weights.pop(f"{experts}.{part}_proj.weight") for part in ("gate", "up", "down"))
    both = mx.concatenate([gate, up], axis=-2)
    return weights | {"layers.0.mlp.experts.gate_up_proj": both, "layers.0.mlp.experts.down_proj": down}


def apart(weights: Weights) -> Weights:
    """Each expert by itself, if there are any."""
    for part in ("gate_proj", "up_proj", "down_proj"):
        stacked = weights.pop(f"layers.0.mlp.switch_mlp.{part}.weight", None)
        experts = [] if stacked is None else [*stacked]
        weights |= {f"layers.0.mlp.experts.{n}.{part}.weight": expert for n, expert in enumerate(experts)}
    return weights


@pytest.mark.parametrize("form", [raw, mixed, fused, apart])
def test_each_form_of_the_weights_is_the_same_head(folder: Path, form: Callable[[Weights], Weights]) -> None:
    """Whether norms are stored around 0 or 1, and experts together or apart."""
    model, expected = tiny_models.opened(folder), guess(load_head(tiny_models.opened(folder), folder)[0])
    heads.save(folder / "mtp.safetensors", form(heads.weights_of(folder)))
    assert mx.allclose(guess(load_head(model, folder)[0]), expected, atol=1e-4)


def test_a_quantised_head_is_read_by_the_shapes_of_its_weights(folder: Path) -> None:
    """Whatever the configuration says: a head is often quantised apart from its model."""
    weights, packed = heads.weights_of(folder), Weights()
    for name, array in weights.items():
        if array.ndim == 1 or array.shape[-1] % 32 or "gate.weight" in name:
            packed[name] = array
        else:
            whole, scales, biases = mx.quantize(array, group_size=32, bits=8)
            stem = name.removesuffix(".weight")
            packed |= {name: whole, f"{stem}.scales": scales, f"{stem}.biases": biases}
    expected = guess(load_head(tiny_models.opened(folder), folder)[0])
    heads.save(folder / "mtp.safetensors", packed)
    found = guess(load_head(tiny_models.opened(folder), folder)[0])
    assert mx.abs(found - expected).max() < 0.1 * mx.abs(expected).max()


def cut(folder: Path) -> None:
    file = folder / "mtp.safetensors"
    file.write_bytes(file.read_bytes()[:-8])


def changed(change: Callable[[Weights], Any]) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        weights = heads.weights_of(folder)
        change(weights)
        heads.save(folder / "mtp.safetensors", weights)

    return harm


def no_weights(folder: Path) -> None:
    (folder / "mtp.safetensors").write_text("words")


def pipe(folder: Path) -> None:
    (folder / "mtp").mkdir()
    os.mkfifo(folder / "mtp" / "model.safetensors")


HARMS: dict[str, Callable[[Path], None]] = {
    "a missing tensor": changed(lambda weights: weights.pop("fc.weight")),
    "one more tensor": changed(lambda weights: weights.update(another=mx.ones(3))),
    "another shape": changed(lambda weights: weights.update({"norm.weight": mx.ones(31)})),
    "no number": changed(lambda weights: weights.update({"norm.weight": mx.full((32,), mx.nan)})),
    "scales of nothing": changed(lambda weights: weights.update({"fc.scales": mx.ones((32, 0))})),
    "a cut file": cut,
    "no safetensors": no_weights,
    "a pipe": pipe,
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_head_that_does_not_fit_is_none(folder: Path, harm: Callable[[Path], None]) -> None:
    """The model loads all the same."""
    harm(folder)
    model = tiny_models.loaded(folder)
    assert (model.head, model.head_state) == (None, "unfit")


@pytest.mark.parametrize("harm", [cut, no_weights, pipe])
def test_the_list_of_models_does_not_refuse_one_whose_head_is_damaged(
    folder: Path, harm: Callable[[Path], None]
) -> None:
    """It can be used."""
    harm(folder)
    assert inspected(InspectModel(str(folder))).draft_head is False


def test_a_head_that_does_not_fit_into_memory_is_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is there, and has what it needs to answer."""
    monkeypatch.setattr(draft_head, "free_bytes", lambda: 1)
    assert load_head(tiny_models.opened(folder), folder) == (None, "no_memory")


def test_a_head_of_another_kind_of_model_is_not_looked_for(tmp_path: Path) -> None:
    """No other family has a head of this form."""
    folder = tiny_models.build(tmp_path / "model", "llama")
    (folder / "mtp.safetensors").write_text("words")
    assert load_head(tiny_models.opened(folder), folder) == (None, "none")
    assert has_head("llama", folder) is None


def test_it_is_said_whether_a_folder_has_a_head(folder: Path) -> None:
    """To those who load the model, and to those who only look at it."""
    model = tiny_models.loaded(folder)
    assert (model.head_state, has_head("qwen3_5", folder)) == ("ready", True)
    (folder / "mtp.safetensors").unlink()
    model = tiny_models.loaded(folder)
    assert (model.head, model.head_state, has_head("qwen3_5", folder)) == (None, "missing", False)


def test_the_memory_of_a_pair_is_known(folder: Path) -> None:
    """A key and a value of the head, as its cache holds them: they count when memory is granted."""
    head, _ = load_head(tiny_models.opened(folder), folder)
    assert head is not None
    cache = KVCache()
    size = tiny_models.opened(folder).language_model.args.hidden_size
    mx.eval(head(mx.array([1, 2, 3]), mx.ones((1, 3, size)), cache))
    assert head.token_bytes == (cache.keys.nbytes + cache.values.nbytes) // cache.keys.shape[2]
