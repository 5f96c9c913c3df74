"""Answers that are paused, and what becomes of them when they resume or the app closes."""

from __future__ import annotations

from app.chat.session import ChatSession
from engine.protocol.messages import Progress
from tests.fakes.asking import ask_again
from tests.unit.app.conftest import Scene
from ui.state.chat import ChatPhase


def _phase(session: ChatSession) -> ChatPhase:
    return session.status.phase


def _pause(scene: Scene, session: ChatSession) -> None:
    scene.turn_of(session).pause()
    session.engine_event(Progress(scene.engine.names(session.id)[0], session.id, "paused"))


# Pause


def test_pause_and_resume(scene: Scene) -> None:
    """All requests of the chat are paused and resumed. Later text is appended to the answer."""
    session = ask_again(scene, 2)
    scene.hear(session, "uno")
    _pause(scene, session)
    assert _phase(session) is ChatPhase.PAUSED
    scene.turn_of(session).resume()
    names = scene.engine.names(session.id)
    assert scene.engine.held == [("Pause", names[0]), ("Pause", names[1]), ("Resume", names[0]), ("Resume", names[1])]
    scene.hear(session, " dos")
    assert _phase(session) is ChatPhase.GENERATING
    assert scene.window.texts(session.id)[-1] == ("uno dos", "open")


def test_only_what_goes_on_is_paused_and_only_what_is_paused_resumed(scene: Scene) -> None:
    """Without an answer both do nothing."""
    session = scene.session()
    scene.engine.ready = False
    session.submit("Hello")
    scene.turn_of(session).pause()
    scene.turn_of(session).resume()
    scene.engine.ready = True
    session.engine_ready()
    scene.turn_of(session).resume()
    assert scene.engine.held == []


def test_a_paused_answer_that_the_app_closes_is_stopped(scene: Scene) -> None:
    """It counts as stopped by the user, and its text is kept."""
    session = scene.session()
    session.submit("Hello")
    scene.hear(session, "Good")
    _pause(scene, session)
    session.give_up()
    assert scene.states(session)[-1] == ("Good", "stopped")


def test_a_stopped_answer_that_the_app_closes_is_stopped(scene: Scene) -> None:
    """An engine in a long computation may end without reporting the stop. The text is kept; an answer without a word is
    withdrawn, and its question becomes the draft again.
    """
    session = scene.session()
    session.submit("Hello")
    scene.hear(session, "Good")
    session.stop()
    session.give_up()
    assert scene.states(session)[-1] == ("Good", "stopped")
    session.submit("And then?")
    session.stop()
    session.give_up()
    assert scene.states(session)[-1] == ("Good", "stopped")
    assert scene.library.conversations.draft(session.id).typed == "And then?"


def test_a_paused_answer_whose_engine_dies_is_interrupted(scene: Scene) -> None:
    """The engine has lost its state."""
    session = scene.session()
    session.submit("Hello")
    scene.hear(session, "Good")
    _pause(scene, session)
    session.engine_lost()
    assert scene.states(session)[-1] == ("Good", "interrupted")
