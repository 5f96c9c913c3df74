"""A rank: the parts with which an engine's process takes part in a group, as its leader or as a follower."""

from __future__ import annotations

import faulthandler
import hashlib
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import mlx.core as mx
import msgspec

from engine.cache.disk.io_thread import IoThread
from engine.cache.memory.hot_tier import HotTier
from engine.memory.machine import Machine
from engine.model.identity import WeightDigests
from engine.model.loader import LoadedModel, Tell
from engine.model.split import Way
from engine.protocol import messages as protocol
from engine.ranks import data_paths, shared_loads
from engine.ranks.follower import Follower
from engine.ranks.lockstep import PATIENCE_SECONDS, Leader
from engine.ranks.model_folders import find_here, name_to_followers
from engine.ranks.shared_lookups import RankManager
from engine.schedule.sequence import Sequence
from engine.server.server import Parts

FORMING_SECONDS: Final = 10.0
"""How long MLX may take to form a group of processes that can reach each other."""


def join(own: Leader | Follower, rank: int, addresses: Path) -> mx.distributed.Group:
    """Form the group once every rank has found that it can. Raises GroupLost if one cannot."""
    data_paths.check_addresses(own, rank, addresses)
    return form(rank, addresses)


def form(rank: int, addresses: Path) -> mx.distributed.Group:
    """The group of the processes whose data addresses the file lists by rank. All of them run. If one is lost now, this
    process ends: MLX would wait without end.
    """
    os.environ |= {"MLX_RANK": str(rank), "MLX_HOSTFILE": str(addresses)}
    faulthandler.dump_traceback_later(FORMING_SECONDS, exit=True)
    group = mx.distributed.init(strict=True, backend="ring")
    faulthandler.cancel_dump_traceback_later()
    return group


def leader(own: Leader, group: mx.distributed.Group, way: Way, emit: Callable[[protocol.Event], None]) -> Parts:
    """Rank 0, which the app commands."""
    data_paths.check_ring(own, group)

    def load(command: protocol.LoadModel, digests: WeightDigests, tell: Tell) -> LoadedModel:
        own.patience, own.waits = None, partial(tell, "waiting", 0, 0)
        try:
            loaded = shared_loads.load(own, group, way, command, digests, tell, partial(name_to_followers, own))
            return _computed_by(loaded, own.leaders(own.members))
        finally:
            own.patience = PATIENCE_SECONDS

    return Parts(own, partial(_emit, own, emit), lambda io, hot: RankManager(io, hot, own), load, _machine(own, group))


@dataclass(frozen=True, slots=True)
class Own:
    """What a follower on another machine has of its own: the list of its models, the most bytes that its store may
    hold, and the name of its leader, since it may have had others.
    """

    models: Path | None = None
    quota: int | None = None
    leader: str = ""


def follower(own: Follower, group: mx.distributed.Group, way: Way, here: Own) -> Parts:
    """Another rank, which the leader commands. Its events are those of the leader, so they go nowhere.

    What it stores has the leader in its identity, too: another leader would learn from the lengths of prefixes which
    words are in the chats of this one.
    """
    data_paths.check_ring(own, group)

    def load(command: protocol.LoadModel, digests: WeightDigests, tell: Tell) -> LoadedModel:
        find = partial(find_here, own, here.models)
        loaded = shared_loads.load(own, group, way, command, digests, tell, find)
        return _computed_by(loaded, f"{here.leader} {own.leaders('')}")

    def manager(io: IoThread, hot: HotTier) -> RankManager:
        return RankManager(io, hot, own, here.quota)

    return Parts(own, partial(_emit, own, lambda _: None), manager, load, _machine(own, group))


def _computed_by(loaded: LoadedModel, members: str) -> LoadedModel:
    """The model, with the machines of its group in its identity. Each rank computes with what the others hand over. If
    one computes wrongly and leaves the group, nothing that came of it is restored in another group.
    """
    return replace(loaded, identity=loaded.identity.of_share(hashlib.sha256(members.encode()).hexdigest()[:32]))


def _machine(own: Leader | Follower, group: mx.distributed.Group) -> Machine:
    return Machine(
        clock=own.clock,
        count=group.size(),
        agree=own.least,
        planned=partial(_plan, own),
        model_failed=own.model_failed,
    )


def _plan(own: Leader | Follower, rows: Iterable[Sequence]) -> None:
    """The rows of the next pass are part of what the ranks compare."""
    own.note(msgspec.json.encode([(row.request, row.position) for row in rows]))


def _emit(own: Leader | Follower, emit: Callable[[protocol.Event], None], event: protocol.Event) -> None:
    """Emit an event. The text of all answers is part of what the ranks compare."""
    if isinstance(event, protocol.Deltas):
        own.note(msgspec.json.encode([(row.request, row.tokens, row.text) for row in event.rows]))
    emit(event)
