"""Turns that are stopped, or whose engine or model is lost: no word is lost, and the window says what happened."""

from __future__ import annotations

import msgspec
import pytest

from app.chat import views
from app.chat.views import shown_draft
from engine.protocol.messages import (
    ChatMessage,
    Delta,
    Progress,
    TurnFinished,
    Usage,
    Warmed,
)
from resources.language import catalogue
from resources.language.sentence import sentence
from resources.language.text import Language, install
from storage.library.rows import QueuedText, SavedDraft
from tests.unit.app.conftest import Scene
from ui.state.chat import MessageState, Warmth


def test_stop_keeps_the_text(scene: Scene) -> None:
    """One cancel is sent. The reply so far is kept as stopped."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.stop()
    session.stop()
    assert scene.engine.cancelled == [scene.engine.requests[0].request]
    session.engine_event(scene.engine.finished(session.id, "cancelled", ledger="[3]"))
    assert scene.states(session)[-1] == ("Good", "stopped")
    assert scene.branch(session)[-1].ledger == "[3]"


def test_stop_before_the_first_word_takes_the_turn_back(scene: Scene) -> None:
    """Only the text in the composer is left, before what was typed meanwhile."""
    session = scene.session()
    session.submit("Hello")
    scene.library.conversations.save_draft(session.id, SavedDraft("typed since"))
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert scene.branch(session) == ()
    assert scene.window.texts(session.id) == []
    assert scene.window.drafts[session.id] == "Hello"
    assert scene.library.conversations.draft(session.id).typed == "Hello\n\ntyped since"
    assert scene.window.titles[session.id] == "New chat"


def test_a_message_stopped_in_the_queue_changes_no_figures(scene: Scene) -> None:
    """The engine has not read a token of it, and keeps all of the chat as before."""
    session = scene.session()
    scene.turn(session, "Hello", "Good")
    before = session.status
    session.submit("Again")
    session.engine_event(Progress(scene.engine.names(session.id)[0], session.id, "queued", 0, 0))
    session.stop()
    session.engine_event(TurnFinished(scene.engine.names(session.id)[0], session.id, "cancelled", Usage()))
    assert (before.warmth, before.cached_tokens, before.context_tokens) == (Warmth.WARM, 42, 42)
    assert session.status == before


@pytest.mark.parametrize("turns", [0, 1])
def test_a_question_that_was_taken_back_is_not_counted(scene: Scene, turns: int) -> None:
    """The user stops while the model reads a question, which becomes the draft again. The context is what it was before
    the question, so the draft is counted once, and a chat without an answer is not called ready.
    """
    session = scene.session()
    for _ in range(turns):
        scene.turn(session, "Hello", "Good")
    before = session.status
    session.submit("A long story")
    request = scene.engine.names(session.id)[0]
    session.engine_event(Progress(request, session.id, "prefill", 512, 900))
    assert session.status.context_tokens == 900
    session.stop()
    session.engine_event(TurnFinished(request, session.id, "cancelled", Usage(prompt_tokens=900, prefill_tokens=900)))
    assert scene.window.drafts[session.id] == "A long story"
    assert session.status == scene.window.statuses[session.id][-1] == before


def test_an_imported_chat_stays_unread_if_its_first_question_is_taken_back(scene: Scene) -> None:
    """None of its messages has figures of its own."""
    session = scene.session()
    session.engine_event(Warmed(session.id, 0, 300, 0.0, "absent"))
    before = session.status
    session.submit("And then?")
    request = scene.engine.names(session.id)[0]
    session.engine_event(Progress(request, session.id, "prefill", 100, 320))
    session.stop()
    session.engine_event(TurnFinished(request, session.id, "cancelled", Usage(prompt_tokens=320, prefill_tokens=320)))
    assert (before.warmth, before.context_tokens) == (Warmth.COLD, 300)
    assert session.status == before


def test_the_limit_of_a_model_that_comes_meanwhile_stays(scene: Scene) -> None:
    """The question waited for this model. It is the limit of the next question too."""
    scene.engine.ready = False
    session = scene.session()
    session.submit("Hello")
    scene.engine.ready, scene.engine.context_limit = True, 512
    session.engine_ready()
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert (session.status.context_limit, session.status.context_tokens) == (512, 0)


def test_words_come_back_to_the_draft_of_a_closed_chat(scene: Scene) -> None:
    """If no tab is open, returned text goes to the saved draft, and only once."""
    session = scene.session()
    scene.window.remove(session.id)
    session.submit("Hello")
    session.submit("Again")
    assert shown_draft(scene.library.conversations.draft(session.id)) == "Again"
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert scene.library.conversations.draft(session.id) == SavedDraft("Hello", (QueuedText("Again"),))
    view = session.view(scene.opening(session))
    assert (view.draft, [message.text for message in view.queue.messages]) == ("Hello", ["Again"])


def test_stop_while_the_message_is_being_saved(scene: Scene) -> None:
    """The engine never gets the request."""
    session = scene.session()
    scene.tasks.held = True
    session.submit("Hello")
    session.stop()
    scene.tasks.let_go()
    assert scene.engine.sent == []
    assert scene.window.drafts[session.id] == "Hello"
    assert not session.busy


def test_stop_while_waiting_for_the_engine(scene: Scene) -> None:
    """A waiting turn is withdrawn without an engine."""
    scene.engine.ready = False
    session = scene.session()
    session.submit("Hello")
    session.stop()
    session.engine_ready()
    assert scene.engine.sent == []
    assert scene.branch(session) == ()


def test_words_that_come_after_stop_still_count(scene: Scene) -> None:
    """A token that arrives after the user stopped is kept, so the turn is not withdrawn."""
    session = scene.session()
    session.submit("Hello")
    session.stop()
    scene.say(session, "Good")
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert scene.states(session) == [("Hello", "done"), ("Good", "stopped")]


def test_engine_death_keeps_the_text_and_offers_to_continue(scene: Scene) -> None:
    """An open answer becomes interrupted, on disk and on the screen, and the chat can continue."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.engine.ready = False
    session.engine_lost()
    assert scene.states(session)[-1] == ("Good", "interrupted")
    assert scene.window.messages[session.id][-1].state is MessageState.INTERRUPTED
    assert session.status.warmth is Warmth.UNKNOWN
    assert [end.reason for end in scene.ends] == [None]
    session.submit("Again")
    scene.engine.ready = True
    session.engine_ready()
    assert scene.engine.requests[-1].messages[-1] == ChatMessage("user", "Again")


def test_engine_death_leaves_a_waiting_turn_waiting(scene: Scene) -> None:
    """A turn that was not sent yet is sent when the engine is back."""
    scene.engine.ready = False
    session = scene.session()
    session.submit("Hello")
    session.engine_lost()
    assert session.busy
    scene.engine.ready = True
    session.engine_ready()
    assert len(scene.engine.requests) == 1


def test_engine_death_after_stop_counts_as_stopped(scene: Scene) -> None:
    """A crash after the user's stop does not make the answer interrupted."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.stop()
    session.engine_lost()
    assert scene.states(session)[-1] == ("Good", "stopped")


def test_words_of_a_lost_request_are_ignored(scene: Scene) -> None:
    """Events of an earlier request never reach a later answer."""
    session = scene.session()
    session.submit("Hello")
    old = scene.engine.requests[0].request
    session.engine_lost()
    session.submit("Again")
    scene.turn_of(session).delta(Delta(old, session.id, "ghost", 1))
    session.engine_event(Progress(old, session.id, "decode"))
    session.engine_event(TurnFinished(old, session.id, "stop", Usage()))
    assert session.busy
    assert scene.states(session)[-1] == ("", "open")


def test_no_engine_at_all_gives_the_text_back(scene: Scene) -> None:
    """If no model can be loaded, the message returns to the composer."""
    scene.engine.ready = False
    session = scene.session()
    session.submit("Hello")
    session.engine_refused("The model is too large.")
    assert scene.window.drafts[session.id] == "Hello"
    assert scene.branch(session) == ()
    assert [(end.reason, end.error) for end in scene.ends] == [("failed", "The model is too large.")]


def test_no_other_model_answers_a_message_that_was_being_saved(scene: Scene) -> None:
    """The model that the user picked fails while the library still saves the message. The former one is there again
    when it has been saved, and the text comes back all the same.
    """
    scene.engine.ready = False
    session = scene.session()
    scene.tasks.held = True
    session.submit("Hello")
    session.engine_refused("The model is too large.")
    scene.engine.ready = True
    session.engine_ready()
    scene.tasks.let_go()
    assert scene.engine.requests == []
    assert scene.window.drafts[session.id] == "Hello"
    assert [(end.reason, end.error) for end in scene.ends] == [("failed", "The model is too large.")]
    session.submit("Hello")
    assert len(scene.engine.requests) == 1


def test_a_message_wakes_a_model_that_was_unloaded(scene: Scene) -> None:
    """It waits for the model, is sent as soon as that is loaded, and can be taken back before."""
    scene.engine.ready = False
    session = scene.session()
    session.submit("Hello")
    assert (scene.engine.woken, scene.engine.requests) == (1, [])
    session.stop()
    assert scene.window.drafts[session.id] == "Hello"
    session.submit("Hello again")
    scene.engine.ready = True
    session.engine_ready()
    assert [request.messages[-1].content for request in scene.engine.requests] == ["Hello again"]
    assert scene.engine.woken == 2


def test_message_to_no_engine_comes_back_at_once(scene: Scene) -> None:
    """Once it is known that no model will be loaded, a new message does not wait for one."""
    scene.engine.ready, scene.engine.refusal = False, "There is no model."
    session = scene.session()
    session.submit("Hello")
    assert not session.busy
    assert scene.window.drafts[session.id] == "Hello"
    assert scene.engine.woken == 1, "the engine's connection shows the reason again"


def test_the_reason_of_a_failed_request_is_told_in_the_language_of_the_window(scene: Scene) -> None:
    """The library keeps the error as a value, so the window can translate it after the user changes the language."""
    session = scene.session()
    session.submit("Hello")
    ended = scene.engine.finished(session.id, "failed", code="row_failed", message="The model failed.")
    told = sentence("The model failed while it was writing.")
    session.engine_event(msgspec.structs.replace(ended, message=str(told), told=told))
    stored = scene.branch(session)[-1]
    assert views.message(stored).error == (
        "The model failed while it was writing. Try again; if it happens again, pick another model."
    )
    install(Language("de", catalogue.read("de")))
    assert views.message(stored).error == (
        "Beim Schreiben ist im Modell ein Fehler aufgetreten. "
        "Versuchen Sie es noch einmal; geschieht es wieder, wählen Sie ein anderes Modell."
    )


def test_failed_request_shows_the_reason(scene: Scene) -> None:
    """The message shows the error and what the user can do. The text so far stays."""
    session = scene.session()
    session.submit("Hello")
    session.engine_event(
        scene.engine.finished(session.id, "failed", code="context_full", message="The chat is longer than 64 tokens.")
    )
    shown = scene.window.messages[session.id][-1]
    assert shown.state is MessageState.FAILED
    assert shown.error.startswith(
        "The chat is longer than 64 tokens. Make it shorter, or pick a model that can read more."
    )
    assert scene.branch(session)[-1].error == shown.error
