"""The workspace as the user left it: the model, the open tabs and the window's geometry. Holds the current settings and
saves them.
"""

from __future__ import annotations

import base64
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtWidgets import QStyle

from app.base import settings
from app.base.errors import SettingsRefused, notice
from app.base.model_names import name_of
from app.base.own_values import OwnValues
from app.conversations.presets import BALANCED
from resources.language.text import tr
from ui.intents.library import OpenLast
from ui.intents.notice import Notice
from ui.state.open_tabs import OpenTabs

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.settings import ModelSettings, OwnPreset, Settings
    from app.conversations.conversations import Conversations
    from engine.protocol.messages import LoadModel
    from engine.protocol.sampling_settings import OwnSampling, Sampling
    from storage.library.rows import Conversation
    from ui.state.preferences import Preferences
    from ui.window.main_window import MainWindow


_DAY_MS = 24 * 60 * 60 * 1000
_SOON_MS = 250
_REFUSED = f"error:{SettingsRefused.code}"
_MOST_BROKEN_STARTS = 2
UNOPENED: Final = "tabs:unopened"
"""A notice that no chat was opened, which offers the one that was in front before."""


class Workspace:
    """Reads the settings file once, and writes it at each change. `preferred` is called when the user has changed a
    preference.
    """

    def __init__(self, path: Path, window: MainWindow) -> None:
        self._path = path
        self._window = window
        self._arranged: tuple[tuple[str, ...], str, tuple[str, ...]] | None = None
        self._restoring = False
        self._closing = False
        self.preferred: Callable[[], object] = lambda: None
        self._soon = QTimer(singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._save_tabs)
        self._minute = QTimer(singleShot=True, interval=60_000)
        self._minute.timeout.connect(self._note_whole_start)
        self.settings = settings.load(path, lambda error: window.show_notice(notice(error)))

    def sampling(self, chat: Conversation, model: str, own: OwnSampling) -> Sampling:
        """Return the sampling of a chat for a model whose maker suggests `own`."""
        return OwnValues.of(chat.sampling).over(self.settings.sampling_of(chat.preset, model, own))

    def left_to_maker(self, chat: Conversation, model: str) -> frozenset[str]:
        """Return the names of the sampling values of a chat that the model's maker decides, if it suggests any."""
        return self.settings.left_to_maker(chat.preset, model) - OwnValues.of(chat.sampling).names

    def load_command(self, model: str) -> LoadModel:
        """Return the command that loads a model with the user's settings."""
        return self.settings.load_command(model)

    def name_of(self, model: str) -> str:
        """Return the name that the user gave a model, or its own."""
        return self.settings.of_model(model).alias or name_of(Path(model))

    def note_base(self, adapter: str, base: str) -> None:
        """Save the model that an adapter is for, so that the next start can load it without a look at the folders."""
        own = self.settings.of_model(adapter)
        if base not in {"", own.base}:
            self.keep_model_settings(adapter, msgspec.structs.replace(own, base=base))

    def restore(self, conversations: Conversations) -> None:
        """Restore the window's geometry and open the last tabs, or a new chat if there were no tabs. After several
        broken starts open nothing: what was shown may have ended them.
        """
        self._window.store.preferences.put(self.settings.preferences)
        self._window.store.unload_after.put(self.settings.unload_after)
        self._place_window()
        if not self.settings.sidebar_shown:
            self._window.stage.sidebar_place.toggle()
        if self.settings.sidebar_width:
            self._window.sidebar.set_width(self.settings.sidebar_width)
        if self.settings.inspector_width:
            self._window.desk.inspector.set_width(self.settings.inspector_width)
        if self.settings.inspector_shown:
            self._window.desk.toggle_inspector()
        self._window.sidebar.fold(self.settings.folded)
        self._window.pages.set_share(self.settings.split_share)
        if self.settings.preferences.startup == "new":
            self.settings = msgspec.structs.replace(self.settings, tabs=(), shown="")
        attention = conversations.attention
        attention.kept, attention.notifies = self.keep_unread, lambda: self.settings.preferences.notifications
        attention.restore(self.settings.unread)
        before = self.settings.broken_starts
        self._keep(msgspec.structs.replace(self.settings, broken_starts=before + 1))
        self._minute.start()
        if before < _MOST_BROKEN_STARTS or not self.settings.tabs:
            self.open_tabs(conversations)
        else:
            told = tr("Hearth ended unexpectedly soon after its last starts, so it has opened no chat this time.")
            last = self.settings.shown or self.settings.tabs[-1]
            self._window.show_notice(Notice(UNOPENED, told, tr("Open the last chat"), intent=OpenLast(last)))

    def _note_whole_start(self) -> None:
        self._keep(msgspec.structs.replace(self.settings, broken_starts=0))

    def _place_window(self) -> None:
        """Place the window where it was, or the first one in the middle of its screen, and never larger than that."""
        window, screen = self._window, self._window.screen().availableGeometry()
        room = screen.adjusted(0, window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight), 0, 0)
        window.setMinimumSize(window.minimumSize().boundedTo(room.size()))
        was_placed = False
        with suppress(ValueError):  # edited by hand
            was_placed = window.restoreGeometry(base64.b64decode(self.settings.geometry))
        if not was_placed:
            place = QRect(QPoint(), window.size().boundedTo(room.size()))
            place.moveCenter(room.center())
            window.setGeometry(place)

    def open_tabs(self, conversations: Conversations, tabs: OpenTabs | None = None) -> None:
        """Open these tabs beside those that are open, or those of the last run if there are none. Without any tab, open
        a new chat. Until they are open, the saved ones stay saved.
        """
        if tabs is None or not tabs.order:
            tabs = OpenTabs(self.settings.tabs, self.settings.shown, self.settings.sides)
        if not tabs.order:
            conversations.creation.begin()
        self._reopen(conversations, tabs)

    def reopen_tabs(self, conversations: Conversations, tabs: OpenTabs) -> None:
        """Open these tabs, private ones too, in a window that was built anew."""
        self._save_tabs()
        self._reopen(conversations, tabs)

    def _reopen(self, conversations: Conversations, tabs: OpenTabs) -> None:
        self._restoring = True
        self._window.chats.begin_restoring(tabs)
        for conversation in tabs.order:
            if self._window.chats.tab(conversation) is None:
                conversations.tabs.reopen(conversation)
        conversations.tabs.once_open(self._restored)

    def _restored(self) -> None:
        self._restoring = False
        self._window.chats.end_restoring()
        if self._arranged is not None:
            self._save_soon()

    def keep_tabs(self, tabs: tuple[str, ...], shown: str, sides: tuple[str, ...] = ()) -> None:
        """Save the open tabs, the one in front and the two beside each other, a moment later: the user may be turning
        through many. What happens to them while the window closes is not the user's.
        """
        if self._closing:
            return
        self._arranged = (tabs, shown, sides)
        if not self._restoring:
            self._save_soon()

    def keep_unread(self, unread: tuple[str, ...]) -> None:
        """Save which chats have an answer that the user has not seen, with the tabs."""
        self.settings = msgspec.structs.replace(self.settings, unread=unread)
        self._save_soon()

    def _save_soon(self) -> None:
        """While the window closes, no timer may outlive it: save now."""
        self._save_tabs() if self._closing else self._soon.start()

    def _save_tabs(self) -> None:
        self._keep(self._with_tabs())

    def _with_tabs(self) -> Settings:
        if self._restoring or self._arranged is None:
            return self.settings
        tabs, shown, sides = self._arranged
        return msgspec.structs.replace(self.settings, tabs=tabs, shown=shown, sides=sides)

    def is_another_day(self, now: int) -> bool:
        """Return whether a day has passed since the last noted start, or the clock was set back by one. `now` is in
        ms, UTC.
        """
        return abs(now - self.settings.started) >= _DAY_MS

    def note_start(self, now: int) -> int:
        """Save the time of the first start of a day, or of a day later in a window that stays open, in ms, UTC. Returns
        the time saved on the day before, 0 if unknown: all starts of a day with a wrong clock know the right one.
        """
        if self.is_another_day(now):
            self._keep(msgspec.structs.replace(self.settings, started=now, noted=self.settings.started))
        return self.settings.noted

    def keep_model(self, model: str) -> None:
        """Save the model that the user picked."""
        self._keep(msgspec.structs.replace(self.settings, model=model))

    def keep_welcoming(self, *, welcoming: bool) -> None:
        """Save whether the welcome page is to be shown at the next start."""
        if welcoming != self.settings.welcoming:
            self._keep(msgspec.structs.replace(self.settings, welcoming=welcoming))

    def note_offered(self) -> None:
        """Save that the user was offered to have a downloaded model answer the chats of the built-in one."""
        self._keep(msgspec.structs.replace(self.settings, offered=True))

    def keep_model_settings(self, model: str, changed: ModelSettings) -> None:
        """Save the settings of a model."""
        self._keep(msgspec.structs.replace(self.settings, models=self.settings.models | {model: changed}))

    def keep_model_folders(self, folders: tuple[str, ...]) -> None:
        """Save the folders in which the user wants Hearth to look for models."""
        self._keep(msgspec.structs.replace(self.settings, model_folders=folders))

    def keep_told_unreadable(self, folders: tuple[str, ...]) -> None:
        """Save the model folders with damaged files that the user was told of."""
        if folders != self.settings.told_unreadable:
            self._keep(msgspec.structs.replace(self.settings, told_unreadable=folders))

    def keep_presets(self, presets: dict[str, OwnPreset]) -> None:
        """Save the user's presets. If new chats began with one that is deleted now, they begin with Hearth's own."""
        gone = self.settings.own_presets.keys() - presets.keys()
        self._keep(msgspec.structs.replace(self.settings, own_presets=presets))
        if self.settings.preferences.preset in gone:
            self.keep_preferences(replace(self.settings.preferences, preset=BALANCED))

    def keep_preferences(self, preferences: Preferences) -> None:
        """Save the user's preferences, and let the window follow them."""
        self._keep(msgspec.structs.replace(self.settings, preferences=preferences))
        self._window.store.preferences.put(preferences)
        self.preferred()

    def keep_quota(self, quota: int) -> None:
        """Save the limit of the caches in bytes; with 0 Hearth chooses it."""
        self._keep(msgspec.structs.replace(self.settings, cache_quota=quota or None))

    def keep_caching(self, enabled: bool) -> None:  # noqa: FBT001 - a signal's value
        """Save whether chats are kept warm on disk."""
        self._keep(msgspec.structs.replace(self.settings, cache_enabled=enabled))

    def keep_lending(self, lends: bool) -> None:  # noqa: FBT001 - a signal's value
        """Save whether other Macs may use this one."""
        self._keep(msgspec.structs.replace(self.settings, lends_mac=lends))

    def keep_unload_after(self, minutes: int) -> None:
        """Save the time after which an unused model is unloaded."""
        self._keep(msgspec.structs.replace(self.settings, unload_after=minutes))
        self._window.store.unload_after.put(minutes)

    def clear(self) -> None:
        """Save the geometry and the open tabs, because the window closes."""
        geometry = base64.b64encode(self._window.saveGeometry().data()).decode()
        self._soon.stop()
        self._minute.stop()
        self._closing = True
        self._keep(
            msgspec.structs.replace(
                self._with_tabs(),
                broken_starts=0,
                geometry=geometry,
                split_share=self._window.pages.share(),
                sidebar_width=self._window.sidebar.width(),
                sidebar_shown=self._window.stage.sidebar_place.is_wanted,
                inspector_shown=self._window.desk.inspecting,
                inspector_width=self._window.desk.inspector.width(),
                folded=self._window.sidebar.model.folded(),
            )
        )

    def _keep(self, changed: Settings) -> None:
        self.settings = changed
        try:
            settings.save(changed, self._path)
        except SettingsRefused as error:
            self._window.show_notice(replace(notice(error), lasting=True))
        else:
            self._window.clear_notice(_REFUSED)
