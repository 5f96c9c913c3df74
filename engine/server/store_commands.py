"""The commands about the caches of all models: their limit, and questions about what is kept.

On the MLX thread. The answers follow when the disk has answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from engine.cache.disk.io_thread import Failure, Priority
from engine.cache.disk.report import cache_sizes, check_part
from engine.protocol.cache_messages import (
    CacheChecked,
    CachedConversations,
    CacheSizes,
    CheckCache,
    ListCached,
    ListCacheSizes,
    ListWarmModels,
    ReportStore,
    SetBudget,
    WarmModels,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.cache.manager import CacheManager
    from engine.model.identity import Identity
    from engine.protocol import messages as protocol

    Emit = Callable[[protocol.Event], None]

StoreCommand = (
    SetBudget | ReportStore | ListCached | ListCacheSizes | CheckCache
    | ListWarmModels
)  # fmt: skip


def answer(command: StoreCommand, manager: CacheManager, emit: Emit, loaded: Callable[[], Identity | None]) -> None:
    """Execute `command`. `loaded` gives the identity of the loaded model when the answer is made."""
    match command:
        case SetBudget():
            manager.budget(command.quota, command.pinned)
            manager.report(emit)
        case ReportStore():
            manager.report(emit)
        case ListCached():
            _list_cached(manager, emit)
        case ListCacheSizes():
            _list_sizes(command.conversation, manager, emit)
        case CheckCache():
            _check(command, manager, emit)
        case ListWarmModels():
            _list_warm_models(command.conversation, manager, emit, loaded)
        case _:
            assert_never(command)


def _list_cached(manager: CacheManager, emit: Emit) -> None:
    def listed(result: tuple[str, ...] | Failure) -> None:
        emit(CachedConversations(() if isinstance(result, Failure) else result))

    manager.ask(Priority.WRITE, lambda store: store.index.holding(), listed)


def _list_sizes(conversation: str, manager: CacheManager, emit: Emit) -> None:
    def listed(result: CacheSizes | Failure) -> None:
        emit(CacheSizes(conversation) if isinstance(result, Failure) else result)

    manager.ask(Priority.WRITE, lambda store: cache_sizes(store, conversation), listed)


def _check(command: CheckCache, manager: CacheManager, emit: Emit) -> None:
    def checked(result: CacheChecked | Failure) -> None:
        if isinstance(result, Failure):
            result = CacheChecked(command.conversation, trouble=result.message)
        emit(result)

    manager.ask(
        Priority.WRITE, lambda store: check_part(store, command.conversation, command.after, manager.in_use), checked
    )


def _list_warm_models(
    conversation: str, manager: CacheManager, emit: Emit, loaded: Callable[[], Identity | None]
) -> None:
    """The query overtakes waiting writes: state that waits for the disk is in memory, too."""

    def listed(result: tuple[str, ...] | Failure) -> None:
        identities = set(() if isinstance(result, Failure) else result)
        own = loaded()
        if own and (own.model in identities or manager.hot.has(conversation)):
            identities.add(own.model)
        emit(WarmModels(conversation, tuple(identities)))

    manager.ask(Priority.RESTORE, lambda store: store.index.identities(conversation), listed)
