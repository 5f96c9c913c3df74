"""The marks of a search in the text."""

from __future__ import annotations

import time
from typing import Literal

import pytest
from pytestqt.qtbot import QtBot

from tests.fakes.pages import settle
from tests.fakes.transcripts import make
from ui.search.matching import Matcher, count
from ui.state.chat import MessageView
from ui.theme.theme import LIGHT
from ui.transcript.blocks import blocks_from
from ui.transcript.transcript import Transcript

CODE = "Why `fox`?\n```fox\nprint(`fox`)\n```\nfox"


@pytest.mark.parametrize(
    ("role", "text", "words", "hits"),
    [
        ("assistant", "4. one\n4. two\n- [x] three\n- four", "5", 1),
        ("assistant", "4. one\n4. two", "5. two", 1),
        ("assistant", "- [x] three\n- [ ] four", "[x] three", 1),
        ("assistant", "![fox](https://x.org/a.png)", "image", 1),
        ("assistant", "A fox[^1]\n\n[^1]: fox", "1", 2),
        ("assistant", "A `fox`.", "fox.", 1),
        ("assistant", "```fox\nfox\n```", "fox", 1),
        ("user", CODE, "fox", 3),
        ("user", CODE, "why fox?", 1),
        ("user", CODE, "why fox? print", 0),
        ("user", "```fox\nfox", "fox", 2),
    ],
)
def test_a_message_has_the_same_hits_before_it_is_written(
    qtbot: QtBot, role: Literal["user", "assistant"], text: str, words: str, hits: int
) -> None:
    """Whatever the page shows counts, and nothing else: else the number of hits would change on the way."""
    view, matcher = MessageView("m", role, text), Matcher((words,))
    transcript = make(qtbot, view)
    transcript.show()
    settle(qtbot, transcript)
    transcript.find_marks.matcher = matcher
    written = transcript.find_marks.between(*transcript.writer.bounds(0))
    assert (count(view, matcher), len(written)) == (hits, hits)


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


def searched(qtbot: QtBot, line: str) -> Transcript:
    """A long line of code in which a letter was searched. Such a line is not broken."""
    transcript = make(qtbot, MessageView("a", "assistant", f"```\n{line}\n```"))
    transcript.show()
    transcript.viewport().grab()
    before = time.thread_time()
    transcript.find_marks.matcher = Matcher(("a",))
    transcript.viewport().grab()
    assert time.thread_time() - before < 1
    return transcript


def test_a_letter_that_is_everywhere_in_a_long_line_from_right_to_left_is_marked_at_once(qtbot: QtBot) -> None:
    """As in one from left to right."""
    searched(qtbot, 'אב {"a":1},' * 6_000)


@pytest.mark.parametrize("line", ['{"a":1},' * 8_000, "\ta" * 10_000], ids=["json", "tabs"])
def test_a_letter_that_is_everywhere_in_a_long_line_of_code_is_marked_at_once(qtbot: QtBot, line: str) -> None:
    """Each hit was looked for from the beginning of the line, for minutes. None that is in view lacks its mark."""
    transcript = searched(qtbot, line)
    picture = transcript.viewport().grab().toImage()
    (block,) = [one for one in blocks_from(transcript.document(), 0, 1 << 30) if line in one.text()]
    hits = transcript.find_marks.between(block.position(), block.position() + block.length())
    places = [transcript.find_marks.rect(hit).toRect() for hit in hits[:400]]
    shown = [place for place in places if place.right() < transcript.viewport().width() - 80]
    colours = {picture.pixelColor(place.left() + 3, place.top() + 1).name() for place in shown}
    assert (len(shown) > 5, colours) == (True, {LIGHT.found})
    last = transcript.find_marks.rect(hits[-1])
    transcript.scrolling.bring_into_view(last)
    place = transcript.sideways.scrolled(last).translated(0, -transcript.verticalScrollBar().value()).toRect()
    assert transcript.viewport().grab().toImage().pixelColor(place.left() + 3, place.top() + 1).name() == LIGHT.found


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
