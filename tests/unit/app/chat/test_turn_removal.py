"""Turns that the user deletes from a chat."""

from __future__ import annotations

import pytest

from app.chat.session import ChatSession
from app.chat.turn_removal import DELETED
from engine.protocol.messages import Warm
from storage.errors import EnvironmentProblem, Problem
from tests.unit.app.conftest import Scene


def _chat(scene: Scene) -> ChatSession:
    session = scene.session()
    for number in range(1, 4):
        scene.turn(session, f"q{number}", f"a{number}", f"[{number}]")
    return session


def _shown(scene: Scene, session: ChatSession) -> list[str]:
    return [text for text, _ in scene.window.texts(session.id)]


def test_a_deleted_turn_leaves_the_screen_and_the_prompt(scene: Scene) -> None:
    """The cache of what is left is looked for at once. The notice belongs to the chat."""
    session = _chat(scene)
    session.removal.remove(scene.branch(session)[2].id)
    assert _shown(scene, session) == ["q1", "a1", "q3", "a3"]
    told = scene.window.notices[DELETED + session.id]
    assert (told.action, told.conversation) == ("Undo", session.id)
    warmed = [command for command in scene.engine.sent if isinstance(command, Warm)][-1]
    assert [said.content for said in warmed.messages] == ["q1", "a1", "q3", "a3"]
    session.submit("q4")
    assert [said.content for said in scene.engine.requests[-1].messages] == ["q1", "a1", "q3", "a3", "q4"]


def test_it_comes_back(scene: Scene) -> None:
    """Once. After the next turn it is gone for good, and nothing offers it any more."""
    session = _chat(scene)
    before = scene.branch(session)
    session.removal.remove(before[3].id)
    session.removal.restore()
    assert scene.branch(session) == before
    assert _shown(scene, session) == ["q1", "a1", "q2", "a2", "q3", "a3"]
    session.removal.restore()
    assert (scene.branch(session), DELETED + session.id in scene.window.notices) == (before, False)
    session.removal.remove(before[0].id)
    scene.turn(session, "q4", "a4")
    assert DELETED + session.id not in scene.window.notices
    session.removal.restore()
    assert _shown(scene, session) == ["q2", "a2", "q3", "a3", "q4", "a4"]


@pytest.mark.parametrize("turns", [(0, 2), (2, 0), (1, 2), (0, 1), (0, 1, 2), (2, 1, 0)])
def test_several_come_back_one_by_one(scene: Scene, turns: tuple[int, ...]) -> None:
    """The newest first, each at its place. The notice counts those that can still come back, and goes with the last."""
    session = _chat(scene)
    branches = [scene.branch(session)]
    for turn in turns:
        session.removal.remove(branches[0][2 * turn].id)
        branches.append(scene.branch(session))
    for left in reversed(range(len(turns))):
        assert ("questions" in scene.window.notices[DELETED + session.id].text) == (left > 0)
        session.removal.restore()
        assert scene.branch(session) == branches[left]
    assert DELETED + session.id not in scene.window.notices


def test_an_undo_that_fails_can_be_repeated(scene: Scene) -> None:
    """The disk was full. The turn is nowhere but in memory then, so it is offered until the next turn begins."""
    session = _chat(scene)
    before = scene.branch(session)
    session.removal.remove(before[4].id)
    session.removal.remove(before[2].id)
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    session.removal.restore()
    assert "questions" in scene.window.notices[DELETED + session.id].text
    scene.tasks.broken, scene.tasks.held = None, True
    session.removal.restore()
    session.removal.restore()  # one after the other: each finds its place in the chat that it was taken from
    scene.tasks.let_go()
    session.removal.restore()
    assert scene.branch(session) == before


def test_nothing_is_deleted_while_an_answer_is_made(scene: Scene) -> None:
    """The reason is shown, and the answer goes on."""
    session = _chat(scene)
    first = scene.branch(session)[0].id
    session.submit("q4")
    session.removal.remove(first)
    session.removal.restore()
    assert "error:still_answering" in scene.window.notices
    assert len(scene.branch(session)) == 8


def test_a_message_that_is_gone_is_refused(scene: Scene) -> None:
    """The chat stays as it is."""
    session = _chat(scene)
    session.removal.remove("gone")
    assert (len(scene.branch(session)), DELETED + session.id in scene.window.notices) == (6, False)
    assert "error:no_such_message" in scene.window.notices


@pytest.mark.parametrize("is_late", [False, True])
def test_an_answer_that_the_disk_refused_comes_back_whole(scene: Scene, is_late: bool) -> None:  # noqa: FBT001 - a parameter
    """Also if it is refused only after the user has deleted its turn. Until the disk takes it, the turn stays."""
    session = _chat(scene)
    session.submit("q4")
    scene.say(session, "a4")
    scene.tasks.held = is_late
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    scene.finish(session)
    session.removal.remove(scene.branch(session)[-1].id)
    if is_late:
        scene.tasks.run_next()
        scene.tasks.broken = None
        scene.tasks.let_go()
    else:
        assert [text for text, _ in scene.states(session)][-2:] == ["q4", ""]
        scene.tasks.broken = None
        session.removal.remove(scene.branch(session)[-1].id)
    assert _shown(scene, session) == ["q1", "a1", "q2", "a2", "q3", "a3"]
    session.tick()
    session.removal.restore()
    assert scene.states(session)[-1] == ("a4", "done")
