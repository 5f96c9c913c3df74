"""Copies that may hold words which were erased since. Owns that the user hears of them, and can let them go at once.

How long they are kept otherwise, and the files, are left to `storage.library.backups`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from app.base.errors import notice
from storage.library import backup_files
from ui.state import Notice

if TYPE_CHECKING:
    from pathlib import Path

    from app.base.ports import ChatsSink, Tasks
    from storage.library.library import Library

KEY: Final = "copies:older"

_TOLD: Final = (
    "Copies of all chats that Hearth made before may hold what was deleted for 30 days more. Replacing them cannot be "
    "undone."
)
_ACTION: Final = "Replace them by a new copy"
_DONE: Final = "Only one copy of all chats is left, made just now."


class StaleCopies:
    """Those of the library at `library`, in `folder` and beside it."""

    def __init__(self, tasks: Tasks, window: ChatsSink, library: Path, folder: Path) -> None:
        self._tasks = tasks
        self._window = window
        self._library = library
        self._folder = folder

    def offer(self) -> None:
        """Something is being erased for good."""
        self._tasks.run(lambda _: None, lambda _: self._look(), lambda _: self._look())

    def act(self, key: str) -> None:
        """The user wants what a notice says; others are not ours."""
        if key == KEY:
            self._window.clear_notice(KEY)
            self._tasks.run(lambda library: library, self._replace, self._failed)

    def _look(self) -> None:
        """Behind a copy that is just being made."""
        self._tasks.apart(self._are_there, self._offer, lambda _: None)

    def _replace(self, library: Library) -> None:
        self._tasks.apart(lambda: library.backups.keep_one(self._folder), self._done, self._failed)

    def _are_there(self) -> bool:
        return bool(backup_files.backups(self._folder) or backup_files.leftovers(self._library))

    def _offer(self, are_there: bool) -> None:  # noqa: FBT001 - what the job found
        if are_there:
            self._window.show_notice(Notice(KEY, _TOLD, _ACTION))

    def _done(self, _copy: Path | None) -> None:
        self._window.show_notice(Notice(KEY, _DONE))

    def _failed(self, error: Exception) -> None:
        self._window.show_notice(notice(error))
