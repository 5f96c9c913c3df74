"""SavedSettings: the user's settings, read once and written at each change. Runs on the window's thread."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from app.base import settings
from app.base.errors import SettingsRefused, notice
from app.base.model_names import name_of
from app.base.ports import NoticeSink
from app.base.settings import ModelSettings

_REFUSED: Final = f"error:{SettingsRefused.code}"


class SavedSettings:
    """Reads the settings from the file at `path` and writes them there. Shows a notice on `sink` if that fails."""

    def __init__(self, path: Path, sink: NoticeSink) -> None:
        self._path = path
        self._sink = sink
        self.settings = settings.load(path, lambda error: sink.show_notice(notice(error)))

    def change(self, **fields: object) -> None:
        """Save the settings with other values in these fields of `Settings`."""
        self.settings = msgspec.structs.replace(self.settings, **fields)
        try:
            settings.save(self.settings, self._path)
        except SettingsRefused as error:
            self._sink.show_notice(replace(notice(error), lasting=True))
        else:
            self._sink.clear_notice(_REFUSED)

    def change_model(self, model: str, changed: ModelSettings) -> None:
        """Save the settings of a model."""
        self.change(models=self.settings.models | {model: changed})

    def name_of(self, model: str) -> str:
        """Return the name that the user gave a model, or its own."""
        return self.settings.of_model(model).alias or name_of(Path(model))

    def note_base(self, adapter: str, base: str) -> None:
        """Save the model that an adapter is for, so that the next start can load it without a look at the folders."""
        own = self.settings.of_model(adapter)
        if base not in {"", own.base}:
            self.change_model(adapter, msgspec.structs.replace(own, base=base))
