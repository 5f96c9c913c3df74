"""Searches the hub, and shows one of its models. Runs on the window's thread and never blocks it.

Invariants:

- The newest search wins: the answer to an older one is dropped. The same holds for the model that is shown.
- A fault is one sentence above the models that the welcome page suggests, or beside the model. Nothing else changes.
- A model is examined once, and only if the user stays with it: its tokenizer may take 20 MB.
- A row shows the download of its model. A model that is on this machine is listed as that one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from PySide6.QtCore import QTimer

from app.base.background import Background, Job
from app.base.errors import words
from app.base.ports import ViewSink
from app.hub import found_models
from app.hub.client import HubClient
from app.hub.errors import HubError
from app.hub.found_models import FoundModel, found_row, found_rows, with_context
from app.hub.model_page import ModelPage
from app.models.fit import this_machine
from app.models.presenter import LocalModelsPresenter
from engine.protocol.framing import Inspection
from engine.protocol.inspection import InspectModel
from resources.language.text import mark, tr
from ui.state.models import DownloadView, HeadOffer, HubView, ModelDetail, ModelRow, ModelState

STAY_MS: Final = 600
"""A model is examined when it was shown for so long."""
NOTHING: Final = mark("The hub has no model for MLX with “{query}” in its name.")


class HubFinder:
    """`inspect` asks the inspector process. It blocks, so it is called on a network thread. `shown` is the repository
    whose model the user looks at, "" for none.

    `models` are those on this machine, and `downloads` returns the downloads by repository. `refresh` is to be called
    when they have changed.
    """

    def __init__(
        self,
        client: HubClient,
        network: Background,
        sink: ViewSink,
        models: LocalModelsPresenter,
        downloads: Callable[[], Mapping[str, DownloadView]],
        inspect: Callable[[InspectModel], Inspection],
    ) -> None:
        self._client = client
        self._network = network
        self._sink = sink
        self._models = models
        self._downloads = downloads
        self._inspect = inspect
        self._view = HubView()
        self._found: tuple[FoundModel, ...] = ()
        self._say: Callable[[], str] = str
        """Says in the current language why there are no rows."""
        self._searching: Job | None = None
        self._showing: Job | None = None
        self.shown = ""
        self._show_failed = False
        self._examined: dict[tuple[str, str], Inspection] = {}
        self._staying = QTimer(singleShot=True, interval=STAY_MS)
        self._staying_with: tuple[ModelPage, ModelDetail] | None = None
        self._staying.timeout.connect(self._ask_inspector)

    def search(self, text: str) -> None:
        """Search for models. The rows of the former search stay until the answer comes."""
        if self._searching is not None:
            self._searching.cancel()
        self._say = str
        self._list(replace(self._view, query=text, busy=True, text="", failed=False))
        self._searching = self._network.run(lambda: self._client.search(text), self._take, self._fail)

    def show(self, repository: str) -> None:
        """Show everything about a model: first its row, then its page and card, then what the inspector tells."""
        self.leave()
        self.shown = repository
        listed = (row for row in self._view.rows if row.repository == repository)
        model = next((one for one in self._found if one.id == repository), FoundModel(repository))
        row = next(listed, found_row(model, self._models.memory()))
        detail = found_models.of_list(row, model, settled=self._view.failed)
        self._tell(detail)
        self._showing = self._network.run(
            lambda: self._read(repository),
            lambda read: self._take_page(row, *read),
            partial(self._refuse, detail),
        )

    def leave(self) -> None:
        """Show nothing more of the model that was asked for."""
        self._staying.stop()
        self.shown, self._show_failed = "", False
        if self._showing is not None:
            self._showing.cancel()

    def repeat(self) -> None:
        """Ask again what failed: the search, and everything about the model that is shown."""
        if self._view.failed:
            self.search(self._view.query)
        if self._show_failed:
            self.show(self.shown)

    def refresh(self) -> None:
        """A download has changed, or the models on this machine have: show that."""
        shown = replace(self._view, rows=self._as_known(self._view.rows))
        if shown != self._sink.store.hub.now:
            self._sink.store.hub.put(shown)

    def show_again(self) -> None:
        """Show the outcome of the last search in the present language."""
        told = {repository: told for (repository, _), told in self._examined.items()}
        self._found = self._suggested() if self._view.failed else self._found
        found = {row.repository: row for row in found_rows(self._found, self._models.memory())}
        about = [with_context(found[row.repository], told.get(row.repository)) for row in self._view.rows]
        pairs = zip(self._view.rows, about, strict=True)
        rows = tuple(replace(row, detail=now.detail, figures=now.figures) for row, now in pairs)
        self._list(replace(self._view, rows=rows, text=self._say()))

    def close(self) -> None:
        """End without waiting for the network."""
        self._staying.stop()
        self._network.close()

    def _take(self, found: tuple[FoundModel, ...]) -> None:
        query = self._view.query
        self._found, rows = found, found_rows(found, self._models.memory())
        self._say = str if rows else partial(tr, NOTHING, query=query)
        self._list(HubView(query, rows, text=self._say()))
        if self._show_failed:
            self.show(self.shown)

    def _fail(self, error: Exception) -> None:
        self._found, self._say = self._suggested(), partial(words, error)
        rows = found_rows(self._found, self._models.memory())
        self._list(HubView(self._view.query, rows, text=self._say(), failed=True))

    def _suggested(self) -> tuple[FoundModel, ...]:
        """The models that the welcome page suggests, of those with the words of the search in their names."""
        asked = self._view.query.lower().split()
        return tuple(
            one for one in found_models.suggested(this_machine()) if all(word in one.id.lower() for word in asked)
        )

    def _list(self, view: HubView) -> None:
        self._view = view
        self.refresh()

    def _as_known(self, rows: tuple[ModelRow, ...]) -> tuple[ModelRow, ...]:
        """The rows with their downloads."""
        folders, downloads = self._models.folders, self._downloads()
        explained = {name for name, one in downloads.items() if one.text == self._view.text}
        return tuple(
            replace(row, id=folders[row.repository], state=ModelState.READY)
            if row.repository in folders
            else replace(row, download=downloads.get(row.repository), explained=row.repository in explained)
            for row in rows
        )

    def _read(self, repository: str) -> tuple[ModelPage, str, HeadOffer | None]:
        """The model's page and card, and its draft head, if that was published apart."""
        page = self._client.model(repository)
        card, head = self._client.card(page), None
        if page.head_repository:
            with suppress(HubError):  # not every model has one
                head = found_models.offer(page, self._client.model(page.head_repository), this_machine())
        return page, card, head

    def _take_page(self, row: ModelRow, page: ModelPage, card: str, head: HeadOffer | None) -> None:
        detail = found_models.of_page(row, page, card, head)
        self._learn(detail)
        if told := self._examined.get((page.id, page.revision)):
            self._take_examination(page, detail, told)
        elif page.weight_bytes:
            self._staying_with = page, detail
            self._staying.start()

    def _ask_inspector(self) -> None:
        assert self._staying_with is not None
        page, detail = self._staying_with

        def take(told: Inspection) -> None:
            self._examined[page.id, page.revision] = told
            self._take_examination(page, detail, told)

        self._showing = self._network.run(
            lambda: self._client.examined(page, self._inspect), take, partial(self._refuse, detail)
        )

    def _take_examination(self, page: ModelPage, detail: ModelDetail, told: Inspection) -> None:
        self._learn(found_models.examined(detail, page, told, self._models.memory()))

    def _learn(self, detail: ModelDetail) -> None:
        """Show a detail. The list shows what was learnt, too."""
        rows = tuple(detail.row if row.repository == detail.row.repository else row for row in self._view.rows)
        self._list(replace(self._view, rows=rows))
        self._tell(detail)

    def _refuse(self, detail: ModelDetail, error: Exception) -> None:
        self._show_failed = True
        note = words(error)
        told = replace(detail.row, note="" if note == self._view.text else note)
        self._tell(replace(detail, row=told, settled=True))

    def _tell(self, detail: ModelDetail) -> None:
        (row,) = self._as_known((detail.row,))
        self._sink.store.hub_detail.put(replace(detail, row=row))
