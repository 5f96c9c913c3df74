"""The desk as the user left it: model, open tabs, the window's place. Owns the present settings and their saving."""

from __future__ import annotations

import base64
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from app.base import settings
from app.base.errors import SettingsRefused, notice

if TYPE_CHECKING:
    from pathlib import Path

    from app.base.settings import Settings, UpdateMemory
    from app.conversations.conversations import Conversations
    from engine.protocol.messages import KvBits, Sampling
    from ui.window.main_window import MainWindow


_DAY_MS = 24 * 60 * 60 * 1000
_KV_BITS: dict[int, KvBits] = {0: 0, 4: 4, 8: 8}


class Workspace:
    """Reads the settings file once and writes it when something is worth keeping."""

    def __init__(self, path: Path, window: MainWindow) -> None:
        self._path = path
        self._window = window
        self.settings = settings.load(path, lambda error: window.show_notice(notice(error)))

    def sampling(self, preset: str) -> Sampling:
        """The sampling that a preset stands for."""
        return self.settings.sampling(preset)

    def kv_bits(self, model: str) -> KvBits:
        """The precision that the user wants for a model's cache; 0 is the model's own."""
        return self.settings.kv_bits.get(model, 0)

    def lay_out(self, conversations: Conversations) -> None:
        """Put the window where it was and open the tabs that were open, or a new chat where there were none."""
        with suppress(ValueError):  # edited by hand: then the window lies where the system puts it
            self._window.restoreGeometry(base64.b64decode(self.settings.geometry))
        if not self.settings.sidebar_shown:
            self._window.toggle_sidebar()
        self._window.sidebar.fold(self.settings.folded)
        self.open_tabs(conversations, self.settings.tabs)

    def open_tabs(self, conversations: Conversations, tabs: tuple[str, ...]) -> None:
        """Open these tabs and the one that was in front, or a new chat where there are none."""
        if not tabs:
            conversations.creation.new()
        for conversation in (*tabs, self.settings.shown):
            if conversation:
                conversations.tabs.reopen(conversation)

    def is_another_day(self, now: int) -> bool:
        """Whether a day has passed since the last noted start, or the clock was set back. `now` in ms, UTC."""
        return not 0 <= now - self.settings.started < _DAY_MS

    def note_start(self, now: int) -> int:
        """Remember what the clock says at this start, or a day later in a window that stays open, in ms, UTC. Returns
        what it said the last time, 0 if that is unknown.
        """
        before = self.settings.started
        self._keep(msgspec.structs.replace(self.settings, started=now))
        return before

    def keep_model(self, model: str) -> None:
        """Remember the model that was picked."""
        self._keep(msgspec.structs.replace(self.settings, model=model))

    def keep_kv_bits(self, model: str, bits: int) -> None:
        """Remember the precision for a model's cache. What is none is not kept."""
        if bits in _KV_BITS:
            picked: KvBits = _KV_BITS[bits]
            self._keep(msgspec.structs.replace(self.settings, kv_bits=self.settings.kv_bits | {model: picked}))

    def keep_quota(self, quota: int) -> None:
        """Remember how many bytes the caches may take; 0 leaves it to Hearth."""
        self._keep(msgspec.structs.replace(self.settings, cache_quota=quota or None))

    def keep_caching(self, enabled: bool) -> None:  # noqa: FBT001 - a signal's value
        """Remember whether any chat is kept warm on disk."""
        self._keep(msgspec.structs.replace(self.settings, cache_enabled=enabled))

    @property
    def updates(self) -> UpdateMemory:
        """What is remembered of newer versions."""
        return self.settings.updates

    def keep_updates(self, updates: UpdateMemory) -> None:
        """Remember this of newer versions."""
        if updates != self.settings.updates:
            self._keep(msgspec.structs.replace(self.settings, updates=updates))

    def clear(self, conversations: Conversations) -> None:
        """The window goes: remember how it was."""
        geometry = base64.b64encode(self._window.saveGeometry().data()).decode()
        self._keep(
            msgspec.structs.replace(
                self.settings,
                geometry=geometry,
                sidebar_shown=not self._window.sidebar.isHidden(),
                folded=self._window.sidebar.folded(),
                tabs=conversations.tabs.opened,
                shown=shown if (shown := self._window.chats.current()) in conversations.tabs.opened else "",
            )
        )

    def _keep(self, changed: Settings) -> None:
        self.settings = changed
        try:
            settings.save(changed, self._path)
        except SettingsRefused as error:
            self._window.show_notice(notice(error))
