"""Describes models in a few words, for the picker and the list. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.models.amounts import amount
from app.models.names import DEMO, DEMO_DETAIL
from ui.model_state import ModelState
from ui.state import ModelView

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from app.models.local_models import LocalModel
    from app.models.model_files import ModelFiles


def offered(models: Iterable[LocalModel], aliases: Mapping[str, str] | None = None) -> tuple[ModelView, ...]:
    """Return the models that the picker offers. `aliases` are the user's names for folders."""
    named = aliases or {}
    return tuple(
        ModelView(model.folder, named.get(model.folder) or model.name, detail(model))
        for model in models
        if model.state is ModelState.READY and not model.base
    )


def detail(model: LocalModel) -> str:
    """Return one line about a model that can be used."""
    if model.folder == DEMO:
        return DEMO_DETAIL
    return " · ".join(part for part in _parts(model.files) if part) or model.folder


def _parts(files: ModelFiles | None) -> tuple[str, ...]:
    if files is None or not files.size:
        return ()
    return (files.model_type, f"{files.bits}-bit" if files.bits else "", amount(files.size))
