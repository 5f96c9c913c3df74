"""One conversation in a real library, an engine under the test's control, and a window that records."""

from __future__ import annotations

import pwd
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from app.base import paths
from app.base.paths import Paths
from app.base.ports import Ports, TurnEnd
from app.base.settings import OwnPreset
from app.chat import opening, turn_jobs
from app.chat.opening import Opening
from app.chat.session import ChatSession
from app.chat.turn import Turn
from app.chat.turn_jobs import Branch
from app.conversations.conversations import Conversations
from app.conversations.presets import Presets
from app.macs import nearby
from engine.protocol.messages import ReplyChannel
from engine.protocol.sampling_settings import Sampling
from storage.library.library import Library
from storage.library.rows import Message
from tests.fakes.announcements import fresh_service
from tests.fakes.engine import FakeEngine
from tests.fakes.hub.server import Hub, serving
from tests.fakes.tasks import InlineTasks
from tests.fakes.window import FakeWindow


@pytest.fixture(autouse=True)
def service(monkeypatch: pytest.MonkeyPatch) -> str:
    """The Macs of each test have a type of service of their own: all processes of this machine hear each other."""
    own = fresh_service()
    monkeypatch.setattr(nearby, "SERVICE", own)
    return own


@pytest.fixture
def without_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system knows no home of this user."""

    def unknown(uid: int) -> pwd.struct_passwd:
        raise KeyError(uid)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)


@dataclass
class Scene:
    """Everything that a session uses."""

    library: Library
    tasks: InlineTasks
    private: InlineTasks
    engine: FakeEngine = field(default_factory=FakeEngine)
    window: FakeWindow = field(default_factory=FakeWindow)
    ends: list[TurnEnd] = field(default_factory=list)
    pins: list[tuple[str, ...]] = field(default_factory=list)
    presets: dict[str, OwnPreset] = field(default_factory=dict)
    model_places: tuple[Path, ...] = ()
    now: float = 0.0

    def ports(self) -> Ports:
        return Ports(
            tasks=self.tasks,
            engine=self.engine,
            sink=self.window,
            model=lambda: "a/model",
            sampling=lambda _preset: Sampling(temperature=0.0),
            ended=self.ends.append,
            clock=lambda: self.now,
        )

    def private_ports(self) -> Ports:
        return replace(self.ports(), tasks=self.private, on_disk=lambda: False, private=True)

    def conversations(self, **changed: Any) -> Conversations:
        """All conversations. The named ports are replaced."""
        kept, private = (replace(ports, **changed) for ports in (self.ports(), self.private_ports()))
        presets = Presets(lambda: self.presets, self.keep_presets, self.window)
        return Conversations(kept, private, self.window, presets, self._pins_changed, lambda: self.model_places)

    def _pins_changed(self) -> None:
        self.pins.append(tuple(one.id for one in self.library.conversations.listed() if one.pinned))

    def keep_presets(self, presets: dict[str, OwnPreset]) -> None:
        self.presets = presets

    def converse(self, chats: Conversations, chat: str, question: str, answer: str) -> None:
        """A whole turn in a conversation that is open."""
        chats.sessions.of(chat).submit(question)
        chats.sessions.engine_event(self.engine.deltas((chat, answer)))
        chats.sessions.engine_event(self.engine.finished(chat))

    def opening(self, session: ChatSession) -> Opening:
        return opening.load(self.library, session.id)

    def session(self, system: str = "") -> ChatSession:
        return ChatSession(self.library.conversations.create(system=system).id, self.ports())

    def branch(self, session: ChatSession) -> tuple[Message, ...]:
        return self.library.messages.branch(session.id)

    def read(self, session: ChatSession) -> Branch:
        return turn_jobs.read(self.library, session.id)

    def states(self, session: ChatSession) -> list[tuple[str, str]]:
        return [(message.content, message.state) for message in self.branch(session)]

    def say(self, session: ChatSession, *texts: str) -> None:
        """The engine streams these pieces of the session's current answer."""
        for text in texts:
            for row in self.engine.deltas((session.id, text)).rows:
                self.turn_of(session).delta(row)

    def hear(self, session: ChatSession, text: str, channel: ReplyChannel = "answer", number: int = 0) -> None:
        """The engine streams one piece in this channel, for one of the session's answers."""
        self.turn_of(session).delta(self.engine.row(session.id, text, channel, number))

    def turn_of(self, session: ChatSession) -> Turn:
        """The turn in progress."""
        assert session.turn is not None
        return session.turn

    def places(self, session: ChatSession) -> list[tuple[int, int]]:
        """(place, places) of each message shown."""
        return [(view.place, view.places) for view in self.window.messages[session.id]]

    def finish(self, session: ChatSession, ledger: str = "") -> None:
        session.engine_event(self.engine.finished(session.id, ledger=ledger))

    def turn(self, session: ChatSession, question: str, answer: str, ledger: str = "") -> None:
        """A whole turn."""
        session.submit(question)
        self.say(session, answer)
        self.finish(session, ledger)


@pytest.fixture
def places() -> Paths:
    """The test's home, with its folders."""
    places = paths.find()
    paths.prepare(places)
    return places


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    library, private = Library.open(tmp_path / "library.sqlite"), Library.in_memory()
    yield Scene(library, InlineTasks(library), InlineTasks(private))
    library.close()
    private.close()


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    return scene.conversations()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A loopback hub that this process and its children ask."""
    with serving() as hub:
        hub.lead(monkeypatch)
        yield hub
