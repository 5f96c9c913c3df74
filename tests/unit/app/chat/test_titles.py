"""Titles that the model gives."""

from __future__ import annotations

import pytest

from app.chat.titles import PAUSE_TICKS
from app.conversations.conversations import Conversations
from engine.protocol.messages import FinishReason, Generate
from tests.unit.app.conftest import Scene
from ui.state.preferences import Preferences

QUESTION = "Tell me a long story about a fox."
FIRST_WORDS = "Tell me a long story about a fox"


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    """The model has named the sample."""
    made = scene.conversations()
    new(scene, made)
    wait(made)
    say(scene, made, "Three days in Rome")
    made.labels.rename(scene.window.opened[-1].id, "Mine")
    made.tick()
    scene.engine.sent.clear()
    return made


def new(scene: Scene, chats: Conversations) -> str:
    chats.creation.new()
    chat = scene.window.opened[-1].id
    scene.converse(chats, chat, QUESTION, "A fox lived in the forest.")
    return chat


def wait(chats: Conversations) -> None:
    for _second in range(PAUSE_TICKS):
        chats.tick()


def asked(scene: Scene) -> list[Generate]:
    return [request for request in scene.engine.requests if request.conversation.startswith("title:")]


def say(scene: Scene, chats: Conversations, title: str, reason: FinishReason = "stop") -> None:
    """The engine answers the newest request for a title."""
    aside = asked(scene)[-1].conversation
    chats.sessions.engine_event(scene.engine.deltas((aside, title)))
    chats.sessions.engine_event(scene.engine.finished(aside, reason))


def test_a_chat_is_named_after_its_first_answer(scene: Scene, chats: Conversations) -> None:
    """In the library, in the tab and in the list; until then its first words are its title. The request uses no cache
    and not the chat's name.
    """
    chat = new(scene, chats)
    assert scene.library.conversations.get(chat).title == FIRST_WORDS
    assert asked(scene) == []
    wait(chats)
    (request,) = asked(scene)
    assert (request.cached, request.sampling.max_tokens <= 24) == (False, True)
    say(scene, chats, "“Story of a fox.”")
    kept = scene.library.conversations.get(chat)
    assert (kept.title, kept.titled) == ("Story of a fox", False)
    assert (scene.window.titles[chat], scene.window.rows[0].title) == ("Story of a fox", "Story of a fox")
    scene.converse(chats, chat, "And then?", "It slept.")
    wait(chats)
    assert len(asked(scene)) == 1, "a chat is named once"


def test_a_chat_of_files_alone_is_named(scene: Scene, chats: Conversations) -> None:
    """The name of the first file is its title until then, and the model learns that name."""
    chats.creation.new()
    chat = scene.window.opened[-1].id
    scene.library.attachments.add(chat, "fox.txt", b"A fox.")
    scene.converse(chats, chat, "", "A fox lived in the forest.")
    assert scene.window.titles[chat] == "fox.txt"
    wait(chats)
    assert "fox.txt" in asked(scene)[0].messages[0].content
    say(scene, chats, "Fox of the forest")
    assert scene.library.conversations.get(chat).title == "Fox of the forest"


def test_no_turn_waits_for_a_title(scene: Scene, chats: Conversations) -> None:
    """Not asked while any chat is answered; cancelled before the request of a turn, and asked again after it."""
    chat = new(scene, chats)
    chats.creation.new()
    other = scene.window.opened[-1].id
    chats.sessions.of(other).submit("One")
    wait(chats)
    assert asked(scene) == []
    chats.sessions.engine_event(scene.engine.finished(other, "cancelled"))
    wait(chats)
    (request,) = asked(scene)
    before = len(scene.engine.sent)
    chats.sessions.of(chat).submit("Two")
    assert scene.engine.cancelled == [request.request]
    assert type(scene.engine.sent[before]).__name__ == "Cancel"
    chats.sessions.engine_event(scene.engine.deltas((request.conversation, "Late words of a fox")))
    chats.sessions.engine_event(scene.engine.finished(request.conversation, "cancelled"))
    chats.sessions.engine_event(scene.engine.deltas((chat, "Three")))
    chats.sessions.engine_event(scene.engine.finished(chat))
    wait(chats)
    assert len(asked(scene)) == 2
    say(scene, chats, "Story of a fox")
    assert scene.library.conversations.get(chat).title == "Story of a fox"


def test_an_answer_that_is_no_title_changes_nothing(scene: Scene, chats: Conversations) -> None:
    """The first words stay, and the model is not asked again."""
    chat = new(scene, chats)
    wait(chats)
    say(scene, chats, "I cannot help with that.")
    wait(chats)
    assert scene.library.conversations.get(chat).title == FIRST_WORDS
    assert len(asked(scene)) == 1


@pytest.mark.parametrize("said", ["Story of a", "Story of a fox", "Story of a fox\nIt is ab"])
def test_an_answer_that_the_limit_ends_is_no_title(scene: Scene, chats: Conversations, said: str) -> None:
    """It may be cut inside a word, and its model does not answer with a title alone."""
    chat = new(scene, chats)
    wait(chats)
    say(scene, chats, said, "length")
    assert scene.library.conversations.get(chat).title == FIRST_WORDS


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        *(("thee is in the box", "stop"), ("I am a tiny model.", "stop"), ("Question of the capital", "stop")),
        *(("Three days in Rome", "length"), ("", "failed")),
    ],
)
def test_a_model_that_cannot_name_the_sample_names_no_chat(scene: Scene, said: str, reason: FinishReason) -> None:
    """It is asked about a chat that Hearth made up, once, and reads no word of the user for that."""
    chats = scene.conversations()
    first, second = new(scene, chats), new(scene, chats)
    wait(chats)
    assert "fox" not in asked(scene)[0].messages[0].content
    say(scene, chats, said, reason)
    wait(chats)
    new(scene, chats)
    wait(chats)
    assert len(asked(scene)) == 1
    assert {scene.library.conversations.get(chat).title for chat in (first, second)} == {FIRST_WORDS}


def test_each_model_is_asked_for_itself(scene: Scene) -> None:
    """Another model may be able to do what this one cannot."""
    model = ["a"]
    chats = scene.conversations(model=lambda: model[0])
    new(scene, chats)
    wait(chats)
    say(scene, chats, "")
    chats.tick()
    model[0] = "b"
    chat = new(scene, chats)
    wait(chats)
    say(scene, chats, "Three days in Rome")
    chats.tick()
    say(scene, chats, "Story of a fox")
    assert scene.library.conversations.get(chat).title == "Story of a fox"


def test_a_turn_interrupts_the_sample_too(scene: Scene) -> None:
    """The sample is asked about again after the turn, and then the chat."""
    chats = scene.conversations()
    chat = new(scene, chats)
    wait(chats)
    scene.converse(chats, chat, "And then?", "It slept.")
    assert scene.engine.cancelled == [asked(scene)[0].request]
    wait(chats)
    say(scene, chats, "Three days in Rome")
    chats.tick()
    say(scene, chats, "Story of a fox")
    assert scene.library.conversations.get(chat).title == "Story of a fox"


def test_a_chat_that_was_renamed_keeps_its_name(scene: Scene, chats: Conversations) -> None:
    """Also if that happens while the model is asked."""
    named, late = new(scene, chats), new(scene, chats)
    chats.labels.rename(named, "Mine")
    wait(chats)
    chats.tick()
    assert len(asked(scene)) == 1
    chats.labels.rename(late, "Mine too")
    say(scene, chats, "Story of a fox")
    assert [scene.library.conversations.get(chat).title for chat in (named, late)] == ["Mine", "Mine too"]


def test_a_private_chat_is_never_named(scene: Scene, chats: Conversations) -> None:
    """Its words go into no other request."""
    chats.creation.new_private()
    chat = scene.window.opened[-1].id
    scene.converse(chats, chat, QUESTION, "A fox lived in the forest.")
    wait(chats)
    assert asked(scene) == []


def test_the_user_can_do_without(scene: Scene) -> None:
    """Off in the settings."""
    chats = scene.conversations(preferences=lambda: Preferences(titles=False))
    new(scene, chats)
    wait(chats)
    assert asked(scene) == []


def test_an_engine_that_ends_takes_the_request_with_it(scene: Scene, chats: Conversations) -> None:
    """The next answer is named by the next engine."""
    new(scene, chats)
    wait(chats)
    chats.sessions.engine_lost()
    other = new(scene, chats)
    wait(chats)
    say(scene, chats, "Story of a fox")
    assert scene.library.conversations.get(other).title == "Story of a fox"
