"""Lists the models that a search has found: those that fit come first, then the most downloaded. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from app.base.model_names import display_name
from app.models.fit import fit
from engine.protocol.inspection import ModelFacts
from resources.language.text import mark, tr
from ui.state.models import FitLevel, FitView, ModelRow, ModelState
from ui.theme.phrases import compact, size

if TYPE_CHECKING:
    from collections.abc import Iterable

    from app.hub.found_model import FoundModel
    from app.models.fit import MemoryNow

NOT_LOADABLE: Final = mark("Its weights are not safetensors files, so Hearth cannot use it. Look for another version.")
ESTIMATED: Final = mark("Estimated from the size of the weights.")
_WEIGHTS_PER_TOKEN: Final = 100_000
"""The weights of a model are about so many times as large as its cache for one token: 30,000 times without recurrent
layers, 250,000 times for some hybrids.
"""
_MILLION: Final = 10**6
_ORDER: Final = (FitLevel.FITS, FitLevel.TIGHT, FitLevel.UNKNOWN, FitLevel.TOGETHER, FitLevel.TOO_LARGE)


def found_rows(found: Iterable[FoundModel], memory: MemoryNow) -> tuple[ModelRow, ...]:
    """Return a row for each model, those that Hearth cannot use last."""
    ranked = [(model, found_row(model, memory)) for model in found]
    ranked.sort(
        key=lambda pair: (pair[1].state is ModelState.UNUSABLE, _ORDER.index(pair[1].fit.level), -pair[0].downloads)
    )
    return tuple(row for _, row in ranked)


def found_row(model: FoundModel, memory: MemoryNow) -> ModelRow:
    """Return the row of one model."""
    name = display_name(model.id.partition("/")[2])
    if not model.loadable:
        return ModelRow(model.id, name, _detail(model), ModelState.UNUSABLE, note=tr(NOT_LOADABLE), repository=model.id)
    fits = _estimate(model.size, memory)
    return ModelRow(model.id, name, _detail(model), ModelState.REMOTE, fits, repository=model.id)


def _estimate(weights: int, memory: MemoryNow) -> FitView:
    if not weights:
        return FitView()
    likely = ModelFacts(
        "", 0, weights, 0, context_limit=0, layers=(), token_bytes=weights // _WEIGHTS_PER_TOKEN, fixed_bytes=0
    )
    return replace(fit(likely, memory), longest=0, text=tr(ESTIMATED))


def _detail(model: FoundModel) -> str:
    """What decides about a download, the most important first: a narrow list cuts the end. Without a token, a gated
    model cannot be had at all.
    """
    publisher = model.id.partition("/")[0]
    weights = size(model.size) if model.size else ""
    downloads = tr("{number} downloads", number=_rounded(model.downloads)) if model.downloads else ""
    return " · ".join(filter(None, (publisher, tr("gated") if model.gated else "", weights, model.licence, downloads)))


def _rounded(number: int) -> str:
    return compact(number) if number < _MILLION else f"{number / _MILLION:.1f}M"
