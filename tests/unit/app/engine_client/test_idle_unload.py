"""A model is unloaded after an unused time."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from app.engine_client.idle_unload import IdleUnload
from engine.protocol.messages import Ready, UnloadModel
from tests.fakes.engine_desk import Desk


@dataclass
class Clock:
    """A window that ticks, with the clock in the test's hands."""

    desk: Desk = field(default_factory=Desk)
    busy: bool = False
    minutes: int = 10
    now: float = 1000.0

    def __post_init__(self) -> None:
        self.desk.line.engine_event(Ready(1))
        self.desk.load()
        self.idle = IdleUnload(self.desk.line, lambda: self.busy, lambda: self.minutes, lambda: self.now)

    def tick(self, seconds: float) -> None:
        self.now += seconds
        self.idle.tick()

    @property
    def unloads(self) -> int:
        return self.desk.sent.count(UnloadModel())


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_model_is_unloaded_after_the_time_that_was_set(clock: Clock) -> None:
    """Not before, and only once."""
    clock.tick(599)
    assert clock.unloads == 0
    clock.tick(1)
    clock.tick(1200)
    assert clock.unloads == 1


def test_the_time_begins_with_the_last_use(clock: Clock) -> None:
    """Each action of the user starts the time again, and so does the end of an answer."""
    clock.tick(599)
    clock.idle.note_use()
    clock.tick(599)
    clock.busy = True
    clock.tick(3600)
    clock.busy = False
    clock.tick(599)
    assert clock.unloads == 0
    clock.tick(1)
    assert clock.unloads == 1


def test_without_a_time_a_model_stays(clock: Clock) -> None:
    """The user has chosen never."""
    clock.minutes = 0
    clock.tick(1e6)
    assert clock.unloads == 0


def test_the_time_of_a_load_does_not_count(clock: Clock) -> None:
    """The time begins when the model is loaded."""
    clock.desk.line.use("m2")
    clock.tick(3600)
    clock.desk.load("m2")
    clock.tick(599)
    assert clock.unloads == 0
