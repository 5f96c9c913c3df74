"""A change of the model that would stop answers asks first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.conversations.conversations import Conversations
from app.engine_client.model_switch import ModelSwitch
from engine.protocol.messages import LoadModel, ModelFailed, UnloadModel
from tests.fakes.engine_desk import Asked, Desk
from tests.unit.app.conftest import Scene
from ui.state.chat import MessageState


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.start()
    return desk


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def switch(desk: Desk, chats: Conversations, asked: Asked) -> ModelSwitch:
    return ModelSwitch(desk.line, chats.sessions, asked)


def answer(scene: Scene, chats: Conversations, title: str, words: str = "Once upon") -> str:
    """A chat that is being answered."""
    chat = scene.library.conversations.create(title=title).id
    chats.sessions.of(chat).submit("Tell me.")
    chats.sessions.engine_event(scene.engine.deltas((chat, words)))
    return chat


def test_a_switch_that_stops_nothing_is_not_asked_about(switch: ModelSwitch, desk: Desk, asked: Asked) -> None:
    """It is carried out at once."""
    switch.pick("m2")
    assert (desk.sent, asked.questions) == ([LoadModel("m2")], [])


def test_the_chats_that_a_switch_would_stop_are_named(
    switch: ModelSwitch, desk: Desk, scene: Scene, chats: Conversations, asked: Asked
) -> None:
    """Nothing happens before the user agrees. Five chats are named by three and a number."""
    answer(scene, chats, "Trip to Lisbon")
    switch.pick("m2")
    assert desk.sent == []
    (question,) = asked.questions
    assert (question.text, question.action) == ("Switch to m2?", "Switch")
    assert question.about == ("This stops the answer in “Trip to Lisbon”. Its text is kept, and can be continued.")
    for title in "abcd":
        answer(scene, chats, title)
    switch.pick("m2")
    assert asked.questions[-1].about == (
        "This stops the answers in “Trip to Lisbon”, “a”, “b” and 2 other chats. "
        "Their text is kept, and can be continued."
    )


def test_stopped_answers_keep_their_text(
    switch: ModelSwitch, desk: Desk, scene: Scene, chats: Conversations, asked: Asked
) -> None:
    """After the user agrees they end as if the user had stopped each, and the model is switched. A second click
    switches nothing.
    """
    chat = answer(scene, chats, "Story")
    switch.pick("m2")
    switch.confirm()
    switch.confirm()
    assert scene.engine.cancelled == [scene.engine.request_of(chat).request]
    assert desk.sent == [LoadModel("m2")]
    chats.sessions.engine_event(scene.engine.finished(chat, "cancelled"))
    reply = scene.library.messages.branch(chat)[-1]
    assert (reply.content, reply.state) == ("Once upon", MessageState.STOPPED)
    assert len(asked.questions) == 1


@pytest.mark.parametrize("decide", [ModelSwitch.confirm, ModelSwitch.decline])
def test_a_question_that_the_user_has_decided_is_not_shown_again(
    switch: ModelSwitch, scene: Scene, chats: Conversations, asked: Asked, decide: Callable[[ModelSwitch], None]
) -> None:
    """A window that is built anew shows what the store has."""
    answer(scene, chats, "Story")
    switch.pick("m2")
    assert asked.store.switch_question.now is not None
    decide(switch)
    assert asked.store.switch_question.now is None


def test_messages_that_wait_for_a_model_go_to_the_new_one(
    switch: ModelSwitch, desk: Desk, scene: Scene, chats: Conversations, asked: Asked
) -> None:
    """They were not asked yet, so a switch stops nothing."""
    scene.engine.ready = False
    chat = scene.library.conversations.create().id
    chats.sessions.of(chat).submit("Hello.")
    switch.pick("m2")
    assert (desk.sent, asked.questions) == ([LoadModel("m2")], [])
    assert chats.sessions.of(chat).busy


def test_what_follows_a_switch_waits_for_the_users_agreement(
    switch: ModelSwitch, desk: Desk, scene: Scene, chats: Conversations
) -> None:
    """A new chat with another model must not open on the present one."""
    models: list[str] = []
    answer(scene, chats, "Story")
    switch.pick("m2", lambda: models.append(desk.line.model))
    assert models == []
    switch.confirm()
    switch.pick("m2", lambda: models.append("again"))
    assert models == ["m2", "again"]


def test_a_question_ends_with_the_answers_that_it_is_about(
    switch: ModelSwitch, desk: Desk, scene: Scene, chats: Conversations, asked: Asked
) -> None:
    """Then the switch stops nothing, so it is carried out as asked, once."""
    chat = answer(scene, chats, "Story")
    switch.pick("m2")
    switch.tick()
    assert (desk.sent, asked.withdrawn) == ([], 0)
    chats.sessions.engine_event(scene.engine.finished(chat))
    switch.tick()
    switch.tick()
    assert (desk.sent, asked.withdrawn) == ([LoadModel("m2")], 1)
    switch.confirm()
    assert desk.sent == [LoadModel("m2")]


def test_a_declined_switch_is_not_carried_out_later(
    switch: ModelSwitch, desk: Desk, scene: Scene, chats: Conversations
) -> None:
    """The end of the answer changes nothing."""
    chat = answer(scene, chats, "Story")
    switch.pick("m2")
    switch.decline()
    chats.sessions.engine_event(scene.engine.finished(chat))
    switch.tick()
    assert desk.sent == []


def test_a_model_that_arrives_asks_nothing(
    switch: ModelSwitch, desk: Desk, scene: Scene, chats: Conversations, asked: Asked
) -> None:
    """It takes over if that stops no answer."""
    chat = answer(scene, chats, "Story")
    assert not switch.pick_quietly("m2")
    assert (desk.sent, asked.questions) == ([], [])
    chats.sessions.engine_event(scene.engine.finished(chat))
    assert switch.pick_quietly("m2")
    assert desk.sent == [LoadModel("m2")]


def test_picking_the_present_model_never_asks(
    switch: ModelSwitch, scene: Scene, chats: Conversations, asked: Asked
) -> None:
    """It stops nothing."""
    answer(scene, chats, "Story")
    switch.pick("m1")
    assert asked.questions == []


def test_every_change_of_the_model_asks(
    switch: ModelSwitch, desk: Desk, scene: Scene, chats: Conversations, asked: Asked
) -> None:
    """An unload, new settings and a load against the advice have their own words. The last one asked is carried out."""
    desk.line.use("m2")
    desk.line.engine_event(ModelFailed("m2", "model_too_large", "It needs 40 GB."))
    desk.sent.clear()
    answer(scene, chats, "Story")
    switch.load_anyway()
    switch.reload()
    switch.unload()
    assert [question.action for question in asked.questions] == ["Load anyway", "Load again", "Unload"]
    assert desk.sent == []
    switch.confirm()
    assert desk.sent == [UnloadModel()]
