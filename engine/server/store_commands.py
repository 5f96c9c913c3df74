"""The commands about the caches of all models: their limit, and questions about what is kept.

On the MLX thread. The answers follow when the disk has answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.disk.report import cache_sizes, check_part
from engine.protocol.cache_messages import (
    CacheChecked,
    CachedConversations,
    CacheSizes,
    CheckCache,
    WarmModels,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.manager import CacheManager
    from engine.model.identity import Identity
    from engine.protocol import messages as protocol
    from storage.segments.records import Stats

    Emit = Callable[[protocol.Event], None]


def list_cached(manager: CacheManager, emit: Emit) -> None:
    """Emit which conversations the disk has."""

    def listed(result: Stats | Failure) -> None:
        chats = () if isinstance(result, Failure) else {chat for chats in result.identities.values() for chat in chats}
        emit(CachedConversations(tuple(chats)))

    manager.ask(Priority.WRITE, lambda store: store.index.stats(), listed)


def list_sizes(conversation: str, manager: CacheManager, emit: Emit) -> None:
    """Emit what the cache of a conversation takes on disk."""

    def listed(result: CacheSizes | Failure) -> None:
        emit(CacheSizes(conversation) if isinstance(result, Failure) else result)

    manager.ask(Priority.WRITE, lambda store: cache_sizes(store, conversation), listed)


def check(command: CheckCache, manager: CacheManager, emit: Emit) -> None:
    """Check a part of the records of a conversation, and emit the outcome."""

    def checked(result: CacheChecked | Failure) -> None:
        if isinstance(result, Failure):
            result = CacheChecked(command.conversation, trouble=result.message)
        emit(result)

    manager.ask(Priority.WRITE, lambda store: check_part(store, command.conversation, command.after), checked)


def list_warm_models(
    conversation: str, manager: CacheManager, emit: Emit, loaded: Callable[[], Identity | None]
) -> None:
    """Emit which models have a cache of a conversation. `loaded` gives the identity of the loaded model when the answer
    is made. The query overtakes waiting writes: state that waits for the disk is in memory, too.
    """

    def listed(result: tuple[str, ...] | Failure) -> None:
        identities = set(() if isinstance(result, Failure) else result)
        own = loaded()
        if own and (own.model in identities or manager.hot.has(conversation)):
            identities.add(own.model)
        emit(WarmModels(conversation, tuple(identities)))

    manager.ask(Priority.RESTORE, lambda store: store.index.identities(conversation), listed)
