"""Tabs over a group of two ranks that is killed again and again. Each group continues with what the ranks have stored.

Every minute one rank is killed, or the follower is stopped, in the middle of what it does. The leader must then end
soon, with the status of a lost group. The next group answers again whatever was interrupted. Every reply, and the
beginning of every interrupted one, is compared with its cold twin of an engine by itself.
"""

from __future__ import annotations

import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psutil

from engine.protocol.group import GROUP_LOST
from engine.protocol.inspection import Split
from tests.fakes import local_ranks
from tests.soak.engine_pipe import PATIENCE_SECONDS, EngineEndedError, EnginePipe
from tests.soak.run import Soak
from tests.soak.twin import Twins

QUOTA: Final = 1 << 30
ENDING_SECONDS: Final = 10.0
"""How long the leader may take to end after a rank is lost."""
LOOK_SECONDS: Final = 0.05


class Killer:
    """Strikes groups. `every`: the mean seconds between two kills. It looks for the leader's end itself: the tabs may
    still hear what the leader said before.
    """

    def __init__(self, every: float, seed: int) -> None:
        self._every = every
        self._chance = random.Random(seed)  # noqa: S311 - a game of chance, no secret
        self.took: float | None = None
        self.kills = 0

    @contextmanager
    def hunting(self, leader: psutil.Process) -> Iterator[None]:
        """Within the context, strike the group of this leader after a while: `took` is then the time to the leader's
        end, in seconds. At the end of the context no stopped rank stays.
        """
        self.took = None
        followers = leader.children()
        seconds = self._every * self._chance.uniform(0.5, 1.5)
        timer = threading.Timer(seconds, self._strike, (leader, *followers))
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            for follower in followers if self._has_struck else ():
                with suppress(psutil.NoSuchProcess):
                    follower.kill()

    @property
    def _has_struck(self) -> bool:
        return self.took is not None

    def _strike(self, leader: psutil.Process, follower: psutil.Process) -> None:
        deeds = ((leader, signal.SIGKILL), (follower, signal.SIGKILL), (follower, signal.SIGSTOP))
        victim, deed = self._chance.choice(deeds)
        self.kills += 1
        struck_at = time.monotonic()
        victim.send_signal(deed)
        while _runs(leader) and time.monotonic() - struck_at < PATIENCE_SECONDS:
            time.sleep(LOOK_SECONDS)
        self.took = time.monotonic() - struck_at


def _runs(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


class GroupKills:
    """The soak of one split of `model`, in the folder `home`. `other` is an engine by itself."""

    def __init__(self, home: Path, model: Path, split: Split, other: EnginePipe) -> None:
        self._home = home / split
        self._model = model
        self._split = split
        self._twins = Twins(other, model)
        self._soak: Soak | None = None
        self._slowest = 0.0
        self.problems: list[str] = []

    def run(self, tabs: int, seconds: float, every: float, seed: int) -> str:
        """Let the tabs ask for `seconds`, with a kill every `every` seconds on average. Returns the tally as text."""
        self._home.mkdir()
        self._twins.start()
        killer, until = Killer(every, seed), time.monotonic() + seconds
        while self._is_lost(killer, tabs, until, seed):
            pass
        self._twins.finish()
        assert self._soak is not None
        self.problems += [*self._soak.failures, *self._twins.different]
        return f"{self._split}: {killer.kills} kills, the slowest end {self._slowest:.1f} s\n{self._soak.report()}"

    def _is_lost(self, killer: Killer, tabs: int, until: float, seed: int) -> bool:
        """The life of one group. Returns whether it was lost before the tabs had finished."""
        with EnginePipe(
            self._home, QUOTA, program=local_ranks.__name__, options=local_ranks.options(self._home, self._split)
        ) as engine:
            try:
                engine.load(self._model)
                with killer.hunting(psutil.Process(engine.pid)):
                    if self._soak is None:
                        self._soak = Soak(engine, self._twins, tabs, seed)
                        self._soak.run(until - time.monotonic())
                    else:
                        self._soak.continue_with(engine)
            except EngineEndedError as ended:
                self._judge(ended.status, killer.took)
                return True
            if status := engine.close():
                self._judge(status, killer.took)
            return False

    def _judge(self, status: int, seconds: float | None) -> None:
        """The leader has ended, `seconds` after one of its group was struck; None if none was."""
        if status not in (GROUP_LOST, -signal.SIGKILL) or seconds is None or seconds > ENDING_SECONDS:
            self.problems.append(f"{self._split}: the leader ended with status {status}, {seconds} s after a kill")
        self._slowest = max(self._slowest, seconds or 0.0)
