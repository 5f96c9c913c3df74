"""The detail of a model on the hub: from its page, and from its examination. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from app.base.errors import engine_words
from app.models.facts import figures, layers_text
from app.models.fit import fit
from engine.protocol.inspection import InspectionFailed
from resources.language.text import mark, tr
from ui.state.models import FitView, HeadOffer, ModelDetail, ModelState
from ui.theme.phrases import size

if TYPE_CHECKING:
    from app.hub.model_page import ModelPage
    from app.models.fit import MemoryNow
    from app.models.machine import Machine
    from engine.protocol.framing import Inspection
    from ui.state.models import ModelRow

NO_WEIGHTS: Final = mark(
    "It has no safetensors weights, so Hearth cannot use it. Look for an MLX version of this model."
)
_DOWNLOAD: Final = mark("Download")
_LARGE: Final = 5 * 10**9
"""Bytes of the weights: 9 billion parameters in 4 bits."""
_EXPERTS: Final = re.compile(r"-A\d+B\b", re.IGNORECASE)
"""How the names of models say how much of their weights is read for each token."""
_FASTER: Final = mark("Faster answers")
_GATED: Final = (mark("Access"), mark("only with a token that the publisher has admitted"))


def of_page(row: ModelRow, page: ModelPage, card: str, head: HeadOffer | None = None) -> ModelDetail:
    """Return what the hub tells. `head` is the model's draft head, if that was published apart."""
    access = ((tr(_GATED[0]), tr(_GATED[1])),) if page.gated else ()
    faster = ((tr(_FASTER), f"+{size(page.head_bytes)}"),) if page.head_bytes else ()
    facts = ((tr("Weights"), size(page.weight_bytes)), (tr(_DOWNLOAD), size(page.download_bytes)), *faster, *access)
    detail = ModelDetail(
        row,
        publisher=page.publisher,
        licence=page.licence,
        facts=facts,
        card=card,
        revision=page.revision,
        head=head,
    )
    return detail if page.weight_bytes else _unusable(replace(detail, facts=access), tr(NO_WEIGHTS))


def examined(detail: ModelDetail, told: Inspection, memory: MemoryNow) -> ModelDetail:
    """Add what the inspector tells: the layers, the fit and the facts, or why the model cannot be used."""
    if isinstance(told, InspectionFailed):
        return _unusable(detail, engine_words(told.code, told.message))
    fits = fit(told.facts, memory)
    return replace(
        detail,
        row=replace(detail.row, fit=fits),
        layers=tuple(told.facts.layers),
        layers_text=layers_text(told.facts),
        facts=(
            *figures(told.facts, fits),
            *(fact for fact in detail.facts if fact[0] in {tr(_GATED[0]), tr(_DOWNLOAD), tr(_FASTER)}),
        ),
    )


def noted(detail: ModelDetail, note: str) -> ModelDetail:
    """Add a sentence about the model."""
    return replace(detail, row=replace(detail.row, note=note))


def offer(page: ModelPage, head: ModelPage, machine: Machine) -> HeadOffer | None:
    """A draft head that was published apart. It pays for large models whose weights are all read for each token, on
    chips with wide products. None if there are no weights of it that anyone may fetch: its download would end that of
    the model.
    """
    pays = page.weight_bytes >= _LARGE and not _EXPERTS.search(page.id) and machine.is_wide
    return HeadOffer(head.id, head.weight_bytes, pays) if head.weight_bytes and not head.gated else None


def _unusable(detail: ModelDetail, note: str) -> ModelDetail:
    row = replace(detail.row, state=ModelState.UNUSABLE, fit=FitView(), note=note)
    return replace(detail, row=row)
