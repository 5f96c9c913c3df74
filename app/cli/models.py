"""Runs `hearth models list`, `info` and `search`: prints what is known of the models on this machine and on the hub.

Runs on the main thread. The inspector's answers are remembered in the same file as the window's.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import Final

from app.base import paths, program
from app.base.errors import ModelNotInspected
from app.base.model_names import display_name
from app.base.paths import Paths
from app.base.settings import Settings
from app.base.terminal import complain, write_json, write_lines
from app.cli import home
from app.hub import found_models
from app.hub.client import HubClient
from app.hub.fetch import staging
from app.hub.fetch.names import is_repository
from app.hub.found_models import found_rows
from app.hub.token import TokenStore
from app.models import facts as facts_words
from app.models import measurements, views
from app.models.fit import fit, memory_now
from app.models.inspections import Inspections, ModelInspector, Survey, look, question
from app.models.local_models import LocalModel, LocalModels
from app.models.measurements import Measured
from app.models.named import added_folders, matching, only_one
from app.models.views import KnownModel
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
_FIT: Final = ("weights", "others", "free", "longest", "text")


def list_models(*, json: bool) -> None:
    """Print the models on this machine, and the user's folders without any."""
    places = paths.find()
    found, known = _look(places)
    if json:
        write_json([_line(model) for model in known])
        return
    rows = views.ordered((views.row(model) for model in known), first_states={})
    states = (FITS[row.fit.level] or ("" if row.state is ModelState.READY else row.state.value) for row in rows)
    write_lines(
        _table([(state, r.name, r.repository, r.note or r.detail) for state, r in zip(states, rows, strict=True)])
    )
    write_lines(
        f"{repository}: download not finished, {size(taken)} so far; hearth models fetch {repository} continues it"
        for repository, taken in sorted(staging.begun(places.models).items())
    )
    for folder, why_none in found.folders:
        if why_none:
            complain(f"{folder}: {why_none}")


def info(name: str, *, json: bool) -> None:
    """Print everything about one model, given by its folder, its repository or its name. A repository that is not on
    this machine is looked up on the hub. Raises BadArguments, HubError, ModelNotInspected.
    """
    named = {known.model.folder: known for known in _look(paths.find(), name)[1]}
    if not named and is_repository(name):
        _hub_info(name, json=json)
        return
    known = named[only_one([each.model for each in named.values()], name).folder]
    if json:
        write_json(_line(known))
    else:
        write_lines(_page(views.model_detail(known)))


def search(words: Sequence[str], limit: int, *, json: bool) -> None:
    """Print the models on the hub with these words in their names, those that fit first. With `json`, `bytes` is 0 and
    `fit` is "unknown" if the hub does not tell the size. `note` says why Hearth cannot use the model, "" if it can.
    Raises HubError.
    """
    models = {model.id: model for model in HubClient(TokenStore(paths.find()).token).search(" ".join(words), limit)}
    rows = found_rows(models.values(), memory_now())
    if json:
        write_json(
            [
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
        )
        return
    fits = ("unusable" if row.state is ModelState.UNUSABLE else FITS[row.fit.level] for row in rows)
    found = _table([(fit, row.id, row.detail.partition(" · ")[2]) for fit, row in zip(fits, rows, strict=True)])
    write_lines(found or ["The hub has no such model for MLX."])


def _look(places: Paths, name: str | None = None) -> tuple[LocalModels, list[KnownModel]]:
    """Look into all sources and inspect the models; with a `name`, only those that it names."""
    saved = home.saved(places)
    added = saved.model_folders if name is None else added_folders(saved, name)
    with closing(ModelInspector(program.inspector())) as inspector:
        inspections = Inspections(places.data / "inspections.json", inspector.inspect)
        found = look(places.models, added, "", inspections)
        models = found.found.models if name is None else matching(found.found.models, saved, name)
        for model in (each for each in found.uninspected if each in models):
            try:
                found = found.with_inspection(model.folder, inspections.inspected(question(model)))
            except ModelNotInspected as error:
                complain(str(error))
    figures = measurements.load(places.data / "measurements.json")
    return found.found, [_known(model, found, saved, figures) for model in models]


def _known(model: LocalModel, found: Survey, saved: Settings, figures: measurements.Measurements) -> KnownModel:
    inspection, own = found.inspections.get(model.folder), saved.of_model(model.folder)
    room = FitView()
    if isinstance(inspection, ModelInspected):
        room = fit(inspection.facts, memory_now(), (), own.context_limit, model.weight_files_bytes)
    measured = figures.get(model.folder, Measured())
    return KnownModel(model=model, inspection=inspection, fit=room, settings=own, measured=measured)


def _table(cells: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with these cells below each other. Columns without a text are left out."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [
        "  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True) if width).rstrip()
        for line in cells
    ]


def _page(detail: ModelDetail) -> list[str]:
    row = detail.row
    head = [row.name, " · ".join(filter(None, (detail.publisher, detail.licence))), row.note or row.fit.text]
    layers = [("Layers", detail.layers_text)] if detail.layers_text else []
    return [*filter(None, head), *_table([("Folder", row.id), *layers, *detail.facts, *detail.technical])]


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
        "fit": {"level": row.fit.level.value, **{name: getattr(row.fit, name) for name in _FIT}} if facts else None,
        "facts": facts,
        "hybrid": bool(facts and facts_words.is_hybrid(facts)),
        "bytes_per_1000_tokens": facts_words.growth(facts, _THOUSAND) if facts else 0,
        "reading_tokens_per_second": known.measured.reading,
        "writing_tokens_per_second": known.measured.writing,
    }


def _hub_info(repository: str, *, json: bool) -> None:
    """In the JSON, `facts` is null if the model cannot be used; `note` then says why."""
    client, inspection = HubClient(TokenStore(paths.find()).token), None
    page = client.model(repository)
    name = display_name(repository.partition("/")[2])
    row = ModelRow(repository, name, state=ModelState.REMOTE, repository=repository)
    detail = found_models.of_page(row, page, client.card(page))
    if page.weight_bytes:
        with closing(ModelInspector(program.inspector())) as inspector:
            inspection = client.examined(page, inspector.inspect)
        detail = found_models.examined(detail, page, inspection, memory_now())
    if not json:
        write_lines(_hub_page(detail))
        return
    write_json(
        {
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
            "facts": inspection.facts if isinstance(inspection, ModelInspected) else None,
        }
    )


def _hub_page(detail: ModelDetail) -> list[str]:
    about = (
        ("Repository", f"{detail.row.repository} at {detail.revision[:12]}"),
        ("Licence", detail.licence),
        ("Layers", detail.layers_text),
        *detail.facts,
        *detail.technical,
        ("Fit", detail.row.fit.text),
        ("Note", detail.row.note),
    )
    card = ["", *detail.card.split("\n")] if detail.card else []
    return [detail.row.name, "", *_table([fact for fact in about if fact[1]]), *card]
