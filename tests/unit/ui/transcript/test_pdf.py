"""A conversation as a PDF."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from tests.fakes.paper import done
from ui.state.chat import MessageState, MessageView
from ui.transcript.messages import ShownMessages
from ui.transcript.pdf import NotOnPaper, printed_document, printed_images, write_pdf

DAY = datetime(2026, 11, 22, 12, tzinfo=UTC)
LONG = "\n".join(f"row {number}" for number in range(200))
VIEWS = (
    MessageView("u", "user", LONG),
    MessageView(
        "a", "assistant", "Formula $x_1$.\n\n```py\n" + "word " * 100 + "\n```\n\n- [x] done", footer="9 tokens"
    ),
)


def pages(path: Path) -> int:
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", path.read_bytes()))


def printed(*views: MessageView) -> QTextDocument:
    return done(printed_document(ShownMessages(views), (), 700))


def test_a_pdf_has_pages(qtbot: QtBot, tmp_path: Path) -> None:  # noqa: ARG001 - an application must exist
    """A longer conversation has more of them."""
    done(write_pdf(str(tmp_path / "one.pdf"), ShownMessages(VIEWS[1:]), (), "Title", DAY))
    done(write_pdf(str(tmp_path / "more.pdf"), ShownMessages(VIEWS), (), "Title", DAY))
    assert pages(tmp_path / "one.pdf") == 1
    assert pages(tmp_path / "more.pdf") > 3


def test_a_pdf_has_everything_that_was_written(qtbot: QtBot) -> None:  # noqa: ARG001 - an application must exist
    """Long questions are whole, buttons and figures are left out, and formulas are pictures at once."""
    text = printed(*VIEWS).toPlainText()
    assert "row 199" in text
    assert "Show" not in text
    assert "Copy" not in text
    assert "tokens" not in text
    assert "$x_1$" not in text


def test_code_wraps_on_paper(qtbot: QtBot) -> None:  # noqa: ARG001 - an application must exist
    """Paper does not scroll."""
    document = printed(*VIEWS)
    block = document.find("word word").block()
    assert block.layout().lineCount() > 1


def test_no_line_is_cut_by_the_end_of_a_page(qtbot: QtBot) -> None:  # noqa: ARG001 - an application must exist
    """A line that does not fit moves to the next page."""
    document = printed(MessageView("a", "assistant", "word " * 5_000))
    block = document.begin()
    origin = document.documentLayout().blockBoundingRect(block).top()
    layout = block.layout()
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        top, bottom = origin + line.y(), origin + line.y() + line.height()
        assert top // 700 == bottom // 700


def test_an_answer_that_is_being_written_is_printed_so_far(qtbot: QtBot) -> None:  # noqa: ARG001 - an application must exist
    """The words that arrived are on the page."""
    messages = ShownMessages((MessageView("a", "assistant", "", MessageState.OPEN),))
    messages.append("a", "Half an answer")
    assert "Half an answer" in done(printed_document(messages, (), 700)).toPlainText()


def test_a_file_that_cannot_be_written_is_named(qtbot: QtBot, tmp_path: Path) -> None:  # noqa: ARG001 - as above
    """The message says what to do."""
    with pytest.raises(NotOnPaper, match="Choose another folder"):
        done(write_pdf(str(tmp_path / "none" / "x.pdf"), ShownMessages(VIEWS), (), "Title", DAY))


def test_the_window_lives_on_while_formulas_are_printed(qtbot: QtBot) -> None:  # noqa: ARG001 - as above
    """Each is a step of its own: an answer full of them takes seconds."""
    text = "\n\n".join(f"$z_{{{number}}}$" for number in range(30))
    assert sum(1 for _ in printed_document(ShownMessages([MessageView("a", "assistant", text)]), (), 700)) > 30


def test_the_window_lives_on_while_an_answer_is_divided_into_pages(qtbot: QtBot) -> None:  # noqa: ARG001 - as above
    """Its lines are steps of their own: an answer of nothing but code blocks took a minute."""
    text = "```\none\n```\n" * 30
    assert sum(1 for _ in printed_document(ShownMessages([MessageView("a", "assistant", text)]), (), 700)) > 30


def test_only_messages_with_images_are_read_before_printing() -> None:
    """One in each step. A long chat with formulas held the window up for seconds before its first page."""
    texts = ("Words.", "$x_1$", "![i](/one.png)", "$y$ ![i](/two.png)")
    messages = ShownMessages(MessageView(text, "assistant", text) for text in texts)
    assert list(printed_images(messages)) == [["/one.png"], ["/two.png"]]


def test_a_table_of_many_columns_is_printed(qtbot: QtBot) -> None:  # noqa: ARG001 - an application must exist
    """Its columns have no room, also not for the space between two words."""
    columns = 60
    table = "\n".join(f"|{cell * columns}" for cell in ("head|", "---|", "**one** **two**|"))
    assert "one two" in printed(MessageView("a", "assistant", table)).toPlainText()
