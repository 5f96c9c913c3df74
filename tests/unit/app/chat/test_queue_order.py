"""Messages that wait keep their order, and their place in the chat."""

from __future__ import annotations

import pytest

from app.chat.session import ChatSession
from app.chat.views import shown_draft
from storage.errors import EnvironmentProblem, Problem
from tests.unit.app.conftest import Scene


def _queue(scene: Scene, session: ChatSession) -> list[str]:
    return [message.text for message in scene.window.queues[session.id].messages]


def test_a_new_message_does_not_overtake_one_that_waits(scene: Scene) -> None:
    """The answer has ended, but a slow disk has not saved it yet."""
    session = scene.session()
    session.submit("q1")
    session.submit("q2")
    scene.say(session, "a1")
    scene.tasks.held = True
    scene.finish(session)
    session.submit("q3")
    scene.tasks.let_go()
    assert scene.engine.requests[-1].messages[-1].content == "q2"
    assert _queue(scene, session) == ["q3"]
    scene.say(session, "a2")
    scene.finish(session)
    assert scene.engine.requests[-1].messages[-1].content == "q3"


def test_the_queue_waits_if_another_branch_is_shown(scene: Scene) -> None:
    """A message that waits follows the answer that is being written. Below another one it would be asked without what
    it is about. The user can send it there, or turn back first.
    """
    session = scene.session()
    scene.turn(session, "q1", "a1")
    session.regenerate(scene.branch(session)[1].id)
    scene.say(session, "b1")
    scene.finish(session)
    session.submit("q2")
    session.submit("And then?")
    scene.say(session, "a2")
    shown = scene.branch(session)[1].id
    session.step(shown, -1)
    scene.finish(session)
    assert (_queue(scene, session), scene.window.queues[session.id].paused) == (["And then?"], True)
    session.step(scene.branch(session)[1].id, 1)
    session.outbox.resume()
    assert [said.content for said in scene.engine.requests[-1].messages] == ["q1", "b1", "q2", "a2", "And then?"]


@pytest.mark.parametrize("is_quit", [False, True])
def test_a_message_that_waits_is_saved_once_the_disk_has_room(scene: Scene, is_quit: bool) -> None:  # noqa: FBT001 - a case
    """The disk was full when it was sent. A second later, or at the latest when the app is quit, it is in the draft."""
    session = scene.session()
    session.submit("q1")
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    session.submit("q2")
    session.tick()
    scene.tasks.broken = None
    if is_quit:
        session.outbox.close()
    else:
        session.tick()
    assert shown_draft(scene.library.conversations.draft(session.id)) == "q2"
