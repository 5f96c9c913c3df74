"""The page of several Macs as the user handles it: asks the paired Macs, pairs and unpairs, and lends this one. Runs on
the window's thread; whatever waits for a disk or for another Mac runs on a thread of its own.

Invariants:

- A Mac is asked once at a time. One that does not answer delays no other.
- What a Mac said last stays on the page while it is asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from app.base.errors import words
from app.base.ports import Runner
from app.macs.calls import MacCalls
from app.macs.lending import Lending
from app.macs.placement import Holding
from app.macs.roster import Mac
from ui.state.macs import FoundMac, GroupPace, MacsView, MacView, PairingStep, PairingView, Reach
from ui.store import Store

if TYPE_CHECKING:
    from app.macs.nearby import Announcement, Nearby
    from app.macs.reach import MacState

LISTS: Final = "macs"
"""The thread that reads and writes the lists of paired Macs. It never waits for another Mac."""
_PAIRS = "pairing"
LOOK_SECONDS: Final = 20
"""How long this Mac looks for others: longer than the pauses between the requests of a page or of a group."""


class MacsPresenter:
    """Shows the page in `store`. `lending` is this Mac as others use it. `thread` returns the thread with a name; a
    later call with the same name returns the same one.

    `held` returns what each Mac holds of the loaded model. `changed` is called when the paired Macs, or what is known
    of them, have changed. `left` is called with each Mac that is no longer in the list.
    """

    def __init__(
        self,
        calls: MacCalls,
        thread: Callable[[str], Runner],
        lending: Lending,
        store: Store,
        held: Callable[[], Holding],
    ) -> None:
        self._calls = calls
        self._thread = thread
        self._lending = lending
        self._store = store
        self._held = held
        self.changed: Callable[[], object] = lambda: None
        self.left: Callable[[str], object] = lambda _mac: None
        self.macs: tuple[Mac, ...] = ()
        self._leaders: tuple[Mac, ...] = ()
        self.states: dict[str, MacState] = {}
        self._nearby: Nearby | None = None
        self._seconds_left = 0
        self._found: tuple[Announcement, ...] = ()
        self._can_find = True
        self._asking: set[str] = set()
        self._pairing = PairingView()
        self._trouble = ""
        lending.changed = self.show_again

    def look(self) -> None:
        """List the paired Macs, and ask each."""
        lists = self._thread(LISTS)
        lists.run(self._calls.listed_workers, self._listed, self._not_listed)
        lists.run(self._calls.listed_leaders, self._leaders_listed, self._not_listed)
        self.show_again()

    def look_around(self) -> None:
        """Ask the paired Macs, and look for others on the network for LOOK_SECONDS. The page of the Macs repeats this
        while it is open, and so does a group that waits for a Mac.
        """
        from app.macs.nearby import Nearby  # no start needs its libraries

        self.look()
        self._seconds_left = LOOK_SECONDS
        if self._nearby is None:
            self._nearby = Nearby()

    @property
    def on_network(self) -> tuple[Announcement, ...]:
        """The Macs on the network; none unless this one looks for them. Any thread may ask."""
        return nearby.macs if (nearby := self._nearby) is not None else ()

    def tick(self) -> None:
        """Every second: show which Macs are on the network."""
        if self._nearby is not None:
            self._seconds_left -= 1
            self.show_found(self._nearby.macs, can_find=self._nearby.is_possible)
            if self._seconds_left <= 0:
                self.end()

    def end(self) -> None:
        """Look for no Macs on the network any longer. The thread ends soon."""
        nearby, self._nearby = self._nearby, None
        if nearby is not None:
            nearby.close()
            self.show_found((), can_find=True)

    def show_found(self, found: tuple[Announcement, ...], *, can_find: bool) -> None:
        """Show the Macs on the network. Ask a paired one again if it does not answer: its address may have changed."""
        if (found, can_find) == (self._found, self._can_find):
            return
        self._found, self._can_find = found, can_find
        for mac in self.macs:
            state = self.states.get(mac.fingerprint)
            if state is not None and not state.reachable and any(one.claims(mac.fingerprint) for one in found):
                self._ask(mac)
        self.show_again()

    def pair(self, code: str, address: str) -> None:
        """Pair with another Mac, if no pairing is under way."""
        if self._pairing.step is PairingStep.BUSY:
            return
        self._say(PairingView(PairingStep.BUSY))
        self._thread(_PAIRS).run(
            partial(self._calls.pair, code, address),
            self._paired,
            lambda error: self._say(PairingView(PairingStep.FAILED, words(error))),
        )

    def unpair(self, fingerprint: str) -> None:
        """End the pairing with a Mac, and tell it if it answers."""
        for mac in [mac for mac in self.macs if mac.fingerprint == fingerprint]:
            self.macs = tuple(other for other in self.macs if other is not mac)
            self.states.pop(fingerprint, None)
            forget = partial(self._calls.forget, fingerprint)
            self._thread(LISTS).run(forget, partial(self._forgotten, mac), self._not_listed)
        self.changed()
        self.show_again()

    def unpair_leader(self, fingerprint: str) -> None:
        """Let a Mac use this one no longer."""
        forget = partial(self._calls.forget_leader, fingerprint)
        self._thread(LISTS).run(forget, lambda _none: self.look(), self._not_listed)

    def show_again(self) -> None:
        """Show everything that is known."""
        held = self._held()
        leaders = tuple((mac.fingerprint, mac.name) for mac in self._leaders)
        own = held.sizes.get("", 0), held.paces.get("", GroupPace.ALIKE)
        this = replace(self._lending.view(), leaders=leaders, holds=own[0], pace=own[1])
        macs = tuple(view_of(mac, self.states.get(mac.fingerprint), held) for mac in self.macs)
        found = tuple(
            FoundMac(one.name, one.address, one.is_understood)
            for one in self._found
            if one.address != this.address and not any(one.claims(mac.fingerprint) for mac in self.macs)
        )
        self._store.macs.put(MacsView(this, macs, held.model, self._pairing, self._trouble, found, self._can_find))

    # --- the threads

    def _listed(self, macs: tuple[Mac, ...]) -> None:
        before, self.macs, self._trouble = self.macs, macs, ""
        if self.macs != before:
            self.changed()
        for gone in {mac.fingerprint for mac in before} - {mac.fingerprint for mac in self.macs}:
            self.left(gone)
        for mac in self.macs:
            self._ask(mac)
        self.show_again()

    def _leaders_listed(self, leaders: tuple[Mac, ...]) -> None:
        self._leaders = leaders
        self.show_again()

    def _not_listed(self, error: Exception) -> None:
        self._trouble = words(error)
        self.show_again()

    def _ask(self, mac: Mac) -> None:
        name = mac.fingerprint
        if name not in self._asking:
            self._asking.add(name)
            ask = partial(self._calls.ask, mac)
            self._thread(name).run(ask, partial(self._answered, name), partial(self._not_asked, name))

    def _answered(self, fingerprint: str, state: MacState) -> None:
        self._asking.discard(fingerprint)
        before = self.states.get(fingerprint)
        if any(mac.fingerprint == fingerprint for mac in self.macs):
            self.states[fingerprint] = state
        self.changed()
        self.show_again()
        if before is not None and state.reachable and not before.reachable:
            self.look()  # its address may have changed

    def _not_asked(self, fingerprint: str, error: Exception) -> None:
        self._asking.discard(fingerprint)
        self._not_listed(error)

    def _paired(self, mac: Mac) -> None:
        self._say(PairingView(PairingStep.DONE, mac.name))
        self._pairing = PairingView()
        self.look()

    def _say(self, pairing: PairingView) -> None:
        self._pairing = pairing
        self.show_again()

    def _forgotten(self, mac: Mac, _result: object) -> None:
        tell = partial(self._calls.tell_unpaired, mac)
        self._thread(mac.fingerprint).run(tell, lambda _none: self.look(), self._not_listed)
        self.left(mac.fingerprint)
        self.look()


def view_of(mac: Mac, state: MacState | None, held: Holding) -> MacView:
    """Return a paired Mac as the page shows it."""
    if state is None:
        return MacView(mac.fingerprint, mac.name, mac.address)
    return MacView(
        mac.fingerprint,
        mac.name,
        mac.address,
        Reach.HERE if state.reachable else Reach.AWAY,
        state.problem,
        state.memory_bytes,
        state.free_bytes,
        state.bytes_per_second,
        state.round_trip,
        held.sizes.get(mac.fingerprint, 0) if state.reachable else 0,
        state.leader,
        held.paces.get(mac.fingerprint, GroupPace.ALIKE),
    )
