"""What the app hears if a command could not be carried out, and what the disk answers to a command.

A command that has no outcome, or whose sender does not wait for it, needs no answer. On the MLX thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.segment import MissCause
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
from engine.protocol.errors import EngineError
from engine.server.measuring import refused
from engine.turn.speculative_prefill import not_warmed

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.manager import CacheManager
    from engine.model.identity import Identity
    from storage.segments.store import SegmentStore

    Emit = Callable[[protocol.Event], None]


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


def ask_disk(
    command: protocol.Command, job: Callable[[SegmentStore], protocol.Event], manager: CacheManager, emit: Emit
) -> None:
    """Emit what `job` finds on disk, once it has run there."""

    def answered(result: protocol.Event | Failure) -> None:
        end = without_outcome(command, EngineError(result.message)) if isinstance(result, Failure) else result
        assert end is not None, "the app waits for it"
        emit(end)

    manager.ask(Priority.WRITE, job, answered)


def cached_conversations(store: SegmentStore) -> CachedConversations:
    """The conversations that the disk has. On the I/O thread."""
    found = store.index.stats().identities.values()
    return CachedConversations(tuple(sorted({chat for chats in found for chat in chats})))


def list_warm_models(
    conversation: str, manager: CacheManager, emit: Emit, loaded: Callable[[], Identity | None]
) -> None:
    """Emit which models have a cache of a conversation. `loaded` gives the identity of the loaded model when the answer
    is made. The query overtakes waiting writes: state that waits for the disk is in memory, too.
    """

    def listed(result: tuple[str, ...] | Failure) -> None:
        identities = set(() if isinstance(result, Failure) else result)
        own = loaded()
        if own and (own.model in identities or conversation in manager.hot.conversations):
            identities.add(own.model)
        emit(WarmModels(conversation, tuple(identities)))

    manager.ask(Priority.RESTORE, lambda store: store.index.identities(conversation), listed)
