"""Shows the models on this machine: keeps what is known of each, looks again, and hands frozen views to the window.

Runs on the window's thread. Listing and inspecting run on a worker thread, one piece of work at a time, so that a look
at the folders waits for at most one inspection.
"""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from app.base.errors import notice
from app.models import measurements, survey, views
from app.models.description import offered
from app.models.fit import MemoryNow, fit
from app.models.local_models import LocalModels
from app.models.measurements import Measured
from app.models.survey import Survey
from app.models.views import KnownModel
from engine.protocol.cache_messages import Memory, StoreReport
from engine.protocol.errors import LoadCancelled
from engine.protocol.inspection import ModelInspected
from engine.protocol.messages import ModelFailed, ModelLoaded, ModelUnloaded
from ui.state.models import FitLevel, FitView, LocalModelsView, ModelState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from app.base.ports import TurnEnd, ViewSink, Worker
    from app.base.settings import Settings
    from app.models.inspections import Inspections
    from app.models.local_models import LocalModel
    from app.models.measurements import Measurements
    from engine.protocol.framing import Inspection
    from engine.protocol.inspection import ModelFacts
    from engine.protocol.messages import Event
    from ui.state.engine import ModelView
    from ui.state.models import DownloadView, ModelRow

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelsPorts:
    """The dependencies of the presenter.

    - `models` is Hearth's folder of models, `measurements` the file of measured figures.
    - `settings` returns the settings, `chats` the tokens of each open chat, `current` the folder of the wanted model.
    - `memory` measures the memory, given the bytes that the engine holds.
    - `offer` shows the models in the picker, with a sentence about unreadable folders if it is time to tell the user.
    - `keep_told` saves the unreadable folders that the user was told of.
    - `ask_store` asks the engine for a StoreReport, which has the warm chats. `ask_listed` calls back with the ids of
      all chats that are not deleted, and the model of each.
    """

    worker: Worker
    inspections: Inspections
    models: Path
    measurements: Path
    settings: Callable[[], Settings]
    chats: Callable[[], tuple[int, ...]]
    current: Callable[[], str]
    memory: Callable[[int], MemoryNow]
    offer: Callable[[tuple[ModelView, ...], str], object]
    keep_told: Callable[[tuple[str, ...]], object]
    ask_store: Callable[[], object]
    ask_listed: Callable[[Callable[[dict[str, str]], object]], object]
    macs: Callable[[], tuple[tuple[str, str], ...]]
    elsewhere: Callable[[], int]


class LocalModelsPresenter:
    """The models on this machine, as the page, the detail and the picker show them. `listed` is called with them after
    each look and each inspection. `held` are the bytes that the engine holds.
    """

    def __init__(self, ports: ModelsPorts, sink: ViewSink) -> None:
        self._ports = ports
        self._sink = sink
        self._survey = Survey(LocalModels(()))
        self._memory = MemoryNow(0, 0)
        self._measured: Measurements | None = None
        self._warm: dict[str, int] = {}
        self._users: Counter[str] = Counter()
        self._loaded = ""
        self.held = 0
        self._shown = ""
        self._busy = False
        self._unsaved = 0
        self._stale = False
        self._can_inspect = False
        self._first_states: dict[str, ModelState] = {}
        self._downloads: Mapping[str, DownloadView] = {}
        self.listed: Callable[[tuple[LocalModel, ...]], object] = lambda _models: None

    # --- the user, and the rest of the app

    def refresh(self) -> None:
        """Look for the models again, and show them. None is inspected before `examine` was called."""
        self._stale = True
        self._next()

    def open(self) -> None:
        """The user wants to see the models: examine them. From here on the rows keep their order."""
        self._first_states.clear()
        self._ports.ask_store()
        self.examine()

    def examine(self) -> None:
        """Look again, and from now on inspect each model that was not inspected.

        A usual start does not inspect models, because that would delay the load of a large one. The first run loads
        the small built-in model.
        """
        self._can_inspect = True
        self._show_all()
        self.refresh()

    def show(self, model: str) -> None:
        """Show everything about a model, now and after each change."""
        self._shown = model
        self._show_detail()

    def show_downloads(self, downloads: Mapping[str, DownloadView]) -> None:
        """Show the downloads, given by their repositories."""
        self._downloads = downloads
        self._show_all()

    def show_again(self) -> None:
        """A model has another alias or limit, or the window was built anew."""
        self._show_all()

    def has(self, model: str) -> bool:
        """Whether a folder is one of the models on this machine."""
        return self._model(model) is not None

    def base_of(self, model: str) -> str:
        """Return the folder of the model that an adapter is for; empty if `model` is no adapter."""
        found = self._model(model)
        return found.base if found is not None else ""

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
        return (self._measured or {}).get(model, Measured()).reading

    def measured(self, end: TurnEnd) -> None:
        """An answer has ended: remember the speeds of the loaded model."""
        if self._measured is not None and self._loaded:
            before = self._measured.get(self._loaded, Measured())
            self._remember(self._loaded, measurements.with_usage(before, end.usage))
            self._show_detail()

    def engine_event(self, event: Event) -> None:
        """The engine has loaded or unloaded a model, or has reported its memory or its store. If a load failed, the
        folders may have changed: look again.
        """
        match event:
            case ModelLoaded():
                self._loaded = event.path
                before = (self._measured or {}).get(event.path, Measured())
                self._remember(event.path, msgspec.structs.replace(before, identity=event.identity))
                self._show_all()
            case ModelUnloaded():
                self._loaded = ""
                self._show_all()
            case ModelFailed(code=code) if code != LoadCancelled.code:
                self.refresh()
            case Memory():
                self.held = event.active_bytes
            case StoreReport():
                self._ports.ask_listed(partial(self._count_chats, event.identities))

    def _count_chats(self, held: Mapping[str, Iterable[str]], listed: dict[str, str]) -> None:
        """Count the chats that each model answers, and those whose state is kept for it. Caches of deleted chats stay
        for their time in Recently Deleted. They are in no use.
        """
        before = self._warm, self._users
        self._warm = {identity: len(listed.keys() & chats) for identity, chats in held.items()}
        self._users = Counter(listed.values())
        if before != (self._warm, self._users):
            self._show_all()

    def close(self) -> None:
        """Save what the worker has not saved."""
        if self._unsaved and self._measured is not None:
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
            work = partial(self._ports.inspections.inspected, survey.question(model))
            self._ports.worker.run(work, partial(self._inspected, model.folder), self._failed)

    def _look(self) -> Callable[[], tuple[Survey, MemoryNow, Measurements]]:
        ports, held, known = self._ports, self.held, self._measured
        added, current = ports.settings().model_folders, ports.current()

        def look() -> tuple[Survey, MemoryNow, Measurements]:
            figures = measurements.load(ports.measurements) if known is None else known
            return survey.look(ports.models, added, current, ports.inspections), ports.memory(held), figures

        return look

    def _looked(self, result: tuple[Survey, MemoryNow, Measurements]) -> None:
        self._busy = False
        before = {(model.folder, model.note) for model in self._survey.found.models}
        self._survey, self._memory, loaded = result
        for model in self._survey.found.models:
            if model.note and (model.folder, model.note) not in before:
                _log.info("%s is not offered: %s", ascii(model.folder), model.note)
        self._measured = loaded | (self._measured or {})
        self._show_all()
        self._tell_listed()
        self._next()

    def _inspected(self, folder: str, inspection: Inspection) -> None:
        self._busy = False
        self._survey = self._survey.with_inspection(folder, inspection)
        self._show_all()
        self._tell_listed()
        self._next()

    def _tell_listed(self) -> None:
        self.listed(tuple(views.checked(self._known(model)) for model in self._survey.found.models))

    def _failed(self, error: Exception) -> None:
        """Without an inspector the list lacks details until the next look."""
        self._busy, self._can_inspect = False, False
        self._show_all()
        self._sink.show_notice(notice(error))
        self._next()

    def _remember(self, model: str, figures: Measured) -> None:
        known = self._measured or {}
        if known.get(model) != figures:
            self._measured = known | {model: figures}
            self._unsaved += 1
            save = partial(measurements.save, self._measured, self._ports.measurements)
            self._ports.worker.run(save, self._saved, self._saved)

    def _saved(self, _outcome: object) -> None:
        self._unsaved -= 1

    # --- the window

    def _model(self, folder: str) -> LocalModel | None:
        return next((model for model in self._survey.found.models if model.folder == folder), None)

    def _known(self, model: LocalModel) -> KnownModel:
        settings = self._ports.settings().of_model(model.folder)
        measured = (self._measured or {}).get(model.folder, Measured())
        return KnownModel(
            model=model,
            inspection=self._survey.inspections.get(model.folder),
            checking=self._is_checking(model),
            fit=self._fit(model, settings.context_limit),
            settings=settings,
            measured=measured,
            loaded=model.folder == self._loaded,
            wanted=model.folder == self._ports.current(),
            chats=self._users[model.folder],
            warm_chats=self._warm.get(measured.identity, 0),
            macs=self._ports.macs(),
        )

    def _is_checking(self, model: LocalModel) -> bool:
        is_unknown = model.state is ModelState.READY and model.folder not in self._survey.inspections
        return self._can_inspect and is_unknown and model.folder != self._loaded

    def _fit(self, model: LocalModel, limit: int) -> FitView:
        facts = self.facts_of(model.folder)
        if facts is None or not self._memory.total:
            return FitView()
        memory = replace(self._memory, elsewhere=self._ports.elsewhere())
        return fit(facts, memory, self._ports.chats(), limit, model.weight_files_bytes)

    def _show_all(self) -> None:
        found = self._survey.found
        if not found.models:  # nothing was looked at yet
            return
        rows = views.ordered(self._rows(), self._first_states)
        self._ports.offer(offered(rows), self._news())
        self._note_told()
        with_downloads = views.with_downloads(rows, self._downloads)
        self._sink.store.local_models.put(
            LocalModelsView(with_downloads, found.trouble, found.folders, found.usable, found.bytes_)
        )
        self._show_detail()

    def _rows(self) -> list[ModelRow]:
        """The rows of all models. Notes the state in which each is shown first, because that decides its place."""
        rows = [views.row(self._known(model)) for model in self._survey.found.models]
        for row in rows:
            self._first_states.setdefault(row.id, row.state)
        return rows

    def _news(self) -> str:
        """The sentence about damaged models; empty if the user was told of all of them before."""
        found, told = self._survey.found, self._ports.settings().told_unreadable
        return found.trouble if any(model.folder not in told for model in found.damaged) else ""

    def _note_told(self) -> None:
        """The user was told of the damaged models. One that is away now is no news when it comes back. One that can be
        read now is news if it is damaged again.
        """
        found, told = self._survey.found, self._ports.settings().told_unreadable
        away = set(told) - {model.folder for model in found.models}
        self._ports.keep_told(tuple(sorted({*away, *(model.folder for model in found.damaged)})))

    def _show_detail(self) -> None:
        model = self._model(self._shown)
        if model is not None:
            self._sink.store.model_detail.put(views.model_detail(self._known(model)))
