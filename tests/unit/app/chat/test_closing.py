"""Answers that the user has stopped, and what becomes of them when the app closes."""

from __future__ import annotations

from tests.unit.app.conftest import Scene


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
