"""The chips of attached files: their text, and the card behind each."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from ui.intents.chat import ShowFile
from ui.markdown.lines import LineKind
from ui.state.chat import AttachmentView, MessageView
from ui.theme.theme import DARK, LIGHT, Theme
from ui.transcript.message_lines import MessageLines, ReplyContent
from ui.transcript.question_lines import files_line
from ui.transcript.selected_text import selected_text
from ui.transcript.transcript import Transcript

FILES = (AttachmentView("1", "train step.py", "4.1 KB"), AttachmentView("2", "notes.md", "980 bytes"))


def shown(qtbot: QtBot, view: MessageView, theme: Theme = LIGHT) -> Transcript:
    transcript = Transcript(theme)
    qtbot.addWidget(transcript)
    transcript.resize(900, 400)
    transcript.show_messages((view,))
    transcript.show()
    return transcript


def place(transcript: Transcript, text: str) -> QRect:
    cursor = transcript.document().find(text)
    cursor.setPosition(cursor.selectionStart())
    return transcript.cursorRect(cursor)


def test_a_folder_looks_like_one(qtbot: QtBot) -> None:
    """It has an icon of its own, also in a message that was sent."""
    file, folder = (
        MessageView("u", "user", "", attachments=(replace(FILES[0], is_folder=one),)) for one in (False, True)
    )
    assert shown(qtbot, file).grab().toImage() == shown(qtbot, file).grab().toImage()
    assert shown(qtbot, folder).grab().toImage() != shown(qtbot, file).grab().toImage()


def test_a_line_breaks_only_between_chips() -> None:
    """Blanks and hyphens of a name do not break, but the space between two chips does."""
    line = files_line(FILES)
    chips = {span.style.chip for span in line.spans}
    assert chips == {0, 1, 2}
    inside = "".join(span.text for span in line.spans if span.style.chip)
    assert not set(inside) & set(" -\t\n")
    assert "train\u00a0step.py" in inside


def test_a_long_name_keeps_both_ends() -> None:
    """The end of a name shows its type."""
    text = files_line((AttachmentView("1", "a" * 300 + ".csv"),)).text
    assert len(text) < 60
    assert text.endswith(".csv")


@pytest.mark.parametrize("name", ["", "two\nlines.txt", "\u2028", "a\x00b"])
def test_no_name_breaks_the_row(name: str) -> None:
    """A file's name may contain any characters."""
    text = files_line((AttachmentView("1", name, "1 KB"),)).text
    assert len(text.splitlines()) == 1
    assert text.endswith("1\u00a0KB")


def test_chips_are_above_their_question() -> None:
    """They are close to its bubble. A question with only files has no bubble."""
    both = MessageLines(MessageView("u", "user", "Compare.", attachments=FILES)).lines(ReplyContent())
    assert [line.kind for line in both] == [LineKind.FILES, LineKind.BUBBLE, LineKind.HANDLES]
    assert both[1].tight
    alone = MessageLines(MessageView("u", "user", "", attachments=FILES)).lines(ReplyContent())
    assert [line.kind for line in alone] == [LineKind.FILES, LineKind.HANDLES]
    plain = MessageLines(MessageView("u", "user", "")).lines(ReplyContent())
    assert [line.kind for line in plain] == [LineKind.BUBBLE, LineKind.HANDLES]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_each_file_has_its_own_card(qtbot: QtBot, theme: Theme) -> None:
    """The page's colour is between two cards."""
    transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=FILES), theme)
    one, other = place(transcript, "train"), place(transcript, "notes")
    image = transcript.viewport().grab().toImage()
    middle = one.center().y()
    row = [image.pixelColor(x, middle).name() for x in range(one.left() - 40, image.width())]
    assert row[0] == theme.page
    assert row.count(theme.hairline) >= 4, "two cards have four sides"
    assert abs(one.center().y() - other.center().y()) <= 1


@pytest.mark.parametrize("before", [(), (MessageView("a", "assistant", "Why?"),)], ids=["first", "later"])
def test_cards_begin_where_a_bubble_does(qtbot: QtBot, before: tuple[MessageView, ...]) -> None:
    """Files make no gap above their message, at the top of the page or below another message."""
    tops = []
    for files in ((), FILES):
        transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=files))
        transcript.show_messages((*before, MessageView("u", "user", "Compare.", attachments=files)))
        image = transcript.viewport().grab().toImage()
        right = place(transcript, "Compare.").right()
        column = [image.pixelColor(right, y).name() for y in range(image.height())]
        tops.append(next(y for y, colour in enumerate(column) if colour != LIGHT.page))
    bubble, cards = tops
    assert abs(cards - bubble) <= (1 if before else 5)


def test_chips_wrap_in_a_narrow_column(qtbot: QtBot) -> None:
    """Each chip stays whole and inside the column."""
    transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=FILES))
    transcript.resize(330, 400)
    qtbot.waitUntil(lambda: place(transcript, "notes").top() > place(transcript, "train").bottom() + 8)


def test_copying_leaves_the_chips_out(qtbot: QtBot) -> None:
    """Chips are not part of the text."""
    transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=FILES))
    cursor = QTextCursor(transcript.document())
    cursor.select(QTextCursor.SelectionType.Document)
    assert selected_text(cursor) == "Compare."


def test_changed_files_replace_their_chips(qtbot: QtBot) -> None:
    """A message with other files shows only those."""
    transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=FILES))
    transcript.replace_message(MessageView("u", "user", "Compare.", attachments=FILES[1:]))
    assert "train" not in transcript.toPlainText()
    assert "notes.md" in transcript.toPlainText()


def test_a_question_with_alternatives_keeps_its_distance(qtbot: QtBot) -> None:
    """The row under a question does not touch the reply below."""
    gaps = []
    for places in (1, 2):
        transcript = shown(qtbot, MessageView("u", "user", "Why?", place=1, places=places))
        transcript.add_message(MessageView("a", "assistant", "Because."))
        gaps.append(place(transcript, "Because").top() - place(transcript, "Why").bottom())
    assert gaps[1] - gaps[0] >= 10


@pytest.mark.parametrize("name", ["empty.txt", "a (copy) [2]!.txt", "報告書二〇二六年.txt", "x" * 90 + ".csv"])
def test_no_chip_wraps_inside(qtbot: QtBot, name: str) -> None:
    """The icon, the name and the size of a file are in one line, in every width that has room for a chip."""
    transcript = shown(qtbot, MessageView("u", "user", "", attachments=(AttachmentView("1", name, "0 bytes"),) * 6))
    block = transcript.document().begin()
    for width in range(420, 900, 7):
        block.layout().beginLayout()
        lines = []
        while (line := block.layout().createLine()).isValid():
            line.setLineWidth(width)
            lines.append(block.text()[line.textStart() : line.textStart() + line.textLength()])
        block.layout().endLayout()
        assert len(lines) > 1
        assert [line.count("0\u00a0bytes") for line in lines] == [line.count(6 * "\u00a0") for line in lines]


def test_a_click_on_a_chip_shows_the_file(qtbot: QtBot) -> None:
    """Anywhere on the chip: icon, name and size ask for the same file, and so does Return. No text is selected."""
    transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=FILES))
    with qtbot.waitActive(transcript):
        transcript.setFocus()
    for text in ("train", "4.1"):
        with qtbot.waitSignal(transcript.requested, timeout=1000, check_params_cb=lambda asked: asked == ShowFile("1")):
            QTest.mouseClick(transcript.viewport(), Qt.MouseButton.LeftButton, pos=place(transcript, text).center())
        assert not transcript.textCursor().hasSelection()
    QTest.keyClick(transcript, Qt.Key.Key_Tab)
    with qtbot.waitSignal(transcript.requested, timeout=1000, check_params_cb=lambda asked: asked == ShowFile("1")):
        QTest.keyClick(transcript, Qt.Key.Key_Return)
