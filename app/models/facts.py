"""The facts of an inspected model in words, for the list, the detail and the command line. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from ui.theme.phrases import counted, size

if TYPE_CHECKING:
    from engine.protocol.inspection import LayerKind, ModelFacts
    from ui.state.models import FitView

TOKENS_OF_1000_WORDS: Final = 1333
"""English text has about three words in four tokens."""
_MILLION: Final = 10**6
_BILLION: Final = 10**9
_HISTORY: Final = {
    "kept": "keeps it in the chat",
    "stripped": "leaves it out of later turns",
    "rewritten": "rewrites earlier turns",
}
_LAYERS: Final[dict[LayerKind, str]] = {
    "attention": "attention layer",
    "window": "sliding window layer",
    "recurrent": "recurrent layer",
    "mixed": "mixed layer",
    "none": "other layer",
}


def is_hybrid(facts: ModelFacts) -> bool:
    """Whether some layers keep a state of constant size."""
    return any(kind in {"recurrent", "mixed"} for kind in facts.layers)


def layers_text(facts: ModelFacts) -> str:
    """The number of layers of each kind: "8 attention layers · 22 recurrent layers"."""
    kinds = Counter(facts.layers)
    return " · ".join(counted(kinds[kind], noun) for kind, noun in _LAYERS.items() if kinds[kind])


def growth(facts: ModelFacts, tokens: int) -> int:
    """The bytes that a chat of so many tokens takes beside its state of constant size."""
    return facts.token_bytes * tokens + sum(min(tokens, window.tokens) * window.token_bytes for window in facts.windows)


def figures(facts: ModelFacts, fit: FitView) -> tuple[tuple[str, str], ...]:
    """Labels with values. A fact that is not known has none."""
    bits = f", {facts.bits:g}-bit" if facts.bits else ""
    told = (
        ("1,000 words of chat", size(growth(facts, TOKENS_OF_1000_WORDS))),
        ("One checkpoint", size(facts.fixed_bytes) if facts.fixed_bytes else ""),
        ("Chats share one batch", "yes" if facts.shares_steps else "no"),
        ("Longest chat that fits", f"{fit.longest:,} tokens" if fit.longest else ""),
        ("Context", f"{facts.context_limit:,} tokens" if facts.context_limit else ""),
        ("Weights", size(facts.weight_bytes)),
        ("Parameters", f"{_parameters(facts.parameters)}{bits}" if facts.parameters else ""),
        ("Family", facts.model_type),
        ("Reasoning", f"yes; its template {_HISTORY[facts.history]}" if facts.thinks else "no"),
        ("Tool calls", facts.tool_format or "no"),
        ("Images and sound", "not used: Hearth runs the text part" if facts.text_part else ""),
        ("Own sampling", own_sampling(facts)),
    )
    return tuple((label, value) for label, value in told if value)


def own_sampling(facts: ModelFacts) -> str:
    """The sampling that the model's maker suggests, "" without a suggestion."""
    values = (("temperature", facts.temperature), ("top-p", facts.top_p), ("top-k", facts.top_k))
    return " · ".join(f"{name} {value:g}" for name, value in values if value is not None)


def _parameters(number: int) -> str:
    if number >= _BILLION:
        return f"{number / _BILLION:.1f} billion"
    return f"{number / _MILLION:.1f} million" if number >= _MILLION else f"{number:,}"
