"""Carries out `hearth models`, but for `fetch`: prints what is known of the models on this machine and on the hub,
compares their files with their digests, and deletes them.

Runs on the main thread. The inspector's answers are remembered in the same file as the window's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from app.base import locks, paths, program
from app.base.errors import BadArguments, FolderRefused, ModelNotInspected, reason
from app.base.model_names import display_name
from app.base.paths import Paths
from app.base.settings import Settings
from app.base.terminal import complain, plain, write, write_json, write_lines
from app.cli import home
from app.hub import found_models, removal, verification
from app.hub.client import HubClient
from app.hub.fetch import staging
from app.hub.fetch.names import is_repository
from app.hub.found_models import found_rows
from app.hub.token import TokenStore
from app.hub.verification import Verdict
from app.models import facts as facts_words
from app.models import local_models, measurements, views
from app.models.fit import fit, memory_now
from app.models.inspections import Inspections, ModelInspector, Survey, look, question
from app.models.local_models import LocalModel, LocalModels
from app.models.measurements import Measured
from app.models.sources import sources
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
_DAMAGED: Final = 1
_FIT: Final = ("weights", "others", "free", "longest", "text")


def list_models(*, json: bool) -> None:
    """Print the models on this machine, and the user's folders without any. Raises FolderRefused."""
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
    try:
        begun = staging.begun(places.models)
    except OSError as error:
        raise FolderRefused(f"Hearth cannot use the folder {places.models}: {reason(error)}.") from error
    write_lines(
        f"{repository}: download not finished, {size(taken)} so far; hearth models fetch {repository} continues it"
        for repository, taken in sorted(begun.items())
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
    known = named[home.only_one([each.model for each in named.values()], name).folder]
    home.report(_line(known), _page(views.model_detail(known)), json=json)


def search(words: Sequence[str], limit: int, *, json: bool) -> None:
    """Print the models on the hub with these words in their names, those that fit first. With `json`, `bytes` is 0 and
    `fit` is "unknown" if the hub does not tell the size. `note` says why Hearth cannot use the model, "" if it can.
    Raises HubError.
    """
    models = {model.id: model for model in HubClient(TokenStore(paths.find()).token).search(" ".join(words), limit)}
    rows = found_rows(models.values(), memory_now())
    values = [
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
    fits = ("unusable" if row.state is ModelState.UNUSABLE else FITS[row.fit.level] for row in rows)
    found = _table([(fit, row.id, row.detail.partition(" · ")[2]) for fit, row in zip(fits, rows, strict=True)])
    home.report(values, found or ["The hub has no such model for MLX."], json=json)


def _look(places: Paths, name: str | None = None) -> tuple[LocalModels, list[KnownModel]]:
    """Look into all sources and inspect the models; with a `name`, only those that it names."""
    saved = home.saved(places)
    added = saved.model_folders if name is None else home.added_folders(saved, name)
    with closing(ModelInspector(program.inspector())) as inspector:
        inspections = Inspections(places.data / "inspections.json", inspector.inspect)
        found = look(places.models, added, "", inspections)
        models = found.found.models if name is None else home.matching(found.found.models, saved, name)
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
    value = {
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
    home.report(value, _hub_page(detail), json=json)


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


def verify(model: str | None, *, json: bool) -> int:
    """Compare a model's files with their recorded digests, or all models that have some. Returns 1 if any is damaged.

    Raises BadArguments, NotDownloaded.
    """
    places = paths.find()
    saved = home.saved(places)
    if model is not None:
        chosen = [home.model_named(places, saved, model)]
    else:
        all_here = local_models.find(sources(places.models, saved.model_folders)).models
        chosen = [found for found in all_here if verification.is_verifiable(Path(found.folder))]
    verdicts = []
    for found in chosen:
        verdict = verification.verify(Path(found.folder), found.repository or found.folder)
        verdicts.append(verdict)
        if not json:
            write_lines(_words(verdict))
    if json:
        write_json(verdicts)
    elif not verdicts:
        write("There is no model here whose digests are known.\n")
    return _DAMAGED if any(verdict.damaged for verdict in verdicts) else 0


def _words(verdict: Verdict) -> list[str]:
    if not verdict.damaged:
        return [f"{verdict.model}: {verdict.files} files are intact"]
    lines = (f"  {damage.file}: {damage.fault}" for damage in verdict.damaged)
    return [f"{verdict.model}: {len(verdict.damaged)} of {verdict.files} files are damaged; download it again", *lines]


def remove(model: str, *, yes: bool) -> None:
    """Delete a model that Hearth downloaded or another Mac copied here, or the part of a download. Raises AppError."""
    places = paths.find()
    if (part := removal.unfinished(places.models, model)) is not None:
        what, folders = f"unfinished download of {part.repository}", part.staged().values()
        if yes or _agreed(f"the {what}", folders):
            removal.discard(part)
            write_lines([f"The {what} is deleted."])
        return
    # A folder of Hearth's own can be deleted whatever is in it.
    own = (one for one in (home.folder_named(model), places.models / model) if removal.place_of(places.models, one))
    folder = next(own, None) or home.model_folder(places, home.saved(places), model)
    if removal.place_of(places.models, folder) is None:
        raise removal.not_downloaded(folder)
    if _window_uses(places, folder):
        raise removal.in_use(folder)
    name = f"{folder.parent.name}/{folder.name}"
    if yes or _agreed(name, [folder]):
        removal.remove(places.models, folder)
        write_lines([f"{name} is deleted."])


def _window_uses(places: Paths, folder: Path) -> bool:
    """Whether a window is open and its model is this one."""
    lock = locks.take_window(places, 0)
    if lock is not None:
        lock.close()
        return False
    return home.saved(places).model == str(folder)


def _agreed(what: str, folders: Iterable[Path]) -> bool:
    """Whether the user agrees. If not, say that nothing was deleted."""
    if not sys.stdin.isatty():
        raise BadArguments("Nothing was deleted: without a terminal, --yes has to be given.")
    taken = sum(path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())
    write(plain(f"Delete {what} ({size(taken)})? [y/N] "))
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    write("Nothing was deleted.\n")
    return False
