"""A chat that is longer than the model's context."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from app.chat.overflow import FULL, LEAVE_OUT, NEW_CHAT
from app.chat.session import ChatSession
from app.conversations.conversations import Conversations
from engine.protocol.messages import PromptFitted, TurnFinished, Usage, Warm, Warmed
from storage.errors import EnvironmentProblem, Problem
from tests.fakes.overflows import overflowing, refuse, report_fit, texts_asked
from tests.unit.app.conftest import Scene


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    return scene.conversations()


def test_a_clear_choice_is_offered(scene: Scene) -> None:
    """The message has the error and the notice has both choices. Nothing was left out yet."""
    session = overflowing(scene, 3)
    told = scene.window.notices[FULL + session.id]
    assert (told.action, told.other) == (LEAVE_OUT, NEW_CHAT)
    assert scene.window.texts(session.id)[-1] == ("", "failed")
    assert scene.library.conversations.get(session.id).reads_from is None


def test_one_click_leaves_out_what_does_not_fit(scene: Scene) -> None:
    """The engine says from where on the chat fits with room for the reply. The system prompt and those turns stay, the
    same reply is generated again, the marks move, and the notice says how much is left out.
    """
    session = overflowing(scene, 5)
    session.leave_out()
    assert session.busy
    asked = scene.engine.fits[-1]
    assert [asked.messages[place].content for place in asked.starts] == ["q1", "q2", "q3", "q4", "q5"]
    assert asked.room == scene.engine.context_limit // 4
    report_fit(scene, session, 3)
    assert texts_asked(scene) == ["Be brief.", "q4", "a4", "q5"]
    assert [view.out_of_context for view in scene.window.messages[session.id]] == [True] * 6 + [False] * 4
    told = scene.window.notices[FULL + session.id]
    assert told.text.startswith("6 older messages of this chat will not be read from now on")
    assert (told.action, told.other, told.conversation) == ("", "", session.id)
    scene.say(session, "Here")
    scene.finish(session)
    scene.turn(session, "q6", "a6")
    assert texts_asked(scene) == ["Be brief.", "q4", "a4", "q5", "Here", "q6"]
    assert FULL + session.id not in scene.window.notices


@pytest.mark.parametrize("is_early", [True, False])
def test_an_answer_that_is_whole_is_not_continued(scene: Scene, is_early: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """The user has turned to another answer since the choice was offered, or while the engine counts."""
    session = scene.session()
    for number in range(3):
        scene.turn(session, f"q{number}", f"a{number}")
    session.regenerate(scene.branch(session)[-1].id)
    refuse(scene, session)
    if is_early:
        session.step(scene.branch(session)[-1].id, -1)
    session.leave_out()
    if not is_early:
        session.step(scene.branch(session)[-1].id, -1)
    requests = len(scene.engine.requests)
    report_fit(scene, session, 1)
    assert (len(scene.engine.requests), session.busy) == (requests, False)
    assert scene.states(session)[-1] == ("a2", "done")
    assert scene.library.conversations.get(session.id).reads_from is None


@pytest.mark.parametrize(("place", "code"), [(-1, ""), (0, "row_failed")])
@pytest.mark.parametrize("is_cut", [True, False])
def test_a_message_that_waited_for_the_count_can_be_sent(scene: Scene, place: int, code: str, is_cut: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """No answer follows, at whose end it would be sent. The queue has its button."""
    session = overflowing(scene, 3)
    (session.leave_out if is_cut else session.read_all)()
    session.submit("q4")
    report_fit(scene, session, place, code)
    assert not session.busy
    assert scene.window.queues[session.id].paused


def test_a_message_that_waited_is_sent_once_all_is_read(scene: Scene) -> None:
    """It waited for nothing else."""
    session = overflowing(scene, 3)
    session.read_all()
    session.submit("q4")
    report_fit(scene, session)
    assert texts_asked(scene) == ["Be brief.", "q1", "a1", "q2", "a2", "q4"]
    assert scene.window.queues[session.id].messages == ()


def test_the_queue_waits_if_a_turn_cannot_begin(scene: Scene) -> None:
    """The question comes back to the composer, and what waited behind it can be sent."""
    session = scene.session()
    scene.tasks.held = True
    session.submit("q1")
    session.submit("q2")
    scene.tasks.broken = EnvironmentProblem(Problem.READ_ONLY)
    scene.tasks.let_go()
    assert (session.busy, scene.window.queues[session.id].paused) == (False, True)


def test_a_second_cut_begins_where_the_model_reads_now(scene: Scene) -> None:
    """What is left out already is not offered as a start again."""
    session = overflowing(scene, 4)
    session.leave_out()
    report_fit(scene, session, 2)
    refuse(scene, session)
    session.leave_out()
    asked = scene.engine.fits[-1]
    assert [asked.messages[place].content for place in asked.starts] == ["q3", "q4"]
    report_fit(scene, session, 1)
    assert texts_asked(scene) == ["Be brief.", "q4"]


def test_a_chat_that_fits_after_all_is_read_whole(scene: Scene) -> None:
    """The user may have picked a model that reads more since."""
    session = overflowing(scene, 3)
    session.leave_out()
    report_fit(scene, session, 0)
    assert texts_asked(scene) == ["Be brief.", "q1", "a1", "q2", "a2", "q3"]
    assert "nothing was left out" in scene.window.notices[FULL + session.id].text


def test_a_message_that_is_too_long_by_itself_gets_the_right_advice_only(scene: Scene) -> None:
    """The card says what helps. No notice offers to leave out turns, and nothing offers to try the same again."""
    for session in (_alone(scene), _long_at_once(scene)):
        (shown,) = scene.window.messages[session.id][-1:]
        assert shown.error == (
            "Too long. Make it shorter, or pick a model that can read more. Your next messages are answered without it."
        )
        assert (shown.too_long, shown.question) == ("message", scene.branch(session)[-2].id)
        assert FULL + session.id not in scene.window.notices


def test_instructions_that_are_too_long_are_named(scene: Scene) -> None:
    """The message is not blamed: it is read again with the next one, and no turn is offered to be left out."""
    session = scene.session()
    session.submit("q1")
    refuse(scene, session, "instructions_too_long")
    (shown,) = scene.window.messages[session.id][-1:]
    told = "Too long. Make the instructions shorter, or pick a model that can read more."
    assert (shown.error, shown.too_long) == (told, "")
    assert FULL + session.id not in scene.window.notices
    session.submit("q2")
    assert texts_asked(scene) == ["q1\n\nq2"]


def _alone(scene: Scene) -> ChatSession:
    """A chat whose only message does not fit beside the system prompt."""
    return overflowing(scene, 1)


def _long_at_once(scene: Scene) -> ChatSession:
    """A chat whose newest message would not fit into an empty chat either."""
    session = scene.session()
    scene.turn(session, "q1", "a1")
    session.submit("a book")
    refuse(scene, session, "message_too_long")
    return session


@pytest.mark.parametrize("make", [_alone, _long_at_once, partial(overflowing, turns=2)])
def test_a_message_that_is_too_long_does_not_spoil_those_after_it(
    scene: Scene, make: Callable[[Scene], ChatSession]
) -> None:
    """The model reads the next message without it, whether it was too long alone or with the chat. The words of the
    long one stay on the screen.
    """
    session = make(scene)
    read = [message.content for message in scene.read(session).history]
    session.submit("hello again")
    assert texts_asked(scene) == [*read[:-1], "hello again"]
    assert [text for text, _ in scene.states(session)][-4:-2][0] == read[-1]


@pytest.mark.parametrize("make", [_long_at_once, partial(overflowing, turns=2)])
def test_a_message_that_is_too_long_is_not_restored(scene: Scene, make: Callable[[Scene], ChatSession]) -> None:
    """After a restart the figures are those of the chat that the next message continues, as they were before it. The
    engine does not count the tokens of the long message again.
    """
    read = scene.read(session := make(scene)).history
    again = ChatSession(session.id, scene.ports())
    again.warm(scene.read(again))
    warmed = scene.engine.sent[-1]
    assert isinstance(warmed, Warm)
    assert [message.content for message in warmed.messages] == [message.content for message in read[:-1]]


def test_a_restart_changes_no_length(scene: Scene) -> None:
    """The answer that failed has no tokens, so the length is that of the answer before it. The line break with which a
    template closes that answer does not count.
    """
    session = scene.session()
    scene.turn(session, "q1", "a1")
    session.submit("a book")
    (name,) = scene.engine.names(session.id)
    session.engine_event(
        TurnFinished(name, session.id, "failed", Usage(), code="message_too_long", message="Too long.")
    )
    again = ChatSession(session.id, scene.ports())
    again.view(scene.opening(again))
    assert again.status.context_tokens == session.status.context_tokens == 42
    again.engine_event(Warmed(session.id, 42, 43, 1.0))
    assert (again.status.cached_tokens, again.status.context_tokens) == (42, 42)


def test_nothing_is_restored_of_a_chat_whose_only_message_is_too_long(scene: Scene) -> None:
    """The next message is the first that the model reads."""
    session = _alone(scene)
    sent = tuple(scene.engine.sent)
    session.warm(scene.read(session))
    assert tuple(scene.engine.sent) == sent


def test_what_was_too_long_can_be_asked_again(scene: Scene) -> None:
    """A model that reads more may be there now. Then it is read by the messages after it, too."""
    session = _long_at_once(scene)
    session.regenerate(scene.branch(session)[-1].id)
    assert texts_asked(scene) == ["q1", "a1", "a book"]
    scene.say(session, "Yes.")
    scene.finish(session)
    session.submit("and then?")
    assert texts_asked(scene) == ["q1", "a1", "a book", "Yes.", "and then?"]


def test_questions_that_are_too_long_together_are_all_left_out(scene: Scene) -> None:
    """A question that got no answer for another reason is read with the next one, so it may be what was too long."""
    session = scene.session()
    session.submit("a book")
    refuse(scene, session, "memory_full")
    session.submit("q2")
    assert texts_asked(scene) == ["a book\n\nq2"]
    refuse(scene, session, "message_too_long")
    session.submit("q3")
    assert texts_asked(scene) == ["q3"]


def test_a_question_that_is_left_out_is_no_turn_to_leave_out(scene: Scene) -> None:
    """The card then has the advice for a message, since nothing else can be left out."""
    session = _alone(scene)
    session.submit("q2")
    refuse(scene, session)
    assert scene.window.messages[session.id][-1].too_long == "message"
    assert FULL + session.id not in scene.window.notices


def test_if_nothing_fits_the_notice_says_so(scene: Scene) -> None:
    """The chat stays as it is, and can be used."""
    session = overflowing(scene, 3)
    session.leave_out()
    report_fit(scene, session, -1)
    told = scene.window.notices[FULL + session.id]
    assert (told.action, told.other, told.conversation) == ("", "", session.id)
    assert told.text.startswith("The newest message alone is longer than the model can read.")
    assert not session.busy
    assert scene.library.conversations.get(session.id).reads_from is None


def test_a_cut_waits_for_a_model_and_survives_the_engine(scene: Scene) -> None:
    """The question is asked again when a model is there; an answer of the lost engine counts for nothing."""
    session = overflowing(scene, 3)
    scene.engine.ready = False
    session.leave_out()
    assert (scene.engine.woken, scene.engine.fits) == (1, [])
    scene.engine.ready = True
    session.engine_ready()
    late = scene.engine.fits[-1]
    session.engine_lost()
    session.engine_ready()
    session.engine_event(PromptFitted(late.request, session.id, late.starts[-1]))
    assert scene.library.conversations.get(session.id).reads_from is None
    report_fit(scene, session, 2)
    assert texts_asked(scene) == ["Be brief.", "q3"]


@pytest.mark.parametrize("end", ["stop", "refused", "error"])
def test_a_cut_that_ends_early_changes_nothing(scene: Scene, end: str) -> None:
    """Neither the chat nor what the model reads; the reason is shown, and later answers of the engine are ignored."""
    session = overflowing(scene, 3)
    before = scene.states(session)
    session.leave_out()
    if end == "stop":
        session.stop()
    elif end == "refused":
        session.engine_refused("No model.")
    else:
        report_fit(scene, session, 0, code="prompt_refused")
    assert not session.busy
    assert (end == "stop") == ("error:engine_refused" not in scene.window.notices)
    report_fit(scene, session, 2)
    assert (scene.states(session), session.busy) == (before, False)
    assert scene.library.conversations.get(session.id).reads_from is None


def test_an_answer_that_filled_the_context_alone_gets_advice(scene: Scene) -> None:
    """No turn can be left out. To continue it fails with advice about the answer, not about the message."""
    session = scene.session()
    session.submit("q1")
    scene.say(session, "endless")
    session.engine_event(scene.engine.finished(session.id, "context", ledger="[2]"))
    told = scene.window.notices[FULL + session.id]
    assert (told.action, told.conversation) == ("", session.id)
    assert told.text.startswith("This answer has filled all that the model can read at once.")
    session.extend(scene.branch(session)[-1].id)
    refuse(scene, session)
    assert scene.branch(session)[-1].error.endswith("Ask for a shorter answer, or pick a model that can read more.")


def test_the_choice_is_offered_again_when_the_chat_is_opened(scene: Scene) -> None:
    """Also after a restart, since nothing else leads on."""
    session = overflowing(scene, 2)
    scene.window.notices.clear()
    ChatSession(session.id, scene.ports()).view(scene.opening(session))
    assert scene.window.notices[FULL + session.id].action == LEAVE_OUT


def test_another_try_replaces_an_error_without_a_word(scene: Scene) -> None:
    """There are no alternatives that are made of errors alone."""
    session = overflowing(scene, 2)
    session.regenerate(scene.branch(session)[-1].id)
    refuse(scene, session)
    assert scene.places(session)[-1] == (1, 1)
    assert [state for _, state in scene.states(session)] == ["done", "done", "done", "failed"]


def test_the_answer_comes_into_the_same_reply(scene: Scene) -> None:
    """The failed reply is reopened; no second one is created."""
    session = overflowing(scene, 2)
    failed = scene.branch(session)[-1].id
    session.leave_out()
    report_fit(scene, session, 1)
    scene.say(session, "Here")
    scene.finish(session)
    reply = scene.branch(session)[-1]
    assert (reply.id, reply.content, reply.state, reply.error) == (failed, "Here", "done", "")
    session.submit("next")
    assert texts_asked(scene) == ["Be brief.", "q2", "Here", "next"]


def test_an_answer_that_fills_the_context_is_continued(scene: Scene) -> None:
    """It is shown as cut. Leaving out the oldest turns continues it."""
    session = scene.session()
    scene.turn(session, "q1", "a1")
    session.submit("q2")
    scene.say(session, "half")
    session.engine_event(scene.engine.finished(session.id, "context", ledger="[2]"))
    assert scene.window.texts(session.id)[-1] == ("half", "stopped")
    assert FULL + session.id in scene.window.notices
    session.leave_out()
    report_fit(scene, session, 1)
    assert texts_asked(scene) == ["q2", "half"]
    scene.say(session, " whole")
    scene.finish(session)
    assert scene.states(session)[-1] == ("half whole", "done")


def test_another_branch_is_read_whole(scene: Scene) -> None:
    """Leaving out turns of one branch does not affect another."""
    session = overflowing(scene, 2)
    session.leave_out()
    report_fit(scene, session, 1)
    scene.say(session, "Here")
    scene.finish(session)
    session.edit(scene.branch(session)[0].id, "other")
    assert texts_asked(scene) == ["Be brief.", "other"]
    assert not any(view.out_of_context for view in scene.window.messages[session.id])


def test_a_new_chat_has_the_unanswered_message_as_its_draft(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """The new chat has the settings and the files of the message, but not the earlier turns."""
    session = overflowing(scene, 1)
    note = tmp_path / "note.txt"
    note.write_text("attached")
    chats.attachments.attach(session.id, [str(note)])
    session.submit("q2")
    refuse(scene, session)
    scene.library.labels.set_preset(session.id, "creative")
    chats.creation.carry_on(session.id)
    opened = scene.window.opened[-1]
    assert (opened.title, opened.draft, opened.messages) == ("New chat", "q2", ())
    assert [file.name for file in opened.attachments] == ["note.txt"]
    kept = scene.library.conversations.get(opened.id)
    assert (kept.system, kept.preset) == ("Be brief.", "creative")
    assert FULL + session.id not in scene.window.notices
    assert [len(message.attachments) for message in scene.branch(session)] == [0, 0, 1, 0]


def test_a_chat_without_a_message_is_not_carried_on(scene: Scene, chats: Conversations) -> None:
    """The turn may have been deleted since the choice was offered."""
    chats.creation.carry_on(scene.session().id)
    assert scene.window.opened == []
    assert [notice.key for notice in scene.window.notices.values()] == ["error:no_such_message"]


def test_a_new_chat_takes_a_half_answered_turn_along(scene: Scene, chats: Conversations) -> None:
    """The answer can be continued there."""
    session = scene.session()
    scene.turn(session, "q1", "a1")
    session.submit("q2")
    scene.say(session, "half")
    session.engine_event(scene.engine.finished(session.id, "context", ledger="[2]"))
    chats.creation.carry_on(session.id)
    opened = scene.window.opened[-1]
    assert [view.text for view in opened.messages] == ["q2", "half"]
    assert opened.title == "q1 (fork)"


def test_the_choice_goes_when_the_chat_goes_on(scene: Scene) -> None:
    """Any new turn clears the notice."""
    session = overflowing(scene, 2)
    session.submit("short")
    assert FULL + session.id not in scene.window.notices
