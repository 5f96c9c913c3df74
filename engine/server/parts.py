"""What a server is made of. The parts of an engine by itself are here; `engine.ranks.rank` has those of a group's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.cache.manager import CacheManager
from engine.memory.machine import THIS_MACHINE, Machine
from engine.model.loader import load_model

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.disk.io_thread import IoThread
    from engine.cache.memory.hot_tier import HotTier
    from engine.protocol.messages import Event
    from engine.server.model_loads import Inbox, Load


@dataclass(frozen=True, slots=True)
class Parts:
    """The inbox, the outlet for events, the cache, the load of a model, and the machine's figures."""

    inbox: Any
    emit: Callable[[Event], None]
    manager: Callable[[IoThread, HotTier], CacheManager]
    load: Load
    machine: Machine


def alone(inbox: Inbox, emit: Callable[[Event], None]) -> Parts:
    """Those of an engine on one machine."""
    return Parts(inbox, emit, lambda io, hot: CacheManager(io, hot, inbox.put), load_model, THIS_MACHINE)
