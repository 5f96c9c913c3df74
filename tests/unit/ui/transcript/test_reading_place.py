"""The place in a chat, in another transcript of the same chat."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from tests.fakes.pages import settle
from tests.fakes.transcripts import make
from ui.state.chat import MessageView
from ui.transcript.scrolling import ReadingPlace

VIEWS = tuple(MessageView(f"m{at}", "assistant", "Some words of an answer.\n\n" * 3) for at in range(30))


def test_a_place_waits_for_a_hidden_transcript_to_be_shown(qtbot: QtBot) -> None:
    """It may also be handed on to a third one before that."""
    first, hidden, third = (make(qtbot, *VIEWS) for _ in range(3))
    first.show()
    settle(qtbot, first)
    first.verticalScrollBar().setValue(700)
    place = ReadingPlace.of(first)
    assert place.message
    place.restore(hidden)
    assert ReadingPlace.of(hidden) == place
    ReadingPlace.of(hidden).restore(third)
    third.show()
    qtbot.waitUntil(lambda: third.verticalScrollBar().value() > 0 and third.is_settled)
    assert ReadingPlace.of(third) == place


def test_a_transcript_that_is_shown_twice_at_once_returns_to_the_place(qtbot: QtBot) -> None:
    """Each time asks for the return, and the first one that succeeds does not spoil the next."""
    first, shown = make(qtbot, *VIEWS), make(qtbot, *VIEWS)
    first.show()
    settle(qtbot, first)
    first.verticalScrollBar().setValue(700)
    place = ReadingPlace.of(first)
    shown.show()
    settle(qtbot, shown)
    shown.hide()
    place.restore(shown)
    shown.show()
    shown.hide()
    shown.show()
    qtbot.waitUntil(lambda: shown.verticalScrollBar().value() > 0 and shown.is_settled)
    assert ReadingPlace.of(shown) == place
