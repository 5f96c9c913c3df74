"""The models on this machine as the user handles them: keeps what is known of each, looks again, configures them, adds
and drops folders, and hands frozen views to the window. The one owner of their list: others ask for it.

Runs on the window's thread. Listing and inspecting run on a worker thread, one piece of work at a time, so that a look
at the folders waits for at most one inspection.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from app.base.errors import notice
from app.base.ports import Runner, TurnEnd, ViewSink
from app.base.saved_settings import SavedSettings
from app.base.settings import ModelSettings
from app.models import inspections, measurements, views
from app.models.facts import offered
from app.models.fit import MemoryNow, fit, memory_now
from app.models.inspections import Inspections, Survey
from app.models.local_models import LocalModel, LocalModels
from app.models.measurements import Measured
from app.models.views import KnownModel
from engine.protocol.cache_messages import Memory, StoreReport
from engine.protocol.errors import LoadCancelled
from engine.protocol.framing import Inspection
from engine.protocol.inspection import ModelFacts, ModelInspected
from engine.protocol.messages import Event, ModelFailed, ModelLoaded, ModelUnloaded
from resources.language.text import plural, tr
from ui.intents.models import AddModelFolder, PickModel
from ui.intents.notice import Notice, undo_notice
from ui.state.engine import ModelView
from ui.state.models import DownloadView, FitLevel, FitView, LocalModelsView, ModelSettingsView, ModelState
from ui.theme.phrases import one_line

DROPPED: Final = "models:dropped:"
"""The prefix of the key of the notice about a folder that was dropped; its path follows."""
LOOK_TICKS: Final = 10
"""While the models page is visible, Hearth looks so often (in seconds) for disks and files that came or went."""
_ADDED: Final = "models:added"
_UNREADABLE: Final = "models:unreadable"
_PATIENCE_S: Final = 2.0
"""How long closing waits for a disk that hangs."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelsPorts:
    """The dependencies of the presenter.

    - `models` is Hearth's folder of models, `measurements` the file of measured figures.
    - `chats` returns the tokens of each open chat, `current` the folder of the wanted model.
    - `show_offered` shows the models of the picker.
    - `ask_store` asks the engine for a StoreReport, which has the warm chats. `ask_listed` calls back with the ids of
      all chats that are not deleted, and the model of each. `warm_all` looks up what is cached of the open chats.
    - `macs` returns the other Macs by fingerprint and name, `elsewhere` the bytes that they have for a model, and
      `placed` the settings of a model with its division over the Macs that the user has chosen.
    - `downloads` returns the downloads by their repositories.
    - `memory` measures the memory, given the bytes that the engine holds.
    """

    worker: Runner
    inspections: Inspections
    models: Path
    measurements: Path
    chats: Callable[[], tuple[int, ...]]
    current: Callable[[], str]
    show_offered: Callable[[], object]
    ask_store: Callable[[], object]
    ask_listed: Callable[[Callable[[dict[str, str]], object]], object]
    warm_all: Callable[[], object]
    macs: Callable[[], tuple[tuple[str, str], ...]]
    elsewhere: Callable[[], int]
    placed: Callable[[str, ModelSettings], ModelSettings]
    downloads: Callable[[], Mapping[str, DownloadView]]
    memory: Callable[[int], MemoryNow] = memory_now


class LocalModelsPresenter:
    """The models on this machine, as the page, the detail and the picker show them. `models` are all of them, with the
    states that their inspections found, and `offered` those of the picker. `listed` is called after each look and each
    inspection.
    """

    def __init__(self, ports: ModelsPorts, saved: SavedSettings, sink: ViewSink) -> None:
        self._ports = ports
        self._saved = saved
        self._sink = sink
        self.models: tuple[LocalModel, ...] = ()
        self.offered: tuple[ModelView, ...] = ()
        self._ticks = 0
        self._survey = Survey(LocalModels(()))
        self._memory = MemoryNow(0, 0)
        self._measured = measurements.load(ports.measurements)
        self._held_for: Mapping[str, Iterable[str]] = {}
        self._warm: dict[str, int] = {}
        self._users: Counter[str] = Counter()
        self._loaded = ""
        self._held = 0
        self._shown = self._added = ""
        self._busy = False
        self._stale = self._is_asked = False
        self._can_inspect = False
        self._first_states: dict[str, ModelState] = {}
        self.listed: Callable[[], object] = lambda: None

    # --- the user, and the rest of the app

    def refresh(self) -> None:
        """Look for the models again, and show them. None is inspected before `examine` was called."""
        self._stale = True
        self._next()

    def open(self) -> None:
        """The user wants to see the models: examine them, also those that got no answer the last time. From here on the
        rows keep their order.
        """
        self._first_states.clear()
        self._is_asked = True
        self._ports.ask_store()
        self._ask_chats()
        self.examine()

    def examine(self) -> None:
        """Look again, and from now on inspect each model that was not inspected.

        A usual start does not inspect models, because that would delay the load of a large one. The first run loads
        the small built-in model.
        """
        self._can_inspect = True
        self.show_again()
        self.refresh()

    def show(self, model: str) -> None:
        """Show everything about a model, now and after each change."""
        self._shown = model
        self._show_detail()

    def tick(self, *, visible: bool) -> None:
        """Every second: look again from time to time while the page is visible."""
        self._ticks = self._ticks + 1 if visible else 0
        if self._ticks >= LOOK_TICKS:
            self._ticks = 0
            self._ask_chats()
            self.refresh()

    def configure(self, model: str, view: ModelSettingsView) -> bool:
        """Save the settings of a model. Returns whether it is the wanted one and must be loaded again for them. Another
        system prompt makes the open chats cold: look up what is cached of them under the new one.
        """
        before = self._saved.settings.of_model(model)
        after = views.changed(before, view)
        if after.macs != before.macs:
            after = self._ports.placed(model, after)
        self._saved.change_model(model, after)
        self.show_again()
        is_wanted = model == self._ports.current()
        if is_wanted and after.system != before.system:
            self._ports.warm_all()
        return is_wanted and _of_load(after) != _of_load(before)

    def add_folder(self, path: str) -> None:
        """Look for models in this folder, too, and say what was found there."""
        self._sink.clear_notice(DROPPED + path)
        self._added, self._is_asked = path, True
        folders = self._saved.settings.model_folders
        self._keep_folders((*folders, path) if path not in folders else folders)

    def drop_folder(self, path: str) -> None:
        """Stop looking for models in this folder, and offer to undo that."""
        self._keep_folders(tuple(one for one in self._saved.settings.model_folders if one != path))
        told = tr("Models in {folder} are no longer listed. Their files stay where they are.", folder=one_line(path))
        self._sink.show_notice(undo_notice(DROPPED + path, told, AddModelFolder(path)))

    def _keep_folders(self, folders: tuple[str, ...]) -> None:
        self._saved.change(model_folders=folders)
        self.refresh()

    def note_base(self, model: str) -> None:
        """Save the base of a model that the user picks, if it is an adapter."""
        found = self._model(model)
        self._saved.note_base(model, found.base if found is not None else "")

    @property
    def folders(self) -> dict[str, str]:
        """The folders of the models that can be used, by their repositories."""
        return {model.repository: model.folder for model in self.models if model.state is ModelState.READY}

    def memory(self) -> MemoryNow:
        """Return the memory now. The bytes that the engine holds count as free."""
        return self._ports.memory(self._held)

    def has(self, model: str) -> bool:
        """Whether a folder is one of the models on this machine."""
        return self._model(model) is not None

    def repository_of(self, model: str) -> str:
        """Return where a model comes from on the hub, or the name of its folder."""
        found = self._model(model)
        return found.repository if found is not None else model.rpartition("/")[2]

    def facts_of(self, model: str) -> ModelFacts | None:
        """Return the facts of a model; None if it was never inspected."""
        inspection = self._survey.inspections.get(model)
        return inspection.facts if isinstance(inspection, ModelInspected) else None

    def fits_here(self, model: str) -> bool:
        """Whether this machine alone can run a model. True for one that was not inspected: the load measures again."""
        found = self._model(model)
        level = self._fit(found, 0).level if found is not None else FitLevel.UNKNOWN
        return level not in {FitLevel.TOO_LARGE, FitLevel.TOGETHER}

    def reading_rate(self, model: str) -> float:
        """The tokens that a model read per second when that was measured last; 0 if it never was."""
        return self._figures(model).reading

    def measured(self, end: TurnEnd) -> None:
        """An answer has ended: remember the speeds of the loaded model."""
        if self._loaded:
            self._remember(self._loaded, measurements.with_usage(self._figures(self._loaded), end.usage))
            self._show_detail()

    def engine_event(self, event: Event) -> None:
        """The engine has loaded or unloaded a model, or has reported its memory or its store. If a load failed, the
        folders may have changed: look again.
        """
        match event:
            case ModelLoaded():
                self._loaded = event.path
                figures = msgspec.structs.replace(self._figures(event.path), identity=event.identity)
                self._remember(event.path, figures)
                self.show_again()
            case ModelUnloaded():
                self._loaded = ""
                self.show_again()
            case ModelFailed(code=code) if code != LoadCancelled.code:
                self.refresh()
            case Memory():
                self._held = event.active_bytes
            case StoreReport():
                self._held_for = event.identities
                self._ask_chats()

    def _ask_chats(self) -> None:
        self._ports.ask_listed(self._count_chats)

    def _count_chats(self, listed: dict[str, str]) -> None:
        """Count the chats that each model answers, and those whose state is kept for it. Caches of deleted chats stay
        for their time in Recently Deleted. They are in no use.
        """
        before = self._warm, self._users
        self._warm = {identity: len(listed.keys() & chats) for identity, chats in self._held_for.items()}
        self._users = Counter(listed.values())
        if before != (self._warm, self._users):
            self.show_again()

    def close(self) -> None:
        """End the worker, and save what it may not have saved."""
        self._ports.worker.close(_PATIENCE_S)
        measurements.save(self._measured, self._ports.measurements)

    # --- the worker

    def _next(self) -> None:
        """Give the worker its next piece of work: a look at the folders before an inspection."""
        if self._busy:
            return
        if self._stale:
            self._busy, self._stale = True, False
            self._ports.worker.run(self._look(), self._looked, self._failed)
        elif self._can_inspect and (models := self._survey.uninspected):
            self._busy = True
            model = next((model for model in models if model.folder == self._shown), models[0])
            work = partial(self._ports.inspections.inspected, inspections.question(model))
            self._ports.worker.run(work, partial(self._inspected, model.folder), self._failed)

    def _look(self) -> Callable[[], tuple[Survey, MemoryNow]]:
        ports, held = self._ports, self._held
        added, current = self._saved.settings.model_folders, ports.current()
        is_asked, self._is_asked = self._is_asked, False

        def look() -> tuple[Survey, MemoryNow]:
            if is_asked:
                ports.inspections.forget_unanswered()
            return inspections.look(ports.models, added, current, ports.inspections), ports.memory(held)

        return look

    def _looked(self, result: tuple[Survey, MemoryNow]) -> None:
        self._busy = False
        before = {(model.folder, model.note) for model in self._survey.found.models}
        self._survey, self._memory = result
        for model in self._survey.found.models:
            if model.note and (model.folder, model.note) not in before:
                _log.info("%s is not offered: %s", ascii(model.folder), model.note)
        is_newest = not self._stale
        self._list()
        if self._added and is_newest:
            self._tell_added(self._added)
            self._added = ""

    def _tell_added(self, path: str) -> None:
        """Say how many models are in a folder that the user has added, and offer to use the first one that fits."""
        found = [model for model in self.models if Path(model.folder).is_relative_to(path)]
        usable = [model for model in found if model.state is ModelState.READY and self.fits_here(model.folder)]
        words = plural(
            "{count} model was found in {folder}.",
            "{count} models were found in {folder}.",
            len(found),
            folder=one_line(path),
        )
        told = Notice(_ADDED, words, passing=True)
        if usable:
            told = replace(told, action=tr("Use {name}", name=usable[0].name), intent=PickModel(usable[0].folder))
        self._sink.show_notice(told)

    def _inspected(self, folder: str, inspection: Inspection) -> None:
        self._busy = False
        self._survey = self._survey.with_inspection(folder, inspection)
        self._list()

    def _list(self) -> None:
        self.models = tuple(views.checked(self._known(model)) for model in self._survey.found.models)
        self.show_again()
        self.listed()
        self._next()

    def _failed(self, error: Exception) -> None:
        """Without an inspector the list lacks details until the next look."""
        self._busy, self._can_inspect = False, False
        self.show_again()
        self._sink.show_notice(notice(error))
        self._next()

    def _remember(self, model: str, figures: Measured) -> None:
        if self._measured.get(model) != figures:
            self._measured = self._measured | {model: figures}
            save = partial(measurements.save, self._measured, self._ports.measurements)
            self._ports.worker.run(save, lambda _none: None, lambda _error: None)

    def _figures(self, model: str) -> Measured:
        return self._measured.get(model, Measured())

    # --- the window

    def _model(self, folder: str) -> LocalModel | None:
        return next((model for model in self._survey.found.models if model.folder == folder), None)

    def _known(self, model: LocalModel) -> KnownModel:
        settings = self._saved.settings.of_model(model.folder)
        measured = self._figures(model.folder)
        is_unknown = model.state is ModelState.READY and model.folder not in self._survey.inspections
        return KnownModel(
            model=model,
            inspection=self._survey.inspections.get(model.folder),
            checking=is_unknown and self._can_inspect and model.folder != self._loaded,
            fit=self._fit(model, settings.context_limit),
            settings=settings,
            measured=measured,
            loaded=model.folder == self._loaded,
            wanted=model.folder == self._ports.current(),
            chats=self._users[model.folder],
            warm_chats=self._warm.get(measured.identity, 0),
            macs=self._ports.macs(),
        )

    def _fit(self, model: LocalModel, limit: int) -> FitView:
        facts = self.facts_of(model.folder)
        if facts is None or not self._memory.total:
            return FitView()
        memory = replace(self._memory, elsewhere=self._ports.elsewhere())
        return fit(facts, memory, self._ports.chats(), limit, model.weight_files_bytes)

    def show_again(self) -> None:
        """Show all models: one has another alias or limit, a download has changed, or the window was built anew."""
        found = self._survey.found
        if not found.models:  # nothing was looked at yet
            return
        rows = tuple(views.row(self._known(model)) for model in found.models)
        for row in rows:
            self._first_states.setdefault(row.id, row.state)
        rows = views.ordered(rows, self._first_states)
        self.offered = offered(rows)
        self._ports.show_offered()
        self._tell_unreadable()
        usable = sum(model.files is not None and not model.base for model in found.models)  # without adapters
        weight_bytes = sum(model.weight_files_bytes for model in found.models)
        with_downloads = views.with_downloads(rows, self._ports.downloads())
        self._sink.store.local_models.put(
            LocalModelsView(with_downloads, found.trouble, found.folders, usable, weight_bytes)
        )
        self._show_detail()

    def _tell_unreadable(self) -> None:
        """Tell the user of damaged models, unless they were told of all of them before. One that is away now is no news
        when it comes back. One that can be read now is news if it is damaged again.
        """
        found, told = self._survey.found, self._saved.settings.told_unreadable
        damaged = {model.folder for model in found.damaged}
        if damaged - set(told):
            self._sink.show_notice(Notice(_UNREADABLE, found.trouble))
        away = set(told) - {model.folder for model in found.models}
        if told != (now := tuple(sorted(away | damaged))):
            self._saved.change(told_unreadable=now)

    def _show_detail(self) -> None:
        model = self._model(self._shown)
        if model is not None:
            self._sink.store.model_detail.put(views.model_detail(self._known(model)))


def _of_load(settings: ModelSettings) -> tuple[object, ...]:
    return settings.kv_bits, settings.context_limit, settings.macs
