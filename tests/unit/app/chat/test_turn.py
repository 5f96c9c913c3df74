"""A turn's answer: its channels, its saving, and edits of its question."""

from __future__ import annotations

import json

from app.chat import views
from app.chat.session import ChatSession
from engine.protocol.messages import ToolCall
from storage.errors import EnvironmentProblem, Problem
from tests.unit.app.conftest import Scene
from ui.state.chat import ChatPhase, MessageState, MessageView, ToolView


def _reply(scene: Scene, session: ChatSession) -> MessageView:
    return scene.window.messages[session.id][-1]


# Channels


def test_reasoning_is_kept_beside_the_answer(scene: Scene) -> None:
    """It is shown as it streams, timed until the answer begins, saved, and part of the next prompt."""
    session = scene.session()
    session.submit("Hello")
    scene.now = 10.0
    scene.hear(session, "hm, ", "reasoning")
    assert (_reply(scene, session).reasoning, session.status.phase) == ("hm, ", ChatPhase.GENERATING)
    scene.now = 14.2
    scene.hear(session, "Good")
    opened = session.view(scene.opening(session)).messages[-1]
    assert (opened.text, opened.reasoning, opened.thought) == ("Good", "hm, ", "Thought for 4 s")
    scene.now = 20.0
    scene.finish(session, ledger="[1]")
    assert _reply(scene, session) == views.message(scene.branch(session)[-1])
    kept = scene.branch(session)[-1]
    assert (kept.content, kept.reasoning, kept.thought_ms) == ("Good", "hm, ", 4200)
    session.submit("Again")
    assert scene.engine.requests[-1].messages[1].reasoning == "hm, "
    assert scene.ends[0].reasoning == "hm, "


def test_reasoning_is_on_disk_every_second(scene: Scene) -> None:
    """A crash loses at most a second of reasoning."""
    session = scene.session()
    session.submit("Hello")
    scene.hear(session, "hm", "reasoning")
    session.tick()
    assert scene.branch(session)[-1].reasoning == "hm"


def test_words_are_safe_from_a_crash_several_times_a_second(scene: Scene) -> None:
    """Each jot saves what is new, and nothing if nothing is new. The next tick saves it for good."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.turn_of(session).jot()
    assert scene.branch(session)[-1].content == "Good"
    scene.tasks.held = True
    scene.turn_of(session).jot()
    assert scene.tasks.count == 0
    session.tick()
    scene.turn_of(session).jot()
    assert scene.tasks.count == 1
    scene.tasks.let_go()


def test_a_jot_that_fails_says_nothing(scene: Scene) -> None:
    """The tick tries the same words again, and reports why they cannot be saved."""
    session = scene.session()
    session.submit("Hello")
    scene.say(session, "Good")
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    scene.turn_of(session).jot()
    assert scene.window.notices == {}
    session.tick()
    assert scene.window.notices
    scene.tasks.broken = None
    scene.say(session, " day")
    session.tick()
    assert scene.branch(session)[-1].content == "Good day"


def test_a_slow_disk_is_asked_once_at_a_time(scene: Scene) -> None:
    """A draft waits for one save of the answer, not for one a second. Then the newest text is saved."""
    session = scene.session()
    session.submit("Hello")
    scene.tasks.held = True
    for word in ("a", "b", "c"):
        scene.say(session, word)
        session.tick()
    assert scene.tasks.count == 1
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    scene.tasks.let_go()
    scene.tasks.broken = None
    session.tick()
    assert scene.branch(session)[-1].content == "abc"


def test_stop_in_the_middle_of_a_thought_keeps_it(scene: Scene) -> None:
    """Reasoning counts as text: the turn is not withdrawn, and the time so far is kept."""
    session = scene.session()
    session.submit("Hello")
    scene.hear(session, "hm", "reasoning")
    scene.now = 90.0
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert scene.branch(session)[-1].state == "stopped"
    assert _reply(scene, session).thought == "Thought for 1 min 30 s"
    session.extend(scene.branch(session)[-1].id)
    assert scene.engine.requests[-1].messages[-1].reasoning == "hm"


def test_calls_of_tools_replace_their_raw_text(scene: Scene) -> None:
    """The raw text is shown while it streams. The parsed calls are stored and shown, indented."""
    session = scene.session()
    session.submit("Hello")
    scene.hear(session, '<tool_call>{"na', "tool")
    assert _reply(scene, session).tools == (ToolView("", '<tool_call>{"na'),)
    call = ToolCall("weather", '{"city":"Bergen"}')
    session.engine_event(scene.engine.finished(session.id, calls=(call,)))
    arguments = json.dumps({"city": "Bergen"}, indent=2)
    assert _reply(scene, session).tools == (ToolView("weather", arguments),)
    session.submit("Again")
    assert scene.engine.requests[-1].messages[1].tool_calls == (call,)


def test_a_call_that_was_cut_short_is_kept_as_it_was(scene: Scene) -> None:
    """Its text stays on the screen, but is not part of the next prompt."""
    session = scene.session()
    session.submit("Hello")
    scene.hear(session, "<tool_call>{", "tool")
    session.engine_lost()
    assert _reply(scene, session).tools == (ToolView("", "<tool_call>{"),)
    session.extend(scene.branch(session)[-1].id)
    assert scene.engine.requests[-1].messages[-1].tool_calls == ()


def test_thinking_belongs_to_the_chat(scene: Scene) -> None:
    """Each request and each warming carries the chat's setting."""
    session = scene.session()
    scene.turn(session, "One", "Two")
    scene.library.labels.switch(session.id, thinking=True)
    session.warm(scene.read(session))
    assert getattr(scene.engine.sent[-1], "thinking", None) is True
    session.submit("Three")
    assert [request.thinking for request in scene.engine.requests] == [False, True]
    assert session.view(scene.opening(session)).thinking


def test_a_screen_that_is_read_while_an_answer_closes_shows_the_end(scene: Scene) -> None:
    """A reply that is not on disk yet is shown in its newest version."""
    session = scene.session()
    session.submit("Hello")
    scene.hear(session, "Good")
    reply = scene.branch(session)[-1].id
    scene.tasks.held = True
    session.step(reply, 0)
    stale = scene.opening(session)
    scene.finish(session)
    assert session.view(stale).messages[-1].state is MessageState.DONE
    scene.tasks.let_go()
    assert scene.window.texts(session.id)[-1] == ("Good", "done")


# Edit and step


def test_edited_message_is_answered_anew(scene: Scene) -> None:
    """The prompt ends with the new text. The old branch is one step away."""
    session = scene.session()
    scene.turn(session, "One", "Two")
    scene.turn(session, "Three", "Four")
    session.edit(scene.branch(session)[2].id, "Drei")
    assert [message.content for message in scene.engine.requests[-1].messages] == ["One", "Two", "Drei"]
    scene.say(session, "Vier")
    scene.finish(session)
    assert [text for text, _ in scene.window.texts(session.id)] == ["One", "Two", "Drei", "Vier"]
    assert scene.places(session)[2] == (2, 2)
    session.step(scene.branch(session)[2].id, -1)
    assert [text for text, _ in scene.window.texts(session.id)] == ["One", "Two", "Three", "Four"]


def test_edit_stopped_before_a_word_is_a_draft(scene: Scene) -> None:
    """The old branch is shown again, and the new text is in the composer."""
    session = scene.session()
    scene.turn(session, "One", "Two")
    session.edit(scene.branch(session)[0].id, "Uno")
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert [text for text, _ in scene.window.texts(session.id)] == ["One", "Two"]
    assert scene.window.drafts[session.id] == "Uno"
    assert scene.window.titles[session.id] == "One"


def test_edit_while_an_answer_is_made_loses_no_words(scene: Scene) -> None:
    """The text returns to the composer at once, with a notice. The saved draft is older and is not used."""
    session = scene.session()
    session.submit("One")
    edited = scene.branch(session)[0].id
    scene.tasks.held = True
    session.edit(edited, "Uno")
    assert scene.window.drafts[session.id] == "Uno"
    assert not scene.tasks.waiting
    assert "error:still_answering" in scene.window.notices
    assert len(scene.engine.requests) == 1
