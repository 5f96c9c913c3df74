"""Says in words how a model is loaded, that it is not loaded, and what a loaded one can do. Pure."""

from __future__ import annotations

from app.base.errors import engine_words, load_words
from app.base.model_state import ModelReady, ModelRefused, ModelResting
from app.engine_client.wanted_model import WantedModel
from engine.protocol.errors import ModelUnstable
from engine.protocol.messages import (
    Batching,
    HeadState,
    History,
    KvBits,
    LoadProgress,
    LoadStage,
    ModelLoaded,
    ModelUnloaded,
)
from resources.language.text import mark, tr
from ui.state.engine import EngineState, EngineView, ModelCapabilities
from ui.theme.phrases import unloaded_line

_STAGES: dict[LoadStage, str] = {
    "checking": mark("checking its files"),
    "building": mark("building it"),
    "reading": mark("reading its weights"),
    "trying": mark("trying it"),
    "hashing": mark("comparing its weights"),
    "waiting": mark("waiting for the other Macs"),
    "rendering": mark("trying its chat template"),
}


def state_view(name: str, wanted: WantedModel) -> EngineView:
    """Return the state of an engine between two of its events."""
    match wanted.state:
        case ModelRefused(notice):
            return EngineView(EngineState.FAILED, notice.text, model=wanted.path)
        case ModelReady(loaded):
            return EngineView(EngineState.READY, model=loaded.path, macs=max(1, len(loaded.shares)))
        case ModelResting() if wanted.failed == wanted.path:
            text = tr("{name} could not be loaded · the next message tries it again", name=name)
            return EngineView(EngineState.UNLOADED, text, model=wanted.path)
        case ModelResting():
            return EngineView(EngineState.UNLOADED, unloaded_line(name), model=wanted.path)
        case _:
            return EngineView(EngineState.LOADING, tr("Loading {name}…", name=name), model=wanted.path)


def starting_view(name: str) -> EngineView:
    """Return the state of an engine that will load this model once it has started."""
    return EngineView(EngineState.STARTING, tr("Loading {name}…", name=name))


def load_view(name: str, event: LoadProgress) -> EngineView:
    """Return the progress of a load. The user can cancel it."""
    share = event.done / event.total if event.total else None
    stage = tr(_STAGES[event.stage])
    text = tr("Loading {name} · {stage}", name=name, stage=stage)
    if share is not None:
        text = tr("Loading {name} · {stage} · {percent:.0f}%", name=name, stage=stage, percent=100 * share)
    return EngineView(EngineState.LOADING, text, share, can_cancel=True)


def gone_words(name: str, event: ModelUnloaded) -> str:
    """Say why the engine has given up a model."""
    if event.code == ModelUnstable.code:
        return engine_words(event.code, event.message)
    return load_words(name, event.code, event.message)


def cancelled_words(name: str) -> str:
    """Say why a message that waited for a model was not sent."""
    return tr("Loading {name} was cancelled.", name=name)


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
        tr("What it read is kept in {kv_bits} bits a value.", kv_bits=event.kv_bits) if event.kv_bits else "",
        tr("What it read cannot be kept in {wanted} bits a value, so it is kept in full.", wanted=wanted)
        if wanted and not event.kv_bits
        else "",
    )
    return ModelCapabilities(event.thinks, tuple(line for line in lines if line), event.kv_bits)
