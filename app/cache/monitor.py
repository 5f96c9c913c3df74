"""Tells the engine how much disk the caches may take and whose caches are pinned, and shows their state in the window.

Runs on the window's thread; the file thread looks at the disk.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

from app.base.errors import notice
from app.base.ports import Engine, Tasks, ViewSink
from app.base.settings import Settings
from app.cache import quota
from app.cache.check import CacheCheck
from engine.protocol.cache_messages import (
    UNFREED,
    CacheChecked,
    CacheSize,
    CacheSizes,
    KeepCached,
    ListCacheSizes,
    ReportStore,
    SetBudget,
    StoreReport,
)
from engine.protocol.messages import Event
from resources.language.text import mark, plural, tr
from storage.errors import OverBudget
from storage.library.library import Library
from storage.library.rows import Summary
from ui.intents.notice import Notice
from ui.state.settings import StorageView, StoredChat
from ui.theme.phrases import size

_log = logging.getLogger(__name__)

REPORT_TICKS: Final = 600
"""Ticks (seconds) between two looks at the disk, which other programs fill too."""
_KEY: Final = "cache"
_NEAR: Final = 32 * quota.MIB
"""A limit that changed by less is not sent to the engine."""
_NOTHING: Final = StoreReport(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class CacheDisk:
    """The disk of the caches. `free` returns the bytes left there, `backups` the copies of the library, newest first,
    as `ui.state.StorageView` takes them; `folder` is shown to the user. `arrived` returns the bytes of unfinished
    copies from other Macs, and `remove_arrived` removes them. The calls may wait for the disk, and the first two raise
    EnvironmentProblem.
    """

    free: Callable[[], int]
    backups: Callable[[], tuple[tuple[str, str], ...]]
    folder: str
    arrived: Callable[[], int]
    remove_arrived: Callable[[], object]


class CacheMonitor:
    """Gets the engine's reports about the caches on disk from its connection. `settings` returns the current ones."""

    def __init__(
        self, tasks: Tasks, engine: Engine, window: ViewSink, settings: Callable[[], Settings], disk: CacheDisk
    ) -> None:
        self._tasks = tasks
        self._engine = engine
        self._window = window
        self._settings = settings
        self._disk = disk
        self._report = _NOTHING
        self._free = self._held = 0
        self._is_measured = False
        self._is_told = False
        self._troubles = {"turn": "", "store": ""}
        self._shown = ""
        self._chats: tuple[StoredChat, ...] = ()
        self._shared = self._deleted = 0
        self._saved_today_s = self._saved_s = 0.0
        self._ticks = 0
        self.store_check = CacheCheck(tasks, engine, self._show_again)

    # The engine

    def connected(self) -> None:
        """An engine has started: ask it for a report, which leads to its limits, and have it forget the chats that were
        deleted while it did not run, or while another Mac of its group did not.

        A new chat cannot be mistaken for a deleted one: the library adds it after this question, and nothing of it is
        sent to the engine before.
        """
        self._is_told = False
        self._engine.send(ReportStore())

        def kept(library: Library) -> tuple[str, ...]:
            """The conversations that may be cached, deleted ones included until they are erased."""
            all_chats = (*library.conversations.listed(), *library.trash.listed())
            return tuple(one.id for one in all_chats if one.switches.cached)

        self._tasks.run(kept, lambda found: self._engine.send(KeepCached(found)), self._failed)
        self.store_check.connected()

    def engine_event(self, event: Event) -> None:
        """The engine may have reported something of the caches on disk."""
        match event:
            case CacheChecked():
                self.store_check.checked(event)
            case CacheSizes(conversation=""):
                self._tasks.run(_of_all_chats, partial(self._name_sizes, event), self._failed)
            case StoreReport():
                self._reported(event)

    def _reported(self, event: StoreReport) -> None:
        """The engine reported the state of the caches: measure the disk, then update the limit and the window."""
        self._report = event
        if not self._is_blind:
            self._held = event.held_bytes

        def failed(error: Exception) -> None:
            self._say("store", self._trouble)
            self._failed(error)

        self._tasks.apart(self._disk.free, self._measured, failed)

    def stored(self, trouble: str) -> None:
        """A turn was cached (empty), or could not be. If that changed, other programs may have filled or freed the
        disk.
        """
        if bool(trouble) != bool(self._troubles["turn"]):
            self._engine.send(ReportStore())
        self._say("turn", _not_kept(trouble))
        if not trouble:
            self._say("store", "")

    def make_room(self) -> None:
        """The full disk refused words of the library: look at it now, and have the engine evict what it takes for them.

        However little the limit has changed, the engine gets it.
        """
        self._is_told = False
        self._engine.send(ReportStore())

    def tick(self) -> None:
        """Called every second; looks at the disk every REPORT_TICKS."""
        self._ticks += 1
        if self._ticks % REPORT_TICKS == 0:
            self._engine.send(ReportStore())

    # The user

    def show(self) -> None:
        """Show the size of the caches, and update it as soon as the engine has reported."""
        self._show_again()
        self._engine.send(ReportStore())
        self._engine.send(ListCacheSizes())

    def refresh(self) -> None:
        """The pins or the user's limit changed: show the pins, and tell the engine once the disk has been measured."""

        def tell(pinned: tuple[str, ...]) -> None:
            known = frozenset(pinned)  # an import may have pinned thousands
            chats = tuple(replace(chat, pinned=chat.id in known) for chat in self._chats)
            if chats != self._chats:
                self._chats = chats
                self._show_again()
            if self._is_measured:
                self._is_told = True
                self._engine.send(SetBudget(self._quota, pinned))

        self._tasks.run(lambda library: library.labels.pinned(), tell, self._failed)

    def cleared(self, conversation: str) -> None:
        """Show what is left after the engine was told to forget a chat. After all chats (""), evict what is not in use
        of others too.
        """
        if not conversation:
            self._engine.send(SetBudget(0))
            self._engine.send(KeepCached(()))  # for the other Macs of a group: they have limits of their own
            self.refresh()
        self.show()

    def remove_arrived(self) -> None:
        """Remove unfinished copies from other Macs, and show what is left."""
        self._tasks.apart(self._disk.remove_arrived, lambda _: self._show_again(), self._failed)

    # Inside

    @property
    def _quota(self) -> int:
        return quota.quota(self._settings().cache_quota, self._free, self._held)

    @property
    def _is_blind(self) -> bool:
        """Whether the store cannot be looked at now. A report of no bytes then does not mean that the store is
        empty.
        """
        report = self._report
        return bool(report.trouble) and report.code not in {OverBudget.code, UNFREED} and not report.records

    @property
    def _limit(self) -> str:
        """Why the disk allows the caches less than they might take; empty if it does not limit them."""
        wanted = self._settings().cache_quota
        is_tight = quota.is_tight(wanted, self._free, self._held)
        return disk_limit(wanted, self._free, self._quota) if is_tight else ""

    @property
    def _trouble(self) -> str:
        """What to say about the store's fault. If it may take too little, that is whether the disk or the user limits
        it.
        """
        report = self._report
        if report.code == UNFREED:
            return tr(
                "Not all ready chats could be freed: {reason} Free them again in the settings, under Storage.",
                reason=report.trouble,
            )
        limit = self._limit if report.code == OverBudget.code else ""
        return _not_kept(f"{report.trouble} {limit}".rstrip())

    def _measured(self, free: int) -> None:
        self._free = free
        self._say("store", self._trouble)
        self._is_measured = self._is_measured or not self._is_blind
        if not self._is_told or abs(self._quota - self._report.quota_bytes) >= _NEAR:
            self.refresh()
        self._show_again()

    def _show_again(self) -> None:
        self._tasks.apart(lambda: (self._disk.backups(), self._disk.arrived()), self._show, self._failed)

    def _show(self, beside: tuple[tuple[tuple[str, str], ...], int]) -> None:
        backups, arrived = beside
        report, settings = self._report, self._settings()
        self._window.store.storage.put(
            StorageView(
                held_bytes=report.held_bytes,
                quota_bytes=self._quota,
                most_bytes=quota.most(self._free, self._held),
                cached=settings.cache_enabled,
                facts=facts(report, self._limit),
                trouble=self._trouble,
                backups=backups,
                folder=self._disk.folder,
                automatic=settings.cache_quota is None,
                chats=tuple(replace(chat, title=chat.title or tr("New chat")) for chat in self._chats),
                check=self.store_check.view,
                arrived_bytes=arrived,
                shared_bytes=self._shared,
                deleted_bytes=self._deleted,
                saved_today_s=self._saved_today_s,
                saved_s=self._saved_s,
            )
        )

    def _say(self, source: str, trouble: str) -> None:
        """Show once why chats are not kept on disk, or not freed, and remove the notice when they are again."""
        self._troubles[source] = trouble
        now = self._troubles["store"] or self._troubles["turn"]
        if now and now != self._shown:
            _log.warning("the caches on disk: %s", now)
            self._window.show_notice(Notice(_KEY, now))
        elif self._shown and not now:
            self._window.clear_notice(_KEY)
        self._shown = now

    def _name_sizes(self, event: CacheSizes, found: tuple[tuple[Summary, ...], float, float]) -> None:
        """Show what the engine holds of each chat, with the chats' titles."""
        listed, self._saved_today_s, self._saved_s = found
        held, nothing = {row.conversation: row for row in event.rows}, CacheSize("", 0, 0, 0)
        rows = ((one, held.get(one.id, nothing)) for one in listed)
        self._chats = tuple(
            StoredChat(one.id, one.title, row.tokens, row.own, one.pinned, one.updated, row.shared)
            for one, row in rows
            if one.title or one.id in held  # a chat without a word has nothing to read
        )
        self._shared = event.shared
        self._deleted = sum(row.own for row in event.rows) - sum(chat.bytes for chat in self._chats)
        self._show_again()

    def _failed(self, error: Exception) -> None:
        """The engine keeps its former limit."""
        _log.warning("the caches' place cannot be looked at: %s", notice(error).key)


def _not_kept(trouble: str) -> str:
    return tr("Chats are not kept ready on disk: {now}", now=trouble) if trouble else ""


def _of_all_chats(library: Library) -> tuple[tuple[Summary, ...], float, float]:
    """The chats, and the seconds of waiting that kept state saved in them, today and in all."""
    today = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    saved_today, saved = (library.messages.saved_ms(since) for since in (round(today.timestamp() * 1000), 0))
    return library.conversations.listed(), saved_today / 1000, saved / 1000


_DAMAGE: Final = {
    "missing": "missing",
    "not_a_file": mark("not a file"),
    "size": mark("of the wrong size"),
    "header": "unreadable",
    "layout": "unreadable",
    "checksum": "changed",
}


def facts(report: StoreReport, limit: str) -> tuple[str, ...]:
    """Return one fact a line. `limit` is the sentence of `disk_limit`, empty if the disk does not limit the caches."""
    lines = [limit] if limit else []
    damaged = sum(report.damaged.values())
    if damaged:
        causes = sorted(report.damaged.items())
        kinds = ", ".join(
            tr("{number} {kind}", number=count, kind=tr(_DAMAGE[cause]) if cause in _DAMAGE else cause)
            for cause, count in causes
        )
        lines.append(
            plural(
                "{count} damaged file put aside, and that part read again: {kinds}.",
                "{count} damaged files put aside, and those parts read again: {kinds}.",
                damaged,
                kinds=kinds,
            )
        )
    if failed := sum(report.failures.values()):
        lines.append(
            plural(
                "Reading or writing what is kept has failed once since the engine started.",
                "Reading or writing what is kept has failed {count} times since the engine started.",
                failed,
            )
        )
    return tuple(lines)


_LIMITS: Final = {
    (False, False): mark("Only {free} are free on the disk, so no room is left for ready chats."),
    (False, True): mark("Only {free} are free on the disk, so ready chats take at most {most}."),
    (True, False): mark(
        "You allow {wanted}, but only {free} are free on the disk, so no room is left for ready chats."
    ),
    (True, True): mark("You allow {wanted}, but only {free} are free on the disk, so ready chats take at most {most}."),
}
"""Why the disk limits the caches: whether the user has a limit, and whether there is any room."""


def disk_limit(wanted: int | None, free: int, allowed: int) -> str:
    """Say why the caches may take at most `allowed` bytes if `free` are left on the disk. `wanted` is the user's limit
    (None: Hearth chooses).
    """
    told = _LIMITS[wanted is not None, allowed > 0]
    return tr(told, wanted=size(wanted or 0), free=size(free), most=size(allowed))
