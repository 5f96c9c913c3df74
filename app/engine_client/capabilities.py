"""Describes in sentences what a loaded model can do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from resources.language.text import mark, tr
from ui.state.engine import ModelCapabilities

if TYPE_CHECKING:
    from engine.protocol.messages import Batching, HeadState, History, KvBits, ModelLoaded

_HISTORY: dict[History, str] = {
    "kept": mark("Reads only what is new in a chat."),
    "stripped": mark("Leaves its reasoning out of later turns; Hearth reads the short form in a quiet moment."),
    "rewritten": mark("Rewrites earlier answers, so the newest one is read again with each message."),
}
_BATCHING: dict[Batching, str] = {
    "together": mark("Several chats answer at the same time."),
    "merged": mark("Several chats answer at the same time; a short one waits a little for a long one."),
    "alone": mark("Answers one chat at a time; the others wait."),
}
_HEAD: dict[HeadState, str] = {
    "none": "",
    "missing": mark("Faster answers: this copy of the model comes without its draft head."),
    "unfit": mark("Faster answers: the draft head in its folder does not fit."),
    "no_memory": mark("Faster answers: too little memory was free for its draft head."),
    "ready": mark("Faster answers: ready. Its draft head guesses the next words, and the model checks each one."),
}


def model_capabilities(event: ModelLoaded, wanted: KvBits) -> ModelCapabilities:
    """Return the capabilities of a model. `wanted` is the precision that the user asked for its cache."""
    lines = (
        tr(_HISTORY[event.history]),
        tr(_BATCHING[event.batching]),
        tr(_HEAD[event.head]),
        event.uncached,
        _cache(event.kv_bits, wanted),
    )
    return ModelCapabilities(event.thinks, tuple(line for line in lines if line), event.kv_bits)


def _cache(kv_bits: KvBits, wanted: KvBits) -> str:
    if kv_bits:
        return tr("What it read is kept in {kv_bits} bits a value.", kv_bits=kv_bits)
    if not wanted:
        return ""
    return tr("What it read cannot be kept in {wanted} bits a value, so it is kept in full.", wanted=wanted)
