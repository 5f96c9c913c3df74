"""The app with a window: connects its parts, starts them in order, and ends them. Runs on the window's thread."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer, Signal

from app.backup.copies import LOOK_MS
from app.backup.recovery import missing_library
from app.chat.sessions import JOT_MS
from app.desktop.bootstrap import AppParts
from app.desktop.dispatch import Dispatch
from app.desktop.home import Home
from app.desktop.idle_collection import IdleCollection
from app.desktop.locales import Speech
from app.macs.macs import GroupReturn
from engine.protocol.messages import Ping
from resources.language.text import mark, present, tr
from ui.intents.notice import Notice
from ui.markdown import highlight
from ui.state.preferences import Preferences
from ui.transcript import image_loader
from ui.window.main_window import MainWindow

_NO_DISK = mark(
    "Another Hearth command is using what is kept of the chats. Until Hearth is started again, they stay ready in "
    "memory only."
)


class Hearth(AppParts):
    """The whole app with a window. It calls its parts every second, and some of them at other times. `ended` is emitted
    once the window is closed and everything is saved.
    """

    ended = Signal()

    def __init__(self, home: Home, window: MainWindow, speech: Speech | None = None) -> None:
        super().__init__(home, window, speech)
        self.over = False
        self._dispatch = Dispatch(self)
        self._group_return = GroupReturn(self.macs, self.hosting, self.connection)
        sessions = self.conversations.sessions
        self._collection = IdleCollection(lambda: sessions.busy)
        self._timers = (QTimer(self, interval=1000), QTimer(self, interval=JOT_MS), QTimer(self, interval=LOOK_MS))
        second, jotting, hour = self._timers
        for tick in (
            self.conversations.tick,
            self.workspace.retry,
            self.cache_monitor.tick,
            self.recovery_flow.tick,
            self.idle_unload.tick,
            self._collection.tick,
            lambda: self.models.tick(visible=window.models.isVisible()),
            self.model_switch.tick,
            self.macs.tick,
            self._group_return.tick,
            lambda: self.app_nap.follow(busy=sessions.busy),
        ):
            second.timeout.connect(tick)
        jotting.timeout.connect(sessions.jot)
        hour.timeout.connect(self._look)
        self.macs.presenter.left = self._leave_mac
        window.requested.connect(lambda _intent: self._collection.note_use())
        window.requested.connect(self._dispatch.handle)
        window.are_words_refused = lambda: self.conversations.are_refused or self.workspace.are_words_refused
        window.closing.connect(self._close)
        self.shutdown.done.connect(self._finish)

    def _leave_mac(self, mac: str) -> None:
        """A Mac is not paired any more. It gets nothing more of a chat or a model, whatever it does itself."""
        self.macs.copies.leave(mac)
        if mac in self.workspace.settings.of_model(self.connection.model).macs:
            self.hosting.leave_group(self.connection.model)

    def _close(self) -> None:
        for timer in self._timers:
            timer.stop()
        self.downloads.close()
        self.finder.close()
        self.inspector.close()
        self.models.close()
        self.images.close()
        self.read_aloud.stop()
        self.colours.close()
        self.macs.close()
        self.workspace.clear()
        self.conversations.settle()
        self.shutdown.begin()
        self.copies.end()
        self.conversations.trash.end()

    def start(self) -> None:
        """Show the window as the user left it, and start the engine."""
        image_loader.install(self.images.load)
        highlight.install(self.colours.colour)
        missing = missing_library(self.home.paths, self.workspace.settings, was_logged=self.home.was_logged)
        self.workspace.preferred = self._preferred
        self._speak()
        self.connection.starting()
        self.hosting.prepare(self.connection.model)
        self.engine_process.start(self.connection)
        self.open_library()
        self.conversations.settings.presets.show()
        self.workspace.restore(self.conversations)
        self.choice.start()
        if self.welcome.start():
            self.models.examine()  # the page counts those that can be used
        else:
            self.models.refresh()
        self.downloads.start()
        self._tidy(time.time_ns() // 1_000_000)
        self.copies.look()
        for timer in self._timers:
            timer.start()
        self.macs.start()
        if not self.home.alone:
            self.window.show_notice(Notice("cache:taken", tr(_NO_DISK)))
        if missing is not None:
            self.window.show_notice(missing)
        self.window.show()

    def _preferred(self, former: Preferences) -> None:
        self.conversations.follow_preferences(former)
        self._speak()

    def _speak(self) -> None:
        """Speak the language that the user chose. If it is another one, every part of the window is built anew, and the
        app shows its views again.
        """
        if not self.speech.speak(self.workspace.settings.preferences.language):
            return
        tabs = self.window.chats.arranged()
        self.window.rebuild()
        self.connection.send(Ping(present().code))  # an engine that starts later learns it from its environment
        self.connection.show_again()
        self.conversations.settings.presets.show()
        self.conversations.list.refresh()
        self.hub_token.show_again()
        self.finder.show_again()
        self.models.show_again()
        self.models.refresh()  # the built-in model has a name in each language
        self.welcome.show_again()
        self.workspace.reopen_tabs(self.conversations, tabs)

    def _look(self) -> None:
        """Called every hour; does once a day what otherwise happens at a start."""
        now = time.time_ns() // 1_000_000
        if self.workspace.is_another_day(now):
            self._tidy(now)
        self.copies.look()

    def _tidy(self, now: int) -> None:
        self.conversations.tidy(self.workspace.note_start(now))

    def begin_with(self, text: str) -> None:
        """Bring the window to the front, and begin a chat with this text in its message box."""
        self.to_front()
        self.conversations.creation.new(text)

    def to_front(self) -> None:
        """Bring the window to the front."""
        if self.window.isMinimized():
            self.window.showNormal()
        self.window.raise_()
        self.window.activateWindow()

    def _finish(self) -> None:
        self.over = True
        self.window.requested.disconnect()  # a timer of the window may still fire, and the libraries are closed
        self.ended.emit()
