"""What the inspector shows of the chat that it is about."""

from __future__ import annotations

import pytest

from app.conversations.conversations import Conversations
from engine.protocol.cache_messages import CacheSize, CacheSizes, ListCacheSizes
from engine.protocol.messages import Delta, Deltas, Progress
from tests.unit.app.conftest import Scene


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    return scene.conversations()


@pytest.fixture
def chat(scene: Scene, chats: Conversations) -> str:
    chats.creation.new()
    return scene.window.opened[-1].id


def test_it_follows_the_chat_that_is_looked_at(scene: Scene, chats: Conversations, chat: str) -> None:
    """Its turns, and what the engine has of them on disk; nothing is asked for a chat that is not looked at."""
    scene.converse(chats, chat, "One", "Two")
    before = len(scene.window.chat_memory)
    assert before == 0
    assert ListCacheSizes(chat) not in scene.engine.sent
    chats.memory.watch(chat)
    assert scene.engine.sent[-1] == ListCacheSizes(chat)
    chats.sessions.engine_event(CacheSizes(chat, (CacheSize(chat, 3 << 20, 10, 1),)))
    chats.sessions.engine_event(CacheSizes(""))  # a report of all chats is for the cache monitor
    assert ("On disk", "3 MB") in scene.window.chat_memory[-1].facts
    scene.converse(chats, chat, "Three", "Four")
    turns = [len(view.turns) for view in scene.window.chat_memory]
    assert (turns[0], turns[-1]) == (1, 2)
    chats.memory.leave(chat)
    shown = len(scene.window.chat_memory)
    scene.converse(chats, chat, "Five", "Six")
    assert len(scene.window.chat_memory) == shown


def test_nothing_of_a_private_chat_is_on_disk(scene: Scene, chats: Conversations) -> None:
    """So the engine is not asked for it."""
    chats.creation.new_private()
    chat = scene.window.opened[-1].id
    chats.memory.watch(chat)
    assert ListCacheSizes(chat) not in scene.engine.sent
    assert ("On disk", "nothing") in scene.window.chat_memory[-1].facts


def test_turns_that_are_left_out_have_no_block(scene: Scene, chats: Conversations, chat: str) -> None:
    """The model does not read them, and a block of theirs would take the colour of one that it reads."""
    scene.converse(chats, chat, "One", "Two")
    scene.converse(chats, chat, "Three", "Four")
    chats.memory.watch(chat)
    assert len(scene.window.chat_memory[-1].turns) == 2
    first_read = scene.library.messages.page(chat, None, 4).messages[2]
    scene.library.labels.read_from(chat, first_read.id)
    chats.memory.refresh()
    assert len(scene.window.chat_memory[-1].turns) == 1


def test_the_figures_grow_with_the_answer(scene: Scene, chats: Conversations, chat: str) -> None:
    """As those of the footer do, and only while they change."""
    chats.sessions.of(chat).submit("One")
    chats.memory.watch(chat)
    request = scene.engine.requests[-1].request
    chats.sessions.engine_event(Progress(request, chat, "prefill", 30, 30))
    chats.sessions.engine_event(Deltas((Delta(request, chat, "word", 8, 50.0),)))
    status = chats.sessions.of(chat).status
    assert status.context_tokens == 38
    assert f"{status.context_tokens} of" in dict(scene.window.chat_memory[-1].facts)["Context"]
    shown = len(scene.window.chat_memory)
    chats.sessions.engine_event(Deltas((Delta("another", "another", "word", 9, 50.0),)))
    assert len(scene.window.chat_memory) == shown
