"""Exporting the chat in front as a PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from tests.fakes.intents import heard
from tests.fakes.pages import settle
from ui.intents.chat import ShowEarlier
from ui.state.chat import MessageView
from ui.theme.theme import LIGHT
from ui.transcript.transcript import Transcript
from ui.window.pdf_export import PdfExport

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.window.main_window import MainWindow


def make(qtbot: QtBot) -> Transcript:
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    transcript.show_messages((MessageView("b", "assistant", "Newer"),))
    transcript.show()
    settle(qtbot, transcript)
    return transcript


def test_earlier_messages_are_loaded_first(qtbot: QtBot, tmp_path: Path) -> None:
    """The file has the whole chat, not just what was on the page."""
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    transcript.show_earlier((), earlier=True)
    intents = heard(transcript)
    file = tmp_path / "chat.pdf"
    PdfExport(transcript, "Title", window, str(file)).start()
    assert intents == [ShowEarlier("b")]
    assert not file.exists()
    transcript.show_earlier((MessageView("a", "user", "Older"),), earlier=False)
    qtbot.waitUntil(file.exists)
    assert file.read_bytes().startswith(b"%PDF")


def test_an_error_is_shown(qtbot: QtBot, tmp_path: Path) -> None:
    """The window says why there is no file."""
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    PdfExport(transcript, "Title", window, str(tmp_path / "no" / "chat.pdf")).start()
    box = window.findChild(QMessageBox, "pdfError")
    assert isinstance(box, QMessageBox)
    assert "cannot be written" in box.text()


def test_the_menu_asks_for_a_file(window: MainWindow) -> None:
    """The action stands beside the other exports, and needs a chat."""
    assert not window.actions_by_name["export_pdf"].isEnabled()
    assert window.findChild(QFileDialog, "pdfDialog") is None
