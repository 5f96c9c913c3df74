"""Each chat is answered by its own model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.base.model_names import DEMO
from app.chat.views import shown_draft
from app.conversations.conversations import Conversations
from app.engine_client.chat_models import ANSWERED, ChatModels
from app.engine_client.model_switch import ModelSwitch
from engine.protocol.errors import LoadCancelled
from engine.protocol.messages import LoadModel, ModelFailed, ModelLoaded, Warm, Warmed
from storage.errors import DamagedDatabase
from tests.fakes.engine_desk import Asked, Desk
from tests.unit.app.conftest import Scene
from ui.state.chat import Warmth


@pytest.fixture
def desk(chats: Conversations) -> Desk:
    """An engine with the model m1 loaded, whose events reach the chats."""
    desk = Desk()
    desk.line.serve(chats.sessions)
    desk.start()
    return desk


@pytest.fixture
def asked() -> Asked:
    return Asked()


@pytest.fixture
def own(chats: Conversations, desk: Desk, asked: Asked) -> ChatModels:
    asked.switch = ModelSwitch(desk.line, chats.sessions, asked)
    made = ChatModels(desk.line, asked.switch, chats.chats)
    desk.line.serve(chats.sessions, watch=made.engine_event)
    return made


def _chat(scene: Scene, chats: Conversations, own: ChatModels, model: str, title: str = "") -> str:
    """A chat that this model has answered, in a tab."""
    chat = scene.library.conversations.create(title=title).id
    reply = scene.library.messages.begin_turn(chat, "q", model).reply
    scene.library.messages.end(replace(reply, state="done", content="a"))
    chats.opened = own.opened
    chats.tabs.open(chat)
    return chat


def test_a_chat_shows_the_model_that_answered_it(
    scene: Scene, chats: Conversations, own: ChatModels, desk: Desk, tmp_path: Path
) -> None:
    """The built-in one, too, if it is on this computer. Nothing is loaded for a look."""
    for model in (str(tmp_path), DEMO):
        assert scene.window.own_models[_chat(scene, chats, own, model)] == model
    assert scene.window.own_models[_chat(scene, chats, own, "/models/away")] == ""
    assert desk.sent == []


def test_a_chat_of_the_built_in_model_keeps_it(scene: Scene, chats: Conversations, own: ChatModels, desk: Desk) -> None:
    """Whatever model is loaded when it is sent to. The chat still has it after that, and no other chat gets it."""
    chat, other = _chat(scene, chats, own, DEMO), _chat(scene, chats, own, "/models/away")
    own.pick(other, "m2")
    desk.line.engine_event(ModelLoaded("m2", 4096))
    own.submit(chat, "Why?")
    assert desk.sent[-1] == LoadModel(DEMO)
    assert (scene.window.own_models[chat], scene.window.own_models[other]) == (DEMO, "m2")


def test_no_chat_is_prefilled_ahead_by_a_model_that_is_not_its_own(
    scene: Scene, own: ChatModels, tmp_path: Path
) -> None:
    """What that model kept would be of no use to the chat. The badge does not say that the chat is ready."""
    chats = scene.conversations(serves=own.is_wanted)
    chat, mine = _chat(scene, chats, own, str(tmp_path)), _chat(scene, chats, own, "/models/away")
    chats.tabs.tick()
    assert [command.conversation for command in scene.engine.sent if isinstance(command, Warm)] == [mine]
    chats.sessions.engine_event(Warmed(chat, 30, 30, 12.0))
    chats.tabs.warm_all()
    assert chats.sessions.of(chat).status.warmth is Warmth.UNKNOWN


def test_a_chat_of_another_library_shows_the_model_that_answered_it_there(
    scene: Scene, chats: Conversations, own: ChatModels, tmp_path: Path
) -> None:
    """It may have the id of a chat of the library before, which another model has answered. A chat that is open stays
    with its model: it is private, so it is in neither library.
    """
    chat, private = (_chat(scene, chats, own, str(tmp_path)) for _each in range(2))
    scene.window.closed.append(chat)
    own.leave_library()
    scene.window.closed.remove(chat)
    for one in (chat, private):
        own.opened(replace(scene.library.conversations.get(one), leaf=None))
    assert (scene.window.own_models[chat], scene.window.own_models[private]) == ("", str(tmp_path))


def test_sending_loads_the_chats_model_first(
    scene: Scene, chats: Conversations, own: ChatModels, desk: Desk, asked: Asked, tmp_path: Path
) -> None:
    """Without a question, since nothing is stopped. The message is in the chat at once."""
    chat = _chat(scene, chats, own, str(tmp_path))
    own.submit(chat, "Why?")
    assert desk.sent == [LoadModel(str(tmp_path))]
    assert asked.questions == []
    assert scene.library.messages.branch(chat)[-2].content == "Why?"


def test_another_chats_answer_is_not_stopped_unasked(
    scene: Scene, chats: Conversations, own: ChatModels, desk: Desk, asked: Asked, tmp_path: Path
) -> None:
    """The message waits in the queue, where it survives a crash, until the user agrees."""
    chat = _chat(scene, chats, own, str(tmp_path))
    other = _chat(scene, chats, own, "/models/away", "Trip to Lisbon")
    own.submit(other, "Go on")
    own.submit(chat, "Why?")
    assert desk.sent == []
    assert "Trip to Lisbon" in asked.questions[-1].about
    assert shown_draft(scene.library.conversations.draft(chat)) == "Why?"
    asked.switch.decline()
    assert scene.window.queues[chat].paused
    own.answer(chat, chats.sessions.of(chat).outbox.resume)
    asked.switch.confirm()
    assert scene.engine.cancelled
    assert desk.sent == [LoadModel(str(tmp_path))]
    assert scene.library.messages.branch(chat)[-2].content == "Why?"
    assert scene.library.conversations.draft(chat).typed == ""


def test_an_edit_does_not_lose_its_words(
    scene: Scene, chats: Conversations, own: ChatModels, desk: Desk, tmp_path: Path
) -> None:
    """They are in the message box, and nothing is asked of the engine."""
    chat = _chat(scene, chats, own, str(tmp_path))
    own.submit(_chat(scene, chats, own, "/models/away"), "Go on")
    own.edit(chat, scene.library.messages.branch(chat)[0].id, "New words")
    assert scene.window.drafts[chat] == "New words"
    assert desk.sent == []


def test_a_pick_is_for_the_chat_in_front(
    scene: Scene, chats: Conversations, own: ChatModels, desk: Desk, tmp_path: Path
) -> None:
    """Another chat keeps its own model, which is loaded again when that chat is sent to."""
    chat, other = _chat(scene, chats, own, str(tmp_path)), _chat(scene, chats, own, DEMO)
    own.pick(other, "m2")
    assert (scene.window.own_models[other], scene.window.own_models[chat]) == ("m2", str(tmp_path))
    assert desk.sent == [LoadModel("m2")]
    own.submit(chat, "Why?")
    assert desk.sent[-1] == LoadModel(str(tmp_path))


def test_a_model_that_cannot_be_loaded_gives_way(
    scene: Scene, chats: Conversations, own: ChatModels, desk: Desk, tmp_path: Path
) -> None:
    """The next message is answered by the model that returned, as the notice says."""
    chat = _chat(scene, chats, own, str(tmp_path))
    own.submit(chat, "Why?")
    desk.line.engine_event(ModelFailed(str(tmp_path), "model_unreadable", "It is damaged."))
    assert scene.window.own_models[chat] == ""
    desk.sent.clear()
    own.submit(chat, "Why?")
    assert desk.sent == []


def test_a_cancelled_load_takes_its_model_from_no_chat(
    scene: Scene, chats: Conversations, own: ChatModels, desk: Desk, tmp_path: Path
) -> None:
    """The user did not want to wait now. The next message loads the model."""
    one, other = (_chat(scene, chats, own, str(tmp_path)) for _ in "ab")
    own.pick("", str(tmp_path))
    desk.line.cancel_load()
    desk.line.engine_event(ModelFailed(str(tmp_path), LoadCancelled.code, ""))
    assert (scene.window.own_models[one], scene.window.own_models[other]) == (str(tmp_path), str(tmp_path))
    desk.sent.clear()
    own.submit(other, "And you?")
    assert LoadModel(str(tmp_path)) in desk.sent


def test_the_present_model_is_not_loaded_again(scene: Scene, chats: Conversations, own: ChatModels, desk: Desk) -> None:
    """A new chat follows it, and keeps it from its first message on."""
    chat = _chat(scene, chats, own, "/models/away")
    own.submit(chat, "Why?")
    assert desk.sent == []
    assert scene.window.own_models[chat] == "m1"
    own.pick("", "m2")
    desk.line.engine_event(ModelLoaded("m2", 4096))
    assert scene.window.own_models[chat] == "m1"


def test_the_chats_of_the_built_in_model_are_answered_by_another_one(
    scene: Scene, chats: Conversations, own: ChatModels, desk: Desk, tmp_path: Path
) -> None:
    """Open or not, in the library too. A chat of another model stays with it. Nothing is loaded yet."""
    opened, other = _chat(scene, chats, own, DEMO), _chat(scene, chats, own, str(tmp_path))
    closed = _chat(scene, chats, own, DEMO)
    scene.window.closed.append(closed)
    found: list[bool] = []
    own.ask_built_in(found.append)
    own.answer_all("m2")
    own.ask_built_in(found.append)
    assert found == [True, False]
    assert (scene.window.own_models[opened], scene.window.own_models[other]) == ("m2", str(tmp_path))
    assert [scene.library.conversations.get(chat).model for chat in (opened, closed)] == ["m2", "m2"]
    assert scene.window.notices[ANSWERED].text == "m2 answers 2 chats of the built-in model from now on."
    assert desk.sent == []


def test_the_built_in_model_answers_its_chats_again_after_an_undo(
    scene: Scene, chats: Conversations, own: ChatModels, tmp_path: Path
) -> None:
    """But not one that the user gave another model meanwhile, nor one that had this model before."""
    chat, picked, before = (_chat(scene, chats, own, model) for model in (DEMO, DEMO, str(tmp_path)))
    own.answer_all(str(tmp_path))
    own.pick(picked, "m1")
    own.undo_answer_all()
    assert [scene.window.own_models[one] for one in (chat, picked, before)] == [DEMO, "m1", str(tmp_path)]
    models = scene.library.conversations.models()
    assert (models[chat], models[before]) == (DEMO, str(tmp_path))
    assert ANSWERED not in scene.window.notices


def test_a_library_that_cannot_be_read_has_no_chat_of_the_built_in_model(scene: Scene, own: ChatModels) -> None:
    """The news of a download is shown all the same."""
    scene.tasks.broken = DamagedDatabase("It is damaged.")
    found: list[bool] = []
    own.ask_built_in(found.append)
    assert found == [False]


def test_a_chat_that_needs_its_model_does_not_choose_it(
    scene: Scene, chats: Conversations, own: ChatModels, desk: Desk, asked: Asked, tmp_path: Path
) -> None:
    """The next start begins with the model that the user picked."""
    own.submit(_chat(scene, chats, own, str(tmp_path)), "Why?")
    desk.load(str(tmp_path))
    assert desk.remembered == []
    own.pick("", "m2")
    asked.switch.confirm()
    desk.load("m2")
    assert desk.remembered == ["m2"]
