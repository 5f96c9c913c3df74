"""What the app hears if a command could not be carried out. Pure.

A command that has no outcome, or whose sender does not wait for it, needs no answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.cache.planner import MissCause
from engine.protocol import messages as protocol
from engine.protocol.cache_messages import (
    CacheChecked,
    CachedConversations,
    CacheMoved,
    CacheSizes,
    CheckCache,
    ImportCache,
    ListCached,
    ListCacheSizes,
    ListWarmModels,
    WarmModels,
)
from engine.server.measuring import refused
from engine.turn.prewarm import not_warmed

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.protocol.errors import EngineError


def _not_moved(command: ImportCache | protocol.ExportCache, error: EngineError) -> CacheMoved:
    return CacheMoved(command.request, code=error.code, message=str(error))


_ENDS: Final[dict[type[protocol.Command], Callable[[Any, EngineError], protocol.Event]]] = {
    protocol.Warm: lambda command, _: not_warmed(command, MissCause.ABSENT),
    protocol.FitPrompt: refused,
    ImportCache: _not_moved,
    protocol.ExportCache: _not_moved,
    protocol.LoadModel: lambda command, error: protocol.ModelFailed(command.subject, error.code, str(error)),
    protocol.UnloadModel: lambda _command, _error: protocol.ModelUnloaded("", "", ""),
    ListCached: lambda _command, _error: CachedConversations(()),
    ListCacheSizes: lambda command, _: CacheSizes(command.conversation),
    CheckCache: lambda command, error: CacheChecked(command.conversation, trouble=str(error)),
    ListWarmModels: lambda command, _: WarmModels(command.conversation, ()),
}


def without_outcome(command: protocol.Command, error: EngineError) -> protocol.Event | None:
    """The event that ends the app's wait for `command`, which failed with `error`. Generate has a `TurnFinished` for
    each of its requests instead.
    """
    end = _ENDS.get(type(command))
    return end(command, error) if end else None
