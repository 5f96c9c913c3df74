"""Deletes downloaded models and those that other Macs copied here. A crash in between leaves no half of a model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.base.errors import reason
from app.base.model_names import DEMO, name_of
from app.hub.errors import DiskRefused, HubError, ModelInUse, NotDownloaded
from app.hub.fetch import names
from app.hub.fetch.staging import ModelPlace
from app.models import download_record
from app.models.model_folders import FROM_OTHER_MACS
from resources.language.text import mark, tr


def place_of(models: Path, folder: Path) -> ModelPlace | None:
    """The place of a model that Hearth downloaded or another Mac copied here; None for every other folder, and for a
    link to one.
    """
    name = f"{folder.parent.name}/{folder.name}"
    is_place = folder.parent.parent == models and (names.is_repository(name) or folder.parent.name == FROM_OTHER_MACS)
    is_ours = is_place and download_record.exists(folder) and not folder.is_symlink()
    return ModelPlace(models, name) if is_ours else None


def remove(models: Path, folder: Path) -> None:
    """Delete a model. Raises NotDownloaded, DownloadInUse, FolderRefused and DiskRefused."""
    place = place_of(models, folder)
    if place is None:
        raise not_downloaded(folder)
    with _deleting(place, mark("{name} cannot be deleted: {reason}."), name_of(folder)):
        place.remove()


def unfinished(models: Path, repository: str) -> ModelPlace | None:
    """The place of a model of which there is only a part of its download; None for every other name."""
    if not names.is_repository(repository):
        return None
    place = ModelPlace(models, repository)
    return place if place.staged() and not place.folder.exists() else None


def discard(place: ModelPlace) -> None:
    """Delete what was downloaded so far. Raises DownloadInUse, FolderRefused and DiskRefused."""
    with _deleting(place, mark("The download of {name} cannot be deleted: {reason}."), place.repository):
        place.discard()


@contextmanager
def _deleting(place: ModelPlace, refusal: str, name: str) -> Iterator[None]:
    """Lock the place in this block. What the disk refuses becomes a DiskRefused."""
    try:
        with place.lock():
            yield
    except OSError as error:
        raise DiskRefused(tr(refusal, name=name, reason=reason(error))) from error


def not_downloaded(folder: Path) -> HubError:
    """The refusal to delete what Hearth did not download."""
    if str(folder) == DEMO:
        return NotDownloaded(tr("{name} is part of Hearth. It stays.", name=name_of(folder)))
    told = tr("Hearth did not download {name}, so it does not delete it.", name=name_of(folder))
    where = tr("You can delete its folder yourself: {folder}", folder=folder) if folder.is_dir() else ""
    return NotDownloaded(f"{told} {where}".rstrip())


def in_use(folder: Path) -> HubError:
    """The refusal to delete the model of the chats."""
    return ModelInUse(
        tr("Your chats use {name}. Pick another model first, then remove this one.", name=name_of(folder))
    )
