"""A long message above or below the page is written in parts, so that none of them delays the window."""

from __future__ import annotations

from itertools import pairwise
from threading import Event, current_thread
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from tests.fakes.documents import shown
from tests.fakes.pages import settle
from ui.markdown import lines as markdown
from ui.markdown.lines import Line
from ui.state.chat import MessageState, MessageView, ToolView
from ui.theme.theme import DARK, LIGHT, Theme
from ui.transcript import messages
from ui.transcript.transcript import Transcript

ROWS = "\n".join(f"| {row} | {'cell ' * 60} |" for row in range(60))
CODE = "\n".join(f"line{row} = {'word ' * (40 if row in {1, 70} else 4)}" for row in range(80))
PARAGRAPHS = "\n\n".join(f"Paragraph {number}. " + "Many words. " * 30 for number in range(40))
LONG = f"{PARAGRAPHS}\n\n```\n{CODE}\n```\n\n| a | b |\n|---|---|\n{ROWS}\n\nThe last words."
LINES = "".join(f"line {number} {'word ' * 100}\n\n" for number in range(100))
MOST = 6_000
"""More characters than a part has."""
OTHERS = tuple(
    MessageView(f"m{number}", "user" if number % 2 else "assistant", f"{number} " + "word " * 120)
    for number in range(12)
)
VIEWS = (MessageView("long", "assistant", LONG, footer="9 tokens"), *OTHERS)


def opened(qtbot: QtBot, views: tuple[MessageView, ...], theme: Theme = LIGHT) -> Transcript:
    transcript = Transcript(theme)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    transcript.show_messages(views)
    transcript.show()
    return transcript


def held_parsers(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], Event]:
    """The names of the threads that parse a message from now on, and the event that they wait for."""
    parsers: list[str] = []
    go_on = Event()

    def lines(text: str, *rest: Any) -> tuple[Line, ...]:
        parsers.append(current_thread().name)
        assert go_on.wait(30)
        return markdown.lines(text, *rest)

    monkeypatch.setattr(messages, "lines", lines)
    return parsers, go_on


def begun(qtbot: QtBot, transcript: Transcript, index: int = 0) -> None:
    """Wait until a part of a message is there."""
    qtbot.waitUntil(lambda: bool(transcript.writer.lines(index)))
    assert index not in transcript.loaded


def states(transcript: Transcript) -> list[bool]:
    """Whether each block has the number of the same card as the block before it."""
    document = transcript.document()
    cards = [document.findBlockByNumber(number).userState() for number in range(document.blockCount())]
    return [one == other for one, other in pairwise(cards)]


def at_once(qtbot: QtBot, views: tuple[MessageView, ...], theme: Theme = LIGHT) -> Transcript:
    """A page on which every message was written whole."""
    transcript = opened(qtbot, (), theme)
    for view in views:
        transcript.add_message(view)
    return transcript


def test_no_part_is_long(qtbot: QtBot) -> None:
    """The document grows by little at a time, and ends as if the message had been written at once."""
    transcript = opened(qtbot, VIEWS)
    added: list[int] = []
    transcript.document().contentsChange.connect(lambda _at, _gone, new: added.append(new))
    settle(qtbot, transcript)
    assert max(added) < MOST < len(LONG) / 4
    assert transcript.loaded == range(len(VIEWS))
    whole = at_once(qtbot, VIEWS)
    assert shown(transcript.document()) == shown(whole.document())
    assert states(transcript) == states(whole)


def test_a_long_message_above_short_ones_is_written_in_parts(qtbot: QtBot) -> None:
    """A chat opens with its last messages. What is above them is not written at once with them."""
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    added: list[int] = []
    transcript.document().contentsChange.connect(lambda _at, _gone, new: added.append(new))
    transcript.show()
    transcript.show_messages(
        (*OTHERS, VIEWS[0], MessageView("u", "user", "Thanks."), MessageView("a", "assistant", "!"))
    )
    settle(qtbot, transcript)
    assert max(added) < MOST
    assert len(OTHERS) in transcript.loaded


FAR = (*OTHERS, VIEWS[0], *(MessageView(f"n{number}", "assistant", PARAGRAPHS) for number in range(20)))


@pytest.mark.parametrize("short", [0, 1])
def test_a_jump_to_a_long_message_writes_it_in_parts(qtbot: QtBot, short: int) -> None:
    """All of it comes, for what is looked for may be at its end. So it does after a jump to a short one above it."""
    transcript = opened(qtbot, FAR)
    settle(qtbot, transcript)
    added: list[int] = []
    transcript.document().contentsChange.connect(lambda _at, _gone, new: added.append(new))
    transcript.older.load_to(len(OTHERS) - short)
    settle(qtbot, transcript)
    assert max(added) < MOST
    assert len(OTHERS) - short in transcript.loaded
    assert transcript.busy_sign.isHidden()


def test_a_jump_goes_on_when_the_page_is_shown_again(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user looked at another chat while the long message at the top was parsed."""
    transcript = opened(qtbot, FAR[len(OTHERS) :])
    settle(qtbot, transcript)
    _, go_on = held_parsers(monkeypatch)
    transcript.older.load_to(0)
    transcript.hide()
    go_on.set()
    transcript.show()
    qtbot.waitUntil(lambda: 0 in transcript.loaded)
    assert transcript.toPlainText().startswith("Paragraph 0.")


@pytest.mark.parametrize(
    "view",
    [
        MessageView("long", "assistant", "Yes.", tools=(ToolView("f", "[]"),) * 150),
        MessageView("long", "assistant", "", reasoning=PARAGRAPHS),
    ],
    ids=["calls", "reasoning"],
)
def test_a_message_whose_answer_is_short_is_written_in_parts_too(qtbot: QtBot, view: MessageView) -> None:
    """Its calls may be many, and reasoning without an answer is unfolded."""
    transcript = opened(qtbot, (OTHERS[0], view))
    added: list[int] = []
    transcript.document().contentsChange.connect(lambda _at, _gone, new: added.append(new))
    settle(qtbot, transcript)
    assert len(added) > 2
    assert max(added) < MOST
    assert shown(transcript.document()) == shown(at_once(qtbot, (OTHERS[0], view)).document())


def test_parts_do_not_move_the_text_in_view(qtbot: QtBot) -> None:
    """Neither while they arrive above it, nor at the beginning of the message."""
    transcript = opened(qtbot, VIEWS)
    begun(qtbot, transcript)
    bar = transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    places: set[int] = set()

    def note() -> None:
        places.add(round(transcript.scrolling.top_of(1)) - bar.value())

    note()
    transcript.document().contentsChanged.connect(lambda: QTimer.singleShot(0, note))  # when the view has followed
    settle(qtbot, transcript)
    note()
    assert max(places) - min(places) <= 1


def test_code_that_came_in_parts_scrolls_as_one(qtbot: QtBot) -> None:
    """Its first and its last lines have the same offset."""
    transcript = opened(qtbot, VIEWS)
    settle(qtbot, transcript)
    bar = transcript.verticalScrollBar()
    offsets = []
    for word in ("line1 ", "line70 "):
        block = transcript.document().find(word).block()
        bar.setValue(round(transcript.document().documentLayout().blockBoundingRect(block).top()) - 100)
        (card,) = transcript.sideways.cards()
        offsets.append(card.offset)
        transcript.sideways.scroll(card, 77)
    assert offsets == [0, 77]


@pytest.mark.parametrize("follows", [True, False])
def test_a_theme_in_between_writes_what_is_there(qtbot: QtBot, follows: bool) -> None:  # noqa: FBT001 - a parameter of the case
    """The rest follows in the new colours."""
    transcript = opened(qtbot, VIEWS)
    begun(qtbot, transcript)
    if not follows:
        transcript.verticalScrollBar().setValue(0)
    top = transcript.scrolling.top_of(1) - transcript.verticalScrollBar().value()
    transcript.look.set_theme(DARK)
    if not follows:
        assert abs(transcript.scrolling.top_of(1) - transcript.verticalScrollBar().value() - top) <= 1
    settle(qtbot, transcript)
    assert transcript.loaded == range(len(VIEWS))
    whole = at_once(qtbot, VIEWS, DARK)
    assert shown(transcript.document()) == shown(whole.document())


def test_a_jump_in_between_leaves_no_part(qtbot: QtBot) -> None:
    """The page begins anew, and later has each message once."""
    views = (*OTHERS, *(MessageView(f"n{n}", "assistant", "word " * 50) for n in range(20)))
    transcript = opened(qtbot, (*views[:2], VIEWS[0], *views[2:]))
    begun(qtbot, transcript, 2)
    transcript.older.load_to(0)
    settle(qtbot, transcript)
    assert transcript.toPlainText().count("Paragraph 7.") == 1
    assert transcript.toPlainText().startswith("0 word")


def test_a_long_message_below_comes_in_parts(qtbot: QtBot) -> None:
    """As the user scrolls down from a jump."""
    views = (*OTHERS, VIEWS[0], *(MessageView(f"n{n}", "assistant", "word " * 3_000) for n in range(12)))
    transcript = opened(qtbot, views)
    transcript.older.load_to(0)
    added: list[int] = []
    transcript.document().contentsChange.connect(lambda _at, _gone, new: added.append(new))
    bar = transcript.verticalScrollBar()
    while 12 not in transcript.loaded:
        bar.setValue(bar.maximum())
        settle(qtbot, transcript)
    assert added
    assert max(added) < MOST
    assert transcript.toPlainText().count("Paragraph 7.") == 1
    assert "The last words." in transcript.toPlainText()


def test_the_newest_message_is_written_in_parts(qtbot: QtBot) -> None:
    """A chat opens before all of a long answer is on the page. The parts above follow."""
    transcript = opened(qtbot, (MessageView("a", "assistant", LINES),))
    at_once = transcript.document().characterCount()
    assert 1_000 < at_once < 20_000
    assert "line 99 " in transcript.toPlainText()
    settle(qtbot, transcript)
    assert transcript.document().characterCount() > 50_000


def test_a_very_long_message_is_parsed_beside_the_window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte of Markdown takes most of a second. The window goes on meanwhile, and shows the end of it then."""
    parsers, go_on = held_parsers(monkeypatch)
    transcript = opened(qtbot, (MessageView("a", "assistant", LINES),))
    qtbot.waitUntil(lambda: parsers == ["markdown"])
    qtbot.wait(0)  # the window goes on
    assert not transcript.toPlainText()
    go_on.set()
    settle(qtbot, transcript)
    assert parsers == ["markdown"]
    assert "line 0 " in transcript.toPlainText()
    assert transcript.verticalScrollBar().value() == transcript.verticalScrollBar().maximum()


def test_the_end_of_a_long_answer_does_not_hold_the_window_up(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is complete, all of it is parsed once more. Until then the page stays as it was."""
    parsers, go_on = held_parsers(monkeypatch)
    transcript = opened(qtbot, (MessageView("a", "assistant", "", MessageState.OPEN),))
    transcript.append_delta("a", LINES)
    settle(qtbot, transcript)
    transcript.replace_message(MessageView("a", "assistant", LINES, footer="9 tokens"))
    assert parsers == ["markdown"]
    qtbot.wait(0)  # the window goes on
    assert "line 99 " in transcript.toPlainText()
    assert "9 tokens" not in transcript.toPlainText()
    go_on.set()
    settle(qtbot, transcript)
    assert parsers == ["markdown"]
    assert "9 tokens" in transcript.toPlainText()
