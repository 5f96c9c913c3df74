"""Offers to replace older copies of the library, which may still hold chats that the user has erased.

Runs on the window's thread; the file thread looks for copies and replaces them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from app.base.errors import notice
from app.base.ports import ChatsSink, Tasks
from resources.language.text import mark, tr
from storage.library.backups import backups, leftovers
from storage.library.library import Library
from ui.intents.notice import Notice
from ui.intents.settings import ReplaceCopies

KEY: Final = "copies:older"

_TOLD: Final = mark(
    "Copies of all chats that Hearth made before may hold what was deleted for 30 days more. Replacing them cannot be "
    "undone."
)
_ACTION: Final = mark("Replace them by a new copy")
_DONE: Final = mark("Only one copy of all chats is left, made just now.")


class StaleCopies:
    """The copies of the library at `library`, in `folder` and beside the library."""

    def __init__(self, tasks: Tasks, window: ChatsSink, library: Path, folder: Path) -> None:
        self._tasks = tasks
        self._window = window
        self._library = library
        self._folder = folder

    def offer(self) -> None:
        """Make the offer, because something is being erased for good."""
        self._tasks.run(lambda _: None, lambda _: self._look(), lambda _: self._look())

    def replace(self) -> None:
        """Replace the copies."""
        self._window.clear_notice(KEY)
        self._tasks.run(lambda library: library, self._replace, self._failed)

    def _look(self) -> None:
        """Runs after a copy that is being made now, because the file thread works in order."""
        self._tasks.apart(self._are_there, self._offer, lambda _: None)

    def _replace(self, library: Library) -> None:
        self._tasks.apart(lambda: library.backups.keep_one(self._folder), self._done, self._failed)

    def _are_there(self) -> bool:
        return bool(backups(self._folder) or leftovers(self._library))

    def _offer(self, are_there: bool) -> None:  # noqa: FBT001 - what the job found
        if are_there:
            self._window.show_notice(Notice(KEY, tr(_TOLD), tr(_ACTION), intent=ReplaceCopies()))

    def _done(self, _copy: Path | None) -> None:
        self._window.show_notice(Notice(KEY, tr(_DONE), passing=True))

    def _failed(self, error: Exception) -> None:
        self._window.show_notice(notice(error))
