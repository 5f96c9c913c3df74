"""Decides when the engine process is restarted, when restarting ends for good, and when the process counts as hung. A
state machine over given times: it has no process, clock or timer. `engine_process.py` obeys it and tells the user.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from engine.protocol.framing import LONGEST
from engine.protocol.group import GroupReason
from engine.protocol.messages import LoadStage

BACKOFF_SECONDS = (0.25, 1.0, 4.0)
CRASHES_IN_A_MINUTE = 3
MINUTE = 60.0
START_SECONDS = 120.0
"""A first start may have to read half a gigabyte of libraries from a slow disk."""
_COMPUTING = frozenset[str]({"building", "trying", "rendering"})
_PASSING = frozenset[str]({"lost", "disagreed"})
"""The reasons of a group's end that another start may mend by itself."""


@dataclass(frozen=True, slots=True)
class RestartLimits:
    """The time limits in seconds, and the longest line on the pipe in bytes.

    - `ping` is the time between two heartbeats. An engine that does not answer for `hung` counts as hung.
    - A stage of a load that reads files may go without progress for `still`. One that computes reports nothing before
      its end, and has `computing`.
    - A load has `loading` to end when the app closes or the user picks another model. Then the engine is ended.
    """

    ping: float = 2.0
    hung: float = 30.0
    still: float = 60.0
    computing: float = 120.0
    loading: float = 3.0
    line_bytes: int = LONGEST


USUAL: Final = RestartLimits()


class ProcessState(Enum):
    """The state of the engine process, from what the app knows."""

    STOPPED = auto()
    STARTING = auto()
    READY = auto()
    CRASHED = auto()
    FAILED = auto()


class HeartbeatAction(Enum):
    """The action that a heartbeat calls for."""

    NOTHING = auto()
    PING = auto()
    KILL = auto()
    END_LOAD = auto()


class Supervisor:
    """All times are seconds of one monotonic clock."""

    def __init__(self, limits: RestartLimits = USUAL) -> None:
        self._limits = limits
        self.life = ProcessState.STOPPED
        self._since = 0.0
        self._worked_since: float | None = None
        self._crashes: list[float] = []
        self._unanswered: float | None = None
        self._load_ends: float | None = None
        self._group_losses = 0

    def started(self, now: float) -> None:
        """The process was started."""
        self.life, self._since = ProcessState.STARTING, now
        self._unanswered = self._worked_since = self._load_ends = None

    def greeted(self) -> None:
        """The engine sent its first event."""
        self.life = ProcessState.READY

    def load_moved(self, now: float, stage: LoadStage) -> None:
        """A load began or made progress. Until `load_ended`, only further progress shows that the engine is alive."""
        self._load_ends = now + (self._limits.computing if stage in _COMPUTING else self._limits.still)

    def load_ended(self) -> None:
        """The load led to a model or to an error."""
        self._load_ends = None

    def worked(self, now: float) -> None:
        """The engine has loaded a model: a minute from now, its earlier crashes no longer count."""
        self._worked_since = now

    def crashed(self, now: float) -> float | None:
        """The process ended unexpectedly. Returns the seconds to wait before the next start, or None if the engine has
        failed.

        It has failed at the third crash within a minute, or at the fourth crash if the engine has not worked for a
        minute since the first.
        """
        if self._worked_since is not None and now - self._worked_since >= MINUTE:
            self._crashes.clear()
        self._crashes.append(now)
        recent = [crash for crash in self._crashes if now - crash < MINUTE]
        if len(recent) >= CRASHES_IN_A_MINUTE or len(self._crashes) > len(BACKOFF_SECONDS):
            self.life = ProcessState.FAILED
            return None
        self.life = ProcessState.CRASHED
        return BACKOFF_SECONDS[len(self._crashes) - 1]

    def load_given_up(self) -> None:
        """The app ends the engine because of a load. That is not a crash."""
        self.life = ProcessState.CRASHED

    def group_lost(self, now: float, reason: GroupReason) -> bool:
        """A machine of the engine's group is the reason why the engine ended. Returns whether the group is to be
        started again. It is started again once if the machine was there, and once more after each minute of work.
        """
        if self._worked_since is not None and now - self._worked_since >= MINUTE:
            self._group_losses = 0
        self._group_losses += 1
        self.life = ProcessState.CRASHED
        return reason in _PASSING and self._group_losses == 1

    def pardon_group(self) -> None:
        """Forget the losses of a group, because the user asks for another start or for other machines."""
        self._group_losses = 0

    def refused(self) -> None:
        """The engine cannot work with this app, and another start would not change that."""
        self.life = ProcessState.FAILED

    def stopped(self) -> None:
        """The app ended the engine."""
        self.life = ProcessState.STOPPED

    def pardon(self) -> None:
        """Forget the crashes, because the user asks for another start."""
        self._crashes.clear()

    def beat(self, now: float, *, generating: bool) -> HeartbeatAction:
        """Called at every heartbeat. While `generating`, an engine that does not answer counts as hung. A load without
        progress is ended.
        """
        if self.life is ProcessState.STARTING:
            return HeartbeatAction.KILL if now - self._since >= START_SECONDS else HeartbeatAction.NOTHING
        if self.life is ProcessState.READY and self._load_ends is not None:
            self._unanswered = None
            return HeartbeatAction.END_LOAD if now >= self._load_ends else HeartbeatAction.NOTHING
        if self.life is not ProcessState.READY or not generating:
            self._unanswered = None
            return HeartbeatAction.NOTHING
        if self._unanswered is None:
            self._unanswered = now
        return HeartbeatAction.KILL if now - self._unanswered >= self._limits.hung else HeartbeatAction.PING

    def answered(self) -> None:
        """The engine answered a ping."""
        self._unanswered = None
