"""The commands and events about caches: on disk, in memory, and in mlx-lm's files."""

from __future__ import annotations

from typing import Final

import msgspec

UNFREED: Final = "unfreed"
"""The `code` of a StoreReport whose trouble keeps caches from being erased."""


class SetBudget(msgspec.Struct, frozen=True, weakref=True, tag="set_budget"):
    """Limit the caches on disk to `quota` bytes from now on, and never evict those of `pinned` conversations.

    Evicts the excess at once. Answered by StoreReport.
    """

    quota: int
    pinned: tuple[str, ...] = ()


class ReportStore(msgspec.Struct, frozen=True, weakref=True, tag="report_store"):
    """Report the state of the caches on disk. Answered by StoreReport."""


class KeepCached(msgspec.Struct, frozen=True, weakref=True, tag="keep_cached"):
    """Erase what is on disk of all conversations but these: others were deleted while this engine did not run, or while
    a machine of its group did not. `of`: only of those whose names begin so.
    """

    conversations: tuple[str, ...]
    of: str = ""


class ListCacheSizes(msgspec.Struct, frozen=True, weakref=True, tag="list_cache_sizes"):
    """Say what the caches on disk hold of a conversation, or of all ("" ). Answered by CacheSizes."""

    conversation: str = ""


class ListWarmModels(msgspec.Struct, frozen=True, weakref=True, tag="list_warm_models"):
    """List the models that have cached state of a conversation, on disk or in memory. Answered by WarmModels."""

    conversation: str


class CheckCache(msgspec.Struct, frozen=True, weakref=True, tag="check_cache"):
    """Read the records that follow the record `after` again, and compare them with their checksums. Answered by
    CacheChecked.
    """

    after: str = ""


class Forget(msgspec.Struct, frozen=True, weakref=True, tag="forget"):
    """Erase every cached record that no other conversation uses, those on disk too if `on_disk`. Answered by Forgotten
    at once, and by Memory when it is erased.
    """

    conversation: str
    on_disk: bool = True


class ImportCache(msgspec.Struct, frozen=True, weakref=True, tag="import_cache"):
    """Import mlx-lm's prompt cache file `path` as the warm start of the new `conversation`. The cache was computed from
    `text`, a user's message or its beginning, after the system prompt `system`. Answered by CacheMoved.
    """

    request: str
    conversation: str
    path: str
    text: str
    system: str = ""


class StoreReport(msgspec.Struct, frozen=True, tag="store_report"):
    """The caches on disk: the bytes that they take, and their limit; the number of conversations and records.
    `damaged` counts refused records by cause, over all time. `trouble` tells the user why the disk cannot be used now
    (empty: it can), and `code` classifies that. `failures` counts failed reads and writes since the engine started, by
    code. `identities` has the conversations with records of each model identity.
    """

    held_bytes: int
    quota_bytes: int
    conversations: int
    records: int
    damaged: dict[str, int] = {}
    trouble: str = ""
    code: str = ""
    failures: dict[str, int] = {}
    identities: dict[str, tuple[str, ...]] = {}


class CacheSize(msgspec.Struct, frozen=True):
    """The caches of one conversation: the bytes of its records, and the tokens of the branch that was used last. A
    larger `used` means a later use. Other conversations hold `shared` of the bytes, too: only the rest is freed if this
    one is forgotten.
    """

    conversation: str
    bytes: int
    tokens: int
    used: int
    shared: int = 0

    @property
    def own(self) -> int:
        """The bytes that no other conversation holds."""
        return self.bytes - self.shared


class CacheSizes(msgspec.Struct, frozen=True, tag="cache_sizes"):
    """The outcome of ListCacheSizes, for the same `conversation`; without rows if the store cannot be read now.
    In a list of all, `shared` are the bytes that several conversations hold, each counted once.
    """

    conversation: str
    rows: tuple[CacheSize, ...] = ()
    shared: int = 0


class WarmModels(msgspec.Struct, frozen=True, tag="warm_models"):
    """The outcome of ListWarmModels: model identities as in ModelLoaded, in no order. If the store cannot be read now,
    only the loaded model may be among them.
    """

    conversation: str
    identities: tuple[str, ...]


class CacheChecked(msgspec.Struct, frozen=True, tag="cache_checked"):
    """A part was checked. `after` is the last record of it, "" if no more records follow.

    `checked` are the bytes of this part, `total` those of all parts. `damaged` has the number of damaged records by
    conversation; they were removed. `strays` files or rows had no counterpart and were removed. `trouble` says why the
    check ended early.
    """

    after: str = ""
    checked: int = 0
    total: int = 0
    damaged: dict[str, int] = {}
    strays: int = 0
    trouble: str = ""


class Forgotten(msgspec.Struct, frozen=True, tag="forgotten"):
    """The answer to Forget. A Warmed of this conversation that came before tells of what is no longer there."""

    conversation: str


class CacheMoved(msgspec.Struct, frozen=True, tag="cache_moved"):
    """The outcome of ImportCache or ExportCache: the tokens that the cache covers and the bytes of its file, or an
    error in `code` and `message`.
    """

    request: str
    tokens: int = 0
    bytes: int = 0
    code: str = ""
    message: str = ""


class TurnStored(msgspec.Struct, frozen=True, tag="turn_stored"):
    """A turn's state is kept (`error` empty), or could not be (`error` says why, for the user): `on_disk`, or in memory
    only.
    """

    conversation: str
    error: str = ""
    on_disk: bool = True


class Memory(msgspec.Struct, frozen=True, tag="memory"):
    """The engine's memory, after a change: the bytes of weights and caches in use, the bytes of the hot tier, and the
    number of conversations of which any record is in it, or that are being answered.
    """

    active_bytes: int
    hot_bytes: int
    hot_conversations: int


CacheCommand = (
    SetBudget | ReportStore | KeepCached | ListCacheSizes | ListWarmModels | CheckCache | Forget | ImportCache
)  # fmt: skip

CacheEvent = (
    StoreReport | CacheSizes | WarmModels | CacheChecked | Forgotten | CacheMoved | TurnStored
    | Memory
)  # fmt: skip
