"""The detail of a model on the hub: from its page, and from its examination. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from app.base.errors import engine_words
from app.models.amounts import amount
from app.models.facts import TEXT_PART, figures, layers_text
from app.models.fit import fit
from engine.protocol.inspection import InspectionFailed
from ui.model_state import ModelDetail, ModelState

if TYPE_CHECKING:
    from app.hub.model_page import ModelPage
    from app.models.fit import MemoryNow
    from engine.protocol.framing import Inspection
    from ui.model_state import ModelRow

NO_WEIGHTS: Final = "It has no safetensors weights, so Hearth cannot use it. Look for an MLX version of this model."
GATED: Final = "It is gated: the hub asks for a token with access to it."


def of_page(row: ModelRow, page: ModelPage, card: str) -> ModelDetail:
    """Return what the hub tells."""
    facts = (("Weights", amount(page.weight_bytes)),) if page.weight_bytes else ()
    detail = ModelDetail(row, page.publisher, page.licence, facts=facts, card=card, revision=page.revision)
    if not page.weight_bytes:
        return _unusable(detail, NO_WEIGHTS)
    return noted(detail, GATED) if page.gated else detail


def examined(detail: ModelDetail, told: Inspection, memory: MemoryNow) -> ModelDetail:
    """Add what the inspector tells: the layers, the fit and the facts, or why the model cannot be used."""
    if isinstance(told, InspectionFailed):
        return _unusable(detail, engine_words(told.code, told.message))
    fits = fit(told.facts, memory)
    notes = (detail.row.note, TEXT_PART if told.facts.text_part else "")
    return replace(
        detail,
        row=replace(detail.row, fit=fits, note=" ".join(filter(None, notes))),
        layers=tuple(told.facts.layers),
        layers_text=layers_text(told.facts),
        facts=figures(told.facts, fits),
    )


def noted(detail: ModelDetail, note: str) -> ModelDetail:
    """Add a sentence about the model."""
    return replace(detail, row=replace(detail.row, note=note))


def _unusable(detail: ModelDetail, note: str) -> ModelDetail:
    return replace(detail, row=replace(detail.row, state=ModelState.UNUSABLE, note=note))
