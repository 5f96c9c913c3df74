"""Models whose load hangs in the real engine: the app ends the engine and returns to the model before."""

from __future__ import annotations

import json
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from app.base import program
from app.engine_client.connection import EngineConnection, EnginePorts
from app.engine_client.engine_process import EngineProcess
from app.engine_client.supervisor import ProcessState, RestartLimits
from tests.fakes.command import Talk, hearth
from tests.fakes.engine_desk import Ear
from tests.fakes.preloaded import behind
from tests.fakes.window import FakeWindow
from ui.state.engine import EngineState

COMPARING = (
    "{% set ns = namespace(x=[1], y=[1]) %}"
    "{% for i in range(90) %}{% set ns.x = [ns.x, ns.x] %}{% set ns.y = [ns.y, ns.y] %}{% endfor %}{{ ns.x == ns.y }}"
)
"""One comparison in C that takes longer than the world will last: no limit inside the process ends it."""


def made_with(template: str, model: Path, folder: Path) -> Path:
    """A copy of a model with another chat template."""
    shutil.copytree(model, folder)
    file = folder / "tokenizer_config.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"chat_template": template}))
    return folder


pytestmark = pytest.mark.usefixtures("preloaded")


@pytest.fixture
def stuck(model: Path, tmp_path: Path) -> Path:
    return made_with(COMPARING, model, tmp_path / "stuck")


class App:
    """The connection to the engine, as the window has it."""

    def __init__(self, qtbot: QtBot, segments: Path, model: Path, limits: RestartLimits) -> None:
        self.qtbot = qtbot
        self.window = FakeWindow()
        self.remembered: list[str] = []
        self.bridge = EngineProcess(program.engine(segments), limits)
        ports = EnginePorts(remember=self.remembered.append)
        self.line = EngineConnection(str(model), self.window, self.bridge.send, ports)
        self.line.serve(Ear().as_sessions)
        self.bridge.start(self.line)

    def wait(self, state: EngineState, words: str = "") -> None:
        def reached() -> bool:
            view = self.window.engine[-1]
            return view.state is state and words in view.text

        self.qtbot.waitUntil(reached, timeout=60_000)

    def wait_ready(self) -> None:
        self.qtbot.waitUntil(lambda: self.line.ready, timeout=60_000)

    def wait_stuck(self) -> None:
        """Wait until the load has reached the template."""
        before = behind(self.bridge.pid).cpu_times().user
        self.qtbot.waitUntil(lambda: bool(self.bridge._load), timeout=60_000)
        self.qtbot.waitUntil(lambda: behind(self.bridge.pid).cpu_times().user > before + 0.3, timeout=60_000)

    def close(self) -> None:
        if self.bridge.life is not ProcessState.STOPPED:
            with self.qtbot.waitSignal(self.bridge.ended, timeout=30_000):
                self.bridge.shutdown(0.0)


@pytest.fixture
def limits() -> RestartLimits:
    return RestartLimits(ping=0.1, loading=0.2)


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path, model: Path, limits: RestartLimits) -> Iterator[App]:
    app = App(qtbot, tmp_path / "segments", model, limits)
    app.wait_ready()
    yield app
    app.close()


@pytest.mark.parametrize("limits", [RestartLimits(ping=0.1, loading=0.2, computing=5.0)])
def test_a_hanging_load_returns_to_the_model_before(opened: App, model: Path, stuck: Path) -> None:
    """The engine is restarted, the notice names the model, and the choice is not stored."""
    before = behind(opened.bridge.pid)
    opened.line.use(str(stuck))
    opened.wait(EngineState.STARTING)
    opened.wait_ready()
    assert opened.line.model == str(model)
    assert opened.remembered == []
    assert not psutil.wait_procs([before], timeout=10)[1]
    told = opened.window.notices["engine:model"].text
    assert told.startswith("stuck cannot be loaded. It made no progress, so Hearth gave it up. ")
    assert told.endswith(f"Meanwhile {model.name} answers.")


def test_a_load_that_ends_the_engine_is_not_tried_again(opened: App, model: Path, stuck: Path) -> None:
    """The system kills an engine whose memory a template has filled. The notice names the model, and the former one
    returns.
    """
    before = behind(opened.bridge.pid)
    opened.line.use(str(stuck))
    opened.wait_stuck()
    before.kill()
    opened.wait(EngineState.STARTING)
    opened.wait_ready()
    assert (opened.line.model, opened.remembered) == (str(model), [])
    told = opened.window.notices["engine:model"].text
    assert told.startswith("stuck cannot be loaded. The engine stopped while it loaded the model: memory has probably")
    assert told.endswith(f"Meanwhile {model.name} answers.")


def test_another_choice_and_quitting_end_a_hanging_load(opened: App, model: Path, stuck: Path) -> None:
    """The user waits for no limit, and no failure is reported."""
    opened.line.use(str(stuck))
    opened.wait_stuck()
    opened.line.use(str(model))
    opened.wait_ready()
    assert opened.remembered == [str(model)]
    assert "engine:model" not in opened.window.notices
    opened.line.use(str(stuck))
    opened.wait_stuck()
    process = behind(opened.bridge.pid)
    with opened.qtbot.waitSignal(opened.bridge.ended, timeout=10_000):
        opened.bridge.shutdown(60.0)
    assert not psutil.wait_procs([process], timeout=10)[1]


def test_a_hanging_load_can_be_cancelled(opened: App, model: Path, stuck: Path) -> None:
    """The engine does not listen any more, so it is ended. The former model returns without a notice."""
    before = behind(opened.bridge.pid)
    opened.line.use(str(stuck))
    opened.wait_stuck()
    opened.line.cancel_load()
    opened.wait(EngineState.STARTING)
    opened.wait_ready()
    assert (opened.line.model, opened.remembered) == (str(model), [])
    assert "engine:model" not in opened.window.notices
    assert not psutil.wait_procs([before], timeout=10)[1]


def _engines(talk: Talk) -> list[psutil.Process]:
    return [behind(child.pid) for child in behind(talk.process.pid).children()]


def test_an_interrupt_ends_a_hanging_load(stuck: Path) -> None:
    """Ctrl+C ends `hearth ask` and its engine within seconds."""
    talk = Talk("ask", "--model", str(stuck), "--conversation", "c", "Hello")
    deadline = time.monotonic() + 60
    while not any(one.cpu_times().user > 1 for one in _engines(talk)) and time.monotonic() < deadline:
        psutil.wait_procs([psutil.Process(talk.process.pid)], timeout=0.1)
    (engine,) = _engines(talk)
    talk.process.send_signal(signal.SIGINT)
    talk.end()
    assert talk.process.returncode == 130
    assert not psutil.wait_procs([engine], timeout=10)[1]


def test_a_model_with_an_endless_template_is_refused(model: Path, tmp_path: Path) -> None:
    """One line names the model. It is Hearth's own sentence, not the message of the template library."""
    looping = "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"
    folder = made_with(looping, model, tmp_path / "zephyr")
    result = hearth("ask", "--model", str(folder), "--conversation", "c", "Hello")
    assert result.returncode == 2
    assert "zephyr cannot be loaded. Its chat template takes too much time or memory." in result.stderr
    assert result.stderr.count("\n") == 1
