"""What the inspector shows of the chat that it is about."""

from __future__ import annotations

import pytest

from app.conversations.conversations import Conversations
from engine.protocol.cache_messages import CacheSize, CacheSizes, Forget, ListCacheSizes
from engine.protocol.messages import Delta, Deltas, Progress
from tests.unit.app.conftest import Scene
from ui.state.engine import EngineState, EngineView
from ui.theme.phrases import badge


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
    chats.sessions.engine_event(CacheSizes(chat, (CacheSize(chat, 3 << 20, 10, 1, (10,)),)))
    chats.sessions.engine_event(CacheSizes(""))  # a report of all chats is for the cache monitor
    assert ("On disk", "3 MB") in scene.window.chat_memory[-1].facts
    scene.converse(chats, chat, "Three", "Four")
    turns = [len(view.turns) for view in scene.window.chat_memory]
    assert (turns[0], turns[-1]) == (1, 2)
    chats.memory.leave(chat)
    shown = len(scene.window.chat_memory)
    scene.converse(chats, chat, "Five", "Six")
    assert len(scene.window.chat_memory) == shown


def test_what_was_read_can_be_dropped(scene: Scene, chats: Conversations, chat: str) -> None:
    """The engine forgets the chat, and is asked what is left."""
    scene.converse(chats, chat, "One", "Two")
    chats.memory.watch(chat)
    chats.memory.clear(chat)
    assert scene.engine.sent[-2:].count(ListCacheSizes(chat)) == 1
    assert Forget(chat) in scene.engine.sent


def test_a_cleared_chat_says_that_it_will_be_read_again(scene: Scene, chats: Conversations, chat: str) -> None:
    """In the pane and in the line below the chat, at once: no event of the engine tells it."""
    scene.converse(chats, chat, "One", "Two")
    chats.memory.watch(chat)
    chats.memory.clear(chat)
    assert scene.window.chat_memory[-1].words == "Will be read again"
    assert badge(chats.sessions.of(chat).status, EngineView(EngineState.READY)).text.startswith("will be read again")


def test_clearing_says_what_it_gave(scene: Scene, chats: Conversations, chat: str) -> None:
    """The space on disk that it freed, if there was any, and that the next message reads the chat. What other chats
    need, too, is not freed.
    """
    scene.converse(chats, chat, "One", "Two")
    chats.memory.watch(chat)
    chats.memory.clear(chat)
    assert scene.window.notices["memory"].text == (
        "The memory of this chat is clear. The next message reads the whole chat."
    )
    chats.sessions.engine_event(CacheSizes(chat, (CacheSize(chat, 3 << 20, 10, 1, (10,)),)))
    chats.sessions.engine_event(CacheSizes(""))  # a report of all chats is for the cache monitor
    chats.memory.clear(chat)
    assert scene.window.notices["memory"].text == "3 MB on disk are free again. The next message reads the whole chat."
    assert scene.window.notices["memory"].passing
    chats.sessions.engine_event(CacheSizes(chat, (CacheSize(chat, 3 << 20, 10, 1, (10,), shared=2 << 20),)))
    chats.memory.clear(chat)
    assert scene.window.notices["memory"].text == "1 MB on disk are free again. The next message reads the whole chat."


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
