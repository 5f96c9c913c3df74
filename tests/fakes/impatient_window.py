"""The window that does not wait for the end of another one. It prints the text of a message box and closes it. Run as a
script.
"""

from __future__ import annotations

import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from app.__main__ import main
from app.desktop import home, launch


class Reader(launch.Application):
    """Looks for a box while it runs."""

    def __init__(self) -> None:
        super().__init__()
        self._look = QTimer(self, interval=20)
        self._look.timeout.connect(self._read)
        self._look.start()

    def _read(self) -> None:
        if isinstance(box := QApplication.activeModalWidget(), QMessageBox):
            sys.stdout.write(f"{box.text()}\n")
            box.accept()


if __name__ == "__main__":
    home.LOCK_SECONDS = launch.ENDING_SECONDS = 0.0
    launch.Application = Reader  # type: ignore[misc] # the one that a start makes
    sys.exit(main())
