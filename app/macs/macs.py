"""Several Macs as the user handles them: the page of the settings, this Mac as others use it, and where a model runs.

Runs on the window's thread. Whatever waits for a disk or for another Mac runs on a thread of its own, one for each Mac.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

import psutil

from app.base.background import Background
from app.base.errors import notice
from app.base.paths import Paths
from app.base.ports import ViewSink
from app.base.saved_settings import SavedSettings
from app.base.settings import ModelSettings
from app.engine_client.hosting import Group
from app.macs.calls import MacCalls
from app.macs.copies import Copies
from app.macs.errors import MacMissing, MacsError
from app.macs.groups import Groups
from app.macs.lending import Lending
from app.macs.placement import Holding, holding, measured, placed
from app.macs.presenter import LISTS, MacsPresenter
from app.macs.roster import folder
from app.models.choice import USE
from app.models.presenter import LocalModelsPresenter
from engine.protocol.messages import Event, ModelFailed, ModelLoaded, ModelUnloaded, Ready
from resources.language.text import tr
from ui.intents.models import PickModel
from ui.intents.notice import Notice

if TYPE_CHECKING:
    from app.macs.reach import MacState

MISSING = "macs:missing"
"""The notice about a model whose Macs are not paired any more."""
PATIENCE_S = 2.0
"""How long closing waits for the list of Macs to be saved."""
_log = logging.getLogger(__name__)


class Macs:
    """`presenter` shows the page of the settings. `models` returns the models on this Mac."""

    def __init__(
        self,
        paths: Paths,
        saved: SavedSettings,
        sink: ViewSink,
        models: Callable[[], LocalModelsPresenter],
    ) -> None:
        self._saved = saved
        self._sink = sink
        self._models = models
        self._threads: dict[str, Background] = {}
        self._loaded: ModelLoaded | None = None
        self._formed = ModelSettings()  # by these the newest group was formed; the next one may differ already
        self._lent = ("", "", "")
        self._groups = Groups(paths, folder(paths))
        calls = MacCalls(paths, lambda: self.presenter.on_network)
        self._lending_thread = Background("lending")
        self.lending = Lending(calls.worker, self._lending_thread)
        self.presenter = MacsPresenter(calls, self._thread, self.lending, sink.store, self._held)
        self.presenter.changed = lambda: models().show_again()
        copied = self._thread("copies")
        self.copies = Copies(
            calls, copied, sink, saved.name_of, lambda model: models().repository_of(model), self._arrived
        )

    def start(self) -> None:
        """Ask the paired Macs, and wait for others if the user wants that."""
        self.presenter.look()
        if self._saved.settings.lends_mac:
            self.lending.lend(wanted=True)

    def lend(self, wanted: bool) -> None:  # noqa: FBT001 - a part of the intent
        """Let other Macs use this one from now on, or do so no longer."""
        self._saved.change(lends_mac=wanted)
        self.lending.lend(wanted=wanted)

    def tick(self) -> None:
        """Every second: show what other Macs have done here meanwhile, and which are on the network."""
        this = self.lending.view()
        lent = this.address, this.code, this.leader
        if lent != self._lent:
            self._lent = lent
            self.presenter.look()
        self.presenter.tick()
        self.copies.tick()

    def offer_copy(self, model: str) -> None:
        """Offer to copy a model to the Macs on which it shall run, if one lacks it."""
        own = self._saved.settings.of_model(model)
        if own.macs and not own.base:
            self.copies.look(model, tuple(mac for mac in self.presenter.macs if mac.fingerprint in own.macs))

    def engine_event(self, event: Event) -> None:
        """The engine has loaded or unloaded a model, or is a new one without any. A load may fail because a Mac does
        not have the model. If the Macs of a group have measured their times for a layer, the next load divides the
        layers by them.
        """
        if isinstance(event, ModelFailed):
            self.offer_copy(event.path)
        if isinstance(event, ModelLoaded) and event.layer_times:
            own = self._saved.settings.of_model(event.path)
            facts, memory = self._models().facts_of(event.path), self.memory(own.macs)
            self._saved.change_model(event.path, measured(own, facts, memory, event.layer_times))
        if isinstance(event, ModelLoaded | ModelUnloaded | Ready):
            self._loaded = event if isinstance(event, ModelLoaded) else None
            self.presenter.show_again()

    def close(self) -> None:
        """End the threads, and let the group that runs here end by itself: its thread stays until then. Wait for the
        lists alone: another Mac may not answer.
        """
        self._groups.end()
        self.presenter.end()
        self.lending.close()
        self.copies.close()
        self._lending_thread.finish()
        for name, thread in self._threads.items():
            thread.finish(PATIENCE_S if name == LISTS else 0.0)

    # --- which Macs run a model

    def others(self) -> tuple[tuple[str, str], ...]:
        """Return the Macs that this one may use, by fingerprint and name."""
        return tuple((mac.fingerprint, mac.name) for mac in self.presenter.macs)

    def memory_elsewhere(self) -> int:
        """Return the bytes that the other Macs have for a model. One that has not answered counts nothing."""
        held = self._held().sizes
        known = self.presenter.states.items()
        return sum(state.free_bytes + held.get(mac, 0) for mac, state in known if state.reachable)

    def placed(self, model: str, settings: ModelSettings) -> ModelSettings:
        """Return the settings of a model with the way in which it is divided over the Macs that the user has chosen."""
        return placed(settings, self._models().facts_of(model), self.memory(settings.macs))

    def states_of(self, model: str) -> tuple[MacState | None, ...]:
        """Return the last answers of the Macs on which the user wants a model; None for one that was not asked."""
        return tuple(self.presenter.states.get(mac) for mac in self._saved.settings.of_model(model).macs)

    def memory(self, macs: tuple[str, ...]) -> tuple[int, ...]:
        """Return all memory of this Mac and of each of the others in bytes; 0 if it is unknown."""
        states = (self.presenter.states.get(mac) for mac in macs)
        return (psutil.virtual_memory().total, *(0 if state is None else state.memory_bytes for state in states))

    def group_of(self, model: str) -> Group | None:
        """Return the group that the user wants for a model; None for this Mac alone."""
        wanted, name = self._saved.settings.of_model(model), self._saved.name_of(model)
        try:
            group = self._groups.form(name, wanted)
        except MacMissing as error:
            self._sink.show_notice(Notice(MISSING, str(error)))
            return None
        except (MacsError, OSError) as error:
            _log.warning("the group of %s cannot be formed: %s", ascii(model), error)
            self._sink.show_notice(notice(error))
            return None
        if group is not None:
            self._sink.clear_notice(MISSING)
            self._formed = wanted
        return group

    def _held(self) -> Holding:
        loaded, formed = self._loaded, self._formed
        if loaded is None or not loaded.shares:
            return Holding()
        return holding(self._saved.name_of(loaded.path), formed, loaded.shares, self.memory(formed.macs))

    def _arrived(self, model: str, text: str) -> None:
        self._sink.show_notice(Notice(USE + model, text, tr("Use it"), intent=PickModel(model)))
        self.presenter.look()

    def _thread(self, name: str) -> Background:
        if name not in self._threads:
            self._threads[name] = Background(f"mac-{name[:8]}")
        return self._threads[name]
