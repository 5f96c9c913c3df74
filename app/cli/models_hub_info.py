"""Runs `hearth models info` for a model on the hub: prints its page, and the facts that need none of its weights.

Runs `hearth models search`: asks the hub and prints what it finds, the models that fit first.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import msgspec

from app.base import paths, program
from app.base.model_names import display_name
from app.base.terminal import write, write_lines
from app.cli.models_list import FITS, table
from app.hub import examination, found_detail
from app.hub.client import HubClient
from app.hub.found_models import found_rows
from app.hub.token import TokenStore
from app.models.inspector import ModelInspector
from app.models.machine import memory_now
from engine.protocol.inspection import ModelInspected
from ui.state.models import ModelDetail, ModelRow, ModelState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.hub.model_page import ModelPage
    from engine.protocol.framing import Inspection


@dataclass(frozen=True, slots=True)
class _Told:
    page: ModelPage
    detail: ModelDetail
    inspection: Inspection | None


def info(repository: str, *, json: bool) -> int:
    """Print everything about a repository. Raises HubError, ModelNotInspected."""
    told = _asked(HubClient(TokenStore(paths.find()).token), repository)
    if json:
        write(msgspec.json.encode(_json(told)).decode() + "\n")
    else:
        write_lines(_page(told.detail))
    return 0


def _asked(client: HubClient, repository: str) -> _Told:
    page = client.model(repository)
    name = display_name(repository.partition("/")[2])
    row = ModelRow(repository, name, state=ModelState.REMOTE, repository=repository)
    detail = found_detail.of_page(row, page, examination.card(client, page))
    if not page.weight_bytes:
        return _Told(page, detail, None)
    with closing(ModelInspector(program.inspector())) as inspector:
        inspection = examination.examined(client, page, inspector.inspect)
    return _Told(page, found_detail.examined(detail, page, inspection, memory_now()), inspection)


def _json(told: _Told) -> dict[str, object]:
    """`facts` is null if the model cannot be used; `note` then says why."""
    detail, page = told.detail, told.page
    return {
        "repository": page.id,
        "revision": page.revision,
        "publisher": page.publisher,
        "licence": page.licence,
        "gated": page.gated,
        "weight_bytes": page.weight_bytes,
        "fit": detail.row.fit.level.value,
        "longest": detail.row.fit.longest,
        "note": detail.row.note,
        "card": detail.card,
        "facts": told.inspection.facts if isinstance(told.inspection, ModelInspected) else None,
    }


def _page(detail: ModelDetail) -> list[str]:
    about = (
        ("Repository", f"{detail.row.repository} at {detail.revision[:12]}"),
        ("Licence", detail.licence),
        ("Layers", detail.layers_text),
        *detail.facts,
        ("Fit", detail.row.fit.text),
        ("Note", detail.row.note),
    )
    width = max(len(label) for label, _ in about)
    lines = [f"{label:<{width}}  {value}" for label, value in about if value]
    card = ["", *detail.card.split("\n")] if detail.card else []
    return [detail.row.name, "", *lines, *card]


_UNUSABLE: Final = "unusable"


def search(words: Sequence[str], limit: int, *, json: bool) -> int:
    """Print the models with these words in their names. With `json`, `bytes` is 0 and `fit` is "unknown" if the hub
    does not tell the size. `note` says why Hearth cannot use the model, "" if it can. Raises HubError.
    """
    models = {model.id: model for model in HubClient(TokenStore(paths.find()).token).search(" ".join(words), limit)}
    rows = found_rows(models.values(), memory_now())
    if not json:
        found = table([(_fit(row), row.id, row.detail.partition(" · ")[2]) for row in rows])
        write_lines(found or ["The hub has no such model for MLX."])
        return 0
    lines = [
        {
            "repository": row.id,
            "revision": models[row.id].revision,
            "bytes": models[row.id].size,
            "fit": row.fit.level.value,
            "licence": models[row.id].licence,
            "downloads": models[row.id].downloads,
            "gated": models[row.id].gated,
            "note": row.note,
        }
        for row in rows
    ]
    write(msgspec.json.encode(lines).decode() + "\n")
    return 0


def _fit(row: ModelRow) -> str:
    return _UNUSABLE if row.state is ModelState.UNUSABLE else FITS[row.fit.level]
