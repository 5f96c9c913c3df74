"""Older messages of a chat that was opened at its end: when they are requested, and that they move nothing."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from tests.fakes.documents import texts
from tests.fakes.intents import heard
from tests.fakes.pages import settle
from ui.intents.chat import ShowEarlier
from ui.state.chat import MessageState, MessageView
from ui.theme.theme import LIGHT
from ui.transcript.transcript import Transcript

PAGE = 60


def messages(first: int, end: int) -> tuple[MessageView, ...]:
    return tuple(
        MessageView(f"m{at}", "user" if at % 2 else "assistant", f"{at} " + "word " * 30) for at in range(first, end)
    )


def open_at_end(qtbot: QtBot, views: tuple[MessageView, ...]) -> tuple[Transcript, list[object]]:
    """A transcript whose conversation has older messages, and the list of its requests for them."""
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    transcript.show_messages(views)
    transcript.show_earlier((), earlier=True)
    asked = heard(transcript, ShowEarlier)
    transcript.show()
    settle(qtbot, transcript)
    return transcript, asked


def numbers(transcript: Transcript) -> list[int]:
    return [int(text.split()[0]) for text in texts(transcript.document(), "text", "bubble")]


def height_of(transcript: Transcript, message: str) -> int:
    index = transcript.messages.index(message)
    assert index is not None
    cursor = QTextCursor(transcript.document())
    cursor.setPosition(transcript.writer.start(index))
    return transcript.cursorRect(cursor).top()


def test_nothing_is_requested_before_the_user_scrolls_up(qtbot: QtBot) -> None:
    """A chat of any length opens with one page."""
    transcript, asked = open_at_end(qtbot, messages(4940, 5000))
    assert asked == []
    assert numbers(transcript) == list(range(4940, 5000))


def test_the_page_before_is_requested_once_near_the_top(qtbot: QtBot) -> None:
    """Further steps of the wheel do not request it again."""
    transcript, asked = open_at_end(qtbot, messages(4940, 5000))
    for value in (900, 500, 10, 0, 30):
        transcript.verticalScrollBar().setValue(value)
    assert asked == [ShowEarlier("m4940")]


def test_a_page_that_never_came_is_requested_again(qtbot: QtBot) -> None:
    """The user only has to scroll away and come back."""
    transcript, asked = open_at_end(qtbot, messages(40, 100))
    for value in (0, 3000, 0):
        transcript.verticalScrollBar().setValue(value)
    assert asked == [ShowEarlier("m40"), ShowEarlier("m40")]


def test_earlier_messages_move_nothing(qtbot: QtBot) -> None:
    """The text in view stays at the same height when older messages are inserted above it."""
    transcript, asked = open_at_end(qtbot, messages(120, 180))
    transcript.verticalScrollBar().setValue(0)
    before = height_of(transcript, "m120")
    transcript.show_earlier(messages(60, 120), earlier=True)
    settle(qtbot, transcript)
    assert abs(height_of(transcript, "m120") - before) <= 1
    assert numbers(transcript) == list(range(60, 180))
    transcript.verticalScrollBar().setValue(0)
    assert asked == [ShowEarlier("m120"), ShowEarlier("m60")]


def test_many_pages_together_do_not_drift(qtbot: QtBot) -> None:
    """The scroll bar counts whole pixels, but rounding errors do not add up."""
    transcript, _ = open_at_end(qtbot, messages(300, 360))
    transcript.verticalScrollBar().setValue(700)
    before = height_of(transcript, "m303")
    for first in range(240, -1, -60):
        transcript.show_earlier(messages(first, first + PAGE), earlier=first > 0)
        settle(qtbot, transcript)
    assert abs(height_of(transcript, "m303") - before) <= 1


def test_earlier_messages_do_not_rewrite_the_page(qtbot: QtBot) -> None:
    """The cost of a page depends on its own length, not on the length of the chat."""
    transcript, _ = open_at_end(qtbot, messages(60, 120))
    transcript.verticalScrollBar().setValue(0)
    shown_before = transcript.document().characterCount()
    removed: list[int] = []
    transcript.document().contentsChange.connect(lambda at, gone, new: removed.append(gone if new else gone + at))
    transcript.show_earlier(messages(0, 60), earlier=False)
    settle(qtbot, transcript)
    assert len(removed) > 1
    assert max(removed) < shown_before // 20


def test_a_page_shorter_than_the_view_requests_the_one_before(qtbot: QtBot) -> None:
    """Without a scroll bar, the user could not request it."""
    _, asked = open_at_end(qtbot, (MessageView("m7", "user", "Short"),))
    assert asked == [ShowEarlier("m7")]


def test_nothing_is_requested_at_the_beginning_of_a_chat(qtbot: QtBot) -> None:
    """The first message has nothing before it."""
    transcript, asked = open_at_end(qtbot, messages(60, 120))
    transcript.verticalScrollBar().setValue(0)
    transcript.show_earlier(messages(0, 60), earlier=False)
    settle(qtbot, transcript)
    transcript.verticalScrollBar().setValue(0)
    assert asked == [ShowEarlier("m60")]


def test_a_page_that_comes_twice_is_shown_once(qtbot: QtBot) -> None:
    """Messages that are shown already are not inserted again."""
    transcript, _ = open_at_end(qtbot, messages(60, 120))
    for _ in range(2):
        transcript.show_earlier(messages(0, 60), earlier=False)
        transcript.verticalScrollBar().setValue(0)
        settle(qtbot, transcript)
    assert numbers(transcript) == list(range(120))


def test_earlier_messages_are_not_written_in_a_hidden_tab(qtbot: QtBot) -> None:
    """They are written when the tab is shown."""
    transcript, _ = open_at_end(qtbot, messages(60, 120))
    transcript.hide()
    transcript.show_earlier(messages(0, 60), earlier=False)
    settle(qtbot, transcript)
    assert numbers(transcript) == list(range(60, 120))
    transcript.show()
    settle(qtbot, transcript)
    assert numbers(transcript) == list(range(120))


@pytest.mark.parametrize("scrolled", [True, False])
def test_an_answer_streams_while_earlier_messages_load(qtbot: QtBot, scrolled: bool) -> None:  # noqa: FBT001 - a parameter of the case
    """Both arrive, and the view follows the end only if it did before."""
    views = (*messages(60, 119), MessageView("a", "assistant", "119", MessageState.OPEN))
    transcript, _ = open_at_end(qtbot, views)
    if scrolled:
        transcript.verticalScrollBar().setValue(0)
    transcript.show_earlier(messages(0, 60), earlier=False)
    transcript.append_delta("a", " more")
    settle(qtbot, transcript)
    assert numbers(transcript) == list(range(120))
    assert texts(transcript.document(), "text")[-1] == "119 more"
    bar = transcript.verticalScrollBar()
    assert (bar.value() == bar.maximum()) is not scrolled
