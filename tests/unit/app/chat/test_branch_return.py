"""An answer that is written again in the middle of a chat, and the way back."""

from __future__ import annotations

import msgspec
import pytest

from app.chat.session import ChatSession
from app.chat.turn_removal import BRANCHED
from engine.protocol.messages import Usage
from tests.unit.app.conftest import Scene


@pytest.fixture
def session(scene: Scene) -> ChatSession:
    """Three turns."""
    made = scene.session()
    for question, answer in (("One?", "uno"), ("Two?", "dos"), ("Three?", "tres")):
        scene.turn(made, question, answer)
    return made


BEFORE = ["One?", "uno", "Two?", "dos", "Three?", "tres"]


def _shown(scene: Scene, session: ChatSession) -> list[str]:
    return [text for text, _ in scene.window.texts(session.id)]


def test_later_turns_are_said_to_be_kept(scene: Scene, session: ChatSession) -> None:
    """The transcript ends with the new answer. A notice says where the later turns are, until the next turn."""
    session.regenerate(scene.branch(session)[1].id)
    told = scene.window.notices[BRANCHED + session.id]
    assert told.text.startswith("2 later turns stay with the former version.")
    assert (told.action, told.conversation) == ("Undo", session.id)
    scene.say(session, "eins")
    scene.finish(session)
    assert _shown(scene, session) == ["One?", "eins"]
    session.submit("Now?")
    assert BRANCHED + session.id not in scene.window.notices


@pytest.mark.parametrize("words", ["", "eins"])
def test_undo_ends_the_answer_and_shows_the_later_turns(scene: Scene, session: ChatSession, words: str) -> None:
    """While the answer is written and with no word of it yet: all turns are back, and the next one follows them."""
    session.regenerate(scene.branch(session)[1].id)
    if words:
        scene.say(session, words)
    session.branch_return.undo()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert _shown(scene, session) == BEFORE
    assert [message.content for message in scene.branch(session)] == BEFORE
    assert BRANCHED + session.id not in scene.window.notices
    session.submit("Four?")
    assert [said.content for said in scene.engine.requests[-1].messages] == [*BEFORE, "Four?"]


def test_the_figures_of_an_undone_answer_go_with_it(scene: Scene, session: ChatSession) -> None:
    """They are those of the answer that is shown again."""
    session.edit(scene.branch(session)[2].id, "Two or three?")
    scene.say(session, "zwei")
    ended = scene.engine.finished(session.id)
    session.engine_event(
        msgspec.structs.replace(ended, usage=Usage(prompt_tokens=90, completion_tokens=9, decode_tps=15.9))
    )
    assert (session.status.context_tokens, session.status.tokens_per_second) == (99, 15.9)
    session.branch_return.undo()
    assert (session.status.context_tokens, session.status.tokens_per_second) == (42, 63.84)


def test_the_way_back_is_offered_until_the_user_takes_the_arrows(scene: Scene, session: ChatSession) -> None:
    """The notice goes when another version of a message is shown."""
    session.edit(scene.branch(session)[0].id, "Zero?")
    scene.finish(session)
    assert BRANCHED + session.id in scene.window.notices
    session.step(scene.branch(session)[0].id, -1)
    assert _shown(scene, session) == BEFORE
    assert BRANCHED + session.id not in scene.window.notices


def test_undo_after_the_end_keeps_the_new_answer_as_an_alternative(scene: Scene, session: ChatSession) -> None:
    """Nothing is lost in either direction."""
    session.regenerate(scene.branch(session)[1].id)
    scene.say(session, "eins")
    scene.finish(session)
    session.branch_return.undo()
    assert _shown(scene, session) == BEFORE
    assert scene.places(session)[1] == (1, 2)


def test_an_edit_in_the_middle_is_undone_too(scene: Scene, session: ChatSession) -> None:
    """The turns after the edited question count, not its own answer."""
    session.edit(scene.branch(session)[2].id, "Two or three?")
    assert scene.window.notices[BRANCHED + session.id].text.startswith("1 later turn stays")
    session.branch_return.undo()
    session.engine_event(scene.engine.finished(session.id, "cancelled"))
    assert _shown(scene, session) == BEFORE


def test_the_last_answer_is_written_again_without_a_word(scene: Scene, session: ChatSession) -> None:
    """Nothing vanishes then."""
    session.regenerate(scene.branch(session)[-1].id)
    assert BRANCHED + session.id not in scene.window.notices
    session.engine_event(scene.engine.finished(session.id))
    session.edit(scene.branch(session)[-2].id, "Three, please?")
    assert BRANCHED + session.id not in scene.window.notices
