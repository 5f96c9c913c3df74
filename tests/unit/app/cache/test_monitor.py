"""The cache monitor: its commands to the engine, the figures in the window, and its notices."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import pytest

from app.base.settings import Settings
from app.cache.monitor import _NEAR, REPORT_TICKS, CacheDisk, CacheMonitor
from app.cache.quota import GIB, MIB
from engine.protocol.cache_messages import (
    UNFREED,
    CacheSize,
    CacheSizes,
    KeepCached,
    ListCacheSizes,
    ReportStore,
    SetBudget,
    StoreReport,
)
from resources.language import catalogue, text
from storage.errors import DamagedDatabase, EnvironmentProblem, OverBudget, Problem
from storage.library.archive import Archive, ArchivedConversation
from storage.library.archive_import import ArchiveImport
from tests.fakes.library import end
from tests.unit.app.conftest import Scene


@dataclass
class Machine:
    """The disk and the settings, which the test sets."""

    free: int = 100 * GIB
    settings: Settings = field(default_factory=Settings)
    gone: bool = False
    arrived: int = 0

    def remove_arrived(self) -> None:
        self.arrived = 0

    def look(self) -> int:
        if self.gone:
            raise EnvironmentProblem(Problem.VANISHED)
        return self.free


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def keeper(scene: Scene, machine: Machine) -> CacheMonitor:
    backups = (("copy", "Today 09:12 · 1.2 MB"),)
    disk = CacheDisk(machine.look, lambda: backups, "/data", lambda: machine.arrived, machine.remove_arrived)
    return CacheMonitor(scene.tasks, scene.engine, scene.window, lambda: machine.settings, disk)


def _report(held: int = 0, quota: int = 0, trouble: str = "", code: str = "", **counts: int) -> StoreReport:
    return StoreReport(held, quota, 3, 40, counts, trouble, code)


def _budgets(scene: Scene) -> list[SetBudget]:
    return [command for command in scene.engine.sent if isinstance(command, SetBudget)]


def test_an_engine_gets_its_limit_and_the_pinned_chats(scene: Scene, keeper: CacheMonitor) -> None:
    """Each engine receives its limit and the pinned chats once after its start."""
    chat = scene.library.conversations.create().id
    scene.library.labels.set_pinned(chat, pinned=True)
    keeper.connected()
    assert scene.engine.sent == [ReportStore(), KeepCached((chat,))]
    keeper.engine_event(_report(held=10 * GIB, quota=100 * GIB))
    assert _budgets(scene) == [SetBudget(22 * GIB, (chat,))]
    keeper.engine_event(_report(held=10 * GIB, quota=22 * GIB))
    assert len(_budgets(scene)) == 1
    keeper.connected()
    keeper.engine_event(_report(held=10 * GIB, quota=22 * GIB))
    assert len(_budgets(scene)) == 2


def test_a_disk_that_fills_up_is_noticed(scene: Scene, keeper: CacheMonitor, machine: Machine) -> None:
    """The free space is measured now and then, and the limit follows. A few bytes change nothing."""
    keeper.connected()
    keeper.engine_event(_report(quota=100 * GIB))
    machine.free -= 4 * _NEAR
    keeper.engine_event(_report(quota=20 * GIB))
    assert len(_budgets(scene)) == 1
    machine.free = 6 * GIB
    before = len(scene.engine.sent)
    for _ in range(REPORT_TICKS):
        keeper.tick()
    assert scene.engine.sent[before:] == [ReportStore()]
    keeper.engine_event(_report(quota=20 * GIB))
    assert _budgets(scene)[-1] == SetBudget(2 * GIB)


def test_the_caches_make_room_for_words_that_the_disk_refused(
    scene: Scene, keeper: CacheMonitor, machine: Machine
) -> None:
    """At once, and however little they hold beyond their limit."""
    machine.free = 250 * MIB
    keeper.connected()
    keeper.engine_event(_report(held=20 * MIB, quota=14 * MIB))
    assert _budgets(scene)[-1] == SetBudget(14 * MIB)
    machine.free = 0
    before = len(scene.engine.sent)
    keeper.make_room()
    assert scene.engine.sent[before:] == [ReportStore()]
    keeper.engine_event(_report(held=14 * MIB, quota=14 * MIB))
    assert _budgets(scene)[-1] == SetBudget(0)
    keeper.engine_event(_report(held=14 * MIB))
    assert scene.engine.sent[before + 2 :] == [], "what is pinned or in use stays; the next refusal asks again"


def test_the_caches_shrink_by_what_other_programs_lack(scene: Scene, keeper: CacheMonitor, machine: Machine) -> None:
    """A disk without space for other programs is noticed at the next look, however much the caches hold."""
    machine.free = 4 * GIB
    keeper.connected()
    keeper.engine_event(_report(held=90 * GIB, quota=90 * GIB))
    machine.free -= GIB
    keeper.engine_event(_report(held=90 * GIB, quota=90 * GIB))
    assert _budgets(scene)[-1] == SetBudget(89 * GIB)


def test_a_notice_names_the_disk_if_it_limits_the_caches(scene: Scene, keeper: CacheMonitor, machine: Machine) -> None:
    """The disk is measured at once. If it limits the caches, one notice says so with its free space."""
    machine.free = 64 * MIB
    refused = OverBudget("It does not fit.")
    keeper.stored(str(refused))
    assert scene.engine.sent == [ReportStore()]
    keeper.engine_event(_report(trouble=str(refused), code=refused.code))
    told = scene.window.notices["cache"].text
    assert told.endswith("It does not fit. Only 64 MB are free on the disk, so no room is left for ready chats.")
    assert scene.window.store.storage.now.trouble in told
    keeper.stored(str(refused))
    assert scene.engine.sent.count(ReportStore()) == 1
    machine.free = 400 * GIB
    machine.settings = Settings(cache_quota=1)
    keeper.engine_event(_report(trouble=str(refused), code=refused.code))
    assert scene.window.notices["cache"].text.endswith(" It does not fit.")


def test_a_new_limit_or_pin_is_sent_at_once(scene: Scene, keeper: CacheMonitor, machine: Machine) -> None:
    """A new limit or pin does not wait for the next look at the disk."""
    keeper.engine_event(_report())
    machine.settings = Settings(cache_quota=7 * GIB)
    keeper.refresh()
    assert _budgets(scene)[-1] == SetBudget(7 * GIB)


def test_the_settings_show_a_new_pin_at_once(scene: Scene, keeper: CacheMonitor) -> None:
    """The page of the settings says so, even if the store cannot be read and so no limit can be set."""
    one, two = (scene.library.conversations.create(title=name).id for name in ("One", "Two"))
    keeper.engine_event(CacheSizes(""))
    for pins in ({one: True, two: False}, {one: False, two: False}):
        scene.library.labels.set_pinned(one, pinned=pins[one])
        keeper.refresh()
        assert {chat.id: chat.pinned for chat in scene.window.store.storage.now.chats} == pins


def test_thousands_of_pins_are_shown_at_once(scene: Scene, keeper: CacheMonitor) -> None:
    """An import may bring as many pinned chats as it has."""
    running = ArchiveImport(Archive(tuple(ArchivedConversation(str(place), pinned=True) for place in range(10_000))))
    while not scene.library.transfer.import_next(running):
        pass
    keeper.engine_event(CacheSizes(""))
    pinned = scene.library.labels.pinned()
    before = time.thread_time()
    keeper.refresh()
    assert time.thread_time() - before < 0.5
    assert {chat.id for chat in scene.window.store.storage.now.chats if chat.pinned} == {*pinned}


def test_what_other_macs_began_to_copy_is_shown_and_removed(
    scene: Scene, keeper: CacheMonitor, machine: Machine
) -> None:
    """The settings show what it takes on the disk, and that nothing is left once the user has removed it."""
    machine.arrived = 5 * GIB
    keeper.show()
    assert scene.window.store.storage.now.arrived_bytes == 5 * GIB
    keeper.remove_arrived()
    assert scene.window.store.storage.now.arrived_bytes == 0


def test_caches_of_erased_chats_are_forgotten_at_the_next_connection(scene: Scene, keeper: CacheMonitor) -> None:
    """No Forget is lost for good, even if no engine ran when the chats were erased. Existing and deleted chats keep
    their caches; a chat that must not be cached does not.
    """
    here, deleted, erased, uncached = (scene.library.conversations.create().id for _ in range(4))
    scene.library.trash.add(deleted)
    scene.library.trash.erase(erased)
    scene.library.labels.switch(uncached, cached=False)
    keeper.connected()
    [told] = [command for command in scene.engine.sent if isinstance(command, KeepCached)]
    assert (sorted(told.conversations), told.of) == (sorted((here, deleted)), "")


def test_an_unreadable_library_forgets_no_caches(scene: Scene, keeper: CacheMonitor) -> None:
    """It cannot say which chats are gone; all of them may return after a rescue."""
    scene.tasks.broken = DamagedDatabase("The database is damaged.")
    keeper.connected()
    assert scene.engine.sent == [ReportStore()]


def test_nothing_is_sent_before_the_first_measurement(scene: Scene, keeper: CacheMonitor, machine: Machine) -> None:
    """A pin or a limit that comes before the first measurement does not make disk and store count as full."""
    keeper.connected()
    keeper.refresh()
    assert _budgets(scene) == []
    machine.gone = True
    keeper.engine_event(_report(held=10 * GIB))
    keeper.refresh()
    assert _budgets(scene) == []
    machine.gone = False
    keeper.engine_event(_report(held=10 * GIB))
    assert _budgets(scene) == [SetBudget(22 * GIB)]


def test_a_store_that_cannot_be_opened_is_not_taken_for_empty(scene: Scene, keeper: CacheMonitor) -> None:
    """Its last size counts until the next report. Otherwise it would be shrunk as soon as it is back."""
    away = StoreReport(0, 0, 0, 0, trouble="The folder or disk is no longer there.", code="vanished")
    keeper.connected()
    keeper.engine_event(away)
    keeper.refresh()
    assert _budgets(scene) == []
    keeper.engine_event(_report(held=60 * GIB))
    keeper.engine_event(away)
    keeper.refresh()
    assert {budget.quota for budget in _budgets(scene)} == {60 * GIB}


def test_clearing_evicts_everything_and_later_turns_are_cached_again(scene: Scene, keeper: CacheMonitor) -> None:
    """Pinned caches are cleared too, also those on other Macs, which have limits of their own. Later turns are cached
    again.
    """
    keeper.engine_event(_report(held=GIB))
    keeper.cleared("")
    assert scene.engine.sent[-5:-2] == [SetBudget(0), KeepCached(()), _budgets(scene)[-1]]
    first, second = _budgets(scene)[-2:]
    assert first == SetBudget(0)
    assert second.quota > 0
    assert scene.engine.sent[-2:] == [ReportStore(), ListCacheSizes()], "the settings show what is left"


def test_settings_show_all_there_is_to_know(scene: Scene, keeper: CacheMonitor, machine: Machine) -> None:
    """They show the bytes held, allowed and allowable, and then the same figures of the new report."""
    keeper.engine_event(_report(held=10 * GIB, quota=22 * GIB, checksum=2))
    keeper.show()
    shown = scene.window.store.storage.now
    assert (shown.held_bytes, shown.quota_bytes, shown.most_bytes) == (10 * GIB, 22 * GIB, 105 * GIB)
    assert (shown.cached, shown.automatic) == (True, True)
    assert (shown.backups, shown.folder) == ((("copy", "Today 09:12 · 1.2 MB"),), "/data")
    assert any("2 changed" in fact for fact in shown.facts)
    assert scene.engine.sent[-2:] == [ReportStore(), ListCacheSizes()]
    machine.settings = Settings(cache_quota=5 * GIB, cache_enabled=False)
    keeper.engine_event(_report(held=11 * GIB, quota=22 * GIB))
    shown = scene.window.store.storage.now
    assert (shown.held_bytes, shown.quota_bytes, shown.cached, shown.automatic) == (11 * GIB, 5 * GIB, False, False)


def test_the_settings_say_how_much_waiting_kept_state_saved(scene: Scene, keeper: CacheMonitor) -> None:
    """In all chats, today and ever."""
    for saved in (60_000, 3_000):
        reply = scene.library.messages.begin_turn(scene.library.conversations.create().id, "a", "m").reply
        end(scene.library, reply, "b", usage=f'{{"wait":{{"saved_ms":{saved}}}}}')
    keeper.engine_event(CacheSizes("", ()))
    view = scene.window.store.storage.now
    assert (view.saved_today_s, view.saved_s) == (63.0, 63.0)


def test_a_chat_without_a_word_is_not_listed(scene: Scene, keeper: CacheMonitor) -> None:
    """It has nothing to keep and nothing to read again."""
    scene.library.conversations.create()
    said = scene.library.conversations.create(title="A lighthouse").id
    keeper.engine_event(CacheSizes(""))
    assert [chat.id for chat in scene.window.store.storage.now.chats] == [said]


def test_the_rows_and_the_parts_of_the_bar_add_up(scene: Scene, keeper: CacheMonitor) -> None:
    """A row has the size that clearing it frees. What several chats share, and what deleted chats hold, are parts of
    the bar.
    """
    one, two = (scene.library.conversations.create().id for _ in range(2))
    rows = (
        CacheSize(one, 9 * MIB, 100, 1, shared=8 * MIB),
        CacheSize(two, 8 * MIB, 90, 2, shared=8 * MIB),
        CacheSize("deleted", 4 * MIB, 50, 3),
    )
    keeper.engine_event(CacheSizes("", rows, shared=8 * MIB))
    shown = scene.window.store.storage.now
    assert {chat.id: (chat.bytes, chat.shared, chat.is_kept) for chat in shown.chats} == {
        one: (MIB, 8 * MIB, True),
        two: (0, 8 * MIB, True),
    }
    assert (shown.shared_bytes, shown.deleted_bytes) == (8 * MIB, 4 * MIB)


def test_a_chat_without_a_title_is_called_so_in_each_language(scene: Scene, keeper: CacheMonitor) -> None:
    """Settings that are shown in another language do not wait for the engine's next list of sizes."""
    chat = scene.library.conversations.create().id
    keeper.engine_event(CacheSizes("", (CacheSize(chat, MIB, 10, 1),)))
    text.install(text.Language("de", catalogue.read("de")))
    keeper.show()
    assert [chat.title for chat in scene.window.store.storage.now.chats] == ["Neuer Chat"]


def test_trouble_is_reported_once_and_disappears_by_itself(scene: Scene, keeper: CacheMonitor) -> None:
    """A full disk is reported once, and the notice disappears when there is space again."""
    keeper.stored("The disk is full.")
    assert "The disk is full." in scene.window.notices.pop("cache").text
    keeper.stored("The disk is full.")
    keeper.engine_event(_report(trouble="The disk is full."))
    assert scene.window.notices == {}
    keeper.stored("")
    keeper.stored("The disk is full.")
    assert "cache" in scene.window.notices
    keeper.stored("")
    assert scene.window.notices == {}


def test_a_report_from_before_a_write_that_worked_is_not_the_last_word(scene: Scene, keeper: CacheMonitor) -> None:
    """Measuring takes time, so a notice may appear for trouble that is over; the next report removes it."""
    read_only = "The disk or folder is read-only."
    keeper.stored(read_only)
    scene.tasks.held = True
    keeper.engine_event(_report(trouble=read_only))
    keeper.stored("")
    scene.tasks.let_go()
    assert scene.engine.sent.count(ReportStore()) == 2
    keeper.engine_event(_report())
    assert scene.window.notices == {}
    keeper.stored("")
    assert scene.engine.sent.count(ReportStore()) == 2


def test_trouble_of_the_store_is_over_when_it_says_so(scene: Scene, keeper: CacheMonitor) -> None:
    """The notice does not wait for the next answer to disappear, and new trouble is reported again."""
    keeper.engine_event(_report(trouble="The folder or disk is no longer there."))
    assert "no longer there" in scene.window.notices["cache"].text
    keeper.engine_event(_report(trouble="The disk is full."))
    assert "full" in scene.window.notices["cache"].text
    keeper.engine_event(_report())
    assert scene.window.notices == {}


def test_caches_that_could_not_be_freed_are_said_with_a_way_back(scene: Scene, keeper: CacheMonitor) -> None:
    """Above the page and in the settings, until they are freed. The limits follow, also if no record is left."""
    keeper.connected()
    keeper.engine_event(StoreReport(GIB, GIB, 1, 0, trouble="The disk is full.", code=UNFREED))
    told = "Not all ready chats could be freed: The disk is full. Free them again in the settings, under Storage."
    assert (scene.window.notices["cache"].text, scene.window.store.storage.now.trouble) == (told, told)
    assert len(_budgets(scene)) == 1
    keeper.engine_event(_report())
    assert (scene.window.notices, scene.window.store.storage.now.trouble) == ({}, "")


def test_a_disk_that_is_gone_changes_nothing(
    scene: Scene, keeper: CacheMonitor, machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    """The engine keeps its limit, and the store reports the fault. The log does not call it unexpected."""
    machine.gone = True
    keeper.engine_event(_report(trouble="The folder or disk is no longer there."))
    assert _budgets(scene) == []
    assert list(scene.window.notices) == ["cache"]
    assert [record.getMessage() for record in caplog.records][-1].endswith("error:vanished")
