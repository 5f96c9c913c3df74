"""Runs `hearth models info` for a model on the hub: prints its page, and the facts that need none of its weights."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

import msgspec

from app.base import paths, program
from app.base.model_names import display_name
from app.base.terminal import write, write_lines
from app.hub import found_models
from app.hub.client import HubClient
from app.hub.model_page import ModelPage
from app.hub.token import TokenStore
from app.models.fit import memory_now
from app.models.inspections import ModelInspector
from engine.protocol.framing import Inspection
from engine.protocol.inspection import ModelInspected
from ui.state.models import ModelDetail, ModelRow, ModelState


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
    detail = found_models.of_page(row, page, client.card(page))
    if not page.weight_bytes:
        return _Told(page, detail, None)
    with closing(ModelInspector(program.inspector())) as inspector:
        inspection = client.examined(page, inspector.inspect)
    return _Told(page, found_models.examined(detail, page, inspection, memory_now()), inspection)


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
