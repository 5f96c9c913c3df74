"""A model is split by mlx-lm's rules, or refused with a sentence that says why."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from engine.model.split import is_pipelined, split, ways
from engine.protocol.errors import ModelUnsupported
from tests.fakes.lone_rank import lone_rank
from tests.fakes.tiny_models import CONFIGS


def built(family: str, **changes: Any) -> Any:
    module = import_module(f"mlx_lm.models.{family}")
    return module.Model(module.ModelArgs.from_dict({**CONFIGS[family], **changes}))


def test_a_pipeline_has_some_of_the_layers() -> None:
    """Rank 0 has the last ones."""
    model = built("qwen3_5")
    split(model, lone_rank(0, 2), "pipeline")
    assert is_pipelined(model)
    assert [layer.is_linear for layer in model.layers] == [False]


@pytest.mark.parametrize(
    ("shares", "layers"), [((1, 3), 1), ((3, 1), 3), ((), 2), ((2, 1), 2), ((2, 1, 1), 2), ((0, 4), None)]
)
def test_unequal_machines_have_unequal_shares(shares: tuple[int, ...], layers: int | None) -> None:
    """Shares for another number of layers or machines are those of another model or group: the split is even."""
    model = built("qwen3_5", text_config={**CONFIGS["qwen3_5"]["text_config"], "num_hidden_layers": 4})
    if layers is None:
        with pytest.raises(ModelUnsupported):
            split(model, lone_rank(0, 2), "pipeline", shares)
        return
    split(model, lone_rank(0, 2), "pipeline", shares)
    assert len(model.layers) == layers


def test_a_tensor_share_has_some_of_the_heads() -> None:
    """In every layer."""
    model = built("llama")
    split(model, lone_rank(1, 2), "tensor")
    assert not is_pipelined(model)
    assert [(layer.self_attn.n_heads, layer.self_attn.n_kv_heads) for layer in model.layers] == [(2, 1)] * 2


def test_more_machines_than_layers_are_refused() -> None:
    """The sentence names the number of machines."""
    with pytest.raises(ModelUnsupported, match="too few layers to be split over 3 machines"):
        split(built("qwen3_5"), lone_rank(0, 3), "pipeline")


@pytest.mark.parametrize(("family", "how"), [("llama", "pipeline"), ("lfm2", "tensor")])
def test_a_family_without_a_rule_is_refused(family: str, how: Any) -> None:
    """mlx-lm has no such split for it."""
    with pytest.raises(ModelUnsupported, match="cannot be split"):
        split(built(family), lone_rank(0, 2), how)


def test_a_wrapper_that_shows_the_layers_of_all_machines_is_refused() -> None:
    """mlx-lm makes caches for layers that the machine does not have."""
    wrapper = import_module("mlx_lm.models.qwen2_vl")
    model = wrapper.Model(wrapper.ModelArgs("qwen2_vl", {**CONFIGS["llama"], "model_type": "qwen2"}))
    assert ways(model) == ()
    with pytest.raises(ModelUnsupported, match="cannot be split"):
        split(model, lone_rank(0, 2), "pipeline")


@pytest.mark.parametrize("heads", [4, 6])
def test_heads_that_leave_a_remainder_are_refused(heads: int) -> None:
    """Four heads over three machines cannot be cut. Six over four can, but mlx-lm then computes with heads of another
    size, and would answer wrongly without an error.
    """
    model = built("llama", hidden_size=48, num_attention_heads=heads, num_key_value_heads=heads, intermediate_size=48)
    with pytest.raises(ModelUnsupported, match="cannot be divided into"):
        split(model, lone_rank(0, heads // 2 + 1), "tensor")


def test_heads_may_be_repeated() -> None:
    """mlx-lm gives one head of keys to several machines if there are fewer heads than machines."""
    text = CONFIGS["qwen3_5"]["text_config"] | {"linear_num_key_heads": 4}
    model = built("qwen3_5", text_config=text)
    split(model, lone_rank(3, 4), "tensor")
    assert model.layers[1].self_attn.num_key_value_heads == 1
