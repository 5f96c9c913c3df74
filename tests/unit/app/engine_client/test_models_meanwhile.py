"""What becomes of the messages of a chat while its model changes."""

from __future__ import annotations

import pytest

from app.chat.views import shown_draft
from app.engine_client.chat_models import ChatModels
from app.engine_client.model_switch import ModelSwitch
from tests.fakes.engine_desk import Asked, Desk
from tests.unit.app.conftest import Scene


class Room:
    """Chats whose models are loaded by an engine's connection. The model m1 is loaded."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.desk = Desk()
        self.chats = scene.conversations(model=lambda: self.desk.line.model, serves=self._serves)
        self.asked = Asked()
        sessions = self.chats.sessions
        self.asked.switch = ModelSwitch(self.desk.line, sessions, self.asked)
        self.own: ChatModels = ChatModels(self.desk.line, self.asked.switch, self.chats.chats)
        self.desk.line.serve(sessions, watch=self.own.engine_event)
        self.desk.start()

    def _serves(self, chat: str) -> bool:
        return self.own.is_wanted(chat)

    def chat(self) -> str:
        """An open chat without a message."""
        made = self.scene.library.conversations.create().id
        self.chats.tabs.open(made)
        return made

    def load(self, model: str) -> None:
        """The engine has loaded the model."""
        self.scene.engine.ready = True
        self.desk.load(model)


@pytest.fixture
def room(scene: Scene) -> Room:
    return Room(scene)


def test_a_message_to_a_chat_whose_answer_is_being_stopped_is_not_lost(scene: Scene, room: Room) -> None:
    """The user has agreed to another model, and the engine still writes. The words wait in the queue, whatever the user
    says next, and the other model does not get them unasked.
    """
    chat, session = room.chat(), room.chats.sessions.of
    room.own.submit(chat, "Go on")
    scene.engine.sent.clear()
    room.own.pick("", "m2")
    room.asked.switch.confirm()
    room.own.submit(chat, "And then?")
    room.asked.switch.decline()
    assert shown_draft(scene.library.conversations.draft(chat)) == "And then?"
    room.own.answer(chat, lambda: session(chat).send_now(scene.window.queues[chat].messages[0].id))
    session(chat).engine_lost()
    assert scene.window.queues[chat].paused
    assert scene.engine.requests == []


@pytest.mark.parametrize("front", [True, False])
def test_a_message_that_waits_belongs_to_the_model_that_answers_it(scene: Scene, room: Room, front: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """It was sent while another model was being loaded, and the user picked this one meanwhile, in that chat or in
    another one. The answer names its writer, and the chat stays with it.
    """
    chat = room.chat()
    scene.engine.ready = False
    room.own.pick(chat, "m2")
    room.own.submit(chat, "Hello")
    room.own.pick(chat if front else room.chat(), "m3")
    room.desk.load("m2")
    room.load("m3")
    scene.engine.ready = True
    room.chats.sessions.engine_event(scene.engine.deltas((chat, "Hi.")))
    room.chats.sessions.engine_event(scene.engine.finished(chat))
    assert scene.library.messages.branch(chat)[-1].model == "m3"
    assert scene.library.conversations.get(chat).model == "m3"
    assert scene.window.messages[chat][-1].writer == "m3"
    assert scene.window.own_models[chat] == "m3"


def test_a_continued_answer_keeps_its_writer(scene: Scene, room: Room) -> None:
    """Its first words are of the model that began it."""
    chat = room.chat()
    room.own.submit(chat, "Hello")
    room.chats.sessions.engine_event(scene.engine.deltas((chat, "Hi,")))
    room.chats.sessions.engine_event(scene.engine.finished(chat, "length"))
    reply = scene.library.messages.branch(chat)[-1].id
    room.own.pick(chat, "m2")
    room.load("m2")
    room.own.answer(chat, lambda: room.chats.sessions.of(chat).extend(reply))
    room.chats.sessions.engine_event(scene.engine.finished(chat))
    assert scene.library.messages.branch(chat)[-1].model == "m1"
