"""Saving an answer while it is written, also when the disk is full or another process has interrupted it."""

from __future__ import annotations

from storage.errors import EnvironmentProblem, Problem
from tests.unit.app.conftest import Scene
from ui.state.chat import MessageState


def test_tick_saves_what_came_since(scene: Scene) -> None:
    """Each tick saves the new text. Without new text nothing is saved."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.tick()
    assert scene.states(session)[-1] == ("Good", "open")
    scene.tasks.held = True
    session.tick()
    assert not scene.tasks.waiting
    scene.say(session, " day")
    session.tick()
    assert scene.tasks.waiting


def test_an_answer_that_another_process_interrupted_is_reopened(scene: Scene) -> None:
    """A second process marks open replies as interrupted when it starts. The writer reopens its own."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.library.messages.interrupt_open()
    session.tick()
    assert scene.states(session)[-1] == ("Good", "open")
    scene.say(session, " day")
    scene.library.messages.interrupt_open()
    scene.finish(session)
    assert scene.states(session)[-1] == ("Good day", "done")
    assert scene.window.notices == {}


def test_full_disk_gives_the_message_back(scene: Scene) -> None:
    """A message that cannot be saved returns to the composer with the reason, and the engine is not asked."""
    session = scene.session()
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    session.submit("Hello")
    assert scene.window.drafts[session.id] == "Hello"
    assert "refused" in scene.window.notices
    assert scene.engine.sent == []
    assert not session.busy
    assert scene.ends[0].error == str(scene.tasks.broken)


def test_answer_that_cannot_be_saved_stays_on_the_screen(scene: Scene) -> None:
    """The text and the error are shown, and the end is reported."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    scene.finish(session)
    assert scene.window.texts(session.id)[-1] == ("Good", "done")
    assert "refused" in scene.window.notices
    assert scene.ends[0].error == str(scene.tasks.broken)


def test_answer_that_could_not_be_saved_is_saved_when_there_is_room(scene: Scene) -> None:
    """It is retried until the disk has room."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    scene.finish(session, ledger="[1]")
    session.tick()
    assert scene.states(session)[-1] == ("", "open")
    scene.tasks.broken = None
    session.tick()
    reply = scene.branch(session)[-1]
    assert (reply.content, reply.state, reply.ledger) == ("Good", "done", "[1]")


def test_the_model_reads_an_answer_that_could_not_be_saved_before(scene: Scene) -> None:
    """The retry runs before the next turn begins, so that the prompt has the answer."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    scene.finish(session)
    scene.tasks.broken = None
    session.submit("Again")
    assert [message.content for message in scene.engine.requests[-1].messages] == ["Hello", "Good", "Again"]


def test_an_answer_is_offered_to_the_library_once_more_at_the_end(scene: Scene) -> None:
    """When the app closes, the disk may have room again."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    scene.finish(session)
    scene.tasks.broken = None
    session.give_up()
    assert scene.states(session)[-1] == ("Good", "done")


def test_view_shows_the_text_that_is_not_saved_yet(scene: Scene) -> None:
    """A tab that opens during an answer shows all of its text."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    view = session.view(scene.opening(session))
    assert view.messages[-1].text == "Good"
    assert view.messages[-1].state is MessageState.OPEN


def test_closing_app_keeps_what_is_there(scene: Scene) -> None:
    """An answer that does not end in time is kept as interrupted, and its request is cancelled."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.give_up()
    assert scene.states(session)[-1] == ("Good", "interrupted")
    assert scene.engine.cancelled
