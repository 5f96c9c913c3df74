"""The models on this Mac that a group can use, by their sketch. Listed on a thread of its own, as disks can be slow.

Writes them to a file, from which the engine of a group takes the folder of the model that its leader names.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import Final

import msgspec

from app.base import settings
from app.base.paths import Paths
from app.macs.roster import folder
from app.models import local_models
from app.models.local_models import LocalModel
from app.models.sources import sources
from engine.workers.model_sketch import sketch
from engine.workers.requests import Model
from storage.folders import private_folder, replace_file
from storage.untrusted import UntrustedDataError
from ui.state.models import ModelState

_log = logging.getLogger(__name__)
_FRESH_SECONDS: Final = 10.0


class OwnModels:
    """Any thread may ask for them."""

    def __init__(self, places: Paths) -> None:
        self.file = folder(places) / "models.json"
        self._places = places
        self._lock = threading.Lock()
        self._listing: threading.Thread | None = None
        self._listed_at = self._not_before = time.monotonic() - 2 * _FRESH_SECONDS
        self._models: tuple[Model, ...] = ()

    def listed(self, seconds: float) -> tuple[Model, ...]:
        """The models; those of the list before if the disks take longer than `seconds`."""
        until = time.monotonic() + seconds
        while not self._is_fresh:
            self._begin().join(max(0.0, until - time.monotonic()))
            if time.monotonic() >= until:
                break
        return self._models

    def forget(self) -> None:
        """List them anew the next time: one was added. A list that has begun before does not count."""
        self._not_before = time.monotonic()

    def wait(self, seconds: float) -> None:
        """Wait until the thread ends."""
        if self._listing is not None:
            self._listing.join(seconds)

    @property
    def _is_fresh(self) -> bool:
        return self._not_before <= self._listed_at and time.monotonic() - self._listed_at <= _FRESH_SECONDS

    def _begin(self) -> threading.Thread:
        """The thread that lists them, which may have begun already."""
        with self._lock:
            if self._listing is None or not self._listing.is_alive():
                self._listing = threading.Thread(target=self._list, name="worker-models", daemon=True)
                self._listing.start()
            return self._listing

    def _list(self) -> None:
        began, found = time.monotonic(), {}
        added = settings.load(self._places.settings, lambda _: None).model_folders
        for local in local_models.find(sources(self._places.models, added)).models:
            if local.state is ModelState.READY and (model := _model(local)):
                found[model.sketch] = (model, local.folder)
        self._models = tuple(model for model, _ in found.values())
        try:
            private_folder(self.file.parent)
            replace_file(self.file, msgspec.json.encode({name: at for name, (_, at) in found.items()}))
        except OSError as error:
            _log.warning("the list of models cannot be written: %s", error)
        self._listed_at = began


def _model(local: LocalModel) -> Model | None:
    try:
        return Model(local.name, local.repository, sketch(Path(local.folder)), local.weight_files_bytes)
    except (OSError, UntrustedDataError) as error:
        _log.info("%s is not offered: %s", ascii(local.folder), error)
        return None
