"""Answers that are continued, and other answers to the same question."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from app.chat import status
from engine.protocol.messages import (
    ChatMessage,
)
from storage.errors import EnvironmentProblem, Problem
from tests.unit.app.conftest import Scene
from ui.state.chat import MessageState


def test_length_limit_can_be_continued(scene: Scene) -> None:
    """An answer that was cut at the length limit says so and can be continued."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.engine_event(scene.engine.finished(session.id, "length"))
    shown = scene.window.messages[session.id][-1]
    assert shown.state is MessageState.STOPPED
    assert shown.footer.endswith("cut at the length limit")


def test_continue_appends_to_the_same_reply(scene: Scene) -> None:
    """The prompt has the reply so far with its ledger. New text is appended."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled", ledger="[4]"))
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
    assert "token" not in scene.window.messages[session.id][-1].footer


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
    session.regenerate(old.id)
    assert scene.engine.requests[-1].messages == (ChatMessage("user", "One"),)
    scene.say(session, "Three")
    scene.finish(session)
    assert scene.window.texts(session.id) == [("One", "done"), ("Three", "done")]
    assert scene.states(session) == [("One", "done"), ("Three", "done")]


def test_stopped_retry_brings_the_old_answer_back(scene: Scene) -> None:
    """A retry that is stopped before its first word has no effect."""
    session = scene.session()
    scene.turn(session, "One", "Two")
    session.regenerate(scene.branch(session)[-1].id)
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert scene.window.texts(session.id) == [("One", "done"), ("Two", "done")]
    assert scene.states(session) == [("One", "done"), ("Two", "done")]
    assert session.id not in scene.window.drafts, "what is being typed is left alone"


def test_broken_continuation_keeps_the_older_tokens(scene: Scene) -> None:
    """The ledger from before the crash is still used, so that its text is not tokenized again."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled", ledger="[4]"))
    session.extend(scene.branch(session)[-1].id)
    scene.say(session, " day")
    session.engine_lost()
    reply = scene.branch(session)[-1]
    assert (reply.content, reply.state, reply.ledger) == ("Good day", "interrupted", "[4]")


@pytest.mark.parametrize("is_late", [False, True])
def test_an_answer_that_the_disk_refused_is_continued_from_its_last_word(scene: Scene, is_late: bool) -> None:  # noqa: FBT001 - a parameter
    """It is saved first, also if it is refused only after the user asks for more. Until then it is not continued."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.tasks.held, scene.tasks.broken = is_late, EnvironmentProblem(Problem.DISK_FULL)
    session.engine_event(scene.engine.finished(session.id, "length", ledger="[4]"))
    reply = scene.branch(session)[-1]
    session.extend(reply.id)
    if is_late:
        scene.tasks.run_next()
        scene.tasks.broken = None
        scene.tasks.let_go()
    else:
        assert (len(scene.engine.requests), session.busy) == (1, False)
        scene.tasks.broken = None
        with patch.object(session.outbox.replies, "retry"):  # the disk has room again, but not for that
            session.extend(reply.id)
    assert scene.engine.requests[-1].messages[-1] == ChatMessage("assistant", "Good", "[4]")
    scene.say(session, " day")
    scene.finish(session, ledger="[4,5]")
    session.tick()
    assert scene.states(session) == [("Hello", "done"), ("Good day", "done")]
