"""The sheet that shows what the model is given of a file."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.context import context, sent
from ui.dialogs.attached_file import FileSheet
from ui.intents.chat import SaveFile
from ui.state.chat import FileView
from ui.widgets.text_field import LONGEST_WORD

NOTE = FileView("f", "note.txt", "12 bytes of text", "Hello there\n", copy_name="note.txt")
MOST_SECONDS = 4.0
"""Each takes a fifth of this."""
MOST_ROWS = 100_000


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


def opened(qtbot: QtBot, file: FileView, parent: QWidget) -> FileSheet:
    sheet = FileSheet(context(), file, parent)
    with qtbot.waitActive(sheet):
        sheet.open()
    return sheet


def test_it_shows_the_text_and_escape_closes_it(qtbot: QtBot, parent: QWidget) -> None:
    """Name, size and tokens stand above the text, which cannot be changed."""
    sheet = opened(qtbot, NOTE, parent)
    assert (sheet.name.text(), sheet.detail.text()) == ("note.txt", "12 bytes of text")
    QTest.keyClicks(sheet.text, "x")
    assert sheet.text.toPlainText() == "Hello there\n"
    with qtbot.waitSignal(sheet.destroyed, timeout=2000):
        QTest.keyClick(sheet.text, Qt.Key.Key_Escape)


def test_a_very_long_line_is_shown_in_pieces(qtbot: QtBot, parent: QWidget) -> None:
    """As of a program that was made small. Qt laid out the whole line at once, and the window stopped for minutes."""
    text = "a" * 10 + "\n" + "x" * (2 * LONGEST_WORD) + "\n" + "b" * (LONGEST_WORD + 1)
    lines = opened(qtbot, replace(NOTE, text=text), parent).text.toPlainText().split("\n")
    assert list(map(len, lines)) == [10, LONGEST_WORD, LONGEST_WORD, LONGEST_WORD, 1]
    assert "".join(lines) == text.replace("\n", "")


@pytest.mark.parametrize("row", ["x\n", "\r", "a row\r\n", "\u2029", "word "])
def test_only_the_beginning_of_a_very_long_text_is_shown(qtbot: QtBot, parent: QWidget, row: str) -> None:
    """As of a log of a million rows. Qt laid all of them out, and the window stopped for seconds, up to minutes."""
    start = time.thread_time()
    sheet = opened(qtbot, replace(NOTE, text=row * 2_000_000), parent)
    assert time.thread_time() - start < MOST_SECONDS
    assert sheet.text.blockCount() < MOST_ROWS
    assert sheet.text.toPlainText().endswith("…")
    assert "beginning" in sheet.about.text()
    assert "beginning" not in opened(qtbot, replace(NOTE, text=row * 100), parent).about.text()


def test_it_saves_a_copy(qtbot: QtBot, parent: QWidget, tmp_path: Path) -> None:
    """The button asks for a file, whose name is that of the attached one."""
    sheet = opened(qtbot, NOTE, parent)
    sheet.save_button.click()
    dialog = sheet.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.selectedFiles()[0].endswith("note.txt")
    path = str(tmp_path / "a.txt")
    with qtbot.waitSignal(sent().requested, timeout=1000, check_params_cb=lambda asked: asked == SaveFile("f", path)):
        dialog.filesSelected.emit([path])
    dialog.reject()


def test_a_file_without_text_says_why(qtbot: QtBot, parent: QWidget) -> None:
    """There is nothing to read and nothing to save."""
    sheet = opened(qtbot, FileView("f", "cat.png", "2 KB", note="This file is not text."), parent)
    assert sheet.about.text() == "This file is not text."
    assert sheet.text.isHidden()
    assert sheet.save_button.isHidden()


def test_a_file_of_the_draft_can_become_text_of_the_message(qtbot: QtBot) -> None:
    """The sheet closes then. For a file that was sent there is no such button."""
    parent, used = QWidget(), list[FileView]()
    qtbot.addWidget(parent)
    parent.show()
    file = FileView("f", "Pasted text.txt", "1 KB", "long words")
    assert not FileSheet(context(), file, parent).use_button.isVisibleTo(parent)
    sheet = FileSheet(context(), file, parent, used.append)
    sheet.open()
    sheet.use_button.click()
    assert (used, sheet.isVisible()) == ([file], False)
