"""Says how a model is loaded, and that it is not loaded, as the window shows it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.state.engine import EngineState, EngineView

if TYPE_CHECKING:
    from engine.protocol.messages import LoadProgress, LoadStage

_STAGES: dict[LoadStage, str] = {
    "checking": "checking its files",
    "building": "building it",
    "reading": "reading its weights",
    "trying": "trying it",
    "hashing": "comparing its weights",
    "rendering": "trying its chat template",
}


def present_view(name: str, refusal: str, *, ready: bool, resting: bool) -> EngineView:
    """Return the state of an engine between two of its events."""
    if refusal:
        return EngineView(EngineState.FAILED, refusal)
    if resting:
        return unloaded_view(name)
    return EngineView(EngineState.READY) if ready else EngineView(EngineState.LOADING, f"Loading {name}…")


def load_view(name: str, event: LoadProgress) -> EngineView:
    """Return the progress of a load. The user can cancel it."""
    share = event.done / event.total if event.total else None
    percent = "" if share is None else f" · {share:.0%}".replace("%", " %")
    text = f"Loading {name} · {_STAGES[event.stage]}{percent}"
    return EngineView(EngineState.LOADING, text, share, can_cancel=True)


def unloaded_view(name: str) -> EngineView:
    """Return the state of an engine whose model was unloaded."""
    return EngineView(EngineState.UNLOADED, f"{name} is not in memory · the next message loads it")


def cancelled_words(name: str) -> str:
    """Say why a message that waited for a model was not sent."""
    return f"Loading {name} was cancelled."
