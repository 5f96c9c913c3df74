"""Makes a copy of all chats every day, also in a window that stays open for weeks. If a copy fails, the user is
notified once.

Runs on the window's thread; `storage.library.backups` decides whether a copy is due and writes it on the file thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from app.base.errors import library_words
from app.base.ports import ChatsSink, Tasks
from resources.language.text import tr
from storage.library.library import Library
from ui.intents.notice import Notice

KEY: Final = "copies:daily"
LOOK_MS: Final = 60 * 60 * 1000
"""Milliseconds between two checks whether a copy is due."""


class DailyBackup:
    """The daily copies in `folder`. They are made on the file thread, so neither typing nor streaming
    waits for them.
    """

    def __init__(self, tasks: Tasks, window: ChatsSink, folder: Path) -> None:
        self._tasks = tasks
        self._window = window
        self._folder = folder
        self._is_wanted = True
        self._is_told = False
        self.made: Callable[[], object] = lambda: None

    def make(self) -> None:
        """Make a copy now, whether one is due or not. `made` is called once it is there. Every failure is reported,
        because the user waits for the copy.
        """

        def copy(library: Library) -> None:
            self._tasks.apart(partial(library.backups.make, self._folder), lambda _: self._well(), self._refuse)

        self._tasks.run(lambda library: library, copy, self._refuse)

    def look(self) -> None:
        """Make a copy if one is due. If the library cannot be opened, do nothing: the failed open is reported
        elsewhere.
        """
        self._tasks.run(lambda library: library, self._copy, lambda _: None)

    def end(self) -> None:
        """Abandon a copy in progress because the window closes. The next start makes it."""
        self._is_wanted = False

    def _copy(self, library: Library) -> None:
        work = partial(library.backups.make_daily, self._folder, lambda: self._is_wanted)
        self._tasks.apart(work, lambda _: self._well(), self._failed)

    def _well(self) -> None:
        self._window.clear_notice(KEY)
        self._is_told = False
        self.made()

    def _failed(self, error: Exception) -> None:
        if not self._is_told:
            self._window.show_notice(_told(error))
        self._is_told = True

    def _refuse(self, error: Exception) -> None:
        self._window.show_notice(replace(_told(error), about="backups"))


def _told(error: Exception) -> Notice:
    return Notice(KEY, tr("A copy of all chats could not be made. {error}", error=library_words(error)))
