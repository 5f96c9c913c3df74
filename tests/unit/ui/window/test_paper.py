"""Exporting the chat in front as a PDF, and printing it."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QLocale, QMarginsF
from PySide6.QtGui import QGuiApplication, QKeySequence, QPageLayout, QPageSize
from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.fakes.hostile_images import picture
from tests.fakes.intents import heard
from tests.fakes.pages import settle
from ui.intents.chat import EVERYTHING, ShowEarlier
from ui.intents.notice import Notice
from ui.state.chat import ChatView, MessageView
from ui.theme.theme import LIGHT
from ui.transcript import image_loader, older_messages
from ui.transcript.image_loader import ImageLoader, Loaded, Reason
from ui.transcript.pdf import MARGIN_MM
from ui.transcript.transcript import Transcript
from ui.window import paper as paper_module
from ui.window.main_window import MainWindow
from ui.window.paper import Paper


def ignored(_notice: Notice) -> None:
    """Shows no notice."""


def make(qtbot: QtBot) -> Transcript:
    transcript = Transcript(LIGHT)
    qtbot.addWidget(transcript)
    transcript.resize(900, 500)
    transcript.show_messages((MessageView("b", "assistant", "Newer"),))
    transcript.show()
    settle(qtbot, transcript)
    return transcript


def test_earlier_messages_are_loaded_first(qtbot: QtBot, tmp_path: Path) -> None:
    """The file has the whole chat, not just what was on the page. The window says so when it is there."""
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    transcript.show_earlier((), earlier=True)
    intents = heard(transcript)
    file = tmp_path / "chat.pdf"
    notices: list[Notice] = []
    Paper(transcript, "Title", window, notices.append).write_pdf(str(file))
    assert intents == [ShowEarlier("b", EVERYTHING)]
    assert not file.exists()
    transcript.show_earlier((MessageView("a", "user", "Older"),), earlier=False)
    qtbot.waitUntil(lambda: bool(notices))
    assert file.read_bytes().startswith(b"%PDF")
    assert [notice.text for notice in notices] == ["1 chat exported to chat.pdf."]


def test_a_chat_without_its_beginning_is_not_written(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the library cannot read the earlier messages, the window says so, and nothing looks like the whole chat."""
    monkeypatch.setattr(older_messages, "_PATIENCE", 1)
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    transcript.show_earlier((), earlier=True)
    transcript.selectAll()
    transcript.copy()
    file = tmp_path / "chat.pdf"
    Paper(transcript, "Title", window, ignored).write_pdf(str(file))
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "paperError") is not None)
    box = window.findChild(QMessageBox, "paperError")
    assert isinstance(box, QMessageBox)
    assert "cannot be read now" in box.text()
    assert not file.exists()
    qtbot.waitUntil(transcript.busy_sign.isHidden)
    assert QGuiApplication.clipboard().text() == "Newer"


def test_every_image_is_printed(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if they are more than are kept. The window does not wait for them: they are loaded on their thread."""
    threads: set[str] = set()

    def load(address: str) -> Loaded:
        threads.add(threading.current_thread().name)
        return Loaded(None, Reason.NOT_FOUND) if address == "/gone.png" else Loaded(picture(int(address[1:]), 1))

    monkeypatch.setattr(image_loader._Present, "loader", ImageLoader(load, most_bytes=1000))
    count = 60
    text = "\n\n".join(f"![i](/{number})" for number in range(1, count + 1)) + "\n\n![g](/gone.png)"
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    transcript.show_messages((MessageView("b", "assistant", text), MessageView("q", "user", "![i](/1000)")))
    file = tmp_path / "chat.pdf"
    Paper(transcript, "Title", window, ignored).write_pdf(str(file))
    qtbot.waitUntil(file.exists)
    assert file.read_bytes().count(b"/Subtype /Image") == count + 1
    assert threads == {"images"}


def test_images_beyond_the_memory_for_them_are_words_on_paper(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them were held at once, 6 MB each. The first ones are printed, and few of the others are loaded."""
    asked: list[str] = []

    def load(address: str) -> Loaded:
        asked.append(address)
        return Loaded(picture(int(address[1:]), 1))

    monkeypatch.setattr(image_loader._Present, "loader", ImageLoader(load))
    monkeypatch.setattr(paper_module, "MOST_BYTES", 4 * sum(range(101, 111)))
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    text = "\n\n".join(f"![i](/{number})" for number in range(101, 201))
    transcript.show_messages((MessageView("b", "assistant", text),))
    settle(qtbot, transcript)
    asked.clear()
    file = tmp_path / "chat.pdf"
    Paper(transcript, "Title", window, ignored).write_pdf(str(file))
    qtbot.waitUntil(file.exists)
    assert 10 <= file.read_bytes().count(b"/Subtype /Image") < 20
    assert len(set(asked)) < 30


def test_an_error_is_shown(qtbot: QtBot, tmp_path: Path) -> None:
    """The window says why there is no file."""
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    Paper(transcript, "Title", window, ignored).write_pdf(str(tmp_path / "no" / "chat.pdf"))
    box = window.findChild(QMessageBox, "paperError")
    assert isinstance(box, QMessageBox)
    assert "cannot be written" in box.text()


def test_the_file_that_the_user_picks_is_written(qtbot: QtBot, tmp_path: Path) -> None:
    """Though only the dialog knows what is to be done with it by then."""
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    notices: list[Notice] = []
    Paper(transcript, "Title", window, notices.append).ask_file()
    gc.collect()
    dialog = window.findChild(QFileDialog, "pdfDialog")
    assert isinstance(dialog, QFileDialog)
    file = tmp_path / "chat.pdf"
    dialog.selectFile(str(file))
    dialog.accept()
    qtbot.waitUntil(lambda: bool(notices))
    assert file.read_bytes().startswith(b"%PDF")
    assert [notice.text for notice in notices] == ["1 chat exported to chat.pdf."]


def test_the_menu_asks_for_a_file(window: MainWindow) -> None:
    """The action stands beside the other exports, and needs a chat."""
    assert not window.actions_by_name["export_pdf"].isEnabled()
    assert window.findChild(QFileDialog, "pdfDialog") is None


def _printer(file: Path) -> QPrinter:
    """A printer that writes to a file, on the paper of the PDFs."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    is_metric = QLocale().measurementSystem() == QLocale.MeasurementSystem.MetricSystem
    printer.setPageSize(QPageSize(QPageSize.PageSizeId.A4 if is_metric else QPageSize.PageSizeId.Letter))
    printer.setPageMargins(QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM), QPageLayout.Unit.Millimeter)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(file))
    return printer


def _is_whole(file: Path) -> bool:
    return file.exists() and file.read_bytes().rstrip().endswith(b"%%EOF")


def _pages(file: Path) -> int:
    return file.read_bytes().count(b"/Type /Page\n")


def test_a_chat_is_printed_like_its_pdf(qtbot: QtBot, tmp_path: Path) -> None:
    """The same pages, all of them or those that the user wants."""
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    transcript.show_messages((MessageView("b", "assistant", "A line.\n\n" * 200),))
    paper = Paper(transcript, "Title", window, ignored)
    paper.write_pdf(str(tmp_path / "chat.pdf"))
    qtbot.waitUntil((tmp_path / "chat.pdf").exists)
    every = _pages(tmp_path / "chat.pdf")
    assert every > 2
    paper.print_on(_printer(tmp_path / "all.pdf"))
    qtbot.waitUntil(lambda: _is_whole(tmp_path / "all.pdf"))
    assert _pages(tmp_path / "all.pdf") == every
    some = _printer(tmp_path / "some.pdf")
    some.setFromTo(2, 3)
    paper.print_on(some)
    qtbot.waitUntil(lambda: _is_whole(tmp_path / "some.pdf"))
    assert _pages(tmp_path / "some.pdf") == 2


@pytest.mark.parametrize("is_closed", [False, True])
def test_the_window_lives_on_while_a_long_chat_is_put_on_paper(
    qtbot: QtBot,
    tmp_path: Path,
    is_closed: bool,  # noqa: FBT001 - a table's column
) -> None:
    """A chat of hundreds of messages takes seconds. A tab that is closed meanwhile leaves no file."""
    transcript, window = Transcript(LIGHT), QWidget()
    qtbot.addWidget(window)
    transcript.setParent(window)
    transcript.show_messages(tuple(MessageView(str(n), "assistant", "A line.\n\n" * 20) for n in range(60)))
    file = tmp_path / "chat.pdf"
    notices: list[Notice] = []
    Paper(transcript, "Title", window, notices.append).write_pdf(str(file))
    assert not file.exists()
    if is_closed:
        shiboken6.delete(transcript)
        qtbot.wait(1)
        assert [*tmp_path.iterdir()] == []
    else:
        qtbot.waitUntil(lambda: bool(notices))
        assert _pages(file) > 20


def test_pages_that_are_not_there_are_refused(qtbot: QtBot, tmp_path: Path) -> None:
    """The refusal says how many there are, and nothing is printed."""
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    printer = _printer(tmp_path / "none.pdf")
    printer.setFromTo(8, 9)
    Paper(transcript, "Title", window, ignored).print_on(printer)
    qtbot.waitUntil(lambda: window.findChild(QMessageBox, "paperError") is not None)  # pages are made in steps
    box = window.findChild(QMessageBox, "paperError")
    assert isinstance(box, QMessageBox)
    assert box.text() == "This chat has one page. Choose that one."
    assert not (tmp_path / "none.pdf").exists()


def test_the_menu_asks_for_a_printer(window: MainWindow) -> None:
    """By its key, which belongs to printing everywhere. It needs a chat."""
    action = window.actions_by_name["print"]
    assert not action.isEnabled()
    window.chats.open(ChatView("c", "Chat"))
    assert (
        action.shortcut().matches(QKeySequence(QKeySequence.StandardKey.Print)) == QKeySequence.SequenceMatch.ExactMatch
    )
    action.trigger()
    dialog = window.findChild(QPrintDialog, "printDialog")
    assert dialog is not None
    dialog.reject()


def test_the_button_of_the_print_dialog_prints(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the printer that the dialog has set, and not if the user cancels."""
    transcript, window = make(qtbot), QWidget()
    qtbot.addWidget(window)
    transcript.show_messages((MessageView("b", "assistant", "A line."),))
    paper, file = Paper(transcript, "Title", window, ignored), tmp_path / "printed.pdf"
    monkeypatch.setattr("ui.window.paper.documents_path", lambda *_: str(file))
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", list)
    for end in (QPrintDialog.reject, QPrintDialog.accept):
        assert not file.exists()
        paper.ask_printer()
        dialog = window.findChildren(QPrintDialog, "printDialog")[-1]
        end(dialog)
    qtbot.waitUntil(lambda: file.exists() and _pages(file) == 1)  # it is written in steps
