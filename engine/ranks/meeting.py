"""The ranks meet: each connects its link, compares versions with the leader, and only then joins the collective group.

MLX forms the group in one call, which waits without end for a rank that does not come, and lets no other thread run.
So no rank makes that call before all ranks run. The module also has the end of a group: its last event, and the end of
a process whose group is lost. It imports no MLX: a rank sends beats while it imports that.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from functools import partial
from typing import Final

from engine.process.lifeline import Ending
from engine.protocol.group import GROUP_LOST, GroupEnded, GroupReason
from engine.protocol.messages import Event
from engine.ranks.follower import Follower
from engine.ranks.inputs import Input, Report
from engine.ranks.link import Link
from engine.ranks.lockstep import Leader
from engine.server.model_loads import Inbox
from engine.workers.versions import versions

log = logging.getLogger(__name__)

MEETING_SECONDS: Final = 10.0
"""How long the leader waits for its followers to start."""
LAST_WRITES_SECONDS: Final = 3.0
"""How long the cache writes of a lost group may take. A loss is noticed within six seconds, and ends the group within
ten."""
SAYING_SECONDS: Final = 1.0
"""How long the end of the process waits for an app that does not read."""


class LastWords:
    """Emits the events of the leader through `emit`, until one event tells the app why the group has ended.

    Any thread may say these last words. The thread that computes may wait in a collective that never returns, and it
    may hold the pipe to an app that does not read. So the words are sent by a thread of their own, for which the others
    wait a moment only.
    """

    def __init__(self, emit: Callable[[Event], object]) -> None:
        self._emit = emit
        self._first = threading.Lock()
        self._said = threading.Event()

    def emit(self, event: Event) -> None:
        """Emit an event, unless the last words were said."""
        if not self._first.locked():
            self._emit(event)

    def say(self, rank: int, reason: GroupReason, detail: str = "") -> None:
        """Emit the last event, if no thread has, and wait until it is out: the caller is about to end the process.
        `detail` is a sentence for people.
        """
        if self._first.acquire(blocking=False):
            event = GroupEnded(rank, reason, detail)
            threading.Thread(target=self._speak, args=(event,), name="last words", daemon=True).start()
        self._said.wait(SAYING_SECONDS)

    def _speak(self, event: GroupEnded) -> None:
        try:
            self._emit(event)
        finally:
            self._said.set()


def lead(links: dict[int, Link[Report]], inbox: Inbox, ending: Ending, words: LastWords) -> Leader:
    """Rank 0, once all others run. Raises GroupLost. `words` tell the app of every end of the group."""
    own = Leader(links, inbox)
    own.last_words = words.say
    for rank, link in links.items():
        link.start(partial(own.hear, rank), partial(_forsaken, ending, words, rank))
    own.meet(versions(), MEETING_SECONDS)
    return own


def follow(link: Link[Input], ending: Ending, leader: str = "") -> Follower:
    """Another rank. It hears the leader from now on, and has yet to meet the others."""
    own = Follower(link, leader)
    link.start(own.hear, partial(_lost, ending, 0))
    return own


def meet(follower: Follower) -> None:
    """Wait until all ranks run. Raises GroupLost if the leader has other versions."""
    follower.meet(versions())


def _forsaken(ending: Ending, words: LastWords, rank: int, reason: str) -> None:
    words.say(rank, "lost")
    _lost(ending, rank, reason)


def _lost(ending: Ending, rank: int, reason: str) -> None:
    """End this process, which may wait in a collective that never returns. On a link's thread."""
    log.error("rank %d is lost: %s", rank, reason)
    ending.finish_writes(LAST_WRITES_SECONDS)
    logging.shutdown()
    os._exit(GROUP_LOST)
