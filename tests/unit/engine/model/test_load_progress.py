"""The progress of a load, as the app receives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.model.load_progress import LoadReporter
from engine.model.loader import load_model
from engine.protocol.messages import LoadProgress
from tests.fakes import tiny_models
from tests.fakes.engine_life import Engine

if TYPE_CHECKING:
    from pathlib import Path


def test_every_stage_is_reported_and_little_in_between() -> None:
    """A load with thousands of portions does not fill the pipe."""
    now = [100.0]
    told: list[LoadProgress] = []
    tell = LoadReporter("m", told.append, lambda: now[0])
    tell("building", 0, 0)
    for done in range(100):
        tell("reading", done, 100)
        now[0] += 0.01
    tell("hashing", 0, 100)
    assert told == [
        LoadProgress("m", "building"),
        LoadProgress("m", "reading", 0, 100),
        LoadProgress("m", "reading", 50, 100),
        LoadProgress("m", "hashing", 0, 100),
    ]


def test_the_engine_reports_a_load_before_it_begins(tmp_path: Path) -> None:
    """The app knows from the start that a silent engine is busy with this load."""
    folder = tiny_models.build(tmp_path / "model", "llama")
    life = Engine(tmp_path / "home", folder, load=load_model).live()
    assert life.events[0] == LoadProgress(str(folder), "checking")
