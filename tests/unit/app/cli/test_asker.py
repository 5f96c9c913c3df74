"""Several questions for several conversations, asked in parallel as much as possible."""

from __future__ import annotations

import pytest

from app.chat import attachments
from app.cli.asker import INTERRUPTED, UNSAID, AskedQuestion, Asker, Reply
from engine.protocol.messages import ModelFailed, Ready
from storage.errors import EnvironmentProblem, Problem
from storage.library.archive import Archive, ArchivedConversation
from storage.library.columns import LONGEST_FIELD
from storage.library.rows import SavedDraft
from tests.fakes.library import import_all
from tests.unit.app.conftest import Scene


class Run:
    """An asker and its replies."""

    def __init__(self, scene: Scene, system: str = "") -> None:
        self.scene = scene
        self.replies: list[Reply] = []
        self.ends = 0
        self.asker = Asker(scene.ports(), system, self.replies.append, self._done)

    def _done(self) -> None:
        self.ends += 1

    def ask(self, *questions: tuple[str, str]) -> None:
        self.asker.start(AskedQuestion(*question) for question in questions)

    def answer(self, name: str, text: str) -> None:
        conversation = self.scene.library.conversations.find(name)
        assert conversation is not None
        self.asker.sessions.engine_event(self.scene.engine.deltas((conversation.id, text)))
        self.asker.sessions.engine_event(self.scene.engine.finished(conversation.id))

    @property
    def told(self) -> list[tuple[str, str]]:
        return [(reply.question.conversation, reply.end.text) for reply in self.replies]


@pytest.fixture
def run(scene: Scene) -> Run:
    return Run(scene)


def test_other_conversations_at_once_the_same_one_in_turn(run: Run, scene: Scene) -> None:
    """The second question of a chat waits for the first; the other chat does not."""
    run.ask(("a", "one"), ("b", "two"), ("a", "three"))
    assert [request.messages[-1].content for request in scene.engine.requests] == ["one", "two"]
    run.answer("a", "uno")
    assert [message.content for message in scene.engine.requests[-1].messages] == ["one", "uno", "three"]


def test_replies_come_in_the_order_of_the_questions(run: Run) -> None:
    """A quick answer waits for the slow one that was asked before it."""
    run.ask(("a", "one"), ("b", "two"), ("a", "three"))
    run.answer("b", "dos")
    assert run.told == []
    run.answer("a", "uno")
    assert run.told == [("a", "uno"), ("b", "dos")]
    assert run.ends == 0
    run.answer("a", "tres")
    assert run.told[-1] == ("a", "tres")
    assert run.ends == 1


def test_conversation_is_found_again_by_its_name(run: Run, scene: Scene) -> None:
    """The next run continues the same conversation."""
    run.ask(("a", "one"))
    run.answer("a", "uno")
    second = Run(scene)
    second.ask(("a", "two"))
    assert len(scene.engine.requests[-1].messages) == 3
    assert len(scene.library.conversations.listed()) == 1


def test_system_prompt_belongs_to_the_start(run: Run, scene: Scene) -> None:
    """The conversation keeps it. Another one later is refused."""
    first = Run(scene, system="Be brief.")
    first.ask(("a", "one"))
    first.answer("a", "uno")
    run.ask(("a", "two"))
    assert scene.engine.requests[-1].messages[0].content == "Be brief."
    run.answer("a", "dos")
    other = Run(scene, system="Be long.")
    other.ask(("a", "three"))
    assert "another system prompt" in other.replies[0].end.error
    assert other.ends == 1


def test_a_system_prompt_longer_than_the_library_keeps_is_the_same_again(scene: Scene) -> None:
    """The library keeps its beginning, by which the next question is recognised."""
    for _ in range(2):
        asked = Run(scene, system="x" * (LONGEST_FIELD + 1))
        asked.ask(("a", "one"))
        asked.answer("a", "uno")
        assert asked.told == [("a", "uno")]


def test_an_imported_chat_takes_no_questions_of_another(run: Run, scene: Scene) -> None:
    """The title and the time of an imported chat are those of its file. The question is refused with what to do, and
    neither chat is changed; other conversations are answered.
    """
    own = scene.library.conversations.create("a").id
    (other,) = import_all(scene.library, Archive((ArchivedConversation("a", updated=1 << 42),)))
    run.ask(("a", "one"), ("b", "two"))
    run.answer("b", "dos")
    assert [reply.end.error for reply in run.replies] == [
        "Several conversations are called “a”; rename all but one.",
        "",
    ]
    assert all(scene.library.conversations.get(chat).leaf is None for chat in (own, other))


LOST = "The connection to studio was lost."


@pytest.mark.parametrize(
    ("said", "lost", "told"),
    [
        ("un", "", INTERRUPTED),
        ("", "", UNSAID),
        ("un", LOST, f"{LOST} {INTERRUPTED}"),
        ("", LOST, f"{LOST} {UNSAID}"),
    ],
)
def test_engine_that_dies_ends_the_answer_and_not_the_run(
    run: Run, scene: Scene, said: str, lost: str, told: str
) -> None:
    """The reply says that the answer broke off, whether any of it is saved, and which Mac is the cause if one is. The
    next engine gets the remaining questions.
    """
    run.ask(("a", "one"), ("a", "two"), ("a", "three"))
    chat = scene.engine.requests[-1].conversation
    if said:
        run.asker.sessions.engine_event(scene.engine.deltas((chat, said)))
    if lost:
        run.asker.group_ended(lost)
    _lose(run, scene)
    assert [(reply.end.reason, reply.end.error) for reply in run.replies] == [(None, told)]
    _lose(run, scene)
    assert run.replies[-1].end.error == UNSAID, "the Mac is not the cause of what happens later"
    run.answer("a", "dos")
    assert run.ends == 1


def _lose(run: Run, scene: Scene) -> None:
    """The engine ends, and another one starts."""
    scene.engine.ready = False
    run.asker.sessions.engine_lost()
    scene.engine.ready = True
    run.asker.engine_event(Ready(1))
    run.asker.sessions.engine_ready()


def test_no_model_ends_the_whole_run(run: Run, scene: Scene) -> None:
    """No question waits for a model that cannot be loaded, neither this one nor the next, and none tries it again."""
    scene.engine.ready = False
    run.ask(("a", "one"), ("a", "two"), ("b", "three"))
    run.asker.engine_event(ModelFailed("m", "model_missing", "There is no model."))
    reason = "m cannot be loaded. There is no model. Pick another model, or put the folder back."
    run.asker.sessions.engine_refused(reason)
    assert [reply.end.error for reply in run.replies] == [reason] * 3
    assert run.ends == 1


def test_library_that_cannot_be_read_is_the_answer(run: Run, scene: Scene) -> None:
    """A full disk is one sentence for each question concerned."""
    scene.tasks.broken = EnvironmentProblem(Problem.DISK_FULL)
    run.ask(("a", "one"), ("a", "two"))
    assert {reply.end.error for reply in run.replies} == {str(scene.tasks.broken)}
    assert run.ends == 1


def test_interrupt_keeps_what_was_said(run: Run, scene: Scene) -> None:
    """Ctrl+C stops the answer and saves it. Questions that were not asked yet are cancelled."""
    run.ask(("a", "one"), ("a", "two"))
    conversation = scene.engine.requests[0].conversation
    run.asker.sessions.engine_event(scene.engine.deltas((conversation, "un")))
    run.asker.stop_all()
    assert run.asker.sessions.busy
    run.asker.sessions.engine_event(scene.engine.finished(conversation, "cancelled"))
    assert [(reply.end.text, reply.end.reason) for reply in run.replies] == [("un", "cancelled"), ("", "cancelled")]
    assert scene.library.messages.branch(conversation)[-1].state == "stopped"
    assert run.ends == 1


def test_streaming_text_is_saved_every_second(run: Run, scene: Scene) -> None:
    """A run without a window loses no more than a window would."""
    run.ask(("a", "one"))
    conversation = scene.engine.requests[0].conversation
    run.asker.sessions.engine_event(scene.engine.deltas((conversation, "un")))
    run.asker.sessions.tick()
    assert scene.library.messages.branch(conversation)[-1].content == "un"


def test_a_prompt_leaves_what_the_user_is_writing(run: Run, scene: Scene) -> None:
    """A draft and its files belong to the user: a prompt from the command line takes neither along."""
    chat = scene.library.conversations.create(title="a").id
    scene.library.conversations.save_draft(chat, SavedDraft("half a thought"))
    kept = attachments.attach(scene.library, chat, "note.txt", "words")
    run.ask(("a", "one"))
    assert [request.messages[-1].content for request in scene.engine.requests] == ["one"]
    assert scene.library.conversations.draft(chat).typed == "half a thought"
    assert scene.library.attachments.of_draft(chat) == kept
