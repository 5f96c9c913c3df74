"""SavedSettings: the user's settings, read once and written at each change. Runs on the window's thread."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from app.base import settings
from app.base.errors import SettingsRefused, notice
from app.base.model_names import name_of
from app.base.ports import NoticeSink
from app.base.settings import ModelSettings, Settings

_REFUSED: Final = f"error:{SettingsRefused.code}"


class SavedSettings:
    """Reads the settings from the file at `path` and writes them there. If that fails, such as on a full disk, it shows
    a notice on `sink`, and `retry` tries again.
    """

    def __init__(self, path: Path, sink: NoticeSink) -> None:
        self._path = path
        self._sink = sink
        self.settings = self._written = settings.load(path, lambda error: sink.show_notice(notice(error)))

    def change(self, **fields: object) -> None:
        """Save the settings with other values in these fields of `Settings`."""
        self.settings = msgspec.structs.replace(self.settings, **fields)
        try:
            self._write()
        except SettingsRefused as error:
            self._sink.show_notice(replace(notice(error), lasting=True))

    def retry(self) -> None:
        """Called every second: save what was refused."""
        if self.settings is not self._written:
            with suppress(SettingsRefused):
                self._write()

    @property
    def are_words_refused(self) -> bool:
        """Whether something that the user has written, such as instructions, could not be saved."""
        return _words(self.settings) != _words(self._written)

    def _write(self) -> None:
        settings.save(self.settings, self._path)
        self._written = self.settings
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


def _words(saved: Settings) -> object:
    """What the user has written: instructions for new chats, the names and instructions of models, own presets."""
    of_models = {model: (own.alias, own.system) for model, own in saved.models.items()}
    return saved.preferences.system, of_models, saved.own_presets
