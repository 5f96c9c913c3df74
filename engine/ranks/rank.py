"""A rank: the parts with which an engine's process takes part in a group, as its leader or as a follower.

`Rank` stands in for what an engine on one machine has by itself: the inbox, the outlet for events, the cache, the load
of a model and the machine's figures.
"""

from __future__ import annotations

import faulthandler
import os
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import mlx.core as mx
import msgspec

from engine.cache.manager import CacheManager
from engine.model.loader import load_model
from engine.protocol import messages as protocol
from engine.ranks import shared_loads
from engine.ranks.lockstep import PATIENCE_SECONDS
from engine.ranks.shared_lookups import FollowerManager, LeaderManager
from engine.server.machine import THIS_MACHINE, Machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from engine.cache.disk.io_thread import IoThread
    from engine.cache.memory.hot_tier import HotTier
    from engine.model.identity import WeightDigests
    from engine.model.loader import LoadedModel, Tell
    from engine.model.split import Split
    from engine.ranks.lockstep import Follower, Leader
    from engine.schedule.sequence import Sequence
    from engine.server.model_loads import Inbox

FORMING_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Rank:
    """What the server of this rank is made of."""

    inbox: Any
    emit: Callable[[protocol.Event], None]
    manager: Callable[[IoThread, HotTier], CacheManager]
    load: Callable[[protocol.LoadModel, WeightDigests, Tell], LoadedModel]
    machine: Machine


def form(rank: int, addresses: Path) -> mx.distributed.Group:
    """The group of the processes whose data addresses the file lists by rank. All of them run. If one is lost now, this
    process ends: MLX would wait without end.
    """
    os.environ["MLX_RANK"], os.environ["MLX_HOSTFILE"] = str(rank), str(addresses)
    faulthandler.dump_traceback_later(FORMING_SECONDS, exit=True)
    group = mx.distributed.init(strict=True, backend="ring")
    faulthandler.cancel_dump_traceback_later()
    return group


def alone(inbox: Inbox, emit: Callable[[protocol.Event], None]) -> Rank:
    """The only rank of an engine on one machine."""
    return Rank(inbox, emit, lambda io, hot: CacheManager(io, hot, inbox.put), load_model, THIS_MACHINE)


def leader(own: Leader, group: mx.distributed.Group, how: Split, emit: Callable[[protocol.Event], None]) -> Rank:
    """Rank 0, which the app commands."""

    def load(command: protocol.LoadModel, digests: WeightDigests, tell: Tell) -> LoadedModel:
        own.patience = None
        try:
            return shared_loads.load(own, group, how, command, digests, tell)
        finally:
            own.patience = PATIENCE_SECONDS

    return Rank(own, partial(_emit, own, emit), lambda io, hot: LeaderManager(io, hot, own), load, _machine(own))


def follower(own: Follower, group: mx.distributed.Group, how: Split) -> Rank:
    """Another rank, which the leader commands. Its events are those of the leader, so they go nowhere."""
    load = partial(shared_loads.load, own, group, how)
    return Rank(
        own, partial(_emit, own, lambda _: None), lambda io, hot: FollowerManager(io, hot, own), load, _machine(own)
    )


def _machine(own: Leader | Follower) -> Machine:
    return Machine(clock=own.clock, agreed=own.least, planned=partial(_plan, own), divides=False)


def _plan(own: Leader | Follower, rows: Iterable[Sequence]) -> None:
    """The rows of the next pass are part of what the ranks compare."""
    own.note(msgspec.json.encode([(row.request, row.position) for row in rows]))


def _emit(own: Leader | Follower, emit: Callable[[protocol.Event], None], event: protocol.Event) -> None:
    """Emit an event. The text of all answers is part of what the ranks compare."""
    if isinstance(event, protocol.Deltas):
        own.note(msgspec.json.encode([(row.request, row.tokens, row.text) for row in event.rows]))
    emit(event)
