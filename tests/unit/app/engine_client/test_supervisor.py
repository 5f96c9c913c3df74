"""When the engine is started again, and when it counts as hung."""

from __future__ import annotations

from app.engine_client.supervisor import (
    START_SECONDS,
    USUAL,
    HeartbeatAction,
    ProcessState,
    Supervisor,
)


def _ready(now: float = 0.0) -> Supervisor:
    supervisor = Supervisor()
    _start(supervisor, now)
    return supervisor


def _start(supervisor: Supervisor, now: float) -> None:
    """Start an engine and let it load a model."""
    supervisor.started(now)
    supervisor.greeted()
    supervisor.worked(now)


def test_third_crash_in_a_minute_is_the_last() -> None:
    """A broken engine is not restarted for ever."""
    supervisor = _ready()
    assert supervisor.crashed(1.0) == 0.25
    assert supervisor.crashed(20.0) == 1.0
    assert supervisor.crashed(59.0) is None
    assert supervisor.life is ProcessState.FAILED


def test_starts_that_lead_to_no_work_come_to_an_end() -> None:
    """A model that takes long to load and then kills the engine is not loaded for ever."""
    supervisor = Supervisor()
    delays = []
    for at in (0.0, 100.0, 200.0, 300.0):
        supervisor.started(at)
        supervisor.greeted()
        delays.append(supervisor.crashed(at + 90.0))
    assert delays == [0.25, 1.0, 4.0, None]


def test_a_minute_of_work_clears_the_slate() -> None:
    """A crash after a long time of work counts as the first one."""
    supervisor = _ready()
    supervisor.crashed(1.0)
    _start(supervisor, 2.0)
    assert supervisor.crashed(70.0) == 0.25
    _start(supervisor, 71.0)
    assert supervisor.crashed(131.0) == 0.25


def test_the_user_may_try_again() -> None:
    """After a pardon the count starts at zero."""
    supervisor = Supervisor()
    for at in (0.0, 1.0, 2.0):
        supervisor.crashed(at)
    supervisor.pardon()
    assert supervisor.crashed(3.0) == 0.25


def test_silence_while_generating_is_a_hang() -> None:
    """After half a minute without an answer the engine is killed."""
    supervisor = _ready()
    assert supervisor.beat(2.0, generating=True) is HeartbeatAction.PING
    assert supervisor.beat(2.0 + USUAL.hung - 0.1, generating=True) is HeartbeatAction.PING
    assert supervisor.beat(2.0 + USUAL.hung, generating=True) is HeartbeatAction.KILL


def test_any_answer_ends_the_silence() -> None:
    """A slow step is not a hang as long as answers come."""
    supervisor = _ready()
    supervisor.beat(2.0, generating=True)
    supervisor.answered()
    assert supervisor.beat(40.0, generating=True) is HeartbeatAction.PING


def test_an_idle_engine_is_not_hung() -> None:
    """Silence counts only while a request is running, and only from its start."""
    supervisor = _ready()
    supervisor.beat(2.0, generating=True)
    assert supervisor.beat(50.0, generating=False) is HeartbeatAction.NOTHING
    assert supervisor.beat(60.0, generating=True) is HeartbeatAction.PING


def test_a_start_that_never_ends_is_a_hang() -> None:
    """An engine that sends nothing for two minutes is killed."""
    supervisor = Supervisor()
    supervisor.started(0.0)
    assert supervisor.beat(START_SECONDS - 1, generating=False) is HeartbeatAction.NOTHING
    assert supervisor.beat(START_SECONDS, generating=False) is HeartbeatAction.KILL


def test_refused_and_stopped_are_final() -> None:
    """An engine of another version is not pinged, nor one that was ended."""
    supervisor = _ready()
    supervisor.refused()
    assert supervisor.life is ProcessState.FAILED
    supervisor.stopped()
    assert supervisor.beat(100.0, generating=True) is HeartbeatAction.NOTHING


def test_a_load_without_progress_is_ended() -> None:
    """Each step extends the limit: less in a stage that counts bytes, more in one that reports nothing in between."""
    supervisor = _ready()
    supervisor.load_moved(10.0, "reading")
    assert supervisor.beat(10.0 + USUAL.still - 1, generating=True) is HeartbeatAction.NOTHING
    supervisor.load_moved(60.0, "reading")
    assert supervisor.beat(59.0 + USUAL.still, generating=True) is HeartbeatAction.NOTHING
    assert supervisor.beat(60.0 + USUAL.still, generating=False) is HeartbeatAction.END_LOAD
    supervisor.load_moved(200.0, "trying")
    assert supervisor.beat(199.0 + USUAL.computing, generating=True) is HeartbeatAction.NOTHING
    assert supervisor.beat(200.0 + USUAL.computing, generating=True) is HeartbeatAction.END_LOAD


def test_a_load_that_ended_has_no_limit() -> None:
    """The limit of an earlier load ends neither an idle engine nor a new one."""
    supervisor = _ready()
    supervisor.load_moved(10.0, "reading")
    supervisor.load_ended()
    assert supervisor.beat(1_000.0, generating=False) is HeartbeatAction.NOTHING
    supervisor.load_moved(1_000.0, "reading")
    _start(supervisor, 1_001.0)
    assert supervisor.beat(2_000.0, generating=False) is HeartbeatAction.NOTHING


def test_the_heartbeat_of_before_does_not_count_against_a_load() -> None:
    """A ping that the engine could not answer during the load is forgotten afterwards."""
    supervisor = _ready()
    supervisor.beat(2.0, generating=True)
    supervisor.load_moved(3.0, "building")
    supervisor.beat(4.0, generating=True)
    supervisor.load_ended()
    assert supervisor.beat(3.0 + USUAL.hung, generating=True) is HeartbeatAction.PING


def test_a_group_is_started_again_once() -> None:
    """A machine that was away for a moment is there again. One that goes away again may do so for ever."""
    supervisor = _ready()
    assert supervisor.group_lost(1.0, "lost")
    _start(supervisor, 5.0)
    assert not supervisor.group_lost(30.0, "lost")


def test_a_group_that_has_worked_for_a_minute_is_started_again() -> None:
    """Its earlier loss no longer counts."""
    supervisor = _ready()
    supervisor.group_lost(1.0, "lost")
    _start(supervisor, 5.0)
    assert supervisor.group_lost(70.0, "disagreed")


def test_a_machine_that_does_not_come_is_not_waited_for() -> None:
    """Neither is one with another version: another start would end in the same way."""
    for reason in ("not_started", "other_version"):
        assert not _ready().group_lost(1.0, reason)


def test_the_user_may_start_a_group_again() -> None:
    """Then it may be lost once more."""
    supervisor = _ready()
    supervisor.group_lost(1.0, "lost")
    supervisor.pardon_group()
    assert supervisor.group_lost(2.0, "lost")
