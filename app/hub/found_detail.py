"""The detail of a model on the hub: from its page, and from its examination. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from app.base.errors import engine_words
from app.hub.model_page import ModelPage
from app.models.facts import figures, layers_text
from app.models.fit import Machine, MemoryNow, fit
from engine.protocol.framing import Inspection
from engine.protocol.inspection import InspectionFailed
from resources.language.text import mark, tr
from ui.state.models import FitView, HeadOffer, ModelDetail, ModelRow, ModelState
from ui.theme.phrases import size

NO_WEIGHTS: Final = mark(
    "It has no safetensors weights, so Hearth cannot use it. Look for an MLX version of this model."
)
_LARGE: Final = 5 * 10**9
"""Bytes of the weights: 9 billion parameters in 4 bits."""
_EXPERTS: Final = re.compile(r"-A\d+B\b", re.IGNORECASE)
"""How the names of models say how much of their weights is read for each token."""
Facts = tuple[tuple[str, str], ...]
"""Labels with values."""


def of_page(row: ModelRow, page: ModelPage, card: str, head: HeadOffer | None = None) -> ModelDetail:
    """Return what the hub tells. `head` is the model's draft head, if that was published apart."""
    access, download = _access(page), _download(page)
    detail = ModelDetail(
        row,
        publisher=page.publisher,
        licence=page.licence,
        facts=((tr("Weights"), size(page.weight_bytes)), *download, *access),
        card=card,
        revision=page.revision,
        head=head,
    )
    return detail if page.weight_bytes else _unusable(replace(detail, facts=access), tr(NO_WEIGHTS))


def _download(page: ModelPage) -> Facts:
    faster = ((tr("Faster answers"), f"+{size(page.head_bytes)}"),) if page.head_bytes else ()
    return (tr("Download"), size(page.download_bytes)), *faster


def _access(page: ModelPage) -> Facts:
    return ((tr("Access"), tr("only with a token that the publisher has admitted")),) if page.gated else ()


def examined(detail: ModelDetail, page: ModelPage, told: Inspection, memory: MemoryNow) -> ModelDetail:
    """Add what the inspector tells: the layers, the fit and the facts, or why the model cannot be used."""
    if isinstance(told, InspectionFailed):
        return _unusable(detail, engine_words(told.code, told.message))
    fits = fit(told.facts, memory)
    return replace(
        detail,
        row=replace(detail.row, fit=fits),
        layers=tuple(told.facts.layers),
        layers_text=layers_text(told.facts),
        facts=(*figures(told.facts, fits), *_download(page), *_access(page)),
    )


def offer(page: ModelPage, head: ModelPage, machine: Machine) -> HeadOffer | None:
    """A draft head that was published apart. It pays for large models whose weights are all read for each token, on
    chips with wide products. None if there are no weights of it that anyone may fetch: its download would end that of
    the model.
    """
    pays = page.weight_bytes >= _LARGE and not _EXPERTS.search(page.id) and machine.is_wide
    return HeadOffer(head.id, head.weight_bytes, pays) if head.weight_bytes and not head.gated else None


def _unusable(detail: ModelDetail, note: str) -> ModelDetail:
    return replace(detail, row=replace(detail.row, state=ModelState.UNUSABLE, fit=FitView(), note=note))
