"""The whole app with its window in this process, with the scripted engine: what a user does, and Qt's event loop."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QEventLoop, QTimer

from app.base import paths, program, settings
from app.base.program import Program
from app.base.settings import Settings
from app.desktop import idle_collection
from app.desktop.hearth import Hearth
from app.desktop.home import settle
from app.desktop.launch import Application
from resources import DEMO_MODEL
from ui.chat.chat_tab import ChatTab
from ui.intents.chat import InChat, Open
from ui.state.chat import ChatPhase
from ui.window.main_window import MainWindow

_POLL_MS = 2
_PATIENCE_MS = 120_000
_ENGINE = Program(sys.executable, ("-m", "tests.bench.ui.scripted_engine"), Path(__file__).parents[3])


class Desk:
    """An open window and what a user does in it."""

    def __init__(self, hearth: Hearth) -> None:
        self.hearth = hearth
        self.window = hearth.window

    def rest(self, seconds: float) -> None:
        """Let the event loop run."""
        loop = QEventLoop()
        QTimer.singleShot(int(1000 * seconds), loop.quit)
        loop.exec()

    def until(self, condition: Callable[[], bool]) -> None:
        """Let the event loop run until `condition` holds."""
        loop, timer, patience = QEventLoop(), QTimer(interval=_POLL_MS), QTimer(interval=_PATIENCE_MS)
        timer.timeout.connect(lambda: loop.quit() if condition() else None)
        patience.timeout.connect(lambda: loop.exit(1))
        timer.start()
        patience.start()
        if loop.exec():
            raise TimeoutError("the window never came so far")

    def new_chat(self) -> str:
        """A new conversation, in front. Its draft keeps the next call from finding it untouched."""
        before = self.window.tabs.current()
        self.hearth.conversations.creation.new("A draft")
        self.until(lambda: self.window.tabs.current() != before)
        return self.window.tabs.current()

    def show(self, chat: str) -> None:
        """Open a conversation, or bring it to the front."""
        self.window.requested.emit(InChat(chat, Open()))
        self.until(lambda: self.window.tabs.current() == chat)

    def tab(self, chat: str) -> ChatTab:
        """The page of an open conversation."""
        tab = self.window.chats.tab(chat)
        assert tab is not None, "it is open"
        return tab

    def send(self, chat: str, text: str) -> None:
        """Ask, and wait until the model is answering or has answered."""
        transcript = self.tab(chat).transcript
        before = len(transcript.messages)
        self.tab(chat).composer.set_draft(text)
        self.tab(chat).composer.submit()
        self.until(lambda: len(transcript.messages) > before)

    def until_answered(self, chat: str) -> None:
        """Wait until a conversation's answer is complete and on the page."""
        session = self.hearth.conversations.sessions.of(chat)
        self.until(lambda: session.status.phase is ChatPhase.IDLE and self.tab(chat).transcript.is_settled)


@contextmanager
def opened(home: Path) -> Iterator[Desk]:
    """The window of the library in `home`, as the user left it."""
    os.environ |= {"HEARTH_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    places = paths.find()
    paths.prepare(places)
    if not places.settings.exists():
        settings.save(Settings(model=str(DEMO_MODEL)), places.settings)
    application = Application()
    with ExitStack() as stack, patch.object(program, "engine", lambda *_, **_named: _ENGINE):
        hearth = Hearth(settle(places, stack), MainWindow())
        hearth.start()
        hearth.window.resize(1280, 840)  # as on most screens
        desk = Desk(hearth)
        desk.until(lambda: hearth.connection.ready and hearth.window.tabs.current() != "")
        idle_collection.begin()  # as the app does
        yield desk
        hearth.window.close()
        desk.until(lambda: hearth.over)
    del application
