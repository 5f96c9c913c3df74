"""The probe finds out whether a model can compute the logits of its last token alone. If not, it changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models import llama, talkie
from mlx_lm.models.cache import make_prompt_cache

from engine.decode.last_logits import is_narrow
from engine.model.probes import narrow_if_equal
from tests.fakes.decoding import ids
from tests.fakes.tiny_models import build, opened

Head = Callable[[mx.array], mx.array]


def centred(logits: Head, x: mx.array) -> mx.array:
    """The logits depend on the tokens before."""
    return logits(x - x.mean(axis=1, keepdims=True))


def flat(logits: Head, x: mx.array) -> mx.array:
    """The shape of the input is taken for granted."""
    return logits(x.reshape(1, 16, -1))


def infinite(logits: Head, x: mx.array) -> mx.array:
    """No logit is a number."""
    return logits(x) * mx.inf


class Mixing(llama.TransformerBlock):  # type: ignore[misc] # mlx-lm is untyped
    """A layer whose result depends on all tokens of a pass."""

    def __call__(self, x: mx.array, mask: Any = None, cache: Any = None) -> mx.array:
        made: mx.array = super().__call__(x + x.mean(axis=1, keepdims=True), mask, cache)
        return made


def probed(model: Any) -> Any:
    narrow_if_equal(model, lambda: make_prompt_cache(model), 260)
    return model


def untied(folder: Path) -> Any:
    return opened(build(folder / "llama", "llama", tie_word_embeddings=False))


def test_ordinary_heads_are_narrow(tmp_path: Path) -> None:
    """A layer of its own, and the embedding."""
    assert is_narrow(probed(untied(tmp_path)))
    assert is_narrow(probed(opened(build(tmp_path / "tied", "llama"))))


def test_layers_that_need_all_tokens_stay_wide(tmp_path: Path) -> None:
    """The last layer must give the same state and the same logits if it takes the last token by itself."""
    model = untied(tmp_path)
    kinds = [type(layer) for layer in model.layers]
    model.layers[-1].__class__ = Mixing
    assert not is_narrow(probed(model))
    assert type(model.layers[-1]) is Mixing
    assert kinds[0] is type(model.layers[0])


@pytest.mark.parametrize("changed", [centred, flat, infinite])
def test_a_head_that_needs_all_tokens_stays_wide(tmp_path: Path, changed: Callable[[Head, mx.array], mx.array]) -> None:
    """Its last logits differ, or it fails, if it sees the last token only. Then nothing is changed."""
    model = untied(tmp_path)
    own = type(model.lm_head)
    kind = type("Changed", (own,), {"__call__": lambda self, x: changed(partial(own.__call__, self), x)})
    model.lm_head.__class__ = kind
    assert not is_narrow(probed(model))
    assert type(model.lm_head) is kind


def test_a_head_that_is_no_module_stays_wide() -> None:
    """The probe sees that the model computes all logits in any case."""
    sizes = {"model_type": "talkie", "vocab_size": 260, "hidden_size": 32, "intermediate_size": 48}
    heads = {"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 8}
    model = talkie.Model(talkie.ModelArgs.from_dict(sizes | heads))
    assert not is_narrow(probed(model))


def test_layers_as_wide_as_the_vocabulary_are_no_heads(tmp_path: Path) -> None:
    """A numbered layer is not changed, whatever its width."""
    folder = build(tmp_path / "wide", "llama", intermediate_size=260)
    model = probed(opened(folder))
    assert is_narrow(model)
    assert len({type(layer.mlp.up_proj) for layer in model.layers}) == 1
    assert model(mx.array([ids(5)])).shape == (1, 5, 260)
