"""Several Macs as the user handles them: the page of the settings, this Mac as others use it, and where a model runs.

Runs on the window's thread. Whatever waits for a disk or for another Mac runs on a thread of its own, one for each Mac.
What those threads call is imported there: no start needs its libraries.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from app.base.background import Background
from app.base.errors import notice
from app.base.settings import ModelSettings
from app.desktop.groups import Groups
from app.desktop.model_choice import USE
from app.macs.copies import Copies, CopyPorts
from app.macs.errors import CopyFailed, MacMissing, MacsError
from app.macs.holding import Holding, holding
from app.macs.lending import Lending
from app.macs.lookout import Lookout
from app.macs.presenter import LISTS, MacsPorts, MacsPresenter
from app.macs.roster import folder, leaders, workers
from engine.protocol.messages import ModelFailed, ModelLoaded, ModelUnloaded, Ready
from resources.language.text import tr
from ui.intents.models import PickModel
from ui.intents.notice import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.paths import Paths
    from app.desktop.workspace import Workspace
    from app.engine_client.group import Group
    from app.macs.reach import MacState
    from app.macs.roster import Mac
    from app.macs.worker import Worker
    from engine.protocol.messages import Event
    from ui.state.macs import MacsView
    from ui.window.main_window import MainWindow

MISSING = "macs:missing"
"""The notice about a model whose Macs are not paired any more."""
PATIENCE_S = 2.0
"""How long closing waits for the list of Macs to be saved."""
_LENDING = "lending"
_COPIES = "copies"
_log = logging.getLogger(__name__)


class Macs:
    """`presenter` shows the page of the settings."""

    def __init__(self, paths: Paths, window: MainWindow, workspace: Workspace) -> None:
        self._paths = paths
        self._window = window
        self._workspace = workspace
        self._threads: dict[str, Background] = {}
        self._loaded: ModelLoaded | None = None
        self._formed = ModelSettings()  # by these the newest group was formed; the next one may differ already
        self._lent = ("", "", "")
        self._groups = Groups(paths, folder(paths))
        lists = workers(paths), leaders(paths)
        ports = MacsPorts(
            paired=lists[0].paired,
            leaders=lists[1].paired,
            pair=self._pair,
            ask=self._ask,
            forget=lists[0].remove,
            tell_unpaired=self._tell_unpaired,
            forget_leader=lists[1].remove,
            thread=self._thread,
        )
        self._lending_thread = Background(_LENDING)
        self.lending = Lending(self._worker, self._lending_thread)
        self.presenter = MacsPresenter(ports, self.lending, self._show, self._held)
        self._lookout = Lookout(self.presenter.show_found)
        self.repository_of: Callable[[str], str] = lambda model: Path(model).name
        copying = CopyPorts(
            lacking=self._lacking,
            copy=self._copy,
            thread=self._thread(_COPIES),
            name_of=workspace.name_of,
            show=window.show_notice,
            clear=window.clear_notice,
            arrived=self._arrived,
        )
        self.copies = Copies(copying)

    def start(self) -> None:
        """Ask the paired Macs, and wait for others if the user wants that."""
        self.presenter.look()
        if self._workspace.settings.lends_mac:
            self.lending.lend(wanted=True)

    def look_around(self) -> None:
        """Ask the paired Macs, and look for others on the network for some seconds."""
        self.presenter.look()
        self._lookout.look()

    def lend(self, wanted: bool) -> None:  # noqa: FBT001 - a part of the intent
        """Let other Macs use this one from now on, or do so no longer."""
        self._workspace.keep_lending(wanted)
        self.lending.lend(wanted=wanted)

    def tick(self) -> None:
        """Every second: show what other Macs have done here meanwhile, and which are on the network."""
        this = self.lending.view()
        lent = this.address, this.code, this.leader
        if lent != self._lent:
            self._lent = lent
            self.presenter.look()
        self._lookout.tick()
        self.copies.tick()

    def offer_copy(self, model: str) -> None:
        """Offer to copy a model to the Macs on which it shall run, if one lacks it."""
        own = self._workspace.settings.of_model(model)
        if own.macs and not own.base:
            self.copies.look(model, tuple(mac for mac in self.presenter.macs if mac.fingerprint in own.macs))

    def engine_event(self, event: Event) -> None:
        """The engine has loaded or unloaded a model, or is a new one without any. A load may fail because a Mac does
        not have the model.
        """
        if isinstance(event, ModelFailed):
            self.offer_copy(event.path)
        if isinstance(event, ModelLoaded | ModelUnloaded | Ready):
            self._loaded = event if isinstance(event, ModelLoaded) else None
            self.presenter.show_again()

    def close(self) -> None:
        """End the threads, and let the group that runs here end by itself: its thread stays until then. Wait for the
        lists alone: another Mac may not answer.
        """
        self._groups.end()
        self._lookout.end()
        self.lending.close()
        self.copies.close()
        self._lending_thread.finish()
        for name, thread in self._threads.items():
            thread.finish(PATIENCE_S if name == LISTS else 0.0)

    def _show(self, view: MacsView) -> None:
        """Show the page. The window makes its dialogs anew when the language changes."""
        self._window.store.macs.put(view)

    # --- which Macs run a model

    def others(self) -> tuple[tuple[str, str], ...]:
        """Return the Macs that this one may use, by fingerprint and name."""
        return tuple((mac.fingerprint, mac.name) for mac in self.presenter.macs)

    def memory_elsewhere(self) -> int:
        """Return the bytes that the other Macs have for a model. One that has not answered counts nothing."""
        held = self._held().sizes
        known = self.presenter.states.items()
        return sum(state.free_bytes + held.get(mac, 0) for mac, state in known if state.reachable)

    def states_of(self, model: str) -> tuple[MacState | None, ...]:
        """Return the last answers of the Macs on which the user wants a model; None for one that was not asked."""
        return tuple(self.presenter.states.get(mac) for mac in self._workspace.settings.of_model(model).macs)

    def memory(self, macs: tuple[str, ...]) -> tuple[int, ...]:
        """Return all memory of this Mac and of each of the others in bytes; 0 if it is unknown."""
        states = (self.presenter.states.get(mac) for mac in macs)
        return (psutil.virtual_memory().total, *(0 if state is None else state.memory_bytes for state in states))

    def group_of(self, model: str) -> Group | None:
        """Return the group that the user wants for a model; None for this Mac alone."""
        wanted, name = self._workspace.settings.of_model(model), self._workspace.name_of(model)
        try:
            group = self._groups.form(name, wanted)
        except MacMissing as error:
            self._window.show_notice(Notice(MISSING, str(error)))
            return None
        except (MacsError, OSError) as error:
            _log.warning("the group of %s cannot be formed: %s", ascii(model), error)
            self._window.show_notice(notice(error))
            return None
        if group is not None:
            self._window.clear_notice(MISSING)
            self._formed = wanted
        return group

    def _held(self) -> Holding:
        loaded, formed = self._loaded, self._formed
        if loaded is None or not loaded.shares:
            return Holding()
        return holding(self._workspace.name_of(loaded.path), formed, loaded.shares, self.memory(formed.macs))

    # --- the threads

    def _pair(self, code: str, address: str) -> Mac:
        from app.macs import pairing

        return pairing.pair(self._paths, code, address)

    def _ask(self, mac: Mac) -> MacState:
        from app.macs import reach

        return reach.ask_anywhere(self._paths, mac, lambda: self._addresses_of(mac))

    def _addresses_of(self, mac: Mac) -> list[str]:
        """Where Macs wait that say that they are this one."""
        return [one.address for one in self._lookout.found if one.claims(mac.fingerprint)]

    def _tell_unpaired(self, mac: Mac) -> None:
        from app.macs import pairing

        pairing.tell_unpaired(self._paths, mac)

    def _lacking(self, model: str, macs: tuple[Mac, ...]) -> tuple[Mac, ...]:
        from engine.workers.model_sketch import sketch

        own, states = sketch(Path(model)), [(mac, self._ask(mac)) for mac in macs]
        return tuple(mac for mac, state in states if state.reachable and own not in state.models)

    def _copy(self, model: str, mac: Mac, progress: Callable[[int, int], bool]) -> None:
        from app.macs import copying
        from engine.workers.errors import Unpaired

        if all(one.fingerprint != mac.fingerprint for one in workers(self._paths).paired()):
            raise CopyFailed(str(Unpaired(mac.name)))
        copying.copy(self._paths, mac, Path(model), self.repository_of(model), progress)

    def _arrived(self, model: str, text: str) -> None:
        self._window.show_notice(Notice(USE + model, text, tr("Use it"), intent=PickModel(model)))
        self.presenter.look()

    def _worker(self) -> Worker:
        from app.macs import interfaces
        from app.macs.worker import Worker

        return Worker(self._paths, interfaces.usual())

    def _thread(self, name: str) -> Background:
        if name not in self._threads:
            self._threads[name] = Background(f"mac-{name[:8]}")
        return self._threads[name]
