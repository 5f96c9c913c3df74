"""Freeing what is kept of a chat, with an undo."""

from __future__ import annotations

import pytest

from app.conversations.conversations import Conversations
from engine.protocol.cache_messages import CacheSize, CacheSizes, Forget
from engine.protocol.messages import Warmed
from tests.unit.app.conftest import Scene
from ui.state.chat import Warmth


@pytest.fixture
def cleared() -> list[str]:
    """The chats that were cleared."""
    return []


@pytest.fixture
def chats(scene: Scene, cleared: list[str]) -> Conversations:
    return scene.conversations(cleared=cleared.append)


@pytest.fixture
def chat(scene: Scene, chats: Conversations) -> str:
    chats.creation.begin()
    chat = scene.window.opened[-1].id
    scene.converse(chats, chat, "One", "Two")
    return chat


def forgotten(scene: Scene) -> list[str]:
    return [command.conversation for command in scene.engine.sent if isinstance(command, Forget)]


def wait(chats: Conversations, seconds: int) -> None:
    for _ in range(seconds):
        chats.clearing.tick()


def test_an_undo_within_ten_seconds_is_complete(scene: Scene, chats: Conversations, chat: str) -> None:
    """The engine has heard of nothing. Meanwhile everything shows the chat as it is afterwards."""
    chats.memory.watch(chat)
    chats.sessions.engine_event(CacheSizes(chat, (CacheSize(chat, 3 << 20, 40, 1),)))
    chats.clearing.begin(chat)
    assert scene.window.store.clearing.now == {chat: 10}
    wait(chats, 9)
    chats.sessions.engine_event(Warmed(chat, 40, 40, 0.0))
    freed, session = scene.window.chat_memory[-1], chats.sessions.of(chat)
    assert (session.status.warmth, freed.words, {turn.state for turn in freed.turns}) == (
        *(Warmth.COLD, "Will be read again"),
        {"again"},
    )
    assert ("On disk", "nothing") in freed.facts
    assert scene.window.store.clearing.now == {chat: 1}
    chats.clearing.undo(chat)
    assert scene.window.store.clearing.now == {}
    chats.sessions.engine_event(Warmed(chat, 40, 40, 0.0))
    kept = scene.window.chat_memory[-1]
    assert (session.status.warmth, kept.words) == (Warmth.WARM, "Ready at once")
    assert ("On disk", "3 MB") in kept.facts
    wait(chats, 20)
    assert forgotten(scene) == []


def test_after_ten_seconds_the_chat_is_to_be_read_again(
    scene: Scene, chats: Conversations, chat: str, cleared: list[str]
) -> None:
    """The pane says so at once: no event of the engine tells it."""
    chats.memory.watch(chat)
    chats.clearing.begin(chat)
    wait(chats, 10)
    assert (forgotten(scene), cleared) == ([chat], [chat])
    assert scene.window.store.clearing.now == {}
    assert scene.window.chat_memory[-1].words == "Will be read again"
    assert chats.sessions.of(chat).status.warmth is Warmth.COLD


def test_the_next_message_does_not_wait_for_the_undo(scene: Scene, chats: Conversations, chat: str) -> None:
    """The engine forgets first, then it answers. A message of another chat changes nothing."""
    chats.creation.new()
    other = scene.window.opened[-1].id
    chats.clearing.begin(chat)
    scene.converse(chats, other, "Three", "Four")
    assert forgotten(scene) == []
    chats.sessions.of(chat).submit("Five")
    assert forgotten(scene) == [chat]
    assert scene.engine.sent.index(Forget(chat)) < scene.engine.sent.index(scene.engine.requests[-1])


def test_all_chats_can_be_cleared_and_kept(scene: Scene, chats: Conversations, chat: str, cleared: list[str]) -> None:
    """By one undo. What was told of a chat alone holds for itself."""
    chats.clearing.begin()
    chats.clearing.undo()
    wait(chats, 10)
    assert (forgotten(scene), cleared) == ([], [])
    chats.clearing.begin()
    chats.sessions.of(chat).submit("Three")
    assert (forgotten(scene), cleared) == ([chat], [""])


def test_the_end_of_the_app_does_not_wait_either(scene: Scene, chats: Conversations, chat: str) -> None:
    """What the user freed is free at the next start. Another library has other chats, of which nothing is cleared."""
    chats.clearing.begin(chat)
    chats.settle()
    assert forgotten(scene) == [chat]
    chats.clearing.begin(chat)
    chats.leave_library()
    wait(chats, 10)
    assert forgotten(scene) == [chat]
