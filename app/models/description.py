"""Describes models in a few words, for the picker and the list. Pure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.base.model_names import DEMO, DEMO_DETAIL, name_of
from app.models.facts import is_hybrid
from resources.language.text import tr
from ui.state.engine import ModelView
from ui.state.models import FitLevel, ModelState
from ui.theme.phrases import compact, size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.models.local_models import LocalModel
    from app.models.model_files import ModelFiles
    from engine.protocol.inspection import ModelFacts
    from ui.state.models import ModelRow

_KIBI: Final = 1024
_THOUSAND: Final = 1000


def offered(rows: Iterable[ModelRow]) -> tuple[ModelView, ...]:
    """Return the models that the picker offers. The wanted one is among them even if it cannot be used, so that the
    picker can name it.
    """
    return tuple(
        ModelView(row.id, row.name, _offer(row), row.identity, row.warm_chats)
        if row.state is ModelState.READY
        else ModelView(row.id, row.name, tr("Not found") if row.state is ModelState.MISSING else tr("Not usable"))
        for row in rows
        if row.state is ModelState.READY or row.wanted
    )


def _offer(row: ModelRow) -> str:
    """The line beside a model in the picker. It says of a model that is too large for this machine where it fits."""
    return " · ".join((tr("On several Macs"), row.detail)) if row.fit.level is FitLevel.TOGETHER else row.detail


def detail(model: LocalModel, facts: ModelFacts | None = None) -> str:
    """Return one line about a model: what is known from its files, or more if it was inspected."""
    if model.folder == DEMO:
        return tr(DEMO_DETAIL)
    if model.base:
        return " · ".join(_of_adapter(model))
    known = _from_facts(facts) if facts is not None else _from_files(model.files)
    return " · ".join(part for part in (*known, model.source.words) if part) or model.folder


def _of_adapter(model: LocalModel) -> Iterator[str]:
    yield tr("Adapter for {name}", name=name_of(Path(model.base)))
    if model.files is not None:
        yield size(model.files.size)
    if model.source.words:
        yield model.source.words


def _from_facts(facts: ModelFacts) -> Iterator[str]:
    yield kind(facts)
    yield size(facts.weight_bytes)
    if facts.context_limit:
        yield tr("{tokens} context", tokens=tokens_of_context(facts.context_limit))
    if facts.text_part:
        yield tr("text only")


def _from_files(files: ModelFiles | None) -> Iterator[str]:
    if files is not None and files.size:
        yield files.model_type
        yield tr("{bits}-bit", bits=files.bits) if files.bits else ""
        yield size(files.size)


def kind(facts: ModelFacts) -> str:
    """Return "Hybrid" or "Recurrent", else the model's family."""
    if not is_hybrid(facts):
        return facts.model_type
    return tr("Recurrent") if set(facts.layers) <= {"recurrent", "none"} else tr("Hybrid")


def tokens_of_context(tokens: int) -> str:
    """Return a context limit as makers of models write it: "128k" for 131,072."""
    for unit in (_THOUSAND, _KIBI):
        whole, rest = divmod(tokens, unit)
        if whole and not rest:
            return tr("{thousands}k", thousands=whole)
    return compact(tokens)
