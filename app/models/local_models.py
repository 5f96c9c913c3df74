"""Lists the models on this machine: those that can be used, and those that cannot, with the reason. Only reads files,
never uses the network.

Each folder is read by itself: a fault in one never hides another.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from app.base.errors import advice, advised
from app.base.model_names import DEMO, DEMO_NAME, display_name, name_of
from app.models import download_record, model_folders
from app.models.download_record import NAME, DownloadRecord
from app.models.sources import ModelSource, Origin
from engine.protocol.errors import ModelMissing
from resources.language.text import plural, tr
from ui.state.models import ModelState
from ui.theme.long_texts import shortened

_log = logging.getLogger(__name__)

_MOST_NAMED: Final = 3
"""Folders that a notice names; the log names all."""
_LONGEST_NAME: Final = 60
STATES_IN_ORDER: Final = (ModelState.READY, ModelState.INCOMPLETE, ModelState.MISSING, ModelState.UNUSABLE)
"""Models are listed in the order of these states, the usable ones first."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model on this machine. `note` says why it cannot be used and what to do.

    - `files` is None if it cannot be used.
    - `fault` is the rest of a sentence if one of its files is damaged.
    - `base` is the folder of the model that an adapter is for; empty for a model.
    - `record` is that of its download or its copy, if Hearth wrote its files.
    """

    folder: str
    name: str
    repository: str
    source: ModelSource
    state: ModelState = ModelState.READY
    note: str = ""
    fault: str = ""
    files: model_folders.ModelFiles | None = None
    base: str = ""
    record: DownloadRecord | None = None

    @property
    def weight_files_bytes(self) -> int:
        """The size of its weight files."""
        return self.files.size if self.files is not None else 0

    @property
    def hub_name(self) -> str:
        """Its repository on the hub; "" if only the name of its folder is known, so that it cannot be downloaded."""
        return self.repository if "/" in self.repository else ""

    @property
    def origin(self) -> str:
        """Where its files come from, as the end of a line; "" for those in Hearth's folder that no Mac copied there."""
        if self.record is not None and self.record.mac:
            return tr("copied from {mac}", mac=_shown(self.record.mac))
        return self.source.words

    @property
    def files_advice(self) -> str:
        """How the user gets its files again, in one sentence."""
        return tr("Download it again.") if self.hub_name else tr("Get its files again, or remove the folder.")


@dataclass(frozen=True, slots=True)
class LocalModels:
    """All models, the usable ones first, each adapter behind its base. `folders` are those that the user added, each
    with the reason if none of its models is listed.
    """

    models: tuple[LocalModel, ...]
    folders: tuple[tuple[str, str], ...] = ()

    @property
    def damaged(self) -> tuple[LocalModel, ...]:
        """The models with a file that cannot be read."""
        return tuple(model for model in self.models if model.fault)

    @property
    def trouble(self) -> str:
        """One sentence about the damaged models; empty if there is none."""
        damaged = self.damaged
        named = [f"“{_shown(model.name)}” ({model.fault})" for model in damaged[:_MOST_NAMED]]
        if more := len(damaged) - len(named):
            named.append(tr("{more} more, which the log names", more=more))
        if not named:
            return ""
        return plural(
            "Hearth cannot offer {count} model folder: {names}.",
            "Hearth cannot offer {count} model folders: {names}.",
            len(damaged),
            names=", ".join(named),
        )


def find(places: Iterable[ModelSource], current: str = "") -> LocalModels:
    """Return the demo, then the models of all sources. The folder `current` is always among them, because it is in
    use.
    """
    places = tuple(places)
    found: dict[str, LocalModel] = {}
    with_models: set[ModelSource] = set()
    for folder in (folder for source in places for folder in model_folders.folders_in(source)):
        try:
            model = _model(folder)
        except model_folders.NotAModel as reason:
            _log.debug("%s is not listed: %s", ascii(str(folder.path)), reason)
        else:
            found.setdefault(model.folder, model)
            with_models.add(folder.source)
    found.pop(DEMO, None)
    if current not in {"", DEMO, *found}:
        found[current] = _elsewhere(Path(current))
    whole = (model for model in found.values() if model.files is not None and not model.files.base)
    bases = {name: model.folder for model in whole for name in (model.folder, model.repository)}
    models = [_with_base(model, bases) for model in found.values()]
    folders = tuple(
        (str(source.folder), source.absence or ("" if source in with_models else tr("Hearth found no models in it.")))
        for source in places
        if source.origin is Origin.ADDED
    )
    demo = Path(DEMO)
    names = frozenset(entry.name for entry in demo.iterdir())
    built_in = _model(model_folders.ModelFolder(demo, tr(DEMO_NAME), ModelSource(Origin.BUILT_IN, demo.parent), names))
    return LocalModels((built_in, *_sorted(models)), folders)


def _elsewhere(folder: Path) -> LocalModel:
    """The model in use, which lies in none of the sources. Its folder may be gone."""
    model = LocalModel(str(folder), name_of(folder), folder.name, ModelSource(Origin.ADDED, folder.parent))
    if folder.is_dir():
        return replace(model, files=model_folders.ModelFiles("", 0, 0))
    gone = tr("There is no model folder at {folder}.", folder=_shown(str(folder)))
    return replace(model, state=ModelState.MISSING, note=str(advised(gone, advice(ModelMissing.code))))


def _model(folder: model_folders.ModelFolder) -> LocalModel:
    """Raises NotAModel."""
    name = tr(DEMO_NAME) if str(folder.path) == DEMO else display_name(_shown(folder.repository.rpartition("/")[2]))
    record = download_record.of(folder.path) if NAME in folder.names else None
    path = os.fsencode(folder.path).decode("utf-8", "replace")  # every part of the app can carry that
    model = LocalModel(path, name, _shown(folder.repository), folder.source, record=record)
    try:
        return replace(model, files=model_folders.model_files(folder))
    except model_folders.Unusable as reason:
        return replace(model, state=reason.state, note=reason.words(model.files_advice), fault=reason.fault)


def _shown(name: str) -> str:
    return shortened("".join(sign if sign.isprintable() else "?" for sign in name), _LONGEST_NAME)


def _with_base(model: LocalModel, bases: dict[str, str]) -> LocalModel:
    """Give an adapter the folder of its base. One whose base is not here cannot be used."""
    if model.files is None or not model.files.base:
        return model
    if base := bases.get(model.files.base):
        return replace(model, base=base)
    wanted = _shown(model.files.base)
    note = tr("It is an adapter for {wanted}, which is not on this machine. Download {wanted} first.", wanted=wanted)
    return replace(model, state=model_folders.Incomplete.state, note=note, files=None)


def _sorted(models: list[LocalModel]) -> list[LocalModel]:
    """Sort by what can be done and by name, with each adapter behind its base."""
    models = sorted(models, key=lambda model: (STATES_IN_ORDER.index(model.state), model.name.casefold()))
    bases = (model for model in models if not model.base)
    return [one for base in bases for one in (base, *(own for own in models if own.base == base.folder))]
