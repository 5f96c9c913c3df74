"""Searches the hub as the user types, and shows one of its models. Runs on the window's thread and never blocks it.

Invariants:

- The newest search wins: the answer to an older one is dropped.
- The same holds for the model that is shown.
- A fault is one sentence in the place of the rows, or beside the model. Nothing else changes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer

from app.base.errors import words
from app.hub import examination, found_detail
from app.hub.found_rows import found_rows
from app.models.names import display_name
from ui.model_state import HubView, ModelDetail, ModelRow, ModelState

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import HubSink
    from app.hub.client import HubClient
    from app.hub.found_model import FoundModel
    from app.hub.model_page import ModelPage
    from app.hub.network_thread import NetworkThread, Question
    from app.models.fit import MemoryNow
    from engine.protocol.framing import Inspection
    from engine.protocol.inspection import InspectModel

PAUSE_MS: Final = 300
"""A search begins when the user has not typed for so long."""
NOTHING: Final = "The hub has no model for MLX with “{query}” in its name."


class HubFinder:
    """`inspect` asks the inspector process. It blocks, so it is called on a network thread."""

    def __init__(
        self,
        client: HubClient,
        network: NetworkThread,
        sink: HubSink,
        memory: Callable[[], MemoryNow],
        inspect: Callable[[InspectModel], Inspection],
    ) -> None:
        self._client = client
        self._network = network
        self._sink = sink
        self._memory = memory
        self._inspect = inspect
        self._view = HubView()
        self._searching: Question | None = None
        self._showing: Question | None = None
        self._pause = QTimer(singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._search)

    def search(self, text: str) -> None:
        """Search once the user pauses. The rows of the former search stay until then."""
        if self._searching is not None:
            self._searching.cancel()
        self._show(replace(self._view, query=text, busy=True, text=""))
        self._pause.start()

    def show(self, repository: str) -> None:
        """Show everything about a model: first its row, then its page and card, then what the inspector tells."""
        self.leave()
        row = self._row(repository)
        self._sink.set_model_detail(ModelDetail(row, publisher=repository.partition("/")[0]))
        self._showing = self._network.ask(
            lambda: self._read(repository),
            lambda read: self._take_page(row, *read),
            lambda error: self._refuse(row, error),
        )

    def leave(self) -> None:
        """Show nothing more of the model that was asked for."""
        if self._showing is not None:
            self._showing.cancel()

    def close(self) -> None:
        """End without waiting for the network."""
        self._pause.stop()
        self._network.close()

    def _search(self) -> None:
        query = self._view.query
        self._searching = self._network.ask(
            lambda: self._client.search(query), self._take, lambda error: self._show(HubView(query, text=words(error)))
        )

    def _take(self, found: tuple[FoundModel, ...]) -> None:
        query = self._view.query
        rows = found_rows(found, self._memory())
        self._show(HubView(query, rows, text="" if rows else NOTHING.format(query=query)))

    def _show(self, view: HubView) -> None:
        self._view = view
        self._sink.set_hub(view)

    def _row(self, repository: str) -> ModelRow:
        listed = (row for row in self._view.rows if row.id == repository)
        named = ModelRow(repository, display_name(repository.partition("/")[2]), state=ModelState.REMOTE)
        return next(listed, named)

    def _read(self, repository: str) -> tuple[ModelPage, str]:
        page = self._client.model(repository)
        return page, examination.card(self._client, page)

    def _take_page(self, row: ModelRow, page: ModelPage, card: str) -> None:
        detail = found_detail.of_page(row, page, card)
        self._sink.set_model_detail(detail)
        if page.weight_bytes:
            self._showing = self._network.ask(
                lambda: examination.examined(self._client, page, self._inspect),
                lambda told: self._sink.set_model_detail(found_detail.examined(detail, told, self._memory())),
                lambda error: self._sink.set_model_detail(found_detail.noted(detail, words(error))),
            )

    def _refuse(self, row: ModelRow, error: Exception) -> None:
        self._sink.set_model_detail(found_detail.noted(ModelDetail(row), words(error)))
