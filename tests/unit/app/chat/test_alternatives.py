"""Several answers to one question: each streams, ends and fails by itself."""

from __future__ import annotations

import msgspec

from app.chat.session import ChatSession
from engine.protocol.messages import Usage, Warmed
from tests.fakes.asking import ask_again
from tests.unit.app.conftest import Scene
from ui.state.chat import ChatPhase

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
    session.engine_event(scene.engine.finished(session.id, ledger="[1]", number=0))
    assert (session.busy, session.status.phase) == (True, ChatPhase.GENERATING)
    assert scene.window.texts(session.id)[-1] == ("uno", "done")
    scene.hear(session, " y tres", number=1)
    session.engine_event(scene.engine.finished(session.id, ledger="[2]", number=1))
    assert [end.reason for end in scene.ends] == ["stop"] * 3
    session.step(scene.branch(session)[-1].id, 1)
    assert [(one.content, one.ledger) for one in scene.branch(session)][-1] == ("dos y tres", "[2]")


def _ended(scene: Scene, session: ChatSession, number: int, tokens: int, rate: float) -> None:
    usage = Usage(prompt_tokens=30, completion_tokens=tokens, decode_tps=rate)
    session.engine_event(msgspec.structs.replace(scene.engine.finished(session.id, number=number), usage=usage))


def _figures(session: ChatSession) -> tuple[int, float | None]:
    return session.status.context_tokens, session.status.tokens_per_second


def test_the_figures_are_those_of_the_alternative_that_is_shown(scene: Scene) -> None:
    """When the last one has ended, after each step, and after the tab was opened again. The few tokens with which the
    template closes an answer do not change them.
    """
    session = ask_again(scene, 2)
    for number, text in enumerate(("uno", "dos")):
        scene.hear(session, text, number=number)
    _ended(scene, session, 0, tokens=5, rate=6.6)
    _ended(scene, session, 1, tokens=50, rate=8.9)
    assert (_figures(session), session.status.cached_tokens) == ((35, 6.6), 35)
    session.step(scene.branch(session)[-1].id, 1)
    assert _figures(session) == (80, 8.9)
    session.step(scene.branch(session)[-1].id, -1)
    session.engine_event(Warmed(session.id, 36, 36, 1.0))
    assert (_figures(session), session.status.cached_tokens) == ((35, 6.6), 35)
    again = ChatSession(session.id, scene.ports())
    again.view(scene.opening(again))
    assert _figures(again) == (35, 6.6)
    again.engine_event(Warmed(session.id, 36, 36, 1.0))
    assert _figures(again) == (35, 6.6)


def test_stepping_while_others_are_written_gives_their_figures_in_the_end(scene: Scene) -> None:
    """The one that is shown may have ended first, or before."""
    session = ask_again(scene, 2)
    for number, text in enumerate(("uno", "dos")):
        scene.hear(session, text, number=number)
    session.step(scene.branch(session)[-1].id, -1)
    for number, tokens in ((0, 5), (1, 50)):
        _ended(scene, session, number, tokens, rate=8.9)
    assert _figures(session) == (42, 63.84)


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
        session.engine_event(scene.engine.finished(session.id, "cancelled", number=number))
    assert scene.window.texts(session.id) == [("One", "done"), ("uno", "stopped")]
    assert scene.places(session) == [(1, 1), (2, 2)]
    assert not session.busy


def test_alternatives_stopped_before_a_word_never_were(scene: Scene) -> None:
    """The answer from before is shown again, and the composer does not change."""
    session = ask_again(scene, 3)
    session.stop()
    for number in range(3):
        session.engine_event(scene.engine.finished(session.id, "cancelled", number=number))
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
    session.regenerate(answer.id, 2)
    _stop_at_once(scene, session)
    assert [text for text, _ in scene.window.texts(session.id)] == ["One", "Two"]
    session.edit(question.id, "Uno")
    _stop_at_once(scene, session)
    assert [text for text, _ in scene.window.texts(session.id)] == ["One", "Two"]


def _stop_at_once(scene: Scene, session: ChatSession) -> None:
    session.stop()
    for number in range(len(scene.engine.names(session.id))):
        session.engine_event(scene.engine.finished(session.id, "cancelled", number=number))


def test_one_alternative_may_fail_alone(scene: Scene) -> None:
    """The others continue."""
    session = ask_again(scene, 2)
    session.engine_event(scene.engine.finished(session.id, "failed", code="row_failed", message="No.", number=0))
    scene.hear(session, "dos", number=1)
    session.engine_event(scene.engine.finished(session.id, number=1))
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
