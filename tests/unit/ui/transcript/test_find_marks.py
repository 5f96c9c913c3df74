"""The marks of a search in the text."""

from __future__ import annotations

import time

from pytestqt.qtbot import QtBot

from tests.fakes.transcripts import make
from ui.search.matching import Matcher
from ui.state.chat import MessageView
from ui.theme.theme import LIGHT

LONG = "Wörter gehören 👩 zum Text. "


def test_a_letter_that_is_everywhere_in_a_long_question_is_marked_at_once(qtbot: QtBot) -> None:
    """Each word that is looked for begins with a letter. Each hit was compared with each line, for minutes."""
    transcript = make(qtbot, MessageView("u", "user", LONG * 4_000))
    transcript.show()
    transcript.unfold("u")
    before = time.thread_time()
    transcript.find_marks.matcher = Matcher(("e",))
    assert len(transcript.find_marks.between(*transcript.writer.bounds(0))) == LONG.count("e") * 4_000
    transcript.viewport().grab()
    assert time.thread_time() - before < 2


def test_a_hit_far_down_a_long_question_is_marked_when_it_is_in_view(qtbot: QtBot) -> None:
    """Signs of two halves before it do not move it."""
    transcript = make(qtbot, MessageView("u", "user", LONG * 200 + "needle"))
    transcript.show()
    transcript.unfold("u")
    transcript.find_marks.matcher = Matcher(("needle",))
    (hit,) = transcript.find_marks.between(*transcript.writer.bounds(0))
    transcript.scrolling.bring_into_view(transcript.find_marks.rect(hit))
    place = transcript.find_marks.rect(hit).translated(0, -transcript.verticalScrollBar().value()).toRect()
    corner = transcript.viewport().grab().toImage().pixelColor(place.left() + 3, place.top() + 1)
    assert corner.name() == LIGHT.found
