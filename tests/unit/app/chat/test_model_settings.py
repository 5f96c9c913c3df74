"""The settings of the model that answers, as they reach the engine."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from app.base.settings import ModelSettings
from app.conversations.conversations import Conversations
from engine.protocol.messages import ChatMessage, Warm
from engine.protocol.sampling_settings import Sampling
from tests.unit.app.conftest import Scene


@dataclass
class Model:
    """The model that answers now."""

    settings: ModelSettings = field(default_factory=ModelSettings)
    temperature: float = 0.0


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def chats(scene: Scene, model: Model) -> Conversations:
    return scene.conversations(
        model_settings=lambda: model.settings, sampling=lambda _preset: Sampling(temperature=model.temperature)
    )


def roles(messages: tuple[ChatMessage, ...]) -> list[str]:
    return [message.role for message in messages]


def test_the_models_system_prompt_leads_the_prompt(scene: Scene, chats: Conversations, model: Model) -> None:
    """Also when the chat is warmed, so that the cache fits the next message. It is stored with no chat: another prompt
    holds from the next message on.
    """
    model.settings = ModelSettings(system="Be brief.")
    chats.creation.new()
    chat = scene.window.opened[-1].id
    scene.converse(chats, chat, "One", "Two")
    assert scene.engine.requests[-1].messages == (ChatMessage("system", "Be brief."), ChatMessage("user", "One"))
    chats.tabs.warm_all()
    warmed = [command for command in scene.engine.sent if isinstance(command, Warm)][-1]
    assert roles(warmed.messages) == ["system", "user", "assistant"]
    assert scene.library.conversations.get(chat).system == ""
    model.settings = ModelSettings(system="Be kind.")
    chats.sessions.of(chat).submit("Three")
    assert scene.engine.requests[-1].messages[0] == ChatMessage("system", "Be kind.")
    model.settings = ModelSettings()
    scene.converse(chats, chat, "Four", "Five")
    before, after = scene.engine.requests[-2:]
    assert "system" in roles(before.messages), "the question above was asked before the change"
    assert "system" not in roles(after.messages), "the message that waited is sent after it"


def test_a_chats_own_system_prompt_goes_first(scene: Scene, chats: Conversations, model: Model) -> None:
    """It says what this chat is about; the model's is for all others."""
    model.settings = ModelSettings(system="Be brief.")
    chat = scene.library.conversations.create(system="You are a pirate.").id
    chats.sessions.of(chat).submit("Hello")
    messages = scene.engine.requests[-1].messages
    assert [message.content for message in messages] == ["You are a pirate.", "Hello"]


def test_a_waiting_message_is_asked_with_the_settings_of_the_model_that_answers(
    scene: Scene, chats: Conversations, model: Model
) -> None:
    """While it waits, the user may pick another model."""
    scene.engine.ready = False
    chats.creation.new()
    chat = scene.window.opened[-1].id
    chats.sessions.of(chat).submit("Hello")
    model.settings, model.temperature = ModelSettings(system="Be brief."), 0.6
    scene.engine.ready = True
    chats.sessions.engine_ready()
    request = scene.engine.requests[-1]
    assert (roles(request.messages), request.sampling.temperature) == (["system", "user"], 0.6)


def test_a_new_chat_reasons_as_the_user_wants_of_its_model(scene: Scene, chats: Conversations, model: Model) -> None:
    """Private chats too. Chats that exist keep their own setting. Without a wish a chat begins without reasoning."""
    for wanted in (None, True, False):
        model.settings = ModelSettings(thinking=wanted)
        chats.creation.new()
        chats.creation.new_private()
    assert [view.thinking for view in scene.window.opened] == [False, False, True, True, False, False]
