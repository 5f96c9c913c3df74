"""Runs `hearth models verify` and `hearth models remove`, and returns the exit status."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from app.base import locks, paths
from app.base.errors import BadArguments
from app.base.paths import Paths
from app.base.terminal import plain, write, write_json, write_lines
from app.cli import home
from app.hub import removal, verification
from app.hub.verification import Verdict
from app.models import local_models
from app.models.sources import sources
from ui.theme.phrases import size

_DAMAGED: Final = 1


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
    """Delete a model that Hearth downloaded, or the part of one that is here. Raises AppError."""
    places = paths.find()
    if (part := removal.unfinished(places.models, model)) is not None:
        what, folders = f"unfinished download of {part.repository}", part.staged().values()
        if yes or _agreed(f"the {what}", folders):
            removal.discard(part)
            write_lines([f"The {what} is deleted."])
        return
    # A folder of Hearth's own can be deleted whatever is in it.
    there = [folder for folder in (home.folder_named(model), places.models / model) if folder.is_dir()]
    folder = there[0] if there else home.model_folder(places, home.saved(places), model)
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
