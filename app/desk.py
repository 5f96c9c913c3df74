"""The desk as the user left it: model, open tabs, the window's place. Owns the present settings and their saving."""

from __future__ import annotations

import base64
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from app import settings
from app.errors import SettingsRefused, notice

if TYPE_CHECKING:
    from pathlib import Path

    from app.conversations import Conversations
    from app.settings import Settings
    from engine.protocol import Sampling
    from ui.main_window import MainWindow


class Desk:
    """Reads the settings file once and writes it when something is worth keeping."""

    def __init__(self, path: Path, window: MainWindow) -> None:
        self._path = path
        self._window = window
        self.settings = settings.load(path)

    def sampling(self, preset: str) -> Sampling:
        """The sampling that a preset stands for."""
        return self.settings.sampling(preset)

    def lay_out(self, conversations: Conversations) -> None:
        """Put the window where it was and open the tabs that were open, or a new chat where there were none."""
        with suppress(ValueError):  # edited by hand: then the window lies where the system puts it
            self._window.restoreGeometry(base64.b64decode(self.settings.geometry))
        if not self.settings.sidebar_shown:
            self._window.toggle_sidebar()
        if not self.settings.tabs:
            conversations.new()
        for conversation in (*self.settings.tabs, self.settings.shown):
            if conversation:
                conversations.reopen(conversation)

    def keep_model(self, model: str) -> None:
        """Remember the model that was picked."""
        self._keep(msgspec.structs.replace(self.settings, model=model))

    def clear(self, conversations: Conversations) -> None:
        """The window goes: remember how it was."""
        geometry = base64.b64encode(self._window.saveGeometry().data()).decode()
        self._keep(
            msgspec.structs.replace(
                self.settings,
                geometry=geometry,
                sidebar_shown=not self._window.sidebar.isHidden(),
                tabs=conversations.opened,
                shown=self._window.current(),
            )
        )

    def _keep(self, changed: Settings) -> None:
        self.settings = changed
        try:
            settings.save(changed, self._path)
        except SettingsRefused as error:
            self._window.show_notice(notice(error))
