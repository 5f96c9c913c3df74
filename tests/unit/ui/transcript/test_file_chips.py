"""Files above a question: what is content of them, and the card around each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QTextCursor

from ui.markdown.lines import LineKind
from ui.state import AttachmentView, MessageView
from ui.theme.theme import DARK, LIGHT, Theme
from ui.transcript.file_chips import files_line
from ui.transcript.message_lines import MessageLines, ReplyContent
from ui.transcript.selected_text import selected_text
from ui.transcript.transcript import Transcript

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from pytestqt.qtbot import QtBot

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


def test_each_file_is_one_chip_that_is_not_broken() -> None:
    """Blanks and hyphens inside a name keep it together; between two chips the line may end."""
    line = files_line(FILES)
    chips = {span.style.chip for span in line.spans}
    assert chips == {0, 1, 2}
    inside = "".join(span.text for span in line.spans if span.style.chip)
    assert not set(inside) & set(" -\t\n")
    assert "train\u00a0step.py" in inside


def test_a_long_name_keeps_both_its_ends() -> None:
    """The end tells what kind of file it is."""
    text = files_line((AttachmentView("1", "a" * 300 + ".csv"),)).text
    assert len(text) < 60
    assert text.endswith(".csv")


@pytest.mark.parametrize("name", ["", "two\nlines.txt", "\u2028", "a\x00b"])
def test_no_name_breaks_the_row(name: str) -> None:
    """A file's name may hold anything."""
    text = files_line((AttachmentView("1", name, "1 KB"),)).text
    assert len(text.splitlines()) == 1
    assert text.endswith("1\u00a0KB")


def test_files_stand_above_the_words_they_went_with() -> None:
    """Close to them; a question of files alone has no empty bubble."""
    both = MessageLines(MessageView("u", "user", "Compare.", attachments=FILES)).lines(ReplyContent())
    assert [line.kind for line in both] == [LineKind.FILES, LineKind.BUBBLE, LineKind.HANDLES]
    assert both[1].tight
    alone = MessageLines(MessageView("u", "user", "", attachments=FILES)).lines(ReplyContent())
    assert [line.kind for line in alone] == [LineKind.FILES, LineKind.HANDLES]
    plain = MessageLines(MessageView("u", "user", "")).lines(ReplyContent())
    assert [line.kind for line in plain] == [LineKind.BUBBLE, LineKind.HANDLES]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_card_stands_around_each_file(qtbot: QtBot, theme: Theme) -> None:
    """One each, with the page between them."""
    transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=FILES), theme)
    one, other = place(transcript, "train"), place(transcript, "notes")
    image = transcript.viewport().grab().toImage()
    middle = one.center().y()
    row = [image.pixelColor(x, middle).name() for x in range(one.left() - 40, image.width())]
    assert row[0] == theme.page
    assert row.count(theme.hairline) >= 4, "two cards have four sides"
    assert abs(one.center().y() - other.center().y()) <= 1


def test_a_narrow_column_puts_chips_below_each_other(qtbot: QtBot) -> None:
    """Each whole, none outside."""
    transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=FILES))
    transcript.resize(330, 400)
    qtbot.waitUntil(lambda: place(transcript, "notes").top() > place(transcript, "train").bottom() + 8)


def test_copying_all_leaves_the_chips_out(qtbot: QtBot) -> None:
    """They are no words."""
    transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=FILES))
    cursor = QTextCursor(transcript.document())
    cursor.select(QTextCursor.SelectionType.Document)
    assert selected_text(cursor) == "Compare."


def test_other_files_are_shown_in_the_place_of_the_former(qtbot: QtBot) -> None:
    """A changed message is a changed row."""
    transcript = shown(qtbot, MessageView("u", "user", "Compare.", attachments=FILES))
    transcript.replace_message(MessageView("u", "user", "Compare.", attachments=FILES[1:]))
    assert "train" not in transcript.toPlainText()
    assert "notes.md" in transcript.toPlainText()


def test_a_row_with_alternatives_keeps_its_distance_from_the_reply(qtbot: QtBot) -> None:
    """What belongs to the question does not stand on the answer."""
    gaps = []
    for places in (1, 2):
        transcript = shown(qtbot, MessageView("u", "user", "Why?", place=1, places=places))
        transcript.add_message(MessageView("a", "assistant", "Because."))
        gaps.append(place(transcript, "Because").top() - place(transcript, "Why").bottom())
    assert gaps[1] - gaps[0] >= 10
