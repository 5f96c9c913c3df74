"""Any order of picks, unloads, cancels, crashes and answers leads to a connection that agrees with its engine."""

from __future__ import annotations

from collections import deque

from hypothesis import given
from hypothesis import strategies as st

from engine.protocol.messages import (
    CancelLoad,
    Event,
    LoadModel,
    LoadProgress,
    ModelFailed,
    ModelLoaded,
    ModelUnloaded,
    Ready,
    UnloadModel,
)
from tests.fakes.engine_desk import Desk
from ui.state.engine import EngineState

MODELS = ("m1", "m2", "m3")
USER = ("use m1", "use m2", "use m3", "unload", "wake", "cancel", "anyway", "reload")
OUTCOMES = ("loads", "breaks", "hangs", "too large", "makes room and breaks", "makes room and loses the old one")


class TinyEngine:
    """An engine that obeys one command after another. `outcomes` are those of its next loads, which else succeed."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.outcomes: deque[str] = deque()
        self.queue: deque[object] = deque()
        self.loaded = ""
        self.desk.line.engine_event(Ready(1))

    def step(self) -> bool:
        """Carry out one command. Returns False if there is none."""
        self.queue.extend(self.desk.sent)
        self.desk.sent.clear()
        if not self.queue:
            return False
        command = self.queue.popleft()
        if isinstance(command, LoadModel):
            self.load(command)
        elif isinstance(command, UnloadModel):
            gone, self.loaded = self.loaded, ""
            self.emit(ModelUnloaded(gone, "", ""))
        return True

    def load(self, command: LoadModel) -> None:
        self.emit(LoadProgress(command.path, "building"))
        self.queue.extend(self.desk.sent)
        self.desk.sent.clear()
        outcome = self.outcomes.popleft() if self.outcomes else "loads"
        if outcome == "hangs":
            self.hang(command, cancelled=CancelLoad() in self.queue)
        elif CancelLoad() in self.queue:
            self.emit(ModelFailed(command.path, "load_cancelled", "Its load was cancelled."))
        elif outcome == "loads" or (outcome == "too large" and command.anyway):
            self.loaded = command.path
            self.emit(ModelLoaded(command.path, 4096))
        else:
            self.fail(command, outcome)

    def fail(self, command: LoadModel, outcome: str) -> None:
        code = "model_too_large" if outcome == "too large" else "model_unreadable"
        self.emit(ModelFailed(command.path, code, "It is broken."))
        if self.loaded and outcome == "makes room and breaks":
            self.emit(ModelLoaded(self.loaded, 4096))
        if self.loaded and outcome == "makes room and loses the old one":
            gone, self.loaded = self.loaded, ""
            self.emit(ModelUnloaded(gone, "model_unreadable", "It is broken."))

    def hang(self, command: LoadModel, *, cancelled: bool) -> None:
        """The app ends the process: at once after a cancel, else when the load was given up."""
        if not cancelled:
            self.emit(ModelFailed(command.path, "model_stuck", "It made no progress."))
        self.empty()
        self.desk.line.engine_replaced()
        self.emit(Ready(1))

    def crash(self) -> None:
        self.empty()
        self.desk.line.engine_lost()
        self.emit(Ready(1))

    def empty(self) -> None:
        """The process has ended."""
        self.desk.sent.clear()
        self.queue.clear()
        self.loaded = ""

    def emit(self, event: Event) -> None:
        self.desk.line.engine_event(event)


def act(engine: TinyEngine, action: str) -> None:
    line = engine.desk.line
    verb, _, model = action.partition(" ")
    match verb:
        case "use":
            line.use(model)
        case "unload":
            line.unload()
        case "wake":
            line.wake()
        case "cancel":
            line.cancel_load()
        case "anyway":
            line.load_anyway()
        case "reload":
            line.reload()
        case "step":
            engine.step()
        case _:
            engine.crash()


@given(
    actions=st.lists(st.sampled_from((*USER, *["step"] * 6, "crash")), max_size=25),
    outcomes=st.lists(st.sampled_from(OUTCOMES), max_size=8),
)
def test_the_connection_agrees_with_its_engine(actions: list[str], outcomes: list[str]) -> None:
    """While it says that it is ready, the wanted model is loaded as soon as the engine has caught up. Nothing is shown
    as loading that is not. Once the engine can load models again, a message leads to the wanted one, as a pick does.
    """
    engine = TinyEngine(Desk())
    engine.outcomes.extend(outcomes)
    for action in actions:
        act(engine, action)
    while engine.step():
        pass
    line, desk = engine.desk.line, engine.desk
    assert line.ready == (engine.loaded == line.model and bool(engine.loaded) and not desk.refusal)
    assert desk.state in {EngineState.READY, EngineState.UNLOADED, EngineState.FAILED}
    assert (desk.state is EngineState.READY) == line.ready
    engine.outcomes.clear()
    line.wake()
    while engine.step():
        pass
    assert line.ready
    line.use("m3")
    while engine.step():
        pass
    assert (line.ready, desk.refusal, engine.loaded) == (True, "", "m3")
