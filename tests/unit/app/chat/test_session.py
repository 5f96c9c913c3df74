"""Every way in which a turn can go: what is saved, what the window shows and what the engine is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chat import status
from app.chat.message_queue import shown_draft
from app.chat.session import ChatSession
from engine.protocol.messages import (
    ChatMessage,
    Delta,
    ListWarmModels,
    Progress,
    TurnFinished,
    Usage,
    Warm,
    Warmed,
    WarmModels,
)
from storage.errors import EnvironmentProblem, Problem
from ui.state.chat import ChatPhase, MessageState, Warmth

if TYPE_CHECKING:
    from tests.unit.app.conftest import Scene


def test_message_is_on_disk_before_the_engine_is_asked(scene: Scene) -> None:
    """A sent message is never lost, whatever the engine does."""
    session = scene.session()
    scene.tasks.held = True
    session.submit("Hello")
    assert scene.engine.sent == []
    scene.tasks.let_go()
    assert scene.states(session) == [("Hello", "done"), ("", "open")]
    assert scene.engine.requests[0].messages == (ChatMessage("user", "Hello"),)


def test_answer_streams_and_closes(scene: Scene) -> None:
    """The window gets each piece, the library the whole reply with its ledger and figures."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good ", "day")
    assert scene.window.texts(session.id) == [("Hello", "done"), ("Good day", "open")]
    scene.finish(session, ledger="[1,2]")
    reply = scene.branch(session)[-1]
    assert (reply.content, reply.state, reply.ledger) == ("Good day", "done", "[1,2]")
    assert scene.window.messages[session.id][-1].footer == "12 tokens · 63.8 tok/s"
    assert [(end.text, end.reason) for end in scene.ends] == [("Good day", "stop")]
    assert not session.busy


def test_ledger_goes_back_with_the_next_request(scene: Scene) -> None:
    """The engine gets the exact tokens of its own replies again, and the system prompt first."""
    session = scene.session(system="Be brief.")
    scene.turn(session, "One", "Two", ledger="[7]")
    session.submit("Three")
    assert scene.engine.requests[-1].messages == (
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "One"),
        ChatMessage("assistant", "Two", "[7]"),
        ChatMessage("user", "Three"),
    )


def test_waits_for_an_engine_that_is_not_ready(scene: Scene) -> None:
    """A message sent while the engine starts is saved, shown as waiting, and sent to the engine once it is ready."""
    scene.engine.ready = False
    session = scene.session()
    session.submit("Hello")
    assert scene.engine.requests == []
    assert session.status.phase is ChatPhase.QUEUED
    scene.engine.ready = True
    session.engine_ready()
    assert len(scene.engine.requests) == 1


def test_second_message_while_busy_waits(scene: Scene) -> None:
    """A chat has one turn at a time, and no text is lost."""
    session = scene.session()
    session.submit("First")
    session.submit("Second")
    assert [message.text for message in scene.window.queues[session.id].messages] == ["Second"]
    assert len(scene.branch(session)) == 2


def test_stop_keeps_the_text(scene: Scene) -> None:
    """One cancel is sent. The reply so far is kept as stopped."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.stop()
    session.stop()
    assert scene.engine.cancelled == [scene.engine.requests[0].request]
    session.finished(scene.engine.finished(session.id, "cancelled", ledger="[3]"))
    assert scene.states(session)[-1] == ("Good", "stopped")
    assert scene.branch(session)[-1].ledger == "[3]"


def test_stop_before_the_first_word_takes_the_turn_back(scene: Scene) -> None:
    """Only the text in the composer is left, before what was typed meanwhile."""
    session = scene.session()
    session.submit("Hello")
    scene.library.conversations.save_draft(session.id, "typed since")
    session.stop()
    session.finished(scene.engine.finished(session.id, "cancelled"))
    assert scene.branch(session) == ()
    assert scene.window.texts(session.id) == []
    assert scene.window.drafts[session.id] == "Hello"
    assert scene.library.conversations.draft(session.id) == "Hello\n\ntyped since"
    assert scene.window.titles[session.id] == "New chat"


def test_words_come_back_to_the_draft_of_a_closed_chat(scene: Scene) -> None:
    """If no tab is open, returned text goes to the saved draft, and only once."""
    session = scene.session()
    scene.window.remove(session.id)
    session.submit("Hello")
    session.submit("Again")
    assert shown_draft(scene.library.conversations.draft(session.id)) == "Again"
    session.stop()
    session.finished(scene.engine.finished(session.id, "cancelled"))
    assert shown_draft(scene.library.conversations.draft(session.id)) == "Hello\n\nAgain"
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
    session.finished(scene.engine.finished(session.id, "cancelled"))
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
    session.delta(Delta(old, session.id, "ghost", 1))
    session.progress(Progress(old, session.id, "decode"))
    session.finished(TurnFinished(old, session.id, "stop", Usage()))
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


def test_failed_request_shows_the_reason(scene: Scene) -> None:
    """The message shows the error and what the user can do. The text so far stays."""
    session = scene.session()
    session.submit("Hello")
    session.finished(
        scene.engine.finished(session.id, "failed", code="context_full", message="The chat is longer than 64 tokens.")
    )
    shown = scene.window.messages[session.id][-1]
    assert shown.state is MessageState.FAILED
    assert shown.error.startswith(
        "The chat is longer than 64 tokens. Make it shorter, or pick a model that can read more."
    )
    assert scene.branch(session)[-1].error == shown.error


def test_length_limit_can_be_continued(scene: Scene) -> None:
    """An answer that was cut at the length limit says so and can be continued."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.finished(scene.engine.finished(session.id, "length"))
    shown = scene.window.messages[session.id][-1]
    assert shown.state is MessageState.STOPPED
    assert shown.footer.endswith("cut at the length limit")


def test_continue_appends_to_the_same_reply(scene: Scene) -> None:
    """The prompt has the reply so far with its ledger. New text is appended."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.stop()
    session.finished(scene.engine.finished(session.id, "cancelled", ledger="[4]"))
    reply = scene.branch(session)[-1]
    session.extend(reply.id)
    assert scene.engine.requests[-1].messages[-1] == ChatMessage("assistant", "Good", "[4]")
    scene.say(session, " day")
    scene.finish(session, ledger="[4,5]")
    assert scene.states(session) == [("Hello", "done"), ("Good day", "done")]
    assert scene.window.texts(session.id) == [("Hello", "done"), ("Good day", "done")]


def test_a_continued_answer_counts_all_its_tokens(scene: Scene) -> None:
    """The line under it is about the whole answer. If a crash took the count of its beginning, it has no count."""
    session = scene.session()
    scene.turn(session, "Hello", "Good")
    first = scene.branch(session)[-1].usage
    count = status.tokens_of(scene.branch(session)[-1])
    assert (first, count) != ("", None)
    session.extend(scene.branch(session)[-1].id)
    scene.say(session, " day")
    scene.finish(session)
    assert count is not None
    assert status.tokens_of(scene.branch(session)[-1]) == 2 * count
    assert scene.window.messages[session.id][-1].footer.startswith(f"{2 * count} tokens")


def test_an_answer_of_unknown_length_has_no_count(scene: Scene) -> None:
    """Its beginning was written before a crash: the tokens after it are not those of the answer."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.engine_lost()
    session.engine_ready()
    session.extend(scene.branch(session)[-1].id)
    scene.say(session, " day")
    scene.finish(session)
    assert "token" not in scene.window.messages[session.id][-1].footer.replace("tok/s", "")


def test_only_the_last_answer_is_continued(scene: Scene) -> None:
    """For an older reply a notice is shown."""
    session = scene.session()
    scene.turn(session, "One", "Two")
    first = scene.branch(session)[1].id
    scene.turn(session, "Three", "Four")
    session.extend(first)
    assert "error:not_the_last_answer" in scene.window.notices
    assert not session.busy
    assert len(scene.engine.requests) == 2


def test_retry_answers_the_same_question_again(scene: Scene) -> None:
    """The old reply stays in the library. The prompt is the same as before."""
    session = scene.session()
    scene.turn(session, "One", "Two")
    old = scene.branch(session)[-1]
    session.retry(old.id)
    assert scene.engine.requests[-1].messages == (ChatMessage("user", "One"),)
    scene.say(session, "Three")
    scene.finish(session)
    assert scene.window.texts(session.id) == [("One", "done"), ("Three", "done")]
    assert scene.states(session) == [("One", "done"), ("Three", "done")]


def test_stopped_retry_brings_the_old_answer_back(scene: Scene) -> None:
    """A retry that is stopped before its first word has no effect."""
    session = scene.session()
    scene.turn(session, "One", "Two")
    session.retry(scene.branch(session)[-1].id)
    session.stop()
    session.finished(scene.engine.finished(session.id, "cancelled"))
    assert scene.window.texts(session.id) == [("One", "done"), ("Two", "done")]
    assert scene.states(session) == [("One", "done"), ("Two", "done")]
    assert session.id not in scene.window.drafts, "what is being typed is left alone"


def test_broken_continuation_keeps_the_older_tokens(scene: Scene) -> None:
    """The ledger from before the crash is still used, so that its text is not tokenized again."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.stop()
    session.finished(scene.engine.finished(session.id, "cancelled", ledger="[4]"))
    session.extend(scene.branch(session)[-1].id)
    scene.say(session, " day")
    session.engine_lost()
    reply = scene.branch(session)[-1]
    assert (reply.content, reply.state, reply.ledger) == ("Good day", "interrupted", "[4]")


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


def test_statuses_follow_the_request(scene: Scene) -> None:
    """Queued, restoring, prefill, generating, then the figures of the answer."""
    session = scene.session()
    session.submit("Hello")
    request = scene.engine.requests[0].request
    session.progress(Progress(request, session.id, "restoring"))
    session.progress(Progress(request, session.id, "prefill", 5, 30, cached_tokens=20, restore_ms=40.0))
    scene.say(session, "Good")
    session.finished(scene.engine.finished(session.id, cached_from="disk"))
    phases = [status.phase for status in scene.window.statuses[session.id]]
    assert list(dict.fromkeys(phases)) == [
        ChatPhase.QUEUED,
        ChatPhase.RESTORING,
        ChatPhase.PREFILL,
        ChatPhase.GENERATING,
        ChatPhase.IDLE,
    ]
    assert (session.status.warmth, session.status.cached_tokens) == (Warmth.WARM, 42)
    assert session.status.first_token_ms == 80.0


def test_view_shows_the_text_that_is_not_saved_yet(scene: Scene) -> None:
    """A tab that opens during an answer shows all of its text."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    view = session.view(scene.opening(session))
    assert view.messages[-1].text == "Good"
    assert view.messages[-1].state is MessageState.OPEN


def test_warm_only_where_it_helps(scene: Scene) -> None:
    """Opening a chat restores its cache. An empty or busy chat is not warmed."""
    session = scene.session()
    session.warm(scene.read(session))
    assert scene.engine.sent == []
    scene.turn(session, "One", "Two", ledger="[7]")
    session.warm(scene.read(session))
    assert scene.engine.sent[-1] == Warm(
        session.id, (ChatMessage("user", "One"), ChatMessage("assistant", "Two", "[7]"))
    )
    session.warmed(Warmed(session.id, 40, 40, 12.0))
    assert (session.status.warmth, session.status.restore_ms) == (Warmth.WARM, 12.0)


def test_a_private_chat_has_no_warm_models(scene: Scene) -> None:
    """The engine keeps nothing of it, so it is not asked."""
    session = scene.session()
    session.find_warm_models()
    assert scene.engine.sent == [ListWarmModels(session.id)]
    ChatSession("p", scene.private_ports()).find_warm_models()
    assert scene.engine.sent == [ListWarmModels(session.id)]


def test_what_is_no_longer_kept_is_no_longer_marked(scene: Scene) -> None:
    """At once, without waiting for the engine."""
    session = scene.session()
    session.warm_models(WarmModels(session.id, ("a", "b")))
    assert scene.window.warm_models == {session.id: {"a", "b"}}
    session.forget()
    assert scene.window.warm_models == {session.id: frozenset()}


def test_closing_app_keeps_what_is_there(scene: Scene) -> None:
    """An answer that does not end in time is kept as interrupted, and its request is cancelled."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.give_up()
    assert scene.states(session)[-1] == ("Good", "interrupted")
    assert scene.engine.cancelled


def test_an_error_belongs_to_its_chat_and_goes_with_its_cause(scene: Scene) -> None:
    """“Stop the answer first” is shown only there, and no longer than an answer is made."""
    session = scene.session()
    session.submit("Hello")
    session.edit(scene.branch(session)[0].id, "Hi")
    told = scene.window.notices["error:still_answering"]
    assert told.conversation == session.id
    scene.say(session, "Yes")
    scene.finish(session)
    assert "error:still_answering" not in scene.window.notices
