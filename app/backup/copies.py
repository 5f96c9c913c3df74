"""Makes a copy of all chats every day, also in a window that stays open for weeks, and offers to replace older copies,
which may still hold chats that the user has erased.

Runs on the window's thread; `storage.library.backups` decides on the file thread whether a copy is due, and writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from app.backup.recovery import DONE
from app.base.errors import library_words, notice
from app.base.ports import ChatsSink, Tasks
from resources.language.text import mark, tr
from storage.library.backups import backups, leftovers
from storage.library.library import Library
from ui.intents.notice import Notice
from ui.intents.settings import ReplaceCopies

DAILY: Final = "copies:daily"
OLDER: Final = "copies:older"
LOOK_MS: Final = 60 * 60 * 1000
"""Milliseconds between two checks whether a copy is due."""
_TOLD: Final = mark(
    "Copies of all chats that Hearth made before may hold what was deleted for 30 days more. Replacing them cannot be "
    "undone."
)
_ACTION: Final = mark("Replace them by a new copy")
_DONE: Final = mark("Only one copy of all chats is left, made just now.")


class LibraryCopies:
    """The copies of the library at `library`, in `folder` and beside the library. They are made on the file thread, so
    neither typing nor streaming waits for them. `made` is called once a copy is there.
    """

    def __init__(
        self, tasks: Tasks, window: ChatsSink, library: Path, folder: Path, made: Callable[[], object] = lambda: None
    ) -> None:
        self._tasks = tasks
        self._window = window
        self._library = library
        self._folder = folder
        self._made = made
        self._is_wanted = True
        self._is_told = False

    def make(self) -> None:
        """Make a copy now, whether one is due or not. Every failure is reported, because the user waits for it."""

        def copy(library: Library) -> None:
            self._tasks.apart(partial(library.backups.make, self._folder), lambda _: self._well(), failed)

        def failed(error: Exception) -> None:
            self._window.show_notice(replace(_failure(error), about="backups"))

        self._tasks.run(lambda library: library, copy, failed)

    def look(self) -> None:
        """Make a copy if one is due. A failure is reported once. If the library cannot be opened, do nothing: the
        failed open is reported elsewhere.
        """

        def copy(library: Library) -> None:
            work = partial(library.backups.make_daily, self._folder, lambda: self._is_wanted)
            self._tasks.apart(work, lambda _: self._well(), failed)

        def failed(error: Exception) -> None:
            if not self._is_told:
                self._window.show_notice(_failure(error))
            self._is_told = True

        self._tasks.run(lambda library: library, copy, lambda _: None)

    def end(self) -> None:
        """Abandon a copy in progress because the window closes. The next start makes it."""
        self._is_wanted = False

    def _well(self) -> None:
        self._window.clear_notice(DAILY)
        self._is_told = False
        self._made()

    def offer_replacement(self) -> None:
        """Offer to replace the copies, because something is being erased for good."""

        def look(_: object) -> None:
            """Runs after a copy that is being made now, because the file thread works in order."""
            self._tasks.apart(lambda: bool(backups(self._folder) or leftovers(self._library)), offer, lambda _: None)

        def offer(are_there: bool) -> None:  # noqa: FBT001 - what the job found
            if are_there:
                self._window.show_notice(Notice(OLDER, tr(_TOLD), tr(_ACTION), intent=ReplaceCopies()))

        self._tasks.run(lambda _: None, look, look)

    def replace(self) -> None:
        """Replace the copies by one that is made now."""

        def replace(library: Library) -> None:
            self._tasks.apart(partial(library.backups.keep_one, self._folder), replaced, failed)

        def replaced(_: object) -> None:
            self._tasks.run(lambda library: library.trash.forget_files(), done, failed)

        def done(_: object) -> None:
            self._window.clear_notice(DONE)  # the copy that Undo would put back is gone
            self._window.show_notice(Notice(OLDER, tr(_DONE), passing=True))

        def failed(error: Exception) -> None:
            self._window.show_notice(notice(error))

        self._window.clear_notice(OLDER)
        self._tasks.run(lambda library: library, replace, failed)


def _failure(error: Exception) -> Notice:
    return Notice(DAILY, tr("A copy of all chats could not be made. {error}", error=library_words(error)))
