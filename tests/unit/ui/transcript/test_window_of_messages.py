"""The page of a very long chat holds the messages around the view, and others as the user scrolls."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.fakes.pages import settle
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import DARK, LIGHT
from ui.transcript import pending_messages
from ui.transcript.anchors import AnchorAction
from ui.transcript.selected_text import WholeCopy, selected_text
from ui.transcript.transcript import Transcript

WORDS = "many words of a long answer " * 20
COUNT = 90
MOST = 36_000


def view(number: int, text: str = WORDS, state: MessageState = MessageState.DONE) -> MessageView:
    return MessageView(str(number), "assistant", f"answer{number}. {text}", state)


@pytest.fixture
def transcript(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Transcript:
    """A chat with half as many words again as the page may have."""
    monkeypatch.setattr(pending_messages, "HISTORY_CHARACTERS", 30_000)
    monkeypatch.setattr(pending_messages, "MOST_ON_PAGE", MOST)
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show_messages(tuple(view(number) for number in range(COUNT)))
    made.show()
    settle(qtbot, made)
    return made


def answers(transcript: Transcript) -> list[int]:
    """The numbers of the answers in the document."""
    words = transcript.toPlainText().split()
    return [int(word.removeprefix("answer").rstrip(".")) for word in words if word.startswith("answer") and "." in word]


def characters(transcript: Transcript) -> int:
    return sum(len(transcript.messages[at].text) for at in transcript.loaded)


def to_the_top(qtbot: QtBot, transcript: Transcript) -> None:
    while transcript.loaded.start:
        transcript.verticalScrollBar().setValue(0)
        settle(qtbot, transcript)


def test_a_jump_writes_only_what_is_near(qtbot: QtBot, transcript: Transcript) -> None:
    """The first message of a long chat is there at once, at the top of the view."""
    transcript.older.load_to(0)
    assert len(transcript.loaded) < 20
    assert answers(transcript) == list(transcript.loaded)
    assert transcript.verticalScrollBar().value() == 0
    assert not transcript.scrolling.is_following
    settle(qtbot, transcript)
    assert len(transcript.loaded) < 20


def test_a_jump_into_the_middle_loads_on_both_sides(qtbot: QtBot, transcript: Transcript) -> None:
    """The message stays at the top of the view while those above it arrive."""
    transcript.older.load_to(20)
    settle(qtbot, transcript)
    assert transcript.loaded.start < 20 < transcript.loaded.stop - 1
    assert abs(transcript.scrolling.top_of(20) - transcript.verticalScrollBar().value()) < 40
    assert answers(transcript) == list(transcript.loaded)


def test_the_rest_of_the_chat_comes_as_the_user_scrolls(qtbot: QtBot, transcript: Transcript) -> None:
    """Down to the newest message, which the view follows again then."""
    transcript.older.load_to(0)
    bar = transcript.verticalScrollBar()
    while not transcript.older.reaches_end:
        bar.setValue(bar.maximum())
        settle(qtbot, transcript)
    bar.setValue(bar.maximum())
    assert transcript.scrolling.is_following
    assert transcript.loaded.stop == COUNT
    assert answers(transcript) == list(transcript.loaded)


def test_a_page_does_not_grow_without_end(qtbot: QtBot, transcript: Transcript) -> None:
    """What is far from the view leaves it, at both ends, and is written again when it is needed."""
    to_the_top(qtbot, transcript)
    assert characters(transcript) < MOST + 4_000
    assert transcript.loaded.stop < COUNT
    bar = transcript.verticalScrollBar()
    while not transcript.older.reaches_end:
        bar.setValue(bar.maximum())
        settle(qtbot, transcript)
        assert characters(transcript) < MOST + 4_000
    assert transcript.loaded.start > 0
    assert answers(transcript) == list(transcript.loaded)


def test_what_leaves_the_page_does_not_move_the_view(qtbot: QtBot, transcript: Transcript) -> None:
    """The message at its top stays where it is."""
    to_the_top(qtbot, transcript)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() - transcript.viewport().height() - 600)
    at = next(at for at in transcript.loaded if transcript.scrolling.top_of(at) > bar.value())
    before, first = transcript.scrolling.top_of(at) - bar.value(), transcript.loaded.start
    settle(qtbot, transcript)
    assert transcript.loaded.start > first
    assert abs(transcript.scrolling.top_of(at) - bar.value() - before) <= 1


def test_what_is_selected_stays_on_the_page(qtbot: QtBot, transcript: Transcript) -> None:
    """So that it can be copied."""
    transcript.selectAll()
    to_the_top(qtbot, transcript)
    assert transcript.loaded == range(COUNT)
    assert transcript.textCursor().hasSelection()


def test_the_newest_message_is_one_step_away(qtbot: QtBot, transcript: Transcript) -> None:
    """The button leads back to the end."""
    transcript.older.load_to(0)
    settle(qtbot, transcript)
    assert transcript.scrolling.newest_button.isVisible()
    transcript.scrolling.newest_button.click()
    bar = transcript.verticalScrollBar()
    assert (bar.value(), transcript.scrolling.is_following) == (bar.maximum(), True)
    settle(qtbot, transcript)
    assert answers(transcript)[-1] == COUNT - 1
    assert bar.value() == bar.maximum()


def test_an_answer_that_is_not_on_the_page_grows(qtbot: QtBot, transcript: Transcript) -> None:
    """Its words are there when the user comes back, and so is a new theme."""
    transcript.add_message(view(COUNT, "", MessageState.OPEN))
    transcript.older.load_to(0)
    settle(qtbot, transcript)
    before = transcript.toPlainText()
    transcript.append_delta(str(COUNT), "the last words")
    settle(qtbot, transcript)
    assert transcript.toPlainText() == before
    assert transcript.caret() is None
    transcript.look.set_theme(DARK)
    assert transcript.toPlainText() == before
    transcript.scrolling.to_newest()
    assert "the last words" in transcript.toPlainText()
    assert transcript.caret() is not None


def test_a_question_leads_back_to_the_end(qtbot: QtBot, transcript: Transcript) -> None:
    """What the user sends is in view."""
    transcript.older.load_to(0)
    settle(qtbot, transcript)
    transcript.add_message(MessageView("new", "user", "And now?"))
    assert "And now?" in transcript.toPlainText()
    assert transcript.scrolling.is_following


@pytest.mark.parametrize("kept", [2, COUNT - 1])
def test_another_branch_beside_a_page_that_ends_before(qtbot: QtBot, transcript: Transcript, kept: int) -> None:
    """It is on the page if it begins there."""
    transcript.older.load_to(0)
    settle(qtbot, transcript)
    views = (*(view(number) for number in range(kept)), MessageView("other", "assistant", "answer900. Another."))
    transcript.show_branch(views)
    settle(qtbot, transcript)
    assert transcript.older.reaches_end is (kept == 2)
    assert answers(transcript) == ([0, 1, 900] if kept == 2 else list(transcript.loaded))


def test_a_message_is_deleted_above_below_and_on_the_page(qtbot: QtBot, transcript: Transcript) -> None:
    """The others stay in order."""
    transcript.older.load_to(40)
    settle(qtbot, transcript)
    views = [view(number) for number in range(COUNT)]
    for number in (COUNT - 1, 41, 0):
        del views[number]
        transcript.show_branch(tuple(views))
        settle(qtbot, transcript)
    expected = [int(transcript.messages[at].view.id) for at in transcript.loaded]
    assert answers(transcript) == expected
    assert 41 not in expected


def copied() -> str:
    return QGuiApplication.clipboard().text()


def test_code_of_which_the_page_holds_the_beginning_is_copied_whole(qtbot: QtBot, transcript: Transcript) -> None:
    """After a jump, the end of a long block is not on the page yet."""
    code = "".join(f"row {number}\n" for number in range(900))
    transcript.replace_message(view(40, f"\n\n```\n{code}```"))
    transcript.older.load_to(20)
    while not transcript.writer.lines(40):
        transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum())
        settle(qtbot, transcript)
    assert 40 not in transcript.loaded
    transcript.anchorClicked.emit(QUrl(AnchorAction("copy", "40", 0).href))
    assert QGuiApplication.clipboard().text() == code


def test_all_that_is_selected_is_copied_though_the_page_holds_a_part(qtbot: QtBot, transcript: Transcript) -> None:
    """Also the messages that the app has not loaded yet, in their order and as the page would copy them."""
    older = tuple(view(number) for number in range(-4, 0))
    answer = lambda _: transcript.show_earlier(older, earlier=False)  # noqa: E731 - the app's answer
    transcript.requested.connect(answer, Qt.ConnectionType.SingleShotConnection)
    transcript.show_earlier((), earlier=True)
    transcript.older.load_to(40)
    settle(qtbot, transcript)
    assert len(transcript.loaded) < COUNT
    QTest.keyClick(transcript, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    part = selected_text(transcript.textCursor())
    QTest.keyClick(transcript, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert part in copied()
    qtbot.waitUntil(lambda: copied().startswith("answer-4."))
    numbers = [word for word in copied().split() if word.startswith("answer") and word.endswith(".")]
    assert [word for word in numbers if word != "answer."] == [f"answer{number}." for number in range(-4, COUNT)]
    assert part in copied()
    assert QGuiApplication.clipboard().mimeData().html().count("<p>") == COUNT + 4


def test_what_is_copied_meanwhile_is_kept(qtbot: QtBot, transcript: Transcript) -> None:
    """The whole chat takes a moment. It does not replace something newer."""
    transcript.selectAll()
    transcript.copy()
    QGuiApplication.clipboard().setText("newer")
    qtbot.waitUntil(lambda: not transcript.findChildren(WholeCopy))
    assert copied() == "newer"


def test_all_stays_selected_while_older_messages_come(qtbot: QtBot, transcript: Transcript) -> None:
    """Until something else is selected, which is then copied alone."""
    transcript.selectAll()
    to_the_top(qtbot, transcript)
    assert transcript.textCursor().selectionStart() == 0
    transcript.setTextCursor(transcript.document().find("answer40."))
    transcript.copy()
    assert copied() == "answer40."


def test_a_message_off_the_page_is_copied_as_one_on_it(qtbot: QtBot) -> None:
    """With the TeX of its formulas, its tables and its code, in both forms."""
    rich = "A *b* `c` and $x^2$:\n\n$$\\frac{a}{b}$$\n\n| a | b |\n|---|---|\n| 1 | $y$ |\n\n- one\n\n```py\nx = 1\n```"
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.show_messages((MessageView("q", "user", "Why?"), view(1, rich), view(2)))
    made.show()
    settle(qtbot, made)
    made.selectAll()
    made.copy()
    on_page = copied(), QGuiApplication.clipboard().mimeData().html()
    QGuiApplication.clipboard().clear()
    WholeCopy(made).begin(made.messages)
    qtbot.waitUntil(lambda: bool(copied()))
    assert (copied(), QGuiApplication.clipboard().mimeData().html()) == on_page
