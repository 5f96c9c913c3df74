"""The workspace as the user left it: the open tabs, the window's geometry, and all other settings."""

from __future__ import annotations

import base64
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtWidgets import QStyle

from app.base.own_values import OwnValues
from app.base.saved_settings import SavedSettings
from app.base.settings import OwnPreset
from app.conversations.conversations import Conversations
from app.conversations.presets import BALANCED
from engine.protocol.sampling_settings import OwnSampling, Sampling
from resources.language.text import tr
from storage.library.rows import Conversation
from ui.intents.library import OpenLast
from ui.intents.notice import Notice
from ui.state.library import OpenTabs
from ui.state.preferences import Preferences
from ui.window.main_window import MainWindow

_DAY_MS = 24 * 60 * 60 * 1000
_SOON_MS = 250
_MOST_BROKEN_STARTS = 2
UNOPENED: Final = "tabs:unopened"
"""A notice that no chat was opened, which offers the one that was in front before."""


class Workspace(SavedSettings):
    """The settings of a window. `preferred` is called with the former preferences when the user has changed one."""

    def __init__(self, path: Path, window: MainWindow) -> None:
        super().__init__(path, window)
        self._window = window
        self._arranged: tuple[tuple[str, ...], str, tuple[str, ...]] | None = None
        self._restoring = False
        self._closing = False
        self.preferred: Callable[[Preferences], object] = lambda _: None
        self._soon = QTimer(singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._save_tabs)
        self._minute = QTimer(singleShot=True, interval=60_000)
        self._minute.timeout.connect(lambda: self.change(broken_starts=0))

    def sampling(self, chat: Conversation, model: str, own: OwnSampling) -> Sampling:
        """Return the sampling of a chat for a model whose maker suggests `own`."""
        return OwnValues.of(chat.sampling).over(self.settings.sampling_of(chat.preset, model, own))

    def left_to_maker(self, chat: Conversation, model: str) -> frozenset[str]:
        """Return the names of the sampling values of a chat that the model's maker decides, if it suggests any."""
        return self.settings.left_to_maker(chat.preset, model) - OwnValues.of(chat.sampling).names

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
        self.change(broken_starts=before + 1)
        self._minute.start()
        if before < _MOST_BROKEN_STARTS or not self.settings.tabs:
            self.open_tabs(conversations)
        else:
            told = tr("Hearth ended unexpectedly soon after its last starts, so it has opened no chat this time.")
            last = self.settings.shown or self.settings.tabs[-1]
            self._window.show_notice(Notice(UNOPENED, told, tr("Open the last chat"), intent=OpenLast(last)))

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
        if tabs:
            self._window.clear_notice(UNOPENED)
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
        self.change(**self._tabs())

    def _tabs(self) -> dict[str, object]:
        """The fields of the open tabs, if those of the last run are open by now."""
        if self._restoring or self._arranged is None:
            return {}
        tabs, shown, sides = self._arranged
        return {"tabs": tabs, "shown": shown, "sides": sides}

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
            self.change(started=now, noted=self.settings.started)
        return self.settings.noted

    def keep_presets(self, presets: dict[str, OwnPreset]) -> None:
        """Save the user's presets. If new chats began with one that is deleted now, they begin with Hearth's own."""
        gone = self.settings.own_presets.keys() - presets.keys()
        self.change(own_presets=presets)
        if self.settings.preferences.preset in gone:
            self.keep_preferences(replace(self.settings.preferences, preset=BALANCED))

    def keep_preferences(self, preferences: Preferences) -> None:
        """Save the user's preferences, and let the window follow them."""
        former = self.settings.preferences
        self.change(preferences=preferences)
        self._window.store.preferences.put(preferences)
        self.preferred(former)

    def keep_unload_after(self, minutes: int) -> None:
        """Save the time after which an unused model is unloaded."""
        self.change(unload_after=minutes)
        self._window.store.unload_after.put(minutes)

    def clear(self) -> None:
        """Save the geometry and the open tabs, because the window closes."""
        geometry = base64.b64encode(self._window.saveGeometry().data()).decode()
        self._soon.stop()
        self._minute.stop()
        self._closing = True
        self.change(
            **self._tabs(),
            broken_starts=0,
            geometry=geometry,
            split_share=self._window.pages.share,
            sidebar_width=self._window.sidebar.width(),
            sidebar_shown=self._window.stage.sidebar_place.is_wanted,
            inspector_shown=self._window.desk.inspecting,
            inspector_width=self._window.desk.inspector.width(),
            folded=self._window.sidebar.model.folded(),
        )
