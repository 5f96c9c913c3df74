"""What most commands begin with: the folders, the user's settings, and what follows from them."""

from __future__ import annotations

import shutil

from app.base import paths, settings
from app.base.errors import FolderRefused, reason
from app.base.model_names import default_model
from app.base.paths import Paths
from app.base.settings import Settings
from app.base.terminal import complain
from app.cache import quota
from app.models.named import model_folder


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
    place = places.segments if places.segments.is_dir() else places.data
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        raise FolderRefused(f"Hearth cannot look at the disk of {place}: {reason(error)}.") from error
    return quota.quota(own.cache_quota, free, quota.held_in(places.segments))
