"""The whole app in the test's home, with a tiny model that never ends an answer itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from app.base import paths, program, settings
from app.base.settings import Settings
from app.desktop.hearth import Hearth
from app.desktop.home import settle
from engine.protocol.sampling_settings import Sampling
from tests.fakes.echo_app import echo_engine
from tests.fakes.foreign import never
from tests.fakes.tiny_models import build
from ui.chat.chat_tab import ChatTab
from ui.state.chat import ChatPhase, MessageView
from ui.window.main_window import MainWindow

PATIENCE_MS = 30_000
SIZE = (1280, 840)
"""Of every window, as on most screens. The one here is smaller."""


class Desk:
    """A window that can be closed and reopened, and what a user does in it."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self._stack = ExitStack()
        self.hearth: Hearth | None = None

    def open(self) -> Hearth:
        self.open_damaged()
        self.until(lambda: self.app.window.tabs.current() != "")
        return self.app

    def open_damaged(self) -> Hearth:
        """Open a window that may have no chat to show."""
        self.hearth = Hearth(settle(paths.find(), self._stack), MainWindow())
        self.hearth.start()
        self.hearth.window.resize(*SIZE)
        return self.hearth

    def close(self) -> None:
        """Close the window. A private chat of a test that failed may not hold it open: that would fail the next."""
        hearth, self.hearth = self.hearth, None
        if hearth is not None:
            for chat in hearth.window.chats.erasable():
                hearth.window.chats.close_anyway(chat)
            with self._qtbot.waitSignal(hearth.ended, timeout=PATIENCE_MS):
                hearth.window.close()
            hearth.window.deleteLater()
        self._stack.close()

    @property
    def app(self) -> Hearth:
        assert self.hearth is not None
        return self.hearth

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=PATIENCE_MS)

    def new_chat(self) -> str:
        """Another chat, also if an untouched one is open."""
        before = self.app.window.tabs.current()
        self.app.conversations.creation.new()
        self.until(lambda: self.app.window.tabs.current() != before)
        return self.app.window.tabs.current()

    def tab(self, chat: str) -> ChatTab:
        tab = self.app.window.chats.tab(chat)
        assert tab is not None
        return tab

    def send(self, chat: str, text: str) -> None:
        self.tab(chat).composer.set_draft(text)
        self.tab(chat).composer.submit()

    def answer(self, chat: str) -> MessageView:
        """The last answer as the tab shows it."""
        messages = self.tab(chat).transcript.messages
        answer = messages.newest_of("assistant")
        assert answer is not None
        return replace(answer, text=messages.text_of(answer.id))

    def phase(self, chat: str) -> ChatPhase:
        return self.app.conversations.sessions.of(chat).status.phase

    def is_generating(self, chat: str) -> bool:
        return self.phase(chat) is ChatPhase.GENERATING

    def is_idle(self, chat: str) -> bool:
        return self.phase(chat) is ChatPhase.IDLE


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("model"))


@pytest.fixture(autouse=True)
def preloaded_processes(preloaded: None) -> None:
    """No promise of these tests is about a start."""


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the engine by one that repeats the prompt, for stories that need no model."""
    monkeypatch.setattr(program, "engine", echo_engine)


@pytest.fixture
def answers(model: Path) -> Callable[[int], None]:
    """Set how many tokens an answer has, for windows that are opened afterwards."""

    def limit(tokens: int) -> None:
        places = paths.find()
        paths.prepare(places)
        drawn = Sampling(temperature=0.0, max_tokens=tokens)
        kept = settings.load(places.settings, never)
        presets = dict.fromkeys(Settings().presets, drawn)
        settings.save(msgspec.structs.replace(kept, model=str(model), presets=presets), places.settings)

    limit(4000)
    return limit


@pytest.fixture
def desk(qtbot: QtBot, answers: Callable[[int], None]) -> Iterator[Desk]:  # noqa: ARG001 - the settings come first
    desk = Desk(qtbot)
    yield desk
    desk.close()
