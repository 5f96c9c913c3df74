"""Puts the chat of a tab on paper: as a PDF, or by a printer that the user chooses. It runs on the GUI thread, between
other events.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Generator
from datetime import datetime
from functools import partial

from PySide6.QtCore import QFileInfo, QMarginsF, QObject
from PySide6.QtGui import QPageLayout
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget

from resources.language.text import plural, tr
from ui.dialogs.file_dialogs import ask_pdf, documents_path
from ui.intents.notice import Notice
from ui.transcript.image_loader import MOST_BYTES, Loaded, image_loader
from ui.transcript.messages import ShownMessages
from ui.transcript.older_messages import WholeChat
from ui.transcript.pdf import MARGIN_MM, NotOnPaper, print_pages, printed_images, write_pdf
from ui.transcript.transcript import Transcript

_DONE = "paper"
_LOOK_MS = 50
_SLICE_S = 0.02
_AHEAD = 8
"""So many images are loaded while the last ones are taken."""

_Put = Callable[[ShownMessages, Container[str]], Generator[None]]
"""Puts messages on paper, with the images at these addresses."""


class Paper:
    """One chat, in the tab that shows `transcript`. `window` shows dialogs and errors, and `tell` what was done."""

    def __init__(self, transcript: Transcript, title: str, window: QWidget, tell: Callable[[Notice], object]) -> None:
        self._transcript = transcript
        self._title = title
        self._window = window
        self._tell = tell

    def ask_file(self) -> None:
        """Ask for a file, and write the chat there as a PDF."""
        ask_pdf(self._window, self._title, self.write_pdf)

    def write_pdf(self, path: str) -> None:
        """Write the chat to a file."""

        def write(messages: ShownMessages, images: Container[str]) -> Generator[None]:
            yield from write_pdf(path, messages, images, self._title, _now())
            name = QFileInfo(path).fileName()
            told = plural("{count} chat exported to {name}.", "{count} chats exported to {name}.", 1, name=name)
            self._tell(Notice(_DONE, told, passing=True))

        self._with_messages(write)

    def ask_printer(self) -> None:
        """Ask for a printer and its pages, and print the chat."""
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(self._title)
        printer.setCreator("Hearth")
        printer.setPageMargins(QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM), QPageLayout.Unit.Millimeter)
        if not QPrinterInfo.availablePrinterNames():  # the dialog offers a file, and needs a name for it
            printer.setOutputFileName(documents_path(self._title, "pdf"))
        dialog = QPrintDialog(printer, self._window)
        dialog.setObjectName("printDialog")
        dialog.setPalette(self._window.palette())
        dialog.setWindowTitle(tr("Print"))
        dialog.setOption(QAbstractPrintDialog.PrintDialogOption.PrintPageRange)
        dialog.finished.connect(partial(self._answered, printer))  # its `accepted` carries a printer of its own
        dialog.finished.connect(dialog.deleteLater)
        QDialog.open(dialog)  # its own `open` wants a slot by name

    def _answered(self, printer: QPrinter, outcome: int) -> None:
        if outcome == QDialog.DialogCode.Accepted:
            self.print_on(printer)

    def print_on(self, printer: QPrinter) -> None:
        """Print the pages that the printer is set to."""
        self._with_messages(
            lambda messages, images: print_pages(printer, messages, images, self._title, _now(), _wanted(printer))
        )

    def _with_messages(self, put: _Put) -> None:
        def safely(messages: ShownMessages, images: Container[str]) -> Generator[None]:
            try:
                yield from put(messages, images)
            except NotOnPaper as error:
                self._complain(str(error))

        WholeChat(
            self._transcript,
            lambda messages: _Illustrated(self._transcript, messages, safely).start(),
            lambda: self._complain(tr("The beginning of this chat cannot be read now. Try again in a moment.")),
        ).start()

    def _complain(self, words: str) -> None:
        box = QMessageBox(QMessageBox.Icon.Warning, self._window.windowTitle(), words, parent=self._window)
        box.setObjectName("paperError")
        box.finished.connect(box.deleteLater)
        box.open()


class _Illustrated(QObject):
    """Takes the steps of `then` with the messages, when their images are loaded or refused, and deletes itself. It
    holds the first images until then, as many as fit into the memory for images. If the tab is closed meanwhile, it
    ends.
    """

    def __init__(self, transcript: Transcript, messages: ShownMessages, then: _Put) -> None:
        super().__init__(transcript)
        self._held: dict[str, Loaded] = {}
        self._steps = steps = then(messages, self._held)
        transcript.destroyed.connect(lambda _: steps.close())
        self._images = printed_images(messages)
        self._wanted: dict[str, None] = {}
        self._timer = transcript.timer(self.start)

    def start(self) -> None:
        """Hand the messages on if the images are known and here, else look on or wait."""
        end = time.monotonic() + _SLICE_S
        for addresses in self._images:
            self._wanted |= dict.fromkeys(addresses)
            if time.monotonic() > end:
                self._timer.start(0)
                return
        loader = image_loader()
        for address in list(self._wanted)[:_AHEAD]:
            if loader.is_ready(address) and (loaded := loader.peek(address)):
                self._held[address] = loaded
                del self._wanted[address]
        if self._wanted and sum(loaded.bytes for loaded in self._held.values()) < MOST_BYTES:
            self._timer.start(_LOOK_MS)
            return
        for _ in self._steps:
            if time.monotonic() > end:
                self._timer.start(0)
                return
        self.deleteLater()


def _wanted(printer: QPrinter) -> Callable[[int], bool]:
    """Whether a page, counted from 1, is printed. All are, unless the user names some."""
    ranges = printer.pageRanges()
    return lambda page: ranges.isEmpty() or ranges.contains(page)


def _now() -> datetime:
    return datetime.now().astimezone()
