"""Verification of imported caches: for every mix of caches, and for the built-in model."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import make_prompt_cache
from mlx_lm.utils import load

from engine.cache.codec import codec
from engine.interop.verify import MOST_PREFILLED, verify
from engine.protocol.errors import CacheRefused
from resources import DEMO_MODEL
from tests.fakes.rigs import IDS, Rig

LENGTH = 150


def read(rig: Rig, ids: Sequence[int], portion: int = 1000) -> list[Any]:
    caches = rig.fresh_caches()
    for start in range(0, len(ids), portion):
        rig.read(caches, ids[start : start + portion])
    return caches


def prove(rig: Any, caches: Sequence[Any], ids: Sequence[int], most_prefilled: int = MOST_PREFILLED) -> int:
    """Verify the caches. Returns the number of steps that it took."""
    return len(deque(verify(rig, caches, ids, most_prefilled)))


def changed(at: int) -> list[int]:
    return [*IDS[:at], (IDS[at] + 101) % 250, *IDS[at + 1 : LENGTH]]


def test_a_cache_of_these_tokens_passes(rig: Rig) -> None:
    """A cache passes whether it was prefilled at once or in portions. (Portions change a window that keeps its first
    tokens.)
    """
    for portion in (1000, 13) if rig.name != "ring" else (1000,):
        assert prove(rig, read(rig, IDS[:LENGTH], portion), IDS[:LENGTH])


@pytest.mark.parametrize("length", [1, 2, 63, 64, 65, 129])
def test_short_texts_pass(llama: Rig, length: int) -> None:
    """A text passes if its two ends meet, and if it has only one."""
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


def test_a_long_text_with_a_state_is_verified_by_its_beginning(rig_of: Callable[[str], Rig]) -> None:
    """A long text is not prefilled again as a whole: the import is there to save that."""
    hybrid = rig_of("qwen3_5")
    assert prove(hybrid, read(hybrid, IDS[:LENGTH]), IDS[:LENGTH], 100) == 1
    with pytest.raises(CacheRefused, match="another text"):
        prove(hybrid, read(hybrid, changed(40)), IDS[:LENGTH], 100)


def test_a_long_text_in_a_state_alone_is_refused(rig_of: Callable[[str], Rig]) -> None:
    """The tokens behind a recurrent state can only be verified by prefilling all of them."""
    mamba = rig_of("mamba")
    with pytest.raises(CacheRefused, match="too long"):
        prove(mamba, read(mamba, IDS[:LENGTH]), IDS[:LENGTH], 100)


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
