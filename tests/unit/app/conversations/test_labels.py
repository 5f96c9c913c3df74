"""The labels of a conversation, and who is notified."""

from __future__ import annotations

import pytest

from app.conversations.conversations import Conversations
from engine.protocol.cache_messages import Forget
from engine.protocol.messages import Warm
from tests.unit.app.conftest import Scene
from ui.state.chat import Warmth


@pytest.fixture
def chat(scene: Scene, chats: Conversations) -> str:
    """A conversation with one turn."""
    chats.creation.new()
    conversation = scene.window.opened[-1].id
    scene.converse(chats, conversation, "Hello", "Good day")
    return conversation


def test_pins_stand_above_and_are_never_evicted(scene: Scene, chats: Conversations, chat: str) -> None:
    """The list is refreshed at once, and the engine gets the new pins."""
    chats.creation.new()
    assert scene.window.rows[-1].id == chat
    chats.labels.pin(chat, pinned=True)
    assert (scene.window.rows[0].id, scene.window.rows[0].pinned) == (chat, True)
    chats.labels.pin(chat, pinned=False)
    assert scene.pins == [(chat,), ()]


def test_folders_are_offered_as_long_as_something_lies_in_them(scene: Scene, chats: Conversations, chat: str) -> None:
    """A chat is in one folder or in none."""
    chats.labels.move_to_folder(chat, folder=" Work ")
    assert [(row.folder, scene.window.store.folders.now) for row in scene.window.rows] == [("Work", ("Work",))]
    chats.labels.move_to_folder(chat, folder="")
    assert [(row.folder, scene.window.store.folders.now) for row in scene.window.rows] == [("", ())]


def test_tags_are_separated_by_commas(scene: Scene, chats: Conversations, chat: str) -> None:
    """Blanks and duplicates are dropped."""
    chats.labels.set_tags(chat, " green, blue ,, green")
    assert set(scene.window.rows[0].tags) == {"green", "blue"}
    assert len(scene.window.rows[0].tags) == 2
    chats.labels.set_tags(chat, "")
    assert [row.tags for row in scene.window.rows] == [()]


def test_a_chat_that_is_not_kept_warm_is_forgotten(scene: Scene, chats: Conversations, chat: str) -> None:
    """Its cache is dropped at once, so the chat is read again. From its next answer on it is kept in memory, where
    opening it looks.
    """
    chats.settings.set_switch(chat, "cached", is_on=False)
    assert scene.engine.sent[-1] == Forget(chat)
    assert not scene.window.rows[0].cached
    assert chats.sessions.of(chat).status.warmth is Warmth.COLD
    chats.removal.close(chat)
    chats.tabs.open(chat)
    chats.tabs.tick()
    assert not scene.window.opened[-1].cached
    assert [command.on_disk for command in scene.engine.sent if isinstance(command, Warm)][-1] is False
    chats.sessions.of(chat).submit("And now?")
    assert (scene.engine.requests[-1].cached, scene.engine.requests[-1].on_disk) == (True, False)


def test_a_chat_that_is_kept_warm_again_is_warmed(scene: Scene, chats: Conversations, chat: str) -> None:
    """As if it had just been opened."""
    chats.settings.set_switch(chat, "cached", is_on=False)
    chats.settings.set_switch(chat, "cached", is_on=True)
    assert isinstance(scene.engine.sent[-1], Warm)
    assert scene.window.rows[0].cached


def test_an_answer_on_its_way_is_forgotten_when_it_ends(scene: Scene, chats: Conversations, chat: str) -> None:
    """The cache that it leaves is dropped, too."""
    chats.sessions.of(chat).submit("And now?")
    chats.settings.set_switch(chat, "cached", is_on=False)
    chats.sessions.engine_event(scene.engine.deltas((chat, "Well")))
    assert scene.engine.sent.count(Forget(chat)) == 1
    chats.sessions.engine_event(scene.engine.finished(chat))
    assert scene.engine.sent.count(Forget(chat)) == 2
    scene.converse(chats, chat, "More", "Well")
    assert scene.engine.sent.count(Forget(chat)) == 2


def test_where_no_chat_is_kept_on_disk_all_stay_in_memory(scene: Scene) -> None:
    """The setting applies to every chat from the next request on."""
    enabled = [False]
    chats = scene.conversations(on_disk=lambda: enabled[0])
    chats.creation.new()
    chat = scene.window.opened[-1].id
    chats.sessions.of(chat).submit("Hello")
    assert not scene.engine.requests[-1].on_disk
    chats.sessions.engine_event(scene.engine.deltas((chat, "Good day")))
    chats.sessions.engine_event(scene.engine.finished(chat))
    chats.sessions.engine_ready()
    enabled[0] = True
    chats.sessions.engine_ready()
    assert [command.on_disk for command in scene.engine.sent if isinstance(command, Warm)] == [False, True]


def test_a_command_without_a_cache_warms_nothing(scene: Scene) -> None:
    """Its answers neither use what was kept nor keep anything, in memory either."""
    chats = scene.conversations(cached=False)
    chats.creation.new()
    chat = scene.window.opened[-1].id
    scene.converse(chats, chat, "Hello", "Good day")
    chats.sessions.engine_ready()
    assert not scene.engine.requests[-1].cached
    assert not any(isinstance(command, Warm) for command in scene.engine.sent)
