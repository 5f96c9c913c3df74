"""Runs `hearth models verify` and `hearth models remove`, and returns the exit status."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from app.base import locks, paths
from app.base.errors import BadArguments
from app.base.paths import Paths
from app.base.terminal import plain, write, write_lines
from app.cli import home
from app.hub import removal, verification
from app.hub.fetch.staging import ModelPlace
from app.hub.verification import Verdict
from app.models import local_models
from app.models.local_models import LocalModel
from app.models.named import folder_named, model_folder, model_named
from app.models.sources import sources
from ui.theme.phrases import size

_DAMAGED: Final = 1


def verify(model: str | None, *, json: bool) -> int:
    """Compare a model's files with their recorded digests, or all models that have some. Returns 1 if any is damaged.

    Raises BadArguments, NotDownloaded.
    """
    places = paths.find()
    verdicts = [_verdict(found, json=json) for found in _to_verify(places, model)]
    if json:
        write(msgspec.json.encode(verdicts).decode() + "\n")
    elif not verdicts:
        write("There is no model here whose digests are known.\n")
    return _DAMAGED if any(verdict.damaged for verdict in verdicts) else 0


def _to_verify(places: Paths, model: str | None) -> list[LocalModel]:
    if model is not None:
        return [model_named(places, home.saved(places), model)]
    return [found for found in _models(places) if verification.is_verifiable(Path(found.folder))]


def _verdict(model: LocalModel, *, json: bool) -> Verdict:
    verdict = verification.verify(Path(model.folder), model.repository or model.folder)
    if not json:
        write_lines(_words(verdict))
    return verdict


def _words(verdict: Verdict) -> list[str]:
    if not verdict.damaged:
        return [f"{verdict.model}: {verdict.files} files are intact"]
    lines = (f"  {damage.file}: {damage.fault}" for damage in verdict.damaged)
    return [f"{verdict.model}: {len(verdict.damaged)} of {verdict.files} files are damaged; download it again", *lines]


def remove(model: str, *, yes: bool) -> int:
    """Delete a model that Hearth downloaded, or the part of one that is here. Raises AppError."""
    places = paths.find()
    part = removal.unfinished(places.models, model)
    if part is not None:
        return _discard(part, yes=yes)
    folder = _downloaded(places, model)
    if removal.place_of(places.models, folder) is None:
        raise removal.not_downloaded(folder)
    if _window_uses(places, folder):
        raise removal.in_use(folder)
    if not yes and not _agreed(f"{folder.parent.name}/{folder.name}", [folder]):
        write("Nothing was deleted.\n")
        return 0
    removal.remove(places.models, folder)
    write_lines([f"{folder.parent.name}/{folder.name} is deleted."])
    return 0


def _discard(part: ModelPlace, *, yes: bool) -> int:
    if not yes and not _agreed(f"the unfinished download of {part.repository}", part.staged().values()):
        write("Nothing was deleted.\n")
        return 0
    removal.discard(part)
    write_lines([f"The unfinished download of {part.repository} is deleted."])
    return 0


def _downloaded(places: Paths, model: str) -> Path:
    """The folder of the model that is named. A folder of Hearth's own can be deleted whatever is in it."""
    there = [folder for folder in (folder_named(model), places.models / model) if folder.is_dir()]
    return there[0] if there else model_folder(places, home.saved(places), model)


def _window_uses(places: Paths, folder: Path) -> bool:
    """Whether a window is open and its model is this one."""
    lock = locks.take_window(places, 0)
    if lock is not None:
        lock.close()
        return False
    return home.saved(places).model == str(folder)


def _agreed(what: str, folders: Iterable[Path]) -> bool:
    if not sys.stdin.isatty():
        raise BadArguments("Nothing was deleted: without a terminal, --yes has to be given.")
    taken = sum(path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())
    write(plain(f"Delete {what} ({size(taken)})? [y/N] "))
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _models(places: Paths) -> list[LocalModel]:
    return list(local_models.find(sources(places.models, home.saved(places).model_folders)).models)
