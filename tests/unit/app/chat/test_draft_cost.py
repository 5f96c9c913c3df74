"""The tokens of a draft before it is sent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.chat.draft_cost import estimate
from app.chat.session import ChatSession
from app.conversations.conversations import Conversations
from engine.protocol.messages import CountTokens, TokensCounted
from storage.library.rows import SavedDraft
from tests.unit.app.conftest import Scene
from ui.state.chat import DraftView


def _asked(scene: Scene) -> list[CountTokens]:
    return [command for command in scene.engine.sent if isinstance(command, CountTokens)]


def _count(scene: Scene, session: ChatSession, tokens: int) -> None:
    """The engine has counted the text that it was asked for last."""
    session.engine_event(TokensCounted(_asked(scene)[-1].subject, tokens))


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


def test_the_former_figure_stays_until_the_engine_has_counted(scene: Scene) -> None:
    """So that the figure does not jump between a count and an estimate with each key."""
    session = scene.session()
    session.cost.count("word")
    _count(scene, session, 1)
    session.cost.count("word " * 40_000)
    assert session.status.draft == DraftView(1, exact=False)
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
    assert (draft.text, file.text) == ("Read this", "notes.txt:\n```\nSome notes.\n```")
    for command, tokens in ((draft, 2), (file, 3)):
        chats.sessions.engine_event(TokensCounted(command.subject, tokens))
    chats.sessions.engine_event(TokensCounted("gone/draft", 3))
    assert session.status.draft == DraftView(5)
    (shown,) = scene.window.files[session.id]
    assert shown.detail == "11 bytes · 3 tokens"
    chats.attachments.detach(session.id, shown.id)
    assert session.status.draft == DraftView(2)


def test_a_file_counts_as_the_model_reads_it(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """What is counted before it is sent is what is sent, with the names of files and the fences round them. An empty
    file is its name, which its chip does not count.
    """
    session = chats.sessions.of(scene.library.conversations.create().id)
    (tmp_path / "empty.txt").touch()
    (tmp_path / "code.md").write_text("```\ncode\n```\n")
    chats.attachments.attach(session.id, [str(tmp_path / "empty.txt"), str(tmp_path / "code.md")])
    counted = [command.text for command in _asked(scene)]
    for command in _asked(scene):
        chats.sessions.engine_event(TokensCounted(command.subject, 7))
    assert session.status.draft == DraftView(14)
    assert [file.detail for file in scene.window.files[session.id]] == ["empty", "13 bytes · 7 tokens"]
    session.submit("")
    assert scene.engine.requests[-1].messages[-1].content == "\n\n".join(counted)


def test_a_stored_draft_is_counted_when_its_chat_is_opened(scene: Scene) -> None:
    """It counts before the first key."""
    session = scene.session()
    scene.library.conversations.save_draft(session.id, SavedDraft("from yesterday"))
    view = session.view(scene.opening(session))
    assert _asked(scene)[-1].text == "from yesterday"
    assert view.status.draft == session.status.draft


def _counted(scene: Scene, session: ChatSession, tokens_of: dict[str, int]) -> None:
    """The engine has counted these texts."""
    for command in _asked(scene):
        if command.text in tokens_of:
            session.engine_event(TokensCounted(command.subject, tokens_of[command.text]))


def test_an_edit_counts_the_files_of_its_message(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """But for those taken off. The next edit counts its own."""
    session = chats.sessions.of(scene.library.conversations.create().id)
    scene.converse(chats, session.id, "Hello", "Hi")
    (tmp_path / "notes.txt").write_text("Some notes.")
    chats.attachments.attach(session.id, [str(tmp_path / "notes.txt")])
    scene.converse(chats, session.id, "Read this", "Done")
    first, _, second, _ = scene.branch(session)
    session.cost.count("Read it again", second.id)
    _counted(scene, session, {"Read it again": 3, "notes.txt:\n```\nSome notes.\n```": 4})
    assert session.status.draft == DraftView(7)
    session.cost.count("Read it again", second.id, (second.attachments[0].id,))
    assert session.status.draft == DraftView(3)
    session.cost.count("Read it again", first.id)
    assert session.status.draft == DraftView(3)
    session.cost.count("")
    assert session.status.draft == DraftView()


def test_an_edit_of_a_message_that_is_gone_has_no_figures_of_the_chat(scene: Scene) -> None:
    """The words are counted nevertheless."""
    session = scene.session()
    session.cost.count("Hello", "gone")
    _count(scene, session, 1)
    assert session.status.draft == DraftView(1)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("word" * 100, 100), ("ü" * 4, 2), ("\ud800", 1)])
def test_an_estimate_is_made_of_any_text(text: str, tokens: int) -> None:
    """Also of half a character."""
    assert estimate(text) == tokens
