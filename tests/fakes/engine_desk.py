"""An engine's connection with fakes around it: the window, the conversations and the pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine_client.connection import EngineConnection
from engine.protocol.messages import Event, ModelLoaded
from tests.fakes.window import FakeWindow

if TYPE_CHECKING:
    from engine.protocol.messages import Command
    from ui.state.engine import EngineState


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
        self.ear = Ear()
        self.line = EngineConnection("m1", self.window, self.sent.append, 1000)
        self.line.serve(self.ear)

    def load(self, model: str = "m1", uncached: str = "") -> None:
        self.line.engine_event(ModelLoaded(model, 4096, uncached))

    @property
    def state(self) -> EngineState:
        return self.window.engine[-1].state
