"""EngineProcess over a real pipe to a scripted process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from app.base.program import Program
from app.engine_client import engine_process, supervisor
from app.engine_client.engine_process import (
    KEEPS_STOPPING,
    NOT_STARTED,
    OTHER_VERSION,
    OUT_OF_MEMORY,
    TOO_LARGE,
    EngineProcess,
)
from app.engine_client.supervisor import USUAL, ProcessState, RestartLimits
from engine.protocol.cache_messages import CacheMoved, ImportCache
from engine.protocol.errors import ModelStuck
from engine.protocol.group import GroupEnded
from engine.protocol.messages import (
    PROTOCOL_VERSION,
    ChatMessage,
    Deltas,
    Event,
    ExportCache,
    Generate,
    LoadModel,
    LoadProgress,
    ModelFailed,
    ModelLoaded,
    Ready,
    TurnFinished,
    Warm,
)
from tests.fakes.engine_process import STEPS

ROOT = Path(__file__).resolve().parents[4]


class Ear:
    """Records the calls to the listener."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.losses = 0
        self.failures: list[str] = []
        self.ends: list[tuple[GroupEnded, bool]] = []

    def engine_event(self, event: Event) -> None:
        self.events.append(event)

    def engine_lost(self) -> None:
        self.losses += 1

    def engine_replaced(self) -> None:
        self.losses += 1

    def group_ended(self, end: GroupEnded, *, again: bool) -> None:
        self.ends.append((end, again))

    def engine_failed(self, reason: str) -> None:
        self.failures.append(reason)

    def heard(self, kind: type[object], count: int = 1) -> bool:
        return sum(isinstance(event, kind) for event in self.events) >= count


def fake(*arguments: str, program: str = sys.executable) -> Program:
    """The scripted engine."""
    return Program(program, ("-m", "tests.fakes.engine_process", *arguments), ROOT)


class Line:
    """An EngineProcess and its listener."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.ear = Ear()
        self.bridge: EngineProcess | None = None

    def start(self, *arguments: str, program: str = sys.executable, limits: RestartLimits = USUAL) -> EngineProcess:
        self.bridge = EngineProcess(fake(*arguments, program=program), limits)
        self.bridge.start(self.ear)
        return self.bridge

    def wait(self, kind: type[object], count: int = 1) -> None:
        self.qtbot.waitUntil(lambda: self.ear.heard(kind, count), timeout=10_000)

    def lost(self, times: int) -> None:
        self.qtbot.waitUntil(lambda: self.ear.losses == times, timeout=10_000)

    def close(self) -> None:
        if self.bridge is not None and self.bridge.life is not ProcessState.STOPPED:
            with self.qtbot.waitSignal(self.bridge.ended, timeout=10_000):
                self.bridge.shutdown(5.0)


@pytest.fixture
def line(qtbot: QtBot) -> Iterator[Line]:
    line = Line(qtbot)
    yield line
    line.close()


def _ask(prompt: str) -> Generate:
    return Generate("r1", "c1", (ChatMessage("user", prompt),))


def test_commands_go_down_and_events_come_up(line: Line) -> None:
    """Ready, model, deltas, end: each arrives once, in order."""
    bridge = line.start()
    line.wait(Ready)
    bridge.send(LoadModel("m"))
    bridge.send(_ask("hello"))
    line.wait(TurnFinished)
    kinds = [type(event).__name__ for event in line.ear.events]
    assert kinds[:4] == ["Ready", "ModelLoaded", "Deltas", "TurnFinished"]


def test_killed_engine_comes_back(line: Line) -> None:
    """SIGKILL is noticed, reported once, and leads to a new process."""
    bridge = line.start()
    line.wait(Ready)
    before = bridge.pid
    psutil.Process(before).kill()
    line.wait(Ready, 2)
    assert line.ear.losses == 1
    assert bridge.pid not in {0, before}
    bridge.send(LoadModel("m"))
    line.wait(ModelLoaded)


def test_words_before_a_crash_are_not_lost(line: Line) -> None:
    """Events that the engine sent before it died arrive before the report of its death."""
    bridge = line.start()
    line.wait(Ready)
    bridge.send(_ask("crash"))
    line.qtbot.waitUntil(lambda: line.ear.losses == 1, timeout=10_000)
    assert line.ear.heard(Deltas)


def test_bad_lines_are_counted_and_passed_over(line: Line) -> None:
    """Events after rubbish in the pipe still arrive."""
    bridge = line.start()
    line.wait(Ready)
    bridge.send(_ask("garbage"))
    line.wait(TurnFinished)
    assert bridge.bad_lines == 2


def test_a_command_that_no_pipe_takes_ends_as_if_refused(line: Line) -> None:
    """If a chat is too long for a line of the protocol, neither the answer nor any alternative keeps waiting."""
    bridge = line.start(limits=RestartLimits(line_bytes=1000))
    line.wait(Ready)
    bridge.send(Generate("r1", "c1", (ChatMessage("user", "x" * 1000),), alternatives=("r2",)))
    bridge.send(ImportCache("r3", "c2", "path", "x" * 1000))
    bridge.send(ExportCache("r4", "c2", (ChatMessage("user", "x" * 1000),), "path"))
    bridge.send(Warm("c1", (ChatMessage("user", "x" * 1000),)))
    assert not line.ear.events[1:], "nothing is answered before the caller has returned"
    line.wait(CacheMoved, 2)
    ended = [(event.request, event.code) for event in line.ear.events if isinstance(event, TurnFinished | CacheMoved)]
    assert ended == [(name, "context_full") for name in ("r1", "r2", "r3", "r4")]
    bridge.send(_ask("hello"))
    line.wait(TurnFinished, 3)


def test_a_line_without_an_end_is_not_kept(line: Line) -> None:
    """It is counted once and skipped; the events behind it arrive."""
    bridge = line.start(limits=RestartLimits(line_bytes=1000))
    line.wait(Ready)
    bridge.send(_ask("long"))
    line.wait(TurnFinished)
    assert bridge.bad_lines == 1


def test_engine_that_always_dies_is_given_up_and_can_be_tried_again(line: Line) -> None:
    """After three crashes it stays down with a sentence for the user, who can start it again."""
    bridge = line.start("--die")
    line.qtbot.waitUntil(lambda: line.ear.failures == [KEEPS_STOPPING], timeout=10_000)
    assert line.ear.losses == 2
    assert bridge.pid == 0
    bridge.restart()
    assert bridge.life is ProcessState.STARTING


def test_a_restart_does_not_wait_for_the_next_try(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user may ask for it just after a crash. There is one process then, too."""
    monkeypatch.setattr(supervisor, "BACKOFF_SECONDS", (0.0,))
    bridge = line.start()
    line.wait(Ready)
    bridge.kill()
    monkeypatch.setattr(line.ear, "engine_lost", bridge.restart)
    line.wait(Ready, 2)


@pytest.mark.parametrize(
    "end",
    [
        ("--die-killed",),
        ("--die", "RuntimeError: [malloc] Unable to allocate 34359738368 bytes."),
        ("--die", "[METAL] Command buffer execution failed: Insufficient Memory (00000008)\nTraceback follows."),
        ("--die", "MemoryError"),
    ],
)
def test_an_engine_that_runs_out_of_memory_is_given_up_with_that_reason(line: Line, end: tuple[str, ...]) -> None:
    """The system killed it, or its last words are about memory: the sentence says so, and what helps."""
    line.start(*end)
    line.qtbot.waitUntil(lambda: line.ear.failures == [OUT_OF_MEMORY], timeout=10_000)


def test_an_engine_that_hearth_kills_is_not_short_of_memory(line: Line) -> None:
    """It has the same status as one that the system killed, but hung."""
    bridge = line.start()
    for losses in (1, 2):
        line.wait(Ready, losses)
        bridge.kill()
        line.lost(losses)
    line.wait(Ready, 3)
    bridge.kill()
    line.qtbot.waitUntil(lambda: line.ear.failures == [KEEPS_STOPPING], timeout=10_000)


def test_engine_of_another_version_is_refused(line: Line) -> None:
    """Different protocol versions lead to one sentence."""
    line.start("--version", "99")
    line.qtbot.waitUntil(lambda: line.ear.failures == [OTHER_VERSION], timeout=10_000)
    assert not line.ear.heard(Ready)


def test_a_missing_program_is_reported(line: Line, tmp_path: Path) -> None:
    """A program that cannot be started does not lead to an endless loop."""
    line.start(program=str(tmp_path / "nothing"))
    line.qtbot.waitUntil(lambda: line.ear.failures == [NOT_STARTED], timeout=10_000)


def test_the_text_of_several_steps_is_handled_at_once(line: Line) -> None:
    """The window shows text once a frame, so what comes within a frame is one event. No text is lost, and what follows
    the text comes after it.
    """
    bridge = line.start()
    line.wait(Ready)
    bridge.send(_ask("stream"))
    line.wait(TurnFinished)
    heard = [event for event in line.ear.events if isinstance(event, Deltas)]
    text = "".join(row.text for event in heard for row in event.rows)
    assert text == "stream" + "".join(f" {step}" for step in range(STEPS))
    assert len(heard) < STEPS / 2
    assert isinstance(line.ear.events[line.ear.events.index(heard[-1]) + 1], TurnFinished)


def test_shutdown_is_no_crash(line: Line) -> None:
    """An engine that was shut down is neither reported as lost nor started again."""
    bridge = line.start()
    line.wait(Ready)
    line.close()
    assert (line.ear.losses, line.ear.failures, bridge.life) == (0, [], ProcessState.STOPPED)


def test_nothing_is_sent_after_the_shutdown(line: Line) -> None:
    """Answers that end meanwhile still send commands. Qt would warn of a write to a closed pipe."""
    bridge = line.start()
    line.wait(Ready)
    with line.qtbot.waitSignal(bridge.ended, timeout=10_000):
        bridge.shutdown(5.0)
        bridge.send(_ask("hello"))
    assert not line.ear.heard(TurnFinished)


def test_engine_that_does_not_end_is_killed(line: Line) -> None:
    """Quitting takes no longer than the given patience."""
    bridge = line.start("--stubborn")
    line.wait(Ready)
    with line.qtbot.waitSignal(bridge.ended, timeout=5_000):
        bridge.shutdown(0.1)
    assert bridge.pid == 0


def test_model_that_loads_for_ever_does_not_hold_up_the_end(line: Line) -> None:
    """Quitting while a model is loaded takes seconds, not minutes."""
    bridge = line.start(limits=RestartLimits(loading=0.1))
    line.wait(Ready)
    bridge.send(LoadModel("endless"))
    with line.qtbot.waitSignal(bridge.ended, timeout=5_000):
        bridge.shutdown(60.0)


def test_engine_that_hangs_is_killed_and_comes_back(line: Line) -> None:
    """A step that never ends is noticed by the missing answer to the heartbeat."""
    bridge = line.start(limits=RestartLimits(ping=0.02, hung=0.2))
    line.wait(Ready)
    bridge.send(_ask("hang"))
    line.wait(Ready, 2)
    assert line.ear.losses == 1


def test_busy_engine_that_answers_is_left_alone(line: Line) -> None:
    """A load answers no ping; as long as it makes progress, it does not count as hung."""
    bridge = line.start(limits=RestartLimits(ping=0.02, loading=0.1, hung=0.1))
    line.wait(Ready)
    bridge.send(LoadModel("endless"))
    line.wait(LoadProgress)
    bridge.send(_ask("hello"))
    line.qtbot.wait(400)
    assert line.ear.losses == 0


def test_load_that_is_never_begun_is_a_hang(line: Line) -> None:
    """An engine that neither loads nor answers pings is killed, whatever it was asked."""
    bridge = line.start(limits=RestartLimits(ping=0.02, hung=0.2))
    line.wait(Ready)
    bridge.send(_ask("hang"))
    bridge.send(LoadModel("m"))
    line.wait(Ready, 2)
    assert line.ear.losses == 1


def test_load_without_progress_is_given_up(line: Line) -> None:
    """The model is reported as failed. Then the engine is ended and started again, however often that happens."""
    bridge = line.start(limits=RestartLimits(ping=0.02, computing=0.1))
    for times in range(1, 6):
        line.wait(Ready, times)
        bridge.send(LoadModel("endless"))
        line.lost(times)
    failed = [event for event in line.ear.events if isinstance(event, ModelFailed)]
    assert [(event.path, event.code) for event in failed] == [("endless", ModelStuck.code)] * 5
    assert line.ear.failures == [], "a load that is given up is no crash"
    line.wait(Ready, 6)
    bridge.send(LoadModel("m"))
    line.wait(ModelLoaded)


def test_a_load_that_ends_the_engine_is_reported(line: Line) -> None:
    """The model is reported as failed, and the next engine starts without a load."""
    bridge = line.start()
    line.wait(Ready)
    bridge.send(LoadModel("endless"))
    line.wait(LoadProgress)
    psutil.Process(bridge.pid).kill()
    line.wait(Ready, 2)
    (failed,) = [event for event in line.ear.events if isinstance(event, ModelFailed)]
    assert (failed.path, failed.code, failed.message) == ("endless", ModelStuck.code, TOO_LARGE)
    assert (line.ear.losses, line.ear.failures) == (1, [])


def test_another_pick_ends_a_load(line: Line) -> None:
    """The load has a moment to end by itself. Then the engine is ended, without a report that the model failed."""
    bridge = line.start(limits=RestartLimits(loading=0.1))
    line.wait(Ready)
    bridge.send(LoadModel("endless"))
    line.wait(LoadProgress)
    bridge.send(LoadModel("m"))
    line.wait(Ready, 2)
    assert line.ear.losses == 1
    assert not line.ear.heard(ModelFailed)


def test_another_pick_does_not_end_an_engine_that_waits_to_load(line: Line) -> None:
    """Before its load begins, an engine may still be writing answers. Several picks in a row lose none of them."""
    bridge = line.start(limits=RestartLimits(loading=0.05))
    line.wait(Ready)
    before = bridge.pid
    bridge.send(LoadModel("m"))
    bridge.send(LoadModel("n"))
    line.wait(ModelLoaded, 2)
    line.qtbot.wait(150)
    assert (bridge.pid, line.ear.losses) == (before, 0)


def test_listener_that_fails_once_hears_the_next_event(line: Line, caplog: pytest.LogCaptureFixture) -> None:
    """A fault in one event is logged, and later events are still delivered."""
    bridge = line.start()
    line.wait(Ready)
    hear = line.ear.engine_event

    def stumble(event: Event) -> None:
        hear(event)
        if isinstance(event, Deltas):
            raise TypeError(event)

    line.ear.engine_event = stumble  # type: ignore[method-assign]  # the test's own way to make a listener fail
    bridge.send(_ask("hello"))
    line.wait(TurnFinished)
    assert "an event was not dealt with: Deltas" in caplog.text


def test_a_lost_group_is_started_again_once(line: Line) -> None:
    """Its engine says which machine is lost. If that happens again, the engine of this machine alone starts, and the
    listener hears that the group is not coming back.
    """
    alone = line.start()
    line.wait(Ready)
    alone.move(fake("--stubborn"))
    line.wait(Ready, 2)
    alone.send(_ask("lose"))
    line.wait(Ready, 3)
    assert line.ear.ends == [(GroupEnded(1, "lost"), True)]
    assert alone.program == fake("--stubborn")
    alone.send(_ask("lose"))
    line.wait(Ready, 4)
    assert line.ear.ends[1:] == [(GroupEnded(1, "lost"), False)]
    assert alone.program == fake()
    assert (line.ear.losses, line.ear.failures) == (1, []), "the move; the ends of a group are no crashes"


def test_a_group_that_ends_without_a_word_is_noticed_by_its_status(line: Line) -> None:
    """The pipe was full, or closed: it is a lost group all the same, and no crash."""
    bridge = line.start()
    line.wait(Ready)
    bridge.send(_ask("lose silently"))
    line.wait(Ready, 2)
    assert line.ear.ends == [(GroupEnded(0, "lost"), True)]


def test_a_group_that_hangs_in_a_pass_is_lost(line: Line) -> None:
    """Another machine runs, but does not do its part. An engine that only crashes would be started with the same group
    until it is said to be broken, and the user would not learn that a machine is the reason.
    """
    line.bridge = bridge = EngineProcess(fake(), RestartLimits(ping=0.02, hung=0.2))
    bridge.move(fake("--stubborn"))
    bridge.start(line.ear)
    for starts in (1, 2):
        line.wait(Ready, starts)
        bridge.send(_ask("hang"))
    line.wait(Ready, 3)
    assert line.ear.ends == [(GroupEnded(0, "lost"), True), (GroupEnded(0, "lost"), False)]
    assert bridge.program == fake()
    assert (line.ear.losses, line.ear.failures) == (0, [])


def test_a_group_that_cannot_form_is_no_crash_of_the_engine(line: Line) -> None:
    """It is tried again once, and then given up for this machine alone, with a sentence. An engine that only crashes
    would be started until it is said to be broken, which it is not.
    """
    line.bridge = bridge = EngineProcess(fake())
    bridge.move(fake("--die"))
    bridge.start(line.ear)
    line.wait(Ready)
    end = GroupEnded(0, "lost", "The Macs could not connect to each other for the data of the model.")
    assert line.ear.ends == [(end, True), (end, False)]
    assert bridge.program == fake()
    assert (line.ear.losses, line.ear.failures) == (0, [])


def test_a_moved_engine_ends_in_peace_and_is_not_heard_any_more(line: Line) -> None:
    """The listener hears of the move at once, and of the other engine when that has started."""
    bridge = line.start()
    line.wait(Ready)
    before = bridge.pid
    bridge.send(_ask("hello"))
    bridge.move(fake("--version", str(PROTOCOL_VERSION)))
    bridge.send(_ask("not for this one"))
    assert line.ear.losses == 1
    line.wait(Ready, 2)
    assert bridge.pid not in {0, before}
    assert not line.ear.heard(TurnFinished)
    bridge.send(_ask("hello"))
    line.wait(TurnFinished)
    assert (line.ear.losses, line.ear.ends, line.ear.failures) == (1, [], [])


def test_a_move_before_the_start_only_chooses_the_program(line: Line) -> None:
    """The first engine of a window may lead a group."""
    bridge = EngineProcess(fake("--die"))
    bridge.move(fake())
    line.bridge = bridge
    bridge.start(line.ear)
    line.wait(Ready)
    assert line.ear.losses == 0


def test_an_engine_that_does_not_end_for_a_move_is_killed(line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cache writes have had their time."""
    monkeypatch.setattr(engine_process, "MOVING_SECONDS", 0.1)
    bridge = line.start("--stubborn")
    line.wait(Ready)
    bridge.move(fake())
    line.wait(Ready, 2)
