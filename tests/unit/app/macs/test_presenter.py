"""The page of several Macs: what it shows while Macs are asked, paired and unpaired, and while this one is lent."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pytest

from app.macs.errors import MacsError, PairingFailed, RosterRefused, WorkerNotStarted
from app.macs.lending import LOOK_SECONDS, Lending
from app.macs.nearby import Announcement
from app.macs.placement import Holding
from app.macs.presenter import LISTS, MacsPresenter
from app.macs.reach import MacState
from app.macs.roster import Mac
from app.macs.worker import Post
from engine.workers.errors import OwnKeyLocked
from ui.state.macs import FoundMac, GroupPace, MacsView, PairingStep, Reach
from ui.store import Store

T = TypeVar("T")

STUDIO = Mac("studio", "10.0.0.2:42517", "s" * 64, 1.0, "PEM")
MINI = Mac("mini", "10.0.0.3:42517", "m" * 64, 2.0, "PEM")
LAPTOP = Mac("laptop", "", "l" * 64, 3.0, "PEM")
THERE = MacState(memory_bytes=64, free_bytes=48, round_trip=0.001, bytes_per_second=1e9)


class Thread:
    """A thread whose work happens when the test says so."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[Callable[[], Any], Callable[[Any], object], Callable[[Exception], object]]] = deque()

    def run(self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]) -> None:
        """Queue work."""
        self.waiting.append((work, done, failed))

    def close(self, seconds: float = 0.0) -> None:
        """Drop it."""
        assert not seconds
        self.waiting.clear()

    def finish(self) -> None:
        """Do all of it."""
        while self.waiting:
            work, done, failed = self.waiting.popleft()
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - as the thread
                failed(error)
            else:
                done(result)


class Worker:
    """Stands for the worker of this Mac."""

    def __init__(self, *, fails: bool = False) -> None:
        self._fails = fails
        self.codes = 0
        self.runs = False

    def start(self) -> None:
        """Begin to wait."""
        if self._fails:
            raise WorkerNotStarted("The port is taken.")
        if self.address == ":42517":
            raise WorkerNotStarted("There is no network.")
        self.runs = True

    def stop(self) -> None:
        """Wait no more."""
        self.runs = False

    @property
    def offer(self) -> Worker:
        """Its offer of a code."""
        return self

    def renew(self) -> str:
        """Show another code."""
        self.codes += 1
        return ""

    address = leader = ""

    def at(self, host: str) -> Worker:
        """This worker at another address."""
        self.address = f"{host}:42517"
        return self

    @property
    def code(self) -> str:
        """What a person types on another Mac."""
        return f"code {self.codes}" if self.codes else ""


@dataclass
class Desk:
    """A presenter with everything around it."""

    paired: tuple[Mac, ...] = ()
    leaders: tuple[Mac, ...] = ()
    answers: dict[str, MacState] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    shown: list[MacsView] = field(default_factory=list)
    held: Holding = field(default_factory=Holding)
    worker: Worker = field(default_factory=Worker)
    trouble: Exception | None = None
    host: str = "10.0.0.1"

    def __post_init__(self) -> None:
        self.threads: defaultdict[str, Thread] = defaultdict(Thread)
        self.lending = Lending(
            lambda: Post(self.worker.at, lambda: self.host),  # type: ignore[arg-type] # it stands for the worker
            self.threads["lending"],
        )
        store = Store()
        store.macs.follow(self.shown.append)
        self.presenter = MacsPresenter(
            self,  # type: ignore[arg-type] # it stands for the calls, too
            lambda name: self.threads[name],
            self.lending,
            store,
            lambda: self.held,
        )

    def listed_workers(self) -> tuple[Mac, ...]:
        return self.paired

    def listed_leaders(self) -> tuple[Mac, ...]:
        if self.trouble is not None:
            raise self.trouble
        return self.leaders

    def tell_unpaired(self, mac: Mac) -> None:
        self.told.append(mac.name)

    def pair(self, code: str, _address: str) -> Mac:
        if code == "wrong":
            raise PairingFailed("There is a typing error in the code.")
        self.paired = (*self.paired, MINI)
        return MINI

    def ask(self, mac: Mac) -> MacState:
        self.asked.append(mac.name)
        return self.answers.get(mac.name, THERE)

    def forget(self, fingerprint: str) -> None:
        self.paired = tuple(mac for mac in self.paired if mac.fingerprint != fingerprint)

    def forget_leader(self, fingerprint: str) -> None:
        self.leaders = tuple(mac for mac in self.leaders if mac.fingerprint != fingerprint)

    def finish(self) -> None:
        """Let all threads do their work."""
        while any(thread.waiting for thread in self.threads.values()):
            for thread in [*self.threads.values()]:
                thread.finish()

    def wait(self) -> None:
        """Let some seconds go by."""
        for _ in range(LOOK_SECONDS):
            self.lending.tick()
        self.finish()

    def look(self) -> MacsView:
        """The page is opened."""
        self.presenter.look()
        self.finish()
        return self.view

    @property
    def view(self) -> MacsView:
        """What the page shows."""
        return self.shown[-1]


@pytest.fixture
def desk() -> Desk:
    """Two paired Macs."""
    return Desk(paired=(STUDIO, MINI))


def test_macs_are_listed_before_they_answer(desk: Desk) -> None:
    """One that answers is shown at once, whatever another one does."""
    desk.presenter.look()
    desk.threads["macs"].finish()
    assert [(mac.name, mac.reach) for mac in desk.view.macs] == [("studio", Reach.ASKING), ("mini", Reach.ASKING)]
    desk.threads[MINI.fingerprint].finish()
    assert [mac.reach for mac in desk.view.macs] == [Reach.ASKING, Reach.HERE]
    assert (desk.view.macs[1].memory, desk.view.macs[1].free, desk.view.macs[1].rate) == (64, 48, 1e9)


def test_a_mac_that_does_not_answer_is_asked_once_at_a_time(desk: Desk) -> None:
    """The page asks again and again. What the Mac said last stays on the page meanwhile."""
    desk.look()
    desk.presenter.look()
    desk.threads["macs"].finish()
    desk.presenter.look()
    desk.threads["macs"].finish()
    assert len(desk.threads[STUDIO.fingerprint].waiting) == 1
    assert desk.view.macs[0].reach is Reach.HERE
    desk.answers["studio"] = MacState(problem="studio does not answer.")
    desk.finish()
    assert (desk.view.macs[0].reach, desk.view.macs[0].problem) == (Reach.AWAY, "studio does not answer.")


def test_a_list_that_cannot_be_read_is_said(desk: Desk) -> None:
    """In the page, until it can. The other list is shown."""
    desk.trouble = RosterRefused("The list of paired Macs cannot be read.")
    assert desk.look().trouble == "The list of paired Macs cannot be read."
    assert [mac.name for mac in desk.view.macs] == ["studio", "mini"]
    desk.trouble = None
    assert desk.look().trouble == ""


def test_pairing_shows_how_far_it_is(desk: Desk) -> None:
    """One at a time. A Mac that was paired is asked at once."""
    desk = Desk()
    desk.presenter.pair("wrong", "mini.local")
    desk.presenter.pair("right", "mini.local")
    assert desk.view.pairing.step is PairingStep.BUSY
    desk.finish()
    assert (desk.view.pairing.step, desk.view.pairing.text) == (
        PairingStep.FAILED,
        "There is a typing error in the code.",
    )
    desk.presenter.pair("right", "mini.local")
    desk.finish()
    steps = [view.pairing.step for view in desk.shown]
    assert (steps.count(PairingStep.DONE), steps[-1]) == (1, PairingStep.IDLE)
    assert ([mac.name for mac in desk.view.macs], desk.asked) == (["mini"], ["mini"])


def test_an_unpaired_mac_leaves_the_page_at_once(desk: Desk) -> None:
    """The list loses the Mac at once, even if the Mac does not answer. Hearth tells the Mac afterwards."""
    desk.look()
    changes: list[int] = []
    desk.presenter.changed = lambda: changes.append(len(desk.presenter.macs))
    desk.presenter.unpair(STUDIO.fingerprint)
    assert [mac.name for mac in desk.view.macs] == ["mini"]
    assert changes == [1]
    desk.threads[LISTS].finish()
    assert (desk.paired, desk.told) == ((MINI,), [])
    desk.finish()
    assert (desk.told, [mac.name for mac in desk.view.macs]) == (["studio"], ["mini"])


def test_the_app_hears_of_each_mac_that_is_not_paired_any_more(desk: Desk) -> None:
    """Once it is not in the list: removed on the page, or by a command, which is noticed at the next look."""
    left: list[tuple[str, int]] = []
    desk.look()
    desk.presenter.left = lambda mac: left.append((mac, len(desk.paired)))
    desk.presenter.unpair(STUDIO.fingerprint)
    assert left == []
    desk.finish()
    assert left == [(STUDIO.fingerprint, 1)]
    desk.paired = ()
    desk.look()
    assert left[1:] == [(MINI.fingerprint, 0)]


def test_a_leader_can_be_unpaired(desk: Desk) -> None:
    """It is no longer listed among those that may use this Mac."""
    desk.leaders = (LAPTOP,)
    assert desk.look().this.leaders == ((LAPTOP.fingerprint, "laptop"),)
    desk.presenter.unpair_leader(LAPTOP.fingerprint)
    desk.finish()
    assert desk.view.this.leaders == ()


def test_each_mac_says_what_it_holds_of_the_model(desk: Desk) -> None:
    """As the engine has told, this Mac included. One that is away holds nothing."""
    sizes = {"": 8, STUDIO.fingerprint: 16, MINI.fingerprint: 16}
    desk.held = Holding("Qwen3", sizes, {"": GroupPace.SLOWER, STUDIO.fingerprint: GroupPace.FASTER})
    desk.answers["mini"] = MacState(problem="mini does not answer.")
    view = desk.look()
    assert (view.model, view.this.holds, [mac.holds for mac in view.macs]) == ("Qwen3", 8, [16, 0])
    assert (view.this.pace, [mac.pace for mac in view.macs]) == (GroupPace.SLOWER, [GroupPace.FASTER, GroupPace.ALIKE])


AIR = Announcement("air", "10.0.0.7:42517", "a" * 20)


def test_macs_on_the_network_are_shown_but_for_those_that_are_known(desk: Desk) -> None:
    """This Mac and paired ones are left out, also at other addresses. A Mac with the name of a paired one is shown as
    another one.
    """
    desk.lending.lend(wanted=True)
    desk.look()
    own = Announcement("this", "10.0.0.1:42517", "b" * 20)
    paired = Announcement.of("studio", "10.0.0.99:1", STUDIO.fingerprint)
    liar = Announcement("studio", "10.0.0.66:1", "c" * 20, version=999)
    desk.presenter.show_found((AIR, own, liar, paired), can_find=True)
    assert desk.view.found == (FoundMac("air", AIR.address), FoundMac("studio", "10.0.0.66:1", is_understood=False))
    assert next((mac.name, mac.address) for mac in desk.view.macs) == ("studio", STUDIO.address)
    desk.presenter.show_found((), can_find=False)
    assert desk.view == replace(MacsView(desk.view.this, desk.view.macs), can_find=False)


def test_the_network_is_shown_only_if_it_has_changed(desk: Desk) -> None:
    """The window looks every second."""
    desk.look()
    desk.presenter.show_found((AIR,), can_find=True)
    shown = len(desk.shown)
    desk.presenter.show_found((AIR,), can_find=True)
    assert len(desk.shown) == shown


def test_a_mac_that_is_away_is_asked_when_it_says_that_it_is_somewhere(desk: Desk) -> None:
    """At once, and its new address is shown once it has answered there. One that answers is left alone."""
    desk.answers["studio"] = MacState(problem="studio does not answer.")
    desk.look()
    desk.asked.clear()
    desk.presenter.show_found((AIR,), can_find=True)
    desk.finish()
    assert desk.asked == []
    desk.answers["studio"] = THERE
    desk.paired = (Mac("studio", "10.0.0.9:42517", STUDIO.fingerprint, 1.0, "PEM"), MINI)
    here = tuple(Announcement.of(mac.name, "10.0.0.9:42517", mac.fingerprint) for mac in (STUDIO, MINI))
    desk.presenter.show_found(here, can_find=True)
    assert [name for name, thread in desk.threads.items() if thread.waiting] == [STUDIO.fingerprint]
    desk.finish()
    assert next((mac.reach, mac.address) for mac in desk.view.macs) == (Reach.HERE, "10.0.0.9:42517")


def test_this_mac_is_lent_as_long_as_the_user_wants(desk: Desk) -> None:
    """It starts and ends beside the window, which shows the switch as it was turned."""
    desk.lending.lend(wanted=True)
    assert (desk.view.this.is_on, desk.view.this.is_busy, desk.view.this.address) == (True, True, "")
    desk.finish()
    assert (desk.worker.runs, desk.view.this.is_busy, desk.view.this.address) == (True, False, "10.0.0.1:42517")
    desk.lending.new_code()
    assert desk.view.this.code == "code 1"
    desk.lending.lend(wanted=False)
    desk.finish()
    assert (desk.worker.runs, desk.view.this.is_on, desk.view.this.code) == (False, False, "")


def test_a_switch_that_is_turned_back_meanwhile_holds(desk: Desk) -> None:
    """The last turn counts."""
    desk.lending.lend(wanted=True)
    desk.lending.lend(wanted=False)
    desk.finish()
    assert (desk.worker.runs, desk.view.this.is_on, desk.view.this.is_busy) == (False, False, False)


def test_a_mac_that_cannot_be_lent_says_why(desk: Desk) -> None:
    """The user may turn the switch again."""
    desk.worker = Worker(fails=True)
    desk.lending.lend(wanted=True)
    desk.finish()
    assert (desk.view.this.is_on, desk.view.this.problem) == (True, "The port is taken.")
    desk.worker = Worker()
    desk.lending.lend(wanted=False)
    desk.lending.lend(wanted=True)
    desk.finish()
    assert (desk.worker.runs, desk.view.this.problem) == (True, "")


def test_a_lent_mac_follows_its_address(desk: Desk) -> None:
    """The user takes it elsewhere, or plugs a cable in. The switch can be turned meanwhile."""
    desk.lending.lend(wanted=True)
    desk.finish()
    desk.host = "10.0.0.2"
    for _ in range(LOOK_SECONDS):
        desk.lending.tick()
    assert not desk.lending.view().is_busy
    desk.lending.lend(wanted=False)
    desk.finish()
    assert (desk.worker.runs, desk.view.this.is_on) == (False, False)
    desk.lending.lend(wanted=True)
    desk.finish()
    desk.host = "10.0.0.3"
    desk.wait()
    assert (desk.worker.runs, desk.view.this.address) == (True, "10.0.0.3:42517")


def test_a_mac_that_is_lent_before_its_network_is_there_waits_for_it(desk: Desk) -> None:
    """It says so instead of an address, and again when the network goes."""
    desk.host = ""
    desk.lending.lend(wanted=True)
    desk.wait()
    desk.wait()
    assert (desk.view.this.problem, desk.view.this.address, desk.view.this.is_busy) == (
        "There is no network.",
        "",
        False,
    )
    desk.host = "10.0.0.2"
    desk.wait()
    assert (desk.view.this.problem, desk.view.this.address) == ("", "10.0.0.2:42517")
    desk.host = ""
    desk.wait()
    assert (desk.view.this.problem, desk.worker.runs) == ("There is no network.", False)


def test_a_denied_keychain_is_asked_again_by_the_user_alone(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time it would ask the user in a dialog of the system."""
    asked: list[str] = []

    def deny(_post: Post) -> None:
        asked.append("keychain")
        raise MacsError("The keychain is locked.") from OwnKeyLocked()

    with monkeypatch.context() as locked:
        locked.setattr(Post, "renew", deny)
        desk.lending.lend(wanted=True)
        for _ in range(3):
            desk.wait()
    assert (asked, desk.view.this.problem) == (["keychain"], "The keychain is locked.")
    desk.lending.lend(wanted=True)
    desk.wait()
    assert (desk.view.this.problem, desk.worker.runs) == ("", True)


def test_a_group_is_not_ended_for_another_address(desk: Desk) -> None:
    """Its connections may hold. The Mac follows once it has ended."""
    desk.lending.lend(wanted=True)
    desk.finish()
    desk.worker.leader, desk.host = STUDIO.fingerprint, "10.0.0.2"
    desk.wait()
    assert desk.view.this.address == "10.0.0.1:42517"
    desk.worker.leader = ""
    desk.wait()
    assert desk.view.this.address == "10.0.0.2:42517"


def test_a_lent_mac_ends_with_the_window(desk: Desk) -> None:
    """Its group ends, and the window is not told any more."""
    desk.lending.lend(wanted=True)
    desk.finish()
    shown = len(desk.shown)
    desk.lending.close()
    desk.finish()
    assert (desk.worker.runs, len(desk.shown)) == (False, shown)


def test_a_mac_that_is_being_lent_ends_with_the_window(desk: Desk) -> None:
    """Its thread does what is queued, and the window hears nothing of that any more."""
    desk.lending.lend(wanted=True)
    desk.lending.close()
    for work, _, _ in desk.threads["lending"].waiting:
        work()
    assert not desk.worker.runs
