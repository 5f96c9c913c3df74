"""The page of several Macs as the user handles it: asks the paired Macs, pairs and unpairs, and lends this one. Runs on
the window's thread; whatever waits for a disk or for another Mac runs on a thread of its own.

Invariants:

- A Mac is asked once at a time. One that does not answer delays no other.
- What a Mac said last stays on the page while it is asked again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from app.base.errors import words
from ui.state.macs import FoundMac, GroupPace, MacsView, MacView, PairingStep, PairingView, Reach

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import Worker as Thread
    from app.macs.announcement import Announcement
    from app.macs.holding import Holding
    from app.macs.lending import Lending
    from app.macs.reach import MacState
    from app.macs.roster import Mac

LISTS: Final = "macs"
"""The thread that reads and writes the lists of paired Macs. It never waits for another Mac."""
_PAIRS = "pairing"


@dataclass(frozen=True, slots=True)
class MacsPorts:
    """Calls that block, and may raise AppError. `pair` takes a code and an address, `ask` a paired Mac.

    - `paired` and `leaders` list the Macs that this one may use, and those that may use it.
    - `forget` and `forget_leader` remove the one with a fingerprint from the list; `tell_unpaired` tells a worker.
    - `thread` returns the thread with a name; a later call with the same name returns the same one.
    """

    paired: Callable[[], tuple[Mac, ...]]
    leaders: Callable[[], tuple[Mac, ...]]
    pair: Callable[[str, str], Mac]
    ask: Callable[[Mac], MacState]
    forget: Callable[[str], object]
    tell_unpaired: Callable[[Mac], object]
    forget_leader: Callable[[str], object]
    thread: Callable[[str], Thread]


class MacsPresenter:
    """Shows the page on `show`. `lending` is this Mac as others use it.

    `held` returns what each Mac holds of the loaded model. `changed` is called when the paired Macs, or what is known
    of them, have changed. `left` is called with each Mac that is no longer in the list.
    """

    def __init__(
        self,
        ports: MacsPorts,
        lending: Lending,
        show: Callable[[MacsView], object],
        held: Callable[[], Holding],
    ) -> None:
        self._ports = ports
        self._lending = lending
        self._show = show
        self._held = held
        self.changed: Callable[[], object] = lambda: None
        self.left: Callable[[str], object] = lambda _mac: None
        self.macs: tuple[Mac, ...] = ()
        self._leaders: tuple[Mac, ...] = ()
        self.states: dict[str, MacState] = {}
        self._found: tuple[Announcement, ...] = ()
        self._can_find = True
        self._asking: set[str] = set()
        self._pairing = PairingView()
        self._trouble = ""
        lending.changed = self.show_again

    def look(self) -> None:
        """List the paired Macs, and ask each."""
        self._ports.thread(LISTS).run(self._lists, self._listed, self._not_listed)
        self.show_again()

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
        self._ports.thread(_PAIRS).run(partial(self._ports.pair, code, address), self._paired, self._not_paired)

    def unpair(self, fingerprint: str) -> None:
        """End the pairing with a Mac, and tell it if it answers."""
        for mac in [mac for mac in self.macs if mac.fingerprint == fingerprint]:
            self.macs = tuple(other for other in self.macs if other is not mac)
            self.states.pop(fingerprint, None)
            forget = partial(self._ports.forget, fingerprint)
            self._ports.thread(LISTS).run(forget, partial(self._forgotten, mac), self._not_listed)
        self.changed()
        self.show_again()

    def unpair_leader(self, fingerprint: str) -> None:
        """Let a Mac use this one no longer."""
        forget = partial(self._ports.forget_leader, fingerprint)
        self._ports.thread(LISTS).run(forget, self._gone, self._not_listed)

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
        self._show(MacsView(this, macs, held.model, self._pairing, self._trouble, found, self._can_find))

    # --- the threads

    def _lists(self) -> tuple[tuple[Mac, ...], tuple[Mac, ...]]:
        return self._ports.paired(), self._ports.leaders()

    def _listed(self, lists: tuple[tuple[Mac, ...], tuple[Mac, ...]]) -> None:
        before, self._trouble = self.macs, ""
        self.macs, self._leaders = lists
        if self.macs != before:
            self.changed()
        for gone in {mac.fingerprint for mac in before} - {mac.fingerprint for mac in self.macs}:
            self.left(gone)
        for mac in self.macs:
            self._ask(mac)
        self.show_again()

    def _not_listed(self, error: Exception) -> None:
        self._trouble = words(error)
        self.show_again()

    def _ask(self, mac: Mac) -> None:
        name = mac.fingerprint
        if name not in self._asking:
            self._asking.add(name)
            ask = partial(self._ports.ask, mac)
            self._ports.thread(name).run(ask, partial(self._answered, name), partial(self._not_asked, name))

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

    def _not_paired(self, error: Exception) -> None:
        self._say(PairingView(PairingStep.FAILED, words(error)))

    def _say(self, pairing: PairingView) -> None:
        self._pairing = pairing
        self.show_again()

    def _forgotten(self, mac: Mac, _result: object) -> None:
        tell = partial(self._ports.tell_unpaired, mac)
        self._ports.thread(mac.fingerprint).run(tell, self._gone, self._not_listed)
        self.left(mac.fingerprint)
        self.look()

    def _gone(self, _result: object) -> None:
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
