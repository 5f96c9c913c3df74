"""Describes in sentences what a loaded model can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.state.engine import ModelCapabilities

if TYPE_CHECKING:
    from engine.protocol.messages import Batching, History, KvBits, ModelLoaded

_HISTORY: dict[History, str] = {
    "kept": "Answers can be continued as they were said.",
    "stripped": "Leaves its reasoning out of the history; Hearth reads the short form ahead while idle.",
    "rewritten": "Rewrites earlier answers; Hearth reads the newest one again with each message.",
}
_BATCHING: dict[Batching, str] = {
    "together": "Chats that answer together share steps without padding.",
    "merged": "Chats that answer together share steps, padded to the longest.",
    "alone": "Runs one chat at a time: its layers cannot share steps; other chats wait.",
}


def model_capabilities(event: ModelLoaded, wanted: KvBits) -> ModelCapabilities:
    """Return the capabilities of a model. `wanted` is the precision that the user asked for its cache."""
    lines = (
        _HISTORY[event.history],
        _BATCHING[event.batching],
        _untried(event.untried),
        event.uncached,
        _cache(event.kv_bits, wanted),
    )
    return ModelCapabilities(event.thinks, tuple(line for line in lines if line), event.kv_bits)


def _untried(tokens: int) -> str:
    return f"Sharing steps was not tried with chats of {tokens:,} tokens and more." if tokens else ""


def _cache(kv_bits: KvBits, wanted: KvBits) -> str:
    if kv_bits:
        return f"Cache kept in {kv_bits} bits."
    return f"Its cache cannot be kept in {wanted} bits, so it is kept in full." if wanted else ""
