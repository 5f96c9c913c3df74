"""The selection as text for the clipboard."""

from __future__ import annotations

import time

import pytest
from PySide6.QtGui import QGuiApplication, QTextCursor
from pytestqt.qtbot import QtBot

from ui.state.chat import MessageView, ToolView
from ui.theme.theme import LIGHT
from ui.transcript.selected_text import copied_parts, selected_text
from ui.transcript.transcript import Transcript

ANSWER = """# Head

Text with `code`,
two lines.

1. one
   - inner

```py
def f():

    return 1
```

| a | b |
|---|---|
| 1 | 2 |
"""
EXPECTED = """Why?
Really 👩\u200d👧

Head

Text with code,
two lines.

1. one
  • inner

def f():

    return 1

a\tb
1\t2"""


@pytest.fixture
def transcript(qtbot: QtBot) -> Transcript:
    made = Transcript(LIGHT)
    qtbot.addWidget(made)
    made.show_messages(
        (MessageView("u", "user", "Why?\nReally 👩\u200d👧"), MessageView("a", "assistant", ANSWER, footer="9 tokens"))
    )
    made.show()
    return made


def test_a_selection_copies_content_only(transcript: Transcript) -> None:
    """Buttons, figures and names of languages are left out. Lists, code and tables keep their form."""
    transcript.selectAll()
    transcript.copy()
    assert QGuiApplication.clipboard().text() == EXPECTED


def test_tabs_in_a_paragraph_are_copied(transcript: Transcript) -> None:
    """A table of plain text goes into a spreadsheet. Only the tab behind the sign of a list's item is ours."""
    transcript.show_messages((MessageView("1", "assistant", "a\tb\n1\t2\n\n- c\td"),))
    transcript.selectAll()
    assert selected_text(transcript.textCursor()) == "a\tb\n1\t2\n\n• c\td"


def test_the_clipboard_holds_the_text_in_two_forms(transcript: Transcript) -> None:
    """Nothing of Qt's own goes along."""
    transcript.selectAll()
    transcript.copy()
    assert QGuiApplication.clipboard().mimeData().formats() == ["text/plain", "text/html"]


def test_a_partial_line_is_cut_at_the_selection(transcript: Transcript) -> None:
    """The cut is also right after characters that take two UTF-16 units."""
    start = transcript.document().begin().text().index("Really")
    cursor = QTextCursor(transcript.document())
    cursor.setPosition(start + len("Real"))
    cursor.setPosition(start + len("Really ") + 2, QTextCursor.MoveMode.KeepAnchor)
    transcript.setTextCursor(cursor)
    transcript.copy()
    assert QGuiApplication.clipboard().text() == "ly 👩"


def test_the_rows_around_a_message_are_not_copied(transcript: Transcript) -> None:
    """The fold, the context mark and the steps are left out, but the name of a tool is copied."""
    tool = ToolView("get_weather", "{}")
    reply = MessageView("a", "assistant", "Yes.", reasoning="Hm.", tools=(tool,), places=3)
    transcript.show_messages((MessageView("u", "user", "Old", out_of_context=True), reply))
    transcript.selectAll()
    transcript.copy()
    assert QGuiApplication.clipboard().text() == "Old\n\nYes.\n\nget_weather\n\n{}"


def test_the_selection_is_painted_where_text_is_copied(transcript: Transcript) -> None:
    """The row under a message, whose pencil is invisible, and the figures under a reply do not look selected."""
    transcript.selectAll()
    first = transcript.document().begin()
    parts = list(copied_parts(transcript.textCursor(), first, 1e6))
    painted = "".join(part.selectedText() for part in parts)
    assert len(parts) == 2  # the question and the answer
    assert "9\u00a0tokens" in transcript.textCursor().selectedText()
    assert "9\u00a0tokens" not in painted
    assert "Why?" in painted
    assert "inner" in painted


def test_a_very_long_question_is_copied_at_once(transcript: Transcript) -> None:
    """Qt made four forms of the selection, in time with the square of the longest paragraph: half a minute for this."""
    words = "word and " * 20_000
    transcript.show_messages((MessageView("q", "user", words),))
    transcript.unfold("q")
    transcript.selectAll()
    before = time.thread_time()
    transcript.copy()
    assert time.thread_time() - before < 3
    assert QGuiApplication.clipboard().text() == words


def test_a_long_tool_call_is_copied_whole(transcript: Transcript) -> None:
    """Its card shows the beginning. The selection of all of it stands for the rest, in both forms."""
    arguments = "first " * 4_000 + "last"
    transcript.show_messages((MessageView("a", "assistant", "", tools=(ToolView("run", arguments),)),))
    transcript.selectAll()
    transcript.copy()
    data = QGuiApplication.clipboard().mimeData()
    assert data.text().endswith(arguments)
    assert arguments in data.html()
