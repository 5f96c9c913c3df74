"""Messages that are sent while an answer is being written."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chat import turn_jobs
from app.chat.outbox import MessageQueue
from app.chat.session import ChatSession
from app.chat.views import shown_draft
from app.conversations.conversations import Conversations
from storage.errors import EnvironmentProblem, Problem
from storage.library.library import Library
from storage.library.rows import Attachment, QueuedText, SavedDraft
from tests.unit.app.conftest import Scene


@pytest.fixture
def chats(scene: Scene) -> Conversations:
    return scene.conversations()


def _waiting(scene: Scene, *texts: str) -> ChatSession:
    """A chat that is being answered, with these messages waiting."""
    session = scene.session()
    session.submit("q1")
    for text in texts:
        session.submit(text)
    return session


def _queue(scene: Scene, session: ChatSession) -> list[str]:
    return [message.text for message in scene.window.queues[session.id].messages]


def _draft(scene: Scene, session: ChatSession) -> str:
    """The saved words, as they are shown."""
    return shown_draft(scene.library.conversations.draft(session.id))


def test_they_are_sent_in_order_when_each_answer_ends(scene: Scene) -> None:
    """Each waits for the one before it. Its prompt has the whole answer, and nothing is sent twice."""
    session = _waiting(scene, "q2", "q3")
    assert _queue(scene, session) == ["q2", "q3"]
    scene.say(session, "a1")
    scene.finish(session, ledger="[1]")
    assert _queue(scene, session) == ["q3"]
    asked = scene.engine.requests[-1].messages
    assert [(said.content, said.ledger) for said in asked] == [("q1", ""), ("a1", "[1]"), ("q2", "")]
    scene.say(session, "a2")
    scene.finish(session)
    scene.say(session, "a3")
    scene.finish(session)
    assert [text for text, _ in scene.states(session)] == ["q1", "a1", "q2", "a2", "q3", "a3"]
    assert (_queue(scene, session), _draft(scene, session), session.busy) == ([], "", False)


def test_they_survive_a_crash_as_the_draft(scene: Scene) -> None:
    """At each step the library has every word that was not sent, once."""
    session = _waiting(scene, "q2", "q3")
    assert _draft(scene, session) == "q2\n\nq3"
    session.outbox.draft_with("typed")
    scene.say(session, "a1")
    scene.finish(session)
    assert _draft(scene, session) == "q3\n\ntyped"
    session.give_up()
    assert _draft(scene, session) == "q3\n\ntyped"
    assert len(scene.engine.requests) == 2, "nothing more is sent while the app closes"


def test_the_typed_draft_stays_behind_them(scene: Scene, chats: Conversations) -> None:
    """A tab that is closed and opened shows both where they were."""
    session = chats.sessions.of(scene.library.conversations.create().id)
    session.submit("q1")
    session.submit("q2")
    chats.save_draft(session.id, "half a tho")
    assert _draft(scene, session) == "q2\n\nhalf a tho"
    view = session.view(scene.opening(session))
    assert (view.draft, [message.text for message in view.queue.messages]) == ("half a tho", ["q2"])


def test_they_wait_again_after_a_crash(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Apart from the typed draft, each with its own files, and nothing is sent until the user asks for it."""
    session = chats.sessions.of(scene.library.conversations.create().id)
    session.submit("q1")
    for name in ("two", "draft"):
        (tmp_path / name).write_text(name)
        chats.attachments.attach(session.id, [str(tmp_path / name)])
        if name != "draft":
            session.submit(f"about {name}")
    chats.save_draft(session.id, "half a tho")
    after = ChatSession(session.id, scene.ports())
    view = after.view(scene.opening(session))
    assert (view.draft, [file.name for file in view.attachments]) == ("half a tho", ["draft"])
    assert [(message.text, message.files) for message in view.queue.messages] == [("about two", 1)]
    assert view.queue.paused
    assert scene.window.rows[0].draft == "about two\n\nhalf a tho"


def test_a_file_that_is_missing_after_a_crash_takes_no_other_from_its_message() -> None:
    """The message keeps those of its files that are left, and the draft keeps its own."""
    queue = MessageQueue()
    saved = SavedDraft("typed", (QueuedText("q2", ("a", "b")), QueuedText("q3", ("c",))))
    left = tuple(Attachment(name, f"{name}.txt", "text/plain", 1, None, text=True) for name in "cbd")
    assert queue.take_draft(saved, files=left) == "typed"
    assert [file.id for file in queue.take_files(left)] == ["d"]
    first, second = queue.first(), queue.first()
    assert [[file.id for file in one.files] for one in (first, second) if one is not None] == [["b"], ["c"]]


@pytest.mark.parametrize("end", ["stop", "failed", "lost", "withdrawn"])
def test_they_wait_for_the_user_if_the_answer_has_no_end(scene: Scene, end: str) -> None:
    """After Stop, an error or a crash nothing is sent until the user asks for it."""
    session = _waiting(scene, "q2", "q3")
    if end != "withdrawn":
        scene.say(session, "half")
    if end in {"stop", "withdrawn"}:
        session.stop()
        session.engine_event(scene.engine.finished(session.id, "cancelled"))
    elif end == "failed":
        session.engine_event(scene.engine.finished(session.id, "failed", code="row_failed", message="No."))
    else:
        session.engine_lost()
    assert scene.window.queues[session.id].paused
    assert (len(scene.engine.requests), session.busy) == (1, False)
    session.outbox.resume()
    assert scene.engine.requests[-1].messages[-1].content.endswith("q2")
    assert (_queue(scene, session), scene.window.queues[session.id].paused) == (["q3"], False)


def test_a_paused_queue_lets_the_user_go_on_meanwhile(scene: Scene) -> None:
    """A new message, a regenerated answer and an edit come first; the queue stays as it is, also in the library."""
    session = _waiting(scene, "q2")
    scene.say(session, "a1")
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    scene.turn(session, "other", "yes")
    session.regenerate(scene.branch(session)[-1].id)
    scene.say(session, "no")
    scene.finish(session)
    session.edit(scene.branch(session)[0].id, "q0")
    scene.say(session, "a0")
    scene.finish(session)
    assert (_queue(scene, session), scene.window.queues[session.id].paused) == (["q2"], True)
    assert _draft(scene, session) == "q2"


def test_one_is_edited_and_one_dropped(scene: Scene) -> None:
    """An edited one goes back to the composer; the dropped one is gone."""
    session = _waiting(scene, "q2", "q3", "q4")
    two, three, _ = scene.window.queues[session.id].messages
    session.outbox.edit(two.id)
    session.outbox.drop(three.id)
    session.outbox.drop("gone")
    assert scene.window.drafts[session.id] == "q2"
    assert (_queue(scene, session), _draft(scene, session)) == (["q4"], "q4")


def test_one_that_is_edited_is_on_disk_at_any_time(scene: Scene) -> None:
    """The queue is not saved without it: the message box saves both. A crash between two steps would lose it."""
    session = _waiting(scene, "q2", "q3")
    session.outbox.edit(scene.window.queues[session.id].messages[0].id)
    assert "q2" in _draft(scene, session)
    session.outbox.draft_with("q2")
    assert shown_draft(session.outbox.queue.draft()).count("q2") == 1


def test_an_empty_queue_that_is_sent_leaves_the_saved_draft_alone(scene: Scene) -> None:
    """It may have words that were put aside while the chat had no tab."""
    session = scene.session()
    scene.library.conversations.save_draft(session.id, SavedDraft("put aside"))
    session.outbox.resume()
    assert scene.library.conversations.draft(session.id).typed == "put aside"


def test_each_takes_its_own_files(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """Files that were attached later stay with the draft; those of a dropped message are removed."""
    session = chats.sessions.of(scene.library.conversations.create().id)
    session.submit("q1")
    for name in ("two", "three", "draft"):
        (tmp_path / name).write_text(name)
        chats.attachments.attach(session.id, [str(tmp_path / name)])
        if name != "draft":
            session.submit(f"about {name}")
    assert [file.name for file in scene.window.files[session.id]] == ["draft"]
    session.outbox.drop(scene.window.queues[session.id].messages[1].id)
    scene.say(session, "a1")
    scene.finish(session)
    question = scene.branch(session)[2]
    assert (question.content, [file.name for file in question.attachments]) == ("about two", ["two"])
    assert [file.name for file in scene.window.files[session.id]] == ["draft"]
    assert [file.name for file in scene.library.attachments.of_draft(session.id)] == ["draft"]


def test_one_that_cannot_be_saved_stays_first(scene: Scene) -> None:
    """The error is shown, and the queue waits for the user."""
    session = _waiting(scene, "q2", "q3")
    scene.say(session, "a1")
    scene.tasks.broken = EnvironmentProblem(Problem.READ_ONLY)
    scene.finish(session)
    assert (_queue(scene, session), scene.window.queues[session.id].paused) == (["q2", "q3"], True)
    scene.tasks.broken = None
    session.outbox.resume()
    assert scene.branch(session)[2].content == "q2"


_WORDS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('\n\n[]",\\'))


@given(st.lists(_WORDS), _WORDS)
def test_what_waits_and_what_was_typed_come_back_from_the_library(texts: list[str], typed: str) -> None:
    """To the letter, whatever was typed or pasted. Words that are put aside meanwhile are typed before the rest."""
    queue = MessageQueue()
    for text in texts:
        queue.add(text)
    queue.typed = typed
    with closing(Library.in_memory()) as library:
        chat = library.conversations.create().id
        library.conversations.save_draft(chat, queue.draft())
        later = MessageQueue()
        assert later.take_draft(library.conversations.draft(chat)) == typed
        assert [message.text for message in later.view().messages] == texts
        assert (later.draft(), later.paused) == (queue.draft(), bool(texts))
        turn_jobs.put_aside(library, chat, "Put aside")
        assert later.take_draft(library.conversations.draft(chat)).startswith("Put aside")
        assert [message.text for message in later.view().messages] == texts


@pytest.mark.parametrize("said", ["", "half"])
@pytest.mark.parametrize("reported", [False, True])
def test_the_question_that_a_quit_interrupts_is_the_first_after_it(
    scene: Scene, chats: Conversations, tmp_path: Path, said: str, *, reported: bool
) -> None:
    """If the model had not begun to answer, the question waits before the messages that follow it, each with its own
    files, and what was typed stays typed. That is so whether or not the engine reports the end of the answer.
    """
    session = chats.sessions.of(scene.library.conversations.create().id)
    for name in ("one", "two", "draft"):
        (tmp_path / name).write_text(name)
        chats.attachments.attach(session.id, [str(tmp_path / name)])
        if name != "draft":
            session.submit(f"about {name}")
    chats.save_draft(session.id, "half a tho")
    if said:
        scene.say(session, said)
    chats.sessions.stop_all()
    if reported:
        session.engine_event(scene.engine.finished(session.id, "cancelled"))
    chats.sessions.give_up()
    view = ChatSession(session.id, scene.ports()).view(scene.opening(session))
    waiting = [("about one", 1), ("about two", 1)]
    assert [(message.text, message.files) for message in view.queue.messages] == (waiting[1:] if said else waiting)
    assert (view.draft, [file.name for file in view.attachments]) == ("half a tho", ["draft"])
    assert view.queue.paused


@pytest.mark.parametrize("said", ["about one again", "about three"])
def test_what_a_quit_interrupts_beside_a_paused_queue_keeps_its_own_file(
    scene: Scene, chats: Conversations, tmp_path: Path, said: str
) -> None:
    """An edit or a new message waits before the queue after the restart, though its file was attached later."""
    session = chats.sessions.of(scene.library.conversations.create().id)
    _attach(chats, session, tmp_path / "one")
    session.submit("about one")
    _attach(chats, session, tmp_path / "two")
    session.submit("about two")
    scene.say(session, "half")
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    if said == "about three":
        _attach(chats, session, tmp_path / "three")
        session.submit(said)
    else:
        session.edit(scene.branch(session)[0].id, said)
    chats.sessions.stop_all()
    chats.sessions.give_up()
    assert _waits_later(scene, session) == [(said, [said.split()[1]]), ("about two", ["two"])]


def test_a_message_that_was_hurried_keeps_its_own_file(scene: Scene, chats: Conversations, tmp_path: Path) -> None:
    """A crash may come before the answer in progress has ended, so the order of the files is not that of the queue."""
    session = chats.sessions.of(scene.library.conversations.create().id)
    session.submit("q1")
    for name in ("two", "three"):
        _attach(chats, session, tmp_path / name)
        session.submit(f"about {name}")
    scene.say(session, "half")
    session.send_now(scene.window.queues[session.id].messages[1].id)
    assert _waits_later(scene, session) == [("about three", ["three"]), ("about two", ["two"])]


def _attach(chats: Conversations, session: ChatSession, file: Path) -> None:
    file.write_text(file.name)
    chats.attachments.attach(session.id, [str(file)])


def _waits_later(scene: Scene, session: ChatSession) -> list[tuple[str, list[str]]]:
    """The messages that wait after a restart, each with the names of its files."""
    after = ChatSession(session.id, scene.ports())
    after.view(scene.opening(session))
    waiting = iter(after.outbox.queue.first, None)
    return [(message.text, [file.name for file in message.files]) for message in waiting]


def test_a_question_that_a_quit_interrupts_alone_is_the_draft(scene: Scene, chats: Conversations) -> None:
    """No message follows it, so the user finds it in the composer."""
    session = chats.sessions.of(scene.library.conversations.create().id)
    session.submit("q1")
    chats.sessions.stop_all()
    chats.sessions.give_up()
    view = ChatSession(session.id, scene.ports()).view(scene.opening(session))
    assert (view.draft, view.queue.messages) == ("q1", ())


def test_a_question_that_no_engine_takes_stays_before_its_followers(scene: Scene) -> None:
    """A model that cannot be loaded gives back the question that waited for it. It is sent first later."""
    session = scene.session()
    scene.engine.ready = False
    session.submit("q1")
    session.submit("q2")
    session.engine_refused("It is broken.")
    assert (_queue(scene, session), scene.window.queues[session.id].paused) == (["q1", "q2"], True)
    assert (scene.window.drafts.get(session.id, ""), _draft(scene, session)) == ("", "q1\n\nq2")
    scene.engine.ready = True
    session.outbox.resume()
    assert scene.branch(session)[0].content == "q1"


def test_a_question_that_no_engine_takes_is_the_draft_if_nothing_follows_it(scene: Scene) -> None:
    """The user can change it, or pick another model."""
    session = scene.session()
    scene.engine.ready = False
    session.submit("q1")
    session.engine_refused("It is broken.")
    assert scene.window.drafts[session.id] == "q1"


def test_a_stop_after_another_library_came_is_a_stop_again(scene: Scene, chats: Conversations) -> None:
    """The sessions stay when the library is replaced. A question that is stopped later returns to the composer."""
    session = chats.sessions.of(scene.library.conversations.create().id)
    chats.sessions.stop_all()
    session.submit("q1")
    session.submit("q2")
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert (_queue(scene, session), scene.window.drafts[session.id]) == (["q2"], "q1")


@pytest.mark.parametrize("said", ["", "half"])
def test_one_is_sent_now_instead_of_the_answer(scene: Scene, said: str) -> None:
    """The answer is stopped, this message goes first, and the others wait for its end. A stopped answer without a word
    gives its question back to the composer, as Stop does.
    """
    session = _waiting(scene, "q2", "q3")
    if said:
        scene.say(session, said)
    session.send_now(scene.window.queues[session.id].messages[1].id)
    assert scene.engine.cancelled
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert scene.engine.requests[-1].messages[-1].content == "q3"
    assert (_queue(scene, session), scene.window.queues[session.id].paused) == (["q2"], False)
    assert scene.window.drafts.get(session.id, "") == ("" if said else "q1")
    scene.say(session, "a3")
    scene.finish(session)
    assert scene.engine.requests[-1].messages[-1].content == "q2"


def test_the_queue_is_sent_if_the_user_says_so_before_the_answer_has_stopped(scene: Scene) -> None:
    """The engine takes a moment to stop. Another Stop in that moment pauses the queue again."""
    session = _waiting(scene, "q2", "q3")
    scene.say(session, "half")
    session.stop()
    session.outbox.resume()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert scene.engine.requests[-1].messages[-1].content == "q2"
    scene.say(session, "half")
    session.stop()
    session.outbox.resume()
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert (_queue(scene, session), scene.window.queues[session.id].paused) == (["q3"], True)


def test_stop_pauses_the_queue_after_one_was_sent_now(scene: Scene) -> None:
    """What was hurried counts for one message only."""
    session = _waiting(scene, "q2", "q3")
    scene.say(session, "half")
    session.send_now(scene.window.queues[session.id].messages[0].id)
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    scene.say(session, "half")
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert (_queue(scene, session), scene.window.queues[session.id].paused) == (["q3"], True)


def test_one_of_a_paused_queue_is_sent_now(scene: Scene) -> None:
    """Also if no answer is being written. One that is gone is ignored."""
    session = _waiting(scene, "q2", "q3")
    scene.say(session, "half")
    session.stop()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    session.send_now("gone")
    assert len(scene.engine.requests) == 1
    session.send_now(scene.window.queues[session.id].messages[1].id)
    assert scene.engine.requests[-1].messages[-1].content == "q3"


def test_edits_are_kept_apart_from_the_draft(scene: Scene) -> None:
    """After a quit, each edit is one again, and the message that was typed does not have its words. A draft that is
    shown has no edit.
    """
    session = scene.session()
    scene.turn(session, "q1", "a1")
    branch = scene.branch(session)
    edits = ((branch[0].id, "half\n\nedited"),)
    queue = MessageQueue()
    for typed in ("my draft", ""):
        queue.typed, queue.edits = typed, edits
        saved = queue.draft()
        assert shown_draft(saved) == typed
        later = MessageQueue()
        assert (later.take_draft(saved, branch), later.edits) == (typed, edits)
        assert later.draft() == saved


def test_an_edit_of_a_message_that_is_not_shown_is_typed(scene: Scene) -> None:
    """Its branch was left, or it is far above. Its words are not hidden from the user."""
    queue = MessageQueue()
    queue.add("q2")
    queue.edits = (("gone", "edited"),)
    for typed, shown in (("my draft", "my draft\n\nedited"), ("", "edited")):
        queue.typed = typed
        later = MessageQueue()
        assert later.take_draft(queue.draft(), scene.branch(scene.session())) == later.typed == shown
        assert (later.edits, [message.text for message in later.view().messages]) == ((), ["q2"])


def test_a_message_that_is_sent_leaves_the_edits(scene: Scene) -> None:
    """They are saved with the empty draft behind it."""
    session = scene.session()
    session.outbox.queue.edits = (("m", "edited"),)
    session.submit("q1")
    assert scene.library.conversations.draft(session.id) == SavedDraft(edits=(("m", "edited"),))
