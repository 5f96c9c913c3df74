"""Several Macs as the user handles them: the page of the settings, this Mac as others use it, and where a model runs.

`GroupReturn` starts a group that was given up again, once a Mac that was away is back. If all Macs answered when it was
given up, the reason is another one, such as a firewall. Then only the user starts it again: a group that starts by
itself and fails each time would load its model for nothing.

Runs on the window's thread. Whatever waits for a disk or for another Mac runs on a thread of its own, one for each Mac.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import psutil

from app.base.background import Background
from app.base.errors import notice
from app.base.paths import Paths
from app.base.ports import ViewSink
from app.base.saved_settings import SavedSettings
from app.base.settings import ModelSettings
from app.engine_client.connection import EngineConnection
from app.engine_client.hosting import Hosting, MacGroup
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
        self.lending = Lending(calls.post, self._thread("lending"))
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
        self.lending.tick()
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

    def group_of(self, model: str) -> MacGroup | None:
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


LOOK_SECONDS: Final = 5
"""How often the Macs of a group that was given up are asked."""


class GroupReturn:
    """Asks the Macs of a group that was given up and is still wanted, and starts the group again."""

    def __init__(self, macs: Macs, hosting: Hosting, connection: EngineConnection) -> None:
        self._macs = macs
        self._hosting = hosting
        self._connection = connection
        self._seconds = 0
        self._before: Sequence[MacState | None] = ()
        self._was_away = False

    def tick(self) -> None:
        """Every second: ask the Macs, and start the group if all are back."""
        if not self._hosting.lacks_group:
            self._seconds, self._was_away = 0, False
            return
        if self._seconds == 0:
            self._before = self._macs.states_of(self._connection.model)
        if self._seconds % LOOK_SECONDS == 0:
            self._macs.presenter.look_around()
        self._seconds += 1
        self._judge()

    def _judge(self) -> None:
        """Start the group if a Mac was away, or worked for another one, and now none is and none does."""
        states = self._macs.states_of(self._connection.model)
        # Answers from before the group was given up do not count.
        answers = [state for state in states if state is not None and all(state is not old for old in self._before)]
        # The Mac's end of the lost group may take some seconds: for that long it works for this one.
        if any(not state.reachable or (state.leader and not state.is_own_group) for state in answers):
            self._was_away = True
        elif self._was_away and len(answers) == len(self._before) and not any(state.leader for state in answers):
            self._connection.use(self._connection.model)
