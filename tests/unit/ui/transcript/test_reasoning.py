"""Reasoning above an answer: it streams, folds and unfolds without moving the view."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QUrl
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from tests.fakes.documents import shown, texts
from tests.fakes.pages import settle
from tests.fakes.transcripts import ANSWER, DONE, OPEN, USER, long_history, make, stream
from ui.state.chat import MessageView, ToolView
from ui.transcript.anchors import AnchorAction
from ui.transcript.transcript import Transcript


def think(qtbot: QtBot, transcript: Transcript, text: str) -> None:
    transcript.append_delta("a", text, "reasoning")
    settle(qtbot, transcript)


def test_reasoning_streams_above_the_answer_and_folds_when_that_begins(qtbot: QtBot, transcript: Transcript) -> None:
    """The answer's first word already appears under the folded line."""
    think(qtbot, transcript, "Let me *think*.")
    assert texts(transcript.document(), "thought", "text") == ["Thinking…\u2009\ufffc", "Let me think."]
    transcript.append_delta("a", "Yes")
    transcript.append_delta("a", "!")
    settle(qtbot, transcript)
    assert texts(transcript.document(), "thought", "text") == ["Thought for 1 s\u2009\ufffc", "Yes!"]


def test_a_fold_opens_and_closes_where_it_was_clicked(qtbot: QtBot) -> None:
    """Toggling twice restores the page. The clicked line does not move, even at the end of the page."""
    views = (*long_history(20), MessageView("a", "assistant", "Yes.", reasoning="Hm.\n\n" * 40))
    transcript = make(qtbot, *views)
    transcript.show()
    settle(qtbot, transcript)
    before, value = shown(transcript.document()), transcript.verticalScrollBar().value()
    fold = QUrl(AnchorAction("fold", "a").href)
    transcript.anchorClicked.emit(fold)
    assert texts(transcript.document(), "text").count("Hm.") == 40
    assert transcript.verticalScrollBar().value() == value
    assert not transcript.scrolling.is_following
    transcript.anchorClicked.emit(fold)
    assert (shown(transcript.document()), transcript.verticalScrollBar().value()) == (before, value)
    assert transcript.scrolling.is_following


def test_reasoning_in_view_is_not_folded(qtbot: QtBot, transcript: Transcript) -> None:
    """If the user scrolled up to read it, it stays open and the answer grows below."""
    think(qtbot, transcript, "Hm.\n\n" * 60)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    value = bar.value()
    stream(qtbot, transcript, "Yes.")
    assert bar.value() == value
    assert texts(transcript.document(), "text")[-2:] == ["Hm.", "Yes."]


def test_reasoning_below_the_view_folds_without_moving_it(qtbot: QtBot) -> None:
    """Text far above stays in place."""
    transcript = make(qtbot, *long_history(30), OPEN)
    transcript.show()
    settle(qtbot, transcript)
    think(qtbot, transcript, "Hm.\n\n" * 60)
    transcript.verticalScrollBar().setValue(200)
    stream(qtbot, transcript, "Yes.")
    assert transcript.verticalScrollBar().value() == 200
    assert "Hm." not in texts(transcript.document(), "text")


def test_streamed_reasoning_equals_the_message_shown_at_once(qtbot: QtBot, transcript: Transcript) -> None:
    """This holds for every channel, folded and open."""
    done = replace(DONE, reasoning=ANSWER, thought="Thought for 4 s", tools=(ToolView("f", "{}"),))
    for start in range(0, len(ANSWER), 9):
        transcript.append_delta("a", ANSWER[start : start + 9], "reasoning")
    settle(qtbot, transcript)
    stream(qtbot, transcript, ANSWER)
    transcript.append_delta("a", "<call>", "tool")
    settle(qtbot, transcript)
    transcript.replace_message(done)
    fresh = make(qtbot, USER, done)
    fresh.show()
    for _ in range(2):
        assert shown(transcript.document()) == shown(fresh.document())
        for one in (transcript, fresh):
            one.anchorClicked.emit(QUrl(AnchorAction("fold", "a").href))


def test_code_of_reasoning_and_answer_is_copied_separately(transcript: Transcript) -> None:
    """Each card copies its own code."""
    code = "```\n{}\n```"
    transcript.replace_message(replace(DONE, text=code.format("yes"), reasoning=code.format("hm")))
    transcript.anchorClicked.emit(QUrl(AnchorAction("fold", "a").href))
    hrefs = {run[3] for block in shown(transcript.document()) for run in block[3] if block[0] == "code head"} - {""}
    copied = set()
    for href in hrefs:
        transcript.anchorClicked.emit(QUrl(href))
        copied.add(QGuiApplication.clipboard().text())
    assert copied == {"yes\n", "hm\n"}
