"""Private chats: they work like others, but are never written to disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.conversations.conversations import Conversations
from engine.protocol.cache_messages import Forget
from engine.protocol.messages import Warm
from tests.unit.app.conftest import Scene


@pytest.fixture
def chat(scene: Scene, chats: Conversations) -> str:
    """A private conversation with one turn."""
    chats.creation.new_private()
    conversation = scene.window.opened[-1].id
    scene.converse(chats, conversation, "A secret", "I see")
    return conversation


def test_nothing_of_it_is_written(scene: Scene, chats: Conversations, chat: str, tmp_path: Path) -> None:
    """Neither its text nor its draft nor its files. It is not listed, not found, and leaves no cache."""
    note = tmp_path / "note.txt"
    note.write_text("attached secret")
    chats.attachments.attach(chat, [str(note)])
    note.unlink()
    chats.save_draft(chat, "half a secret")
    chats.labels.rename(chat, "The secret")
    chats.labels.pin(chat, pinned=True)
    chats.sessions.of(chat).submit("Read this")
    assert scene.window.opened[-1].private
    assert "attached secret" in scene.engine.requests[-1].messages[-1].content
    assert scene.window.rows == ()
    assert {(request.cached, request.on_disk) for request in scene.engine.requests} == {(True, False)}
    chats.sessions.engine_event(scene.engine.deltas((chat, "I see.")))
    chats.sessions.engine_event(scene.engine.finished(chat))
    chats.sessions.engine_ready()
    assert [command.on_disk for command in scene.engine.sent if isinstance(command, Warm)] == [False]
    assert b"secret" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


@pytest.mark.parametrize("slow", ["library", "private"])
def test_tabs_are_open_once_both_libraries_have_answered(
    scene: Scene, chats: Conversations, chat: str, slow: str
) -> None:
    """Each library has a thread of its own, and either may be the slower one."""
    tasks = scene.private if slow == "private" else scene.tasks
    opened: list[str] = []
    tasks.held = True
    chats.tabs.reopen(chat)
    chats.tabs.once_open(lambda: opened.append(scene.window.opened[-1].id))
    assert opened == []
    tasks.let_go()
    assert opened == [chat]


def test_it_is_gone_with_its_tab(scene: Scene, chats: Conversations, chat: str) -> None:
    """Also during an answer, without an error. It cannot be opened again."""
    chats.sessions.of(chat).submit("More")
    chats.sessions.engine_event(scene.engine.deltas((chat, "We")))
    chats.removal.close(chat)
    assert len(scene.engine.cancelled) >= 1
    assert scene.engine.sent[-1] == Forget(chat, on_disk=False)
    assert scene.private.library.conversations.listed() == scene.private.library.trash.listed() == ()
    assert scene.window.closed == [chat]
    assert scene.window.notices == {}
    chats.sessions.engine_event(scene.engine.finished(chat, "cancelled"))
    assert not chats.sessions.busy
    chats.tabs.open(chat)
    assert "error:no_such_conversation" in scene.window.notices


def test_it_is_gone_before_its_turn_was_begun(scene: Scene, chats: Conversations, chat: str) -> None:
    """A tab may be closed before the library has saved the turn."""
    scene.private.held = True
    chats.sessions.of(chat).submit("More")
    chats.removal.close(chat)
    before = len(scene.engine.requests)
    scene.private.let_go()
    assert len(scene.engine.requests) == before
    assert scene.private.library.conversations.listed() == ()
    assert scene.window.notices == {}
    assert not chats.sessions.busy


def test_deleting_it_cannot_be_undone(scene: Scene, chats: Conversations, chat: str) -> None:
    """It is erased at once, without an undo."""
    chats.removal.delete(chat)
    assert scene.private.library.conversations.listed() == ()
    assert scene.library.trash.listed() == ()
    assert scene.window.notices == {}


def test_a_copy_of_it_is_private_too(scene: Scene, chats: Conversations, chat: str) -> None:
    """A fork and a new chat from here stay in memory."""
    last = scene.private.library.messages.branch(chat)[-1].id
    chats.creation.fork(chat, last)
    fork = scene.window.opened[-1]
    assert (fork.private, [view.text for view in fork.messages]) == (True, ["A secret", "I see"])
    chats.creation.carry_on(chat)
    assert scene.window.opened[-1].private
    assert scene.library.conversations.listed() == ()
    chats.removal.close(chat)
    chats.sessions.of(fork.id).submit("Go on")
    assert scene.engine.requests[-1].messages[0].content == "A secret"


def test_it_is_not_there_at_the_next_start(scene: Scene, chats: Conversations, chat: str) -> None:
    """Private tabs are not remembered."""
    chats.creation.new()
    kept = scene.window.opened[-1].id
    assert chats.tabs.opened == (kept,)
    assert chats.chats.is_private(chat)
    assert not chats.chats.is_private(kept)
