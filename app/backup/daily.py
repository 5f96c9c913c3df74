"""The copy of all chats that is made each day, also by a window that stays open for weeks. Owns when it is thought of,
and that the user hears once of one that fails.

Whether one is due, and the files, are left to `storage.library.backups`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from app.base.errors import words
from ui.state import Notice

if TYPE_CHECKING:
    from pathlib import Path

    from app.base.ports import ChatsSink, Tasks
    from storage.library.library import Library

KEY: Final = "copies:daily"
LOOK_MS: Final = 60 * 60 * 1000
"""Between two looks whether a copy is due, ms."""


class DailyBackup:
    """Those in `folder`. They are made apart, so that nothing that is typed or streams waits for them."""

    def __init__(self, tasks: Tasks, window: ChatsSink, folder: Path) -> None:
        self._tasks = tasks
        self._window = window
        self._folder = folder
        self._is_wanted = True
        self._is_told = False

    def look(self) -> None:
        """Make one if it is due. Where the library cannot be opened, others tell."""
        self._tasks.run(lambda library: library, self._copy, lambda _: None)

    def end(self) -> None:
        """The window is closing: one that is being made is left, and the next start makes it."""
        self._is_wanted = False

    def _copy(self, library: Library) -> None:
        work = partial(library.backups.make_daily, self._folder, lambda: self._is_wanted)
        self._tasks.apart(work, lambda _: self._well(), self._failed)

    def _well(self) -> None:
        if self._is_told:
            self._window.clear_notice(KEY)
        self._is_told = False

    def _failed(self, error: Exception) -> None:
        if not self._is_told:
            self._window.show_notice(Notice(KEY, f"Today's copy of all chats could not be made. {words(error)}"))
        self._is_told = True
