"""A chat that is longer than the model's context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.chat.overflow import FULL, LEAVE_OUT, NEW_CHAT

if TYPE_CHECKING:
    from pathlib import Path

    from app.chat.session import ChatSession
    from app.conversations.conversations import Conversations
    from tests.unit.app.conftest import Scene


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    return scene.conversations()


def _full(scene: Scene, session: ChatSession) -> None:
    session.finished(scene.engine.finished(session.id, "failed", code="context_full", message="Too long."))


def _long(scene: Scene, turns: int) -> ChatSession:
    """A chat of `turns` turns whose last message does not fit."""
    session = scene.session(system="Be brief.")
    for number in range(1, turns):
        scene.turn(session, f"q{number}", f"a{number}")
    session.submit(f"q{turns}")
    _full(scene, session)
    return session


def _read(scene: Scene) -> list[str]:
    return [message.content for message in scene.engine.requests[-1].messages]


def test_a_clear_choice_is_offered(scene: Scene) -> None:
    """The message has the error and the notice has both choices. Nothing was left out yet."""
    session = _long(scene, 3)
    told = scene.window.notices[FULL + session.id]
    assert (told.action, told.other) == (LEAVE_OUT, NEW_CHAT)
    assert scene.window.texts(session.id)[-1] == ("", "failed")
    assert scene.library.conversations.get(session.id).reads_from is None


def test_leaving_out_halves_until_one_message_is_left(scene: Scene) -> None:
    """The system prompt and the newest turns stay, the same reply is generated again, and the marks move."""
    session = _long(scene, 5)
    session.leave_out()
    assert _read(scene) == ["Be brief.", "q4", "a4", "q5"]
    assert [view.out_of_context for view in scene.window.messages[session.id]] == [True] * 6 + [False] * 4
    assert FULL + session.id not in scene.window.notices
    _full(scene, session)
    session.leave_out()
    assert _read(scene) == ["Be brief.", "q5"]
    _full(scene, session)
    told = scene.window.notices[FULL + session.id]
    assert (told.action, told.other) == ("", "")
    assert told.text.startswith("The newest message alone is longer than the model can read.")
    session.leave_out()
    assert "error:message_too_long" in scene.window.notices
    assert not session.busy


def test_the_answer_comes_into_the_same_reply(scene: Scene) -> None:
    """The failed reply is reopened; no second one is created."""
    session = _long(scene, 2)
    failed = scene.branch(session)[-1].id
    session.leave_out()
    scene.say(session, "Here")
    scene.finish(session)
    reply = scene.branch(session)[-1]
    assert (reply.id, reply.content, reply.state, reply.error) == (failed, "Here", "done", "")
    session.submit("next")
    assert _read(scene) == ["Be brief.", "q2", "Here", "next"]


def test_an_answer_that_fills_the_context_is_continued(scene: Scene) -> None:
    """It is shown as cut. Leaving out the oldest turns continues it."""
    session = scene.session()
    scene.turn(session, "q1", "a1")
    session.submit("q2")
    scene.say(session, "half")
    session.finished(scene.engine.finished(session.id, "context", ledger="[2]"))
    assert scene.window.texts(session.id)[-1] == ("half", "stopped")
    assert FULL + session.id in scene.window.notices
    session.leave_out()
    assert _read(scene) == ["q2", "half"]
    scene.say(session, " whole")
    scene.finish(session)
    assert scene.states(session)[-1] == ("half whole", "done")


def test_another_branch_is_read_whole(scene: Scene) -> None:
    """Leaving out turns of one branch does not affect another."""
    session = _long(scene, 2)
    session.leave_out()
    scene.say(session, "Here")
    scene.finish(session)
    session.edit(scene.branch(session)[0].id, "other")
    assert _read(scene) == ["Be brief.", "other"]
    assert not any(view.out_of_context for view in scene.window.messages[session.id])


def test_a_new_chat_has_the_unanswered_message_as_its_draft(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The new chat has the settings and the files of the message, but not the earlier turns."""
    session = _long(scene, 1)
    note = tmp_path / "note.txt"
    note.write_text("attached")
    chats.attachments.attach(session.id, str(note))
    session.submit("q2")
    _full(scene, session)
    scene.library.labels.set_preset(session.id, "creative")
    chats.creation.carry_on(session.id)
    opened = scene.window.opened[-1]
    assert (opened.title, opened.draft, opened.messages) == ("New chat", "q2", ())
    assert [file.name for file in opened.attachments] == ["note.txt"]
    kept = scene.library.conversations.get(opened.id)
    assert (kept.system, kept.preset) == ("Be brief.", "creative")
    assert FULL + session.id not in scene.window.notices
    assert [len(message.attachments) for message in scene.branch(session)] == [0, 0, 1, 0]


def test_a_new_chat_takes_a_half_answered_turn_along(scene: Scene, chats: Conversations) -> None:
    """The answer can be continued there."""
    session = scene.session()
    scene.turn(session, "q1", "a1")
    session.submit("q2")
    scene.say(session, "half")
    session.finished(scene.engine.finished(session.id, "context", ledger="[2]"))
    chats.creation.carry_on(session.id)
    opened = scene.window.opened[-1]
    assert [view.text for view in opened.messages] == ["q2", "half"]
    assert opened.title == "q1 (fork)"


def test_the_choice_goes_when_the_chat_goes_on(scene: Scene) -> None:
    """Any new turn clears the notice."""
    session = _long(scene, 2)
    session.submit("short")
    assert FULL + session.id not in scene.window.notices
