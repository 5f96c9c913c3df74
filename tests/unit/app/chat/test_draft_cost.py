"""The tokens of a draft before it is sent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.chat.draft_cost import estimate
from app.chat.session import ChatSession
from engine.protocol.messages import CountTokens, TokensCounted
from ui.state.chat import DraftView

if TYPE_CHECKING:
    from pathlib import Path

    from app.conversations.conversations import Conversations
    from tests.unit.app.conftest import Scene


def _asked(scene: Scene) -> list[CountTokens]:
    return [command for command in scene.engine.sent if isinstance(command, CountTokens)]


def _count(scene: Scene, session: ChatSession, tokens: int) -> None:
    """The engine has counted the text that it was asked for last."""
    session.counted(TokensCounted(_asked(scene)[-1].subject, tokens))


def test_the_engine_counts_what_is_typed(scene: Scene) -> None:
    """Its figure is exact. A cleared draft takes nothing, and a late figure for it is ignored."""
    session = scene.session()
    session.cost.count("Hello")
    session.cost.count("Hello")
    assert [command.text for command in _asked(scene)] == ["Hello"]
    _count(scene, session, 2)
    assert session.status.draft == DraftView(2)
    session.cost.count("")
    _count(scene, session, 2)
    assert session.status.draft == DraftView()


def test_an_engine_that_is_busy_leaves_an_estimate(scene: Scene) -> None:
    """The former figure stays for a moment; after a second it is an estimate."""
    session = scene.session()
    session.cost.count("word " * 40_000)
    assert session.status.draft == DraftView(0, exact=False)
    session.tick()
    assert session.status.draft == DraftView(50_000, exact=False)
    _count(scene, session, 40_000)
    assert session.status.draft == DraftView(40_000)


def test_without_a_model_it_is_an_estimate_until_one_is_loaded(scene: Scene) -> None:
    """A model that comes, also another one, counts what is there."""
    scene.engine.ready = False
    session = scene.session()
    session.cost.count("Hello")
    assert (_asked(scene), session.status.draft) == ([], DraftView(2, exact=False))
    scene.engine.ready = True
    session.engine_ready()
    _count(scene, session, 1)
    session.engine_ready()
    assert session.status.draft == DraftView(1)
    _count(scene, session, 3)
    assert session.status.draft == DraftView(3)


def test_the_time_to_read_follows_the_measured_speed(scene: Scene) -> None:
    """No time is invented for a model that was never measured."""
    session = ChatSession(scene.session().id, replace(scene.ports(), reading_rate=lambda: 100.0))
    session.cost.count("Hello")
    _count(scene, session, 250)
    assert session.status.draft == DraftView(250, seconds=2.5)


def test_files_count_too(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Each chip shows its own tokens, and a file that is removed takes its tokens along. Events find their chat."""
    session = chats.sessions.of(scene.library.conversations.create().id)
    (tmp_path / "notes.txt").write_text("Some notes.")
    chats.attachments.attach(session.id, [str(tmp_path / "notes.txt")])
    session.cost.count("Read this")
    draft, file = reversed(_asked(scene))
    assert (draft.text, file.text) == ("Read this", "Some notes.")
    for command, tokens in ((draft, 2), (file, 3)):
        chats.sessions.engine_event(TokensCounted(command.subject, tokens))
    chats.sessions.engine_event(TokensCounted("gone/draft", 3))
    assert session.status.draft == DraftView(5)
    (shown,) = scene.window.files[session.id]
    assert shown.detail == "11 bytes · 3 tokens"
    chats.attachments.detach(session.id, shown.id)
    assert session.status.draft == DraftView(2)


def test_a_stored_draft_is_counted_when_its_chat_is_opened(scene: Scene) -> None:
    """It counts before the first key."""
    session = scene.session()
    scene.library.conversations.save_draft(session.id, "from yesterday")
    view = session.view(scene.opening(session))
    assert _asked(scene)[-1].text == "from yesterday"
    assert view.status.draft == session.status.draft


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("word" * 100, 100), ("ü" * 4, 2), ("\ud800", 1)])
def test_an_estimate_is_made_of_any_text(text: str, tokens: int) -> None:
    """Also of half a character."""
    assert estimate(text) == tokens
