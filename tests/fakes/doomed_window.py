"""A window on the test's home that asks one question, prints the conversation's id once words of the answer are on
disk, and then waits to be killed. Run as a script.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack

from PySide6.QtCore import QTimer

from app.base import paths
from app.desktop.hearth import Hearth
from app.desktop.home import settle
from app.desktop.launch import Application
from storage.library.library import Library
from ui.intents.chat import InChat, Submit
from ui.intents.intent import Intent
from ui.intents.library import FocusTab
from ui.window.main_window import MainWindow


def main() -> None:
    """Ask and wait."""
    application = Application()
    with ExitStack() as stack:
        hearth = Hearth(settle(paths.find(), stack), MainWindow())
        window = hearth.window
        window.requested.connect(lambda intent: _ask(window, intent))
        look = QTimer(interval=200)
        look.timeout.connect(lambda: _tell(window.tabs.current()))
        hearth.start()
        look.start()
        application.exec()


def _ask(window: MainWindow, intent: Intent) -> None:
    if isinstance(intent, FocusTab):
        window.requested.emit(InChat(intent.conversation, Submit("Tell me a story")))


def _tell(chat: str) -> None:
    if not chat:
        return
    library = Library.open(paths.find().library_file)
    branch = library.messages.branch(chat)
    library.close()
    if branch and branch[-1].content:
        sys.stdout.write(f"{chat}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
