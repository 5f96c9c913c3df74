"""An engine's connection with fakes around it: the window, the conversations and the pipe."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, cast

from app.base.ports import ModelRefused
from app.chat.sessions import Sessions
from app.engine_client.connection import EngineConnection, EnginePorts
from app.engine_client.model_switch import ModelSwitch
from engine.protocol.messages import Command, Event, ModelLoaded, Ready
from tests.fakes.window import FakeWindow
from ui.state.engine import EngineState
from ui.state.models import SwitchQuestion

NO_PORTS: Final = EnginePorts()


class Ear:
    """Stands for the conversations."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    @property
    def as_sessions(self) -> Sessions:
        return cast("Sessions", self)

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

    def __init__(self, ports: EnginePorts = NO_PORTS) -> None:
        self.window = FakeWindow()
        self.sent: list[Command] = []
        self.remembered: list[str] = []
        self.ear = Ear()
        ports = replace(ports, remember=self.remembered.append)
        self.line = EngineConnection("m1", self.window, self.sent.append, ports)
        self.seen: list[Event] = []
        self.line.serve(self.ear.as_sessions, self.seen.append)

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

    @property
    def refusal(self) -> str:
        """Why no model will be loaded."""
        return self.line.state.notice.text if isinstance(self.line.state, ModelRefused) else ""


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
