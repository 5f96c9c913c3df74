"""Verification of imported caches: for every mix of caches, and for the built-in model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mlx.core as mx
import pytest
from mlx.utils import tree_map
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.utils import load

from engine.cache.codec import codec
from engine.interop.verify import verify
from engine.protocol.errors import CacheRefused
from resources import DEMO_MODEL
from tests.fakes.rigs import IDS, Rig

LENGTH = 150


def read(rig: Rig, ids: Sequence[int], portion: int = 1000) -> list[Any]:
    caches = rig.fresh_caches()
    for start in range(0, len(ids), portion):
        rig.read(caches, ids[start : start + portion])
    return caches


def prove(rig: Any, caches: Sequence[Any], ids: Sequence[int]) -> list[Any]:
    """Verify the caches to the end. Returns those that were computed."""
    steps = verify(rig, caches, ids)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            computed: list[Any] = end.value
            return computed


def changed(at: int, length: int = LENGTH) -> list[int]:
    return [*IDS[:at], (IDS[at] + 101) % 250, *IDS[at + 1 : length]]


def test_a_cache_of_these_tokens_passes(rig: Rig) -> None:
    """A cache passes whether it was prefilled at once or in portions. (Portions change a window that keeps its first
    tokens.)
    """
    for portion in (1000, 13) if rig.name != "ring" else (1000,):
        assert prove(rig, read(rig, IDS[:LENGTH], portion), IDS[:LENGTH])


@pytest.mark.parametrize("length", [1, 2, 256, 257, 513])
def test_texts_of_any_length_pass(llama: Rig, length: int) -> None:
    """A text passes whether or not it fills its last portion."""
    assert prove(llama, read(llama, IDS[:length]), IDS[:length])


@pytest.mark.sweep
@pytest.mark.parametrize("at", [0, 40, LENGTH - 30, LENGTH - 1])
def test_one_other_token_is_found_if_it_can_be(rig: Rig, at: int) -> None:
    """A text that differs in one token is refused, unless the model has forgotten that token: its logits are the same
    then.
    """
    right, wrong = (rig.read(read(rig, ids), [5, 6, 7]) for ids in (IDS[:LENGTH], changed(at)))
    if rig.name in ("mamba", "window", "ring") and bool(mx.allclose(right, wrong, atol=0.1).item()):
        return
    with pytest.raises(CacheRefused, match="another text"):
        prove(rig, read(rig, changed(at)), IDS[:LENGTH])


@pytest.mark.parametrize("name", ["llama", "qwen3_5"])
@pytest.mark.parametrize("at", [0, 255, 300, 511, 555])
def test_another_token_is_found_in_any_portion(rig_of: Callable[[str], Rig], name: str, at: int) -> None:
    """One other token is refused in a text of several portions, wherever it is, whether or not there is a state."""
    rig = rig_of(name)
    with pytest.raises(CacheRefused, match="another text"):
        prove(rig, read(rig, changed(at, 556)), IDS[:556])


def test_what_was_computed_is_returned(rig: Rig) -> None:
    """What follows continues from Hearth's own numbers, to the bit, if the file's differ by no more than rounding."""
    given = read(rig, IDS[:LENGTH])
    for _, leaf in codec.leaves(given):
        leaf.state = tree_map(_rounded, leaf.state)
    cold, warm = (rig.read(caches, [5, 6, 7]) for caches in (read(rig, IDS[:LENGTH]), prove(rig, given, IDS[:LENGTH])))
    assert mx.array_equal(warm, cold)
    assert not mx.array_equal(rig.read(given, [5, 6, 7]), cold), "the comparison would not see a difference"


def _rounded(value: Any) -> Any:
    is_real = isinstance(value, mx.array) and mx.issubdtype(value.dtype, mx.floating)
    return value * 1.001 if is_real else value


def test_a_real_model_passes_and_one_letter_is_found() -> None:
    """The built-in model has the numbers of a trained model."""
    model, tokenizer, *_ = load(str(DEMO_MODEL))
    right, wrong = (tokenizer.encode(f"My name is Quillon. I live by the {word}. " * 2) for word in ("sea", "see"))
    assert len(right) == len(wrong)
    model(mx.array([right[:16]]), cache=(tried := make_prompt_cache(model)))
    layout = codec.Layout.of(tried)
    assert layout
    demo = Rig("demo", model, lambda: make_prompt_cache(model), layout)
    assert prove(demo, read(demo, right, 50), right)
    with pytest.raises(CacheRefused, match="another text"):
        prove(demo, read(demo, wrong, 50), right)
