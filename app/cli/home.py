"""What most commands begin and end with: the folders, the user's settings, what follows from them, the model or the Mac
that the user names, and the printing of the outcome. Runs on the main thread.

A model's name is a folder, the name or the user's own name in the list, or publisher/name. An existing folder comes
first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from app.base import paths, settings
from app.base.errors import BadArguments, FolderRefused, reason
from app.base.model_names import default_model, holds_model
from app.base.paths import Paths, absolute
from app.base.settings import Settings
from app.base.terminal import complain, write_json, write_lines
from app.cache import quota
from app.macs.roster import Mac
from app.models import local_models
from app.models.local_models import LocalModel
from app.models.sources import sources
from resources.language.text import tr
from storage.untrusted import MEBIBYTE

_LARGEST: Final = 256 * MEBIBYTE
"""Far more than any context takes. A device such as /dev/zero never ends."""
_ID_DIGITS = 8
"""As many digits of a certificate name a Mac, if another one has the same name."""


def prepared() -> Paths:
    """Return the folders of Hearth's data, which are made if they are missing."""
    places = paths.find()
    paths.prepare(places)
    return places


def saved(places: Paths) -> Settings:
    """Return the user's settings. If they cannot be read, complain and return the defaults."""
    return settings.load(places.settings, lambda error: complain(str(error)))


def model_meant(places: Paths, own: Settings, name: str | None) -> str:
    """Return the folder of the model that the user names, or of the one picked last. Raises BadArguments."""
    return default_model(own.model) if name is None else str(model_folder(places, own, name))


def cache_quota(places: Paths, own: Settings) -> int:
    """Compute the limit of the caches from their disk, or from that of the data if their folder is missing: the engine
    reports why. Raises FolderRefused.
    """
    try:
        return quota.on_disk(own.cache_quota, places.segments, places.data)
    except OSError as error:
        raise FolderRefused(f"Hearth cannot look at the disk of {places.segments}: {reason(error)}.") from error


def content_of(name: str) -> bytes:
    """Return what is in the file or pipe that the user names, or on stdin for "-". Raises BadArguments."""
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise BadArguments(f"{name} cannot be read: {reason(error)}.") from error
    if len(content) > _LARGEST:
        raise BadArguments(f"{name} cannot be read: it is larger than {_LARGEST // MEBIBYTE} MB.")
    return content


def report(value: object, lines: Iterable[str], *, json: bool) -> None:
    """Print the outcome of a command: one value for a script, or lines for a person."""
    if json:
        write_json(value)
    else:
        write_lines(lines)


def folder_named(name: str) -> Path:
    """Return the absolute path that `name` is, whether or not something is there. Raises BadArguments if the name is
    empty, because no path and no model has an empty name, or if `absolute` does.
    """
    if not name.strip():
        raise BadArguments(tr("The model's name is empty; hearth models list names all models."))
    path = absolute(name)
    return path.resolve() if ".." in path.parts else path


def added_folders(saved: Settings, name: str) -> tuple[str, ...]:
    """Return the folders of the user's models, with the one that `name` is, if it exists."""
    folder = folder_named(name)
    there = os.path.isdir(folder)  # noqa: PTH112 - the method raises for some folders
    return (*saved.model_folders, *((str(folder),) if there else ()))


def model_folder(places: Paths, saved: Settings, name: str) -> Path:
    """Return the folder of the model that `name` names. Raises BadArguments."""
    folder = folder_named(name)
    return folder if holds_model(folder) else Path(model_named(places, saved, name).folder)


def model_named(places: Paths, saved: Settings, name: str) -> LocalModel:
    """Return the model on this machine that `name` names. Raises BadArguments."""
    models = local_models.find(sources(places.models, added_folders(saved, name))).models
    return only_one(matching(models, saved, name), name)


def matching(models: Iterable[LocalModel], saved: Settings, name: str) -> list[LocalModel]:
    """Return the model in the folder that `name` is, or else all models of that name."""
    models, folder = tuple(models), str(folder_named(name))
    in_folder = [model for model in models if model.folder == folder]
    return in_folder or [model for model in models if name in _names(model, saved)]


def _names(model: LocalModel, saved: Settings) -> set[str]:
    own = saved.of_model(model.folder).alias
    return {model.folder, model.repository, model.repository.rpartition("/")[2], model.name, own}


def only_one(models: Sequence[LocalModel], name: str) -> LocalModel:
    """Return the only one of the `models` of a name. Raises BadArguments if there is none, or more than one."""
    if not models:
        raise BadArguments(tr("There is no model {name} on this machine; hearth models list names all.", name=name))
    if len(models) > 1:
        folders = ", ".join(model.folder for model in models)
        raise BadArguments(
            tr("Several models are called {name}; name one by its folder: {folders}.", name=name, folders=folders)
        )
    return models[0]


def mac_named(name: str, macs: tuple[Mac, ...]) -> Mac:
    """The Mac that the user means by its name, its address, or the first digits of its certificate."""
    found = {
        mac.fingerprint: mac
        for mac in macs
        if mac.name.casefold() == name.casefold()
        or mac.address == name
        or (len(name) >= _ID_DIGITS and mac.fingerprint.startswith(name.lower()))
    }
    if not found:
        raise BadArguments(f"No Mac of the name {name} is paired; hearth macs list names all.")
    if len(found) > 1:
        numbers = ", ".join(one[:_ID_DIGITS] for one in found)
        raise BadArguments(f"{len(found)} Macs have the name {name}. Give the number of one instead: {numbers}.")
    return next(iter(found.values()))
