"""Says how a model is loaded, and that it is not loaded, as the window shows it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.base.errors import engine_words, load_words
from app.base.model_state import ModelReady, ModelRefused, ModelResting
from engine.protocol.errors import ModelUnstable
from resources.language.text import mark, tr
from ui.state.engine import EngineState, EngineView
from ui.theme.phrases import unloaded_line

if TYPE_CHECKING:
    from app.engine_client.wanted_model import WantedModel
    from engine.protocol.messages import LoadProgress, LoadStage, ModelUnloaded

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
