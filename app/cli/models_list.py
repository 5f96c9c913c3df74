"""Runs `hearth models list` and `info`: looks at the models on this machine, inspects them and prints what is known.

Runs on the main thread. The inspector's answers are remembered in the same file as the window's.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Final

import msgspec

from app.base import paths, program
from app.base.errors import ModelNotInspected
from app.base.paths import Paths
from app.base.settings import Settings
from app.base.terminal import complain, write, write_lines
from app.cli import home, models_hub_info
from app.hub.fetch import staging
from app.hub.fetch.names import is_repository
from app.models import facts as facts_words
from app.models import measurements, views
from app.models.fit import fit, memory_now
from app.models.inspections import Inspections, ModelInspector, Survey, look, question
from app.models.local_models import LocalModel, LocalModels
from app.models.measurements import Measured
from app.models.named import added_folders, matching, only_one
from app.models.views import KnownModel
from engine.protocol.framing import Inspection
from engine.protocol.inspection import ModelInspected
from ui.state.models import FitLevel, FitView, ModelDetail, ModelRow, ModelState
from ui.theme.phrases import size

FITS: Final = {
    FitLevel.FITS: "fits",
    FitLevel.TIGHT: "tight",
    FitLevel.TOGETHER: "on several Macs",
    FitLevel.TOO_LARGE: "too large",
    FitLevel.UNKNOWN: "",
}
_THOUSAND: Final = 1000


def list_models(*, json: bool) -> int:
    """Print the models on this machine, and the user's folders without any. Returns 0."""
    places = paths.find()
    found, known = _look(places)
    if json:
        write(msgspec.json.encode([_line(model) for model in known]).decode() + "\n")
        return 0
    rows = views.ordered((views.row(model) for model in known), first_states={})
    write_lines(
        table([(FITS[row.fit.level] or _state(row), row.name, row.repository, row.note or row.detail) for row in rows])
    )
    write_lines(
        f"{repository}: download not finished, {size(taken)} so far; hearth models fetch {repository} continues it"
        for repository, taken in sorted(staging.begun(places.models).items())
    )
    for folder, why_none in found.folders:
        if why_none:
            complain(f"{folder}: {why_none}")
    return 0


def info(name: str, *, json: bool) -> int:
    """Print everything about one model, given by its folder, its repository or its name. A repository that is not on
    this machine is looked up on the hub. Returns 0. Raises BadArguments, HubError, ModelNotInspected.
    """
    named = {known.model.folder: known for known in _look(paths.find(), name)[1]}
    if not named and is_repository(name):
        return models_hub_info.info(name, json=json)
    known = named[only_one([each.model for each in named.values()], name).folder]
    if json:
        write(msgspec.json.encode(_line(known)).decode() + "\n")
    else:
        write_lines(_page(views.model_detail(known)))
    return 0


def _look(places: Paths, name: str | None = None) -> tuple[LocalModels, list[KnownModel]]:
    """Look into all sources and inspect the models; with a `name`, only those that it names."""
    saved = home.saved(places)
    added = saved.model_folders if name is None else added_folders(saved, name)
    with closing(ModelInspector(program.inspector())) as inspector:
        inspections = Inspections(places.data / "inspections.json", inspector.inspect)
        found = look(places.models, added, "", inspections)
        models = found.found.models if name is None else matching(found.found.models, saved, name)
        for model in (each for each in found.uninspected if each in models):
            found = _with_inspection(found, model, inspections)
    figures = measurements.load(places.data / "measurements.json")
    return found.found, [_known(model, found, saved, figures) for model in models]


def _with_inspection(found: Survey, model: LocalModel, inspections: Inspections) -> Survey:
    try:
        return found.with_inspection(model.folder, inspections.inspected(question(model)))
    except ModelNotInspected as error:
        complain(str(error))
        return found


def _known(model: LocalModel, found: Survey, saved: Settings, figures: measurements.Measurements) -> KnownModel:
    inspection = found.inspections.get(model.folder)
    own = saved.of_model(model.folder)
    return KnownModel(
        model=model,
        inspection=inspection,
        fit=_fit(model, inspection, own.context_limit),
        settings=own,
        measured=figures.get(model.folder, Measured()),
    )


def _fit(model: LocalModel, inspection: Inspection | None, limit: int) -> FitView:
    if not isinstance(inspection, ModelInspected):
        return FitView()
    return fit(inspection.facts, memory_now(), (), limit, model.weight_files_bytes)


def table(cells: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with these cells below each other. Columns without a text are left out."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True) if width).rstrip()
        for line in cells
    ]


def _state(row: ModelRow) -> str:
    return "" if row.state is ModelState.READY else row.state.value


def _page(detail: ModelDetail) -> list[str]:
    row = detail.row
    head = [row.name, " · ".join(filter(None, (detail.publisher, detail.licence))), row.note or row.fit.text]
    facts = [("Folder", row.id), *([("Layers", detail.layers_text)] if detail.layers_text else []), *detail.facts]
    width = max(len(label) for label, _ in facts)
    return [*filter(None, head), *(f"{label:<{width}}  {value}" for label, value in facts)]


def _line(known: KnownModel) -> dict[str, object]:
    """A model in the output of `--json`. `state` is "ready", "incomplete", "missing" or "unusable", and `note` says why
    it cannot be used. `facts` and `fit` are null for such a model. `base` is the folder of an adapter's model. Sizes
    are in bytes, `longest` is in tokens.
    """
    row, model, facts = views.row(known), known.model, known.facts
    return {
        "folder": model.folder,
        "name": row.name,
        "repository": row.repository,
        "source": model.source.origin.value,
        "state": row.state.value,
        "note": row.note,
        "base": model.base,
        "licence": model.record.licence if model.record else "",
        "fit": _fit_line(row.fit) if facts else None,
        "facts": facts,
        "hybrid": bool(facts and facts_words.is_hybrid(facts)),
        "bytes_per_1000_tokens": facts_words.growth(facts, _THOUSAND) if facts else 0,
        "reading_tokens_per_second": known.measured.reading,
        "writing_tokens_per_second": known.measured.writing,
    }


def _fit_line(view: FitView) -> dict[str, object]:
    return {
        "level": view.level.value,
        "weights": view.weights,
        "others": view.others,
        "free": view.free,
        "longest": view.longest,
        "text": view.text,
    }
