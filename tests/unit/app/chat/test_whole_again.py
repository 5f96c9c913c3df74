"""A chat that was cut is read whole again, if it fits by then."""

from __future__ import annotations

import pytest

from app.chat.overflow import FULL
from app.chat.session import ChatSession
from tests.fakes.overflows import overflowing, report_fit, texts_asked
from tests.unit.app.conftest import Scene


def _cut_to_last(scene: Scene, turns: int) -> ChatSession:
    """A chat whose model reads its last turn only."""
    session = overflowing(scene, turns)
    session.leave_out()
    report_fit(scene, session, turns - 1)
    scene.say(session, "Here")
    scene.finish(session)
    return session


def test_a_chat_that_fits_again_is_read_whole(scene: Scene) -> None:
    """Every turn counts, also those that are left out now, with room for an answer. Then nothing is marked any more."""
    session = _cut_to_last(scene, 3)
    session.read_all()
    asked = scene.engine.fits[-1]
    assert [message.content for message in asked.messages] == ["Be brief.", "q1", "a1", "q2", "a2", "q3", "Here"]
    assert (asked.starts, asked.room) == ((0,), scene.engine.context_limit // 16)
    report_fit(scene, session, 0)
    assert not session.busy
    assert not any(view.out_of_context for view in scene.window.messages[session.id])
    assert scene.window.notices[FULL + session.id].passing
    session.submit("q4")
    assert texts_asked(scene) == ["Be brief.", "q1", "a1", "q2", "a2", "q3", "Here", "q4"]


def test_a_chat_that_is_still_too_long_stays_cut(scene: Scene) -> None:
    """The notice says why, and the marks stay."""
    session = _cut_to_last(scene, 3)
    session.read_all()
    report_fit(scene, session, -1)
    assert not session.busy
    told = scene.window.notices[FULL + session.id].text
    assert told.startswith("All of this chat is still longer than the model can read")
    assert [view.out_of_context for view in scene.window.messages[session.id]] == [True] * 4 + [False] * 2
    session.submit("q4")
    assert texts_asked(scene) == ["Be brief.", "q3", "Here", "q4"]


def test_an_answer_is_not_disturbed_to_read_all_again(scene: Scene) -> None:
    """The user is asked to wait. The engine is asked for nothing."""
    session = _cut_to_last(scene, 2)
    session.submit("q3")
    asked = len(scene.engine.fits)
    session.read_all()
    assert len(scene.engine.fits) == asked
    assert "Stop the answer first" in str(scene.window.notices)


@pytest.mark.parametrize("end", ["stop", "refused", "error"])
def test_a_return_that_ends_early_changes_nothing(scene: Scene, end: str) -> None:
    """The cut stays as it was, and the reason is shown."""
    session = _cut_to_last(scene, 2)
    before = scene.library.conversations.get(session.id).reads_from
    session.read_all()
    if end == "stop":
        session.stop()
    elif end == "refused":
        session.engine_refused("No model.")
    else:
        report_fit(scene, session, 0, code="prompt_refused")
    report_fit(scene, session, 0)
    assert not session.busy
    assert (end == "stop") == ("error:engine_refused" not in scene.window.notices)
    assert scene.library.conversations.get(session.id).reads_from == before
