"""An engine's connection with fakes around it: the window, the conversations and the pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine_client.connection import EngineConnection
from engine.protocol.messages import Event, ModelLoaded, Ready
from tests.fakes.window import FakeWindow

if TYPE_CHECKING:
    from app.engine_client.model_switch import ModelSwitch
    from engine.protocol.messages import Command
    from ui.state.engine import EngineState
    from ui.state.models import SwitchQuestion


class Ear:
    """Stands for the conversations."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def engine_event(self, event: Event) -> None:
        self.heard.append(type(event).__name__)

    def engine_ready(self) -> None:
        self.heard.append("ready")

    def engine_lost(self) -> None:
        self.heard.append("lost")

    def engine_refused(self, reason: str) -> None:
        self.heard.append(f"refused: {reason}")


class Desk:
    """A connection with fakes around it."""

    def __init__(self) -> None:
        self.window = FakeWindow()
        self.sent: list[Command] = []
        self.remembered: list[str] = []
        self.ear = Ear()
        self.line = EngineConnection("m1", self.window, self.sent.append, 1000, remember=self.remembered.append)
        self.line.serve(self.ear)

    def start(self) -> None:
        """The engine starts and loads m1. What was sent for that is forgotten."""
        self.line.engine_event(Ready(1))
        self.load()
        self.sent.clear()

    def load(self, model: str = "m1", uncached: str = "") -> None:
        self.line.engine_event(ModelLoaded(model, 4096, uncached))

    @property
    def state(self) -> EngineState:
        return self.window.engine[-1].state


class Asked(FakeWindow):
    """Records the questions of a switch, and has it for those who ask through it."""

    switch: ModelSwitch

    def __init__(self) -> None:
        super().__init__()
        self.store.switch_question.follow(self._ask)
        self.questions: list[SwitchQuestion] = []
        self.withdrawn = 0

    def _ask(self, question: SwitchQuestion | None) -> None:
        if question is None:
            self.withdrawn += 1
        else:
            self.questions.append(question)
