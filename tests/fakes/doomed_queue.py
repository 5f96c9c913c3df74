"""A window on the test's home with messages that wait for the end of an answer. It prints the conversation's id, and
kills itself at the step that its argument names. Run as a script.

Steps: `queued` (they wait and are saved), `sending` (one has left the queue and is not saved), `sent` (it is saved, and
the window does not know), `answered` (its answer is being written), `edited` (one is back in the message box).
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from itertools import count
from typing import Any, NoReturn
from unittest.mock import patch

from PySide6.QtCore import QTimer

from app.base import paths, program
from app.chat import turn_jobs
from app.desktop.hearth import Hearth
from app.desktop.home import settle
from app.desktop.launch import Application
from tests.fakes.pacing_engine import pacing_engine
from ui.intents.chat import EditQueued, InChat, Submit
from ui.state.chat import ChatPhase
from ui.window.main_window import MainWindow

FIRST = "alder"
LONG, ENDLESS = f"A long {FIRST}", f"An endless {FIRST}"
WAITING = ("The birch", "The long cedar", "The dogwood")
TYPED = "half an elm"
_ANSWERED = 2
"""The questions that are saved if the process dies while the first one that has waited is answered."""
BEFORE_THE_END = frozenset({"queued", "edited"})
"""The steps at which the first answer is still being written."""


def die() -> NoReturn:
    """End this process as a crash does."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("nothing survives this")


class Doomed:
    """Asks, fills the queue, and dies at its step."""

    def __init__(self, window: MainWindow, step: str) -> None:
        self._window = window
        self._step = step
        self._chat = ""

    def look(self) -> None:
        """Do the next thing, as soon as it can be done."""
        tab = self._window.chats.current_tab()
        if tab is None:
            return
        rows = tab.composer.queue.rows
        if not self._chat:
            self._begin(self._window.tabs.current())
        elif (
            len(tab.transcript.messages) == 2
            and tab.phase is ChatPhase.GENERATING
            and not rows
            and not tab.composer.edit.toPlainText()
        ):
            for text in WAITING:
                self._ask(Submit(text))
            tab.composer.edit.insertPlainText(TYPED)
            tab.composer.flush_draft()
        elif rows and self._step in BEFORE_THE_END and self._is_saved():
            if self._step == "edited":
                self._ask(EditQueued(rows[0].message.id))
            die()
        elif len(tab.transcript.messages) > 2 and tab.phase is ChatPhase.GENERATING and self._step == "answered":
            die()

    def _begin(self, chat: str) -> None:
        self._chat = chat
        sys.stdout.write(f"{chat}\n")
        sys.stdout.flush()
        # a slow disk takes longer than a long answer
        self._ask(Submit(ENDLESS if self._step in BEFORE_THE_END else LONG))

    def _is_saved(self) -> bool:
        """Whether the library has every message that waits, and what was typed."""
        with closing(sqlite3.connect(f"file:{paths.find().library_file}?mode=ro", uri=True)) as library:
            found = library.execute("SELECT draft || queue FROM conversation WHERE id = ?", (self._chat,)).fetchone()
        return all(words in found[0] for words in (*WAITING, TYPED))

    def _ask(self, intent: Submit | EditQueued) -> None:
        self._window.requested.emit(InChat(self._chat, intent))


def deadly(begin: Callable[..., Any], step: str) -> Callable[..., Any]:
    """Saving a question, which kills this process at the first one that has waited. A busy machine may not look at the
    window while that one is answered: then the process ends before the next one is saved.
    """
    calls = count(1)

    def saved(*arguments: Any) -> Any:
        if next(calls) > _ANSWERED and step == "answered":
            die()
        has_waited = any(WAITING[0] in str(argument) for argument in arguments)
        if has_waited and step == "sending":
            die()
        outcome = begin(*arguments)
        if has_waited and step == "sent":
            die()
        return outcome

    return saved


def main() -> None:
    """Open the window and wait for the end."""
    step = sys.argv[1]
    application = Application()
    with (
        ExitStack() as stack,
        patch.object(program, "engine", pacing_engine),
        patch.object(turn_jobs, "submit", deadly(turn_jobs.submit, step)),
    ):
        hearth = Hearth(settle(paths.find(), stack), MainWindow())
        doomed = Doomed(hearth.window, step)
        clock = QTimer(interval=5)
        clock.timeout.connect(doomed.look)
        hearth.start()
        clock.start()
        application.exec()


if __name__ == "__main__":
    main()
