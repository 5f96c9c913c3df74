"""Several answers to one question: each streams, ends and fails by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.fakes.asking import ask_again
from ui.state.chat import ChatPhase

if TYPE_CHECKING:
    from app.chat.session import ChatSession
    from tests.unit.app.conftest import Scene


# Alternatives


def test_alternatives_are_one_request(scene: Scene) -> None:
    """They share one prompt. The first is shown, and the count includes the old reply."""
    session = ask_again(scene, 3)
    request = scene.engine.requests[-1]
    assert (len(request.alternatives), len(request.messages)) == (2, 1)
    assert len({request.request, *request.alternatives}) == 3
    assert scene.places(session) == [(1, 1), (2, 4)]


def test_never_more_than_four_at_once(scene: Scene) -> None:
    """The protocol's limit applies to any count."""
    session = ask_again(scene, 9)
    assert len(scene.engine.names(session.id)) == 4


def test_each_alternative_streams_and_closes_by_itself(scene: Scene) -> None:
    """Text of one never reaches another. The chat is busy until the last has ended."""
    session = ask_again(scene, 2)
    scene.hear(session, "uno", number=0)
    scene.hear(session, "dos", number=1)
    assert scene.window.texts(session.id)[-1] == ("uno", "open")
    session.finished(scene.engine.finished(session.id, ledger="[1]", number=0))
    assert (session.busy, session.status.phase) == (True, ChatPhase.GENERATING)
    assert scene.window.texts(session.id)[-1] == ("uno", "done")
    scene.hear(session, " y tres", number=1)
    session.finished(scene.engine.finished(session.id, ledger="[2]", number=1))
    assert [end.reason for end in scene.ends] == ["stop"] * 3
    session.step(scene.branch(session)[-1].id, 1)
    assert [(one.content, one.ledger) for one in scene.branch(session)][-1] == ("dos y tres", "[2]")


def test_an_alternative_can_be_watched_while_it_is_written(scene: Scene) -> None:
    """Stepping shows the text so far of each, and then streams."""
    session = ask_again(scene, 2)
    scene.hear(session, "uno", number=0)
    scene.hear(session, "dos", number=1)
    session.step(scene.branch(session)[-1].id, 1)
    assert scene.window.texts(session.id)[-1] == ("dos", "open")
    scene.hear(session, "!", number=1)
    scene.hear(session, "?", number=0)
    assert scene.window.texts(session.id)[-1] == ("dos!", "open")
    assert scene.places(session)[-1] == (3, 3)


def test_stop_ends_all_alternatives(scene: Scene) -> None:
    """Those with text are kept, those without are withdrawn."""
    session = ask_again(scene, 3)
    scene.hear(session, "uno", number=0)
    session.stop()
    assert len(scene.engine.cancelled) == 3
    for number in (2, 0, 1):
        session.finished(scene.engine.finished(session.id, "cancelled", number=number))
    assert scene.window.texts(session.id) == [("One", "done"), ("uno", "stopped")]
    assert scene.places(session) == [(1, 1), (2, 2)]
    assert not session.busy


def test_alternatives_stopped_before_a_word_never_were(scene: Scene) -> None:
    """The answer from before is shown again, and the composer does not change."""
    session = ask_again(scene, 3)
    session.stop()
    for number in range(3):
        session.finished(scene.engine.finished(session.id, "cancelled", number=number))
    assert scene.window.texts(session.id) == [("One", "done"), ("Two", "done")]
    assert scene.places(session) == [(1, 1), (1, 1)]
    assert session.id not in scene.window.drafts


def test_a_withdrawn_answer_leads_back_to_the_one_that_was_shown(scene: Scene) -> None:
    """Not to the newest alternative; after an edit, not to another branch."""
    session = ask_again(scene, 1)
    scene.hear(session, "Zwei")
    scene.finish(session)
    session.step(scene.branch(session)[-1].id, -1)
    question, answer = scene.branch(session)
    session.retry(answer.id, 2)
    _stop_at_once(scene, session)
    assert [text for text, _ in scene.window.texts(session.id)] == ["One", "Two"]
    session.edit(question.id, "Uno")
    _stop_at_once(scene, session)
    assert [text for text, _ in scene.window.texts(session.id)] == ["One", "Two"]


def _stop_at_once(scene: Scene, session: ChatSession) -> None:
    session.stop()
    for number in range(len(scene.engine.names(session.id))):
        session.finished(scene.engine.finished(session.id, "cancelled", number=number))


def test_one_alternative_may_fail_alone(scene: Scene) -> None:
    """The others continue."""
    session = ask_again(scene, 2)
    session.finished(scene.engine.finished(session.id, "failed", code="row_failed", message="No.", number=0))
    scene.hear(session, "dos", number=1)
    session.finished(scene.engine.finished(session.id, number=1))
    states = [scene.library.messages.branch(session.id)[-1].state]
    session.step(scene.branch(session)[-1].id, 1)
    assert [*states, scene.branch(session)[-1].state] == ["failed", "done"]


def test_a_closing_app_interrupts_every_alternative(scene: Scene) -> None:
    """Each keeps its text."""
    session = ask_again(scene, 2)
    scene.hear(session, "uno", number=0)
    scene.hear(session, "dos", number=1)
    session.give_up()
    first = scene.branch(session)[-1]
    session.step(first.id, 1)
    second = scene.branch(session)[-1]
    assert [(one.content, one.state) for one in (first, second)] == [("uno", "interrupted"), ("dos", "interrupted")]


def test_step_warms_the_branch_that_is_shown(scene: Scene) -> None:
    """The cache of that branch is restored before the next message."""
    session = ask_again(scene, 1)
    scene.hear(session, "Zwei")
    scene.finish(session)
    session.step(scene.branch(session)[-1].id, -1)
    warm = scene.engine.sent[-1]
    assert [message.content for message in getattr(warm, "messages", ())] == ["One", "Two"]
