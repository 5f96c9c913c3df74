"""The calls of a window that wait for a disk, for the network or for another Mac. All of them may raise AppError.

They run on threads of their own. What they call is imported there: no start needs its libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.base.paths import Paths
from app.macs.errors import CopyFailed
from app.macs.roster import Mac, leaders, workers

if TYPE_CHECKING:
    from app.macs.nearby import Announcement
    from app.macs.reach import MacState
    from app.macs.worker import Post


class MacCalls:
    """The calls for the home at `paths`. `found` returns the Macs on the network."""

    def __init__(self, paths: Paths, found: Callable[[], tuple[Announcement, ...]]) -> None:
        self._paths = paths
        self._found = found

    def listed_workers(self) -> tuple[Mac, ...]:
        """Return the Macs that this one may use."""
        return workers(self._paths).paired()

    def listed_leaders(self) -> tuple[Mac, ...]:
        """Return the Macs that may use this one."""
        return leaders(self._paths).paired()

    def forget(self, fingerprint: str) -> None:
        """Let this Mac use another one no longer."""
        workers(self._paths).remove(fingerprint)

    def forget_leader(self, fingerprint: str) -> None:
        """Let another Mac use this one no longer."""
        leaders(self._paths).remove(fingerprint)

    def tell_unpaired(self, mac: Mac) -> None:
        """Tell a Mac that this one uses it no longer."""
        from app.macs import pairing

        pairing.tell_unpaired(self._paths, mac)

    def pair(self, code: str, address: str) -> Mac:
        """Pair with the Mac at an address, which shows this code."""
        from app.macs import pairing

        return pairing.pair(self._paths, code, address)

    def ask(self, mac: Mac) -> MacState:
        """Ask a paired Mac, where it was last or at the addresses of those that say that they are this one."""
        from app.macs import reach

        return reach.ask_anywhere(
            self._paths, mac, lambda: [one.address for one in self._found() if one.claims(mac.fingerprint)]
        )

    def lacking(self, model: str, macs: tuple[Mac, ...]) -> tuple[Mac, ...]:
        """Return those of the Macs that answer and do not have the model in this folder."""
        from engine.workers.model_sketch import sketch

        own, states = sketch(Path(model)), [(mac, self.ask(mac)) for mac in macs]
        return tuple(mac for mac, state in states if state.reachable and own not in state.models)

    def copy(self, model: str, name: str, mac: Mac, progress: Callable[[int, int], bool]) -> None:
        """Copy the model in this folder to a Mac, wherever it is now. `progress` gets the bytes that are there and all
        bytes, and returns whether to go on.
        """
        from app.macs import reach

        self.ask(self._listed(mac))  # if it has moved, the list has its new address from now on
        reach.copy(self._paths, self._listed(mac), Path(model), name, progress)

    def _listed(self, mac: Mac) -> Mac:
        """Return the present entry of a Mac."""
        from engine.workers.errors import Unpaired

        for one in workers(self._paths).paired():
            if one.fingerprint == mac.fingerprint:
                return one
        raise CopyFailed(str(Unpaired(mac.name)))

    def post(self) -> Post:
        """Return this Mac as a worker at its usual address."""
        from app.macs import interfaces
        from app.macs.worker import Post, Worker

        return Post(partial(Worker, self._paths), interfaces.usual)
