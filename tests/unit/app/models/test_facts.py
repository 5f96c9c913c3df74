"""The facts of a model in words."""

from __future__ import annotations

import pytest
from msgspec import structs

from app.models import facts as facts_words
from engine.protocol.inspection import ModelFacts, WindowBytes

HYBRID = ModelFacts(
    model_type="lfm2",
    parameters=2_569_272_320,
    weight_bytes=1_450_000_000,
    bits=4.0,
    context_limit=128_000,
    layers=("recurrent", "attention", "recurrent"),
    token_bytes=16_384,
    fixed_bytes=400_000,
    windows=(WindowBytes(100, 1000),),
    thinks=True,
    history="stripped",
    tool_format="lfm2",
)


def test_a_hybrid_says_all_it_knows() -> None:
    """Each fact has a label, and sizes are in the units of the rest of the window."""
    assert facts_words.figures(HYBRID, 16) == (
        ("Fits computers with", "16 GB or more"),
        ("1,000 words of chat", "21 MB"),
        ("Context of the model", "128,000 tokens"),
    )
    assert facts_words.technical(HYBRID) == (
        ("Parameters", "2.6 billion, 4-bit"),
        ("Weights", "1.4 GB"),
        ("One checkpoint", "391 KB"),
        ("Chats share one batch", "yes"),
        ("Family", "lfm2"),
        ("Reasoning", "yes; its template leaves it out of later turns"),
        ("Tool calls", "lfm2"),
    )
    assert facts_words.layers_text(HYBRID) == "1 attention layer · 2 recurrent layers"
    assert facts_words.is_hybrid(HYBRID)


def test_what_is_not_known_is_left_out() -> None:
    """No label stands without a value."""
    plain = ModelFacts("llama", 500_000, 2_000_000, 0, 0, ("attention",), 100, 0, shares_steps=False)
    assert facts_words.figures(plain, 0) == (("1,000 words of chat", "130 KB"),)
    assert facts_words.technical(plain) == (
        ("Parameters", "500,000"),
        ("Weights", "1.9 MB"),
        ("Chats share one batch", "no"),
        ("Family", "llama"),
        ("Reasoning", "no"),
        ("Tool calls", "no"),
    )
    assert not facts_words.is_hybrid(plain)


def test_a_window_grows_no_further_than_its_length() -> None:
    """The bytes of a chat are those of the protocol's formula, without the state of constant size."""
    assert facts_words.growth(HYBRID, 50) == 50 * 16_384 + 50 * 1000
    assert facts_words.growth(HYBRID, 1000) == 1000 * 16_384 + 100 * 1000


@pytest.mark.parametrize(("is_here", "told"), [(True, "its draft head is here"), (False, "this copy comes without")])
def test_it_is_said_whether_a_model_has_its_draft_head(*, is_here: bool, told: str) -> None:
    """Only of a family that has heads."""
    shown = dict(facts_words.technical(structs.replace(HYBRID, draft_head=is_here)))
    assert shown["Faster answers"].startswith(told)
