"""Walks through the window at random, with the real engine or with one that only writes words: `tests.walk.machine`.

It needs no screen. A fault ends the walk with the steps that led to it.
"""

from __future__ import annotations

import os
import traceback
from unittest.mock import patch

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("MLX_DISABLE_COMPILE", "1")
os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")

from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from app.base import program
from app.base.program import Program
from app.base.settings import Settings
from app.desktop import idle_collection
from app.desktop.launch import Application
from engine.protocol.sampling_settings import Sampling
from tests.fakes.pacing_engine import pacing_engine
from tests.fakes.tiny_models import build
from tests.walk.machine import Walk
from tests.walk.values import KINDS

STEPS_AT_ONCE = 200
"""A walk has so many steps. The next one begins with an empty home."""
SEEDS_APART = 1_000_000
REAL_SHARE = 10
"""One step in so many is with the real engine."""


def witness(steps: int, home: Path, number: int) -> list[str]:
    """Walk so many steps. Returns the faults."""
    application = Application()
    idle_collection.begin()  # as the app does
    sampling = Sampling(temperature=0.0, max_tokens=40)
    model = build(home / "model")
    real = Settings(model=str(model), presets=dict.fromkeys(Settings().presets, sampling))
    found = _walk(steps // REAL_SHARE, number, real, program.engine)
    found += _walk(steps - steps // REAL_SHARE, number, Settings(), pacing_engine)
    application.quit()
    return found


def _walk(steps: int, number: int, begins_with: Settings, engine: Callable[..., Program]) -> list[str]:
    """A walk can end before its last step, so there are as many as it takes. The seed of each follows from `number`."""
    machine = type("Walk", (Walk,), {"begins_with": begins_with})
    end = Walk.steps.total() + steps
    with patch.object(program, "engine", engine):
        while (left := end - Walk.steps.total()) > 0:
            try:
                run_state_machine_as_test(seed(number)(machine), settings=_thorough(left))
            except Exception as error:  # noqa: BLE001 - whatever ends a walk is its finding
                return ["".join(traceback.format_exception(error))]
            number += SEEDS_APART
    return []


def _thorough(steps: int) -> settings:
    length = min(steps, STEPS_AT_ONCE)
    return settings(
        max_examples=-(-steps // length) + 1,  # the first walk of each run has no step
        stateful_step_count=length,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def report() -> str:
    """The steps, what no step asked for, and the steps that kept the window busy for the longest time."""
    idle = sorted(kind.__name__ for kind in KINDS if not Walk.asked[kind.__name__])
    slow = [f"{seconds:.2f} s: {what:.100}" for seconds, what in Walk.stalls[:8]]
    return "\n".join(
        [f"{Walk.steps.total()} steps: {dict(Walk.steps)}", f"never asked: {', '.join(idle) or 'nothing'}", *slow]
    )
