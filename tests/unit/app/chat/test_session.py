"""A turn from the message to the end of its answer: what is saved and shown, and what the engine is asked."""

from __future__ import annotations

from dataclasses import replace

from app.chat import status as figures
from app.chat.session import ChatSession
from app.chat.status import SavedWait
from engine.protocol.cache_messages import Forgotten, ListWarmModels, WarmModels
from engine.protocol.messages import ChatMessage, Progress, Warm, Warmed
from tests.unit.app.conftest import Scene
from ui.state.chat import ChatPhase, Warmth


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
    shown = scene.window.messages[session.id][-1]
    assert (shown.footer, shown.rate) == ("12 tokens", "63.8 tok/s")
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


def test_statuses_follow_the_request(scene: Scene) -> None:
    """Queued, restoring, prefill, generating, then the figures of the answer."""
    session = scene.session()
    session.submit("Hello")
    request = scene.engine.requests[0].request
    session.engine_event(Progress(request, session.id, "restoring"))
    session.engine_event(Progress(request, session.id, "prefill", 5, 30, cached_tokens=20, restore_ms=40.0))
    scene.say(session, "Good")
    session.engine_event(scene.engine.finished(session.id, cached_from="disk"))
    phases = [status.phase for status in scene.window.statuses[session.id]]
    assert list(dict.fromkeys(phases)) == [
        ChatPhase.QUEUED,
        ChatPhase.RESTORING,
        ChatPhase.PREFILL,
        ChatPhase.GENERATING,
        ChatPhase.IDLE,
    ]
    assert (session.status.warmth, session.status.cached_tokens) == (Warmth.WARM, 42)


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
    session.engine_event(Warmed(session.id, 40, 40, 12.0))
    assert (session.status.warmth, session.status.restore_ms) == (Warmth.WARM, 12.0)


def test_the_first_answer_after_a_return_has_what_the_return_saved(scene: Scene) -> None:
    """The status says it until that answer ends. The next answer has state in memory: nothing was restored, so no
    return saved its wait.
    """
    session = ChatSession(scene.session().id, replace(scene.ports(), reading_rate=lambda: 10.0))
    scene.turn(session, "One", "Two")
    session.warm(scene.read(session))
    session.engine_event(Warmed(session.id, 40, 40, 12.0))
    assert (session.status.restore_ms, session.status.instead_seconds) == (12.0, 4.0)
    for text in ("Three", "Four"):
        session.submit(text)
        session.engine_event(scene.engine.finished(session.id, cached_from="hot"))
    assert session.status.restore_ms is None
    waits = [figures.saved_wait(message) for message in scene.branch(session)[1::2]]
    assert waits == [SavedWait(), SavedWait(12.0, 1988.0), SavedWait()]
    assert scene.library.messages.saved_ms() == 1988.0


def test_an_imported_chat_is_read_and_not_read_again(scene: Scene) -> None:
    """No model has answered it yet, so nothing was lost. After an answer something is, as soon as it has ended."""
    session = scene.session()
    turn = scene.library.messages.begin_turn(session.id, "Hello", "")
    scene.library.messages.end(replace(turn.reply, content="Hi", state="done"))
    told = Warmed(session.id, 0, 40, 0.0, "absent")
    session.warm(scene.read(session))
    session.engine_event(told)
    unread = [session.status.never_read]
    scene.turn(session, "One", "Two")
    session.engine_event(told)
    unread.append(session.status.never_read)
    session.warm(scene.read(session))
    session.engine_event(told)
    assert [*unread, session.status.never_read] == [True, False, False]


def test_a_branch_that_was_read_before_its_answer_was_saved_warms_nothing(scene: Scene) -> None:
    """A model was loaded meanwhile, say. The answer is warm, and its chat stays one that was read."""
    session = scene.session()
    session.submit("Hello")
    branch = scene.read(session)
    scene.say(session, "Good")
    session.engine_event(scene.engine.finished(session.id))
    sent = tuple(scene.engine.sent)
    session.warm(branch)
    assert tuple(scene.engine.sent) == sent
    session.forget()
    assert (session.status.warmth, session.status.never_read) == (Warmth.COLD, False)


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
    session.engine_event(WarmModels(session.id, ("a", "b")))
    assert scene.window.warm_models == {session.id: {"a", "b"}}
    session.forget()
    assert scene.window.warm_models == {session.id: frozenset()}


def test_what_the_engine_said_before_it_forgot_is_not_believed(scene: Scene) -> None:
    """It may be on its way while the user clears the memory of the chat."""
    session = scene.session()
    scene.turn(session, "One", "Two")
    session.forget()
    session.engine_event(Warmed(session.id, 40, 40, 12.0))
    session.engine_event(WarmModels(session.id, ("a",)))
    assert (session.status.warmth, session.status.cached_tokens) == (Warmth.COLD, 0)
    assert scene.window.warm_models == {session.id: frozenset()}
    session.engine_event(Forgotten(session.id))
    session.engine_event(Warmed(session.id, 40, 40, 12.0))
    assert session.status.warmth is Warmth.WARM


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
