"""ChatList: the list of conversations in the sidebar, and its search. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from app.base.errors import refusal
from app.base.ports import ChatsSink, Ports
from app.chat import views
from app.chat.message_queue import shown_draft
from storage.errors import DamagedDatabase
from storage.library.library import Library
from storage.library.rows import SavedDraft, Summary


class ChatList:
    """The conversations that are not deleted, as the sidebar and the command palette show them."""

    def __init__(self, ports: Ports, window: ChatsSink) -> None:
        self._ports = ports
        self._window = window
        self._search = ""
        self._asked = 0  # the library's thread reads it
        self._not_readable: Callable[[Exception], object] = self._tell
        self._readable: Callable[[], object] = lambda: None

    def start(self, not_readable: Callable[[Exception], object], readable: Callable[[], object]) -> None:
        """Show the list for the first time. `not_readable` is called with the error if that fails, and again if the
        library turns out to be damaged later. `readable` is called whenever the list was read.
        """
        self._not_readable, self._readable = not_readable, readable
        self._ports.tasks.run(partial(_listed, search=""), self._show, not_readable)

    def search(self, text: str) -> None:
        """List only the conversations that contain these words; "" lists all."""
        self._search = text
        self.refresh()

    def look_up(self, text: str) -> None:
        """Find messages for the command palette. The list stays as it is."""

        def show(found: tuple[Summary, ...]) -> None:
            self._window.store.looked_up.put((text, tuple(map(views.row, found))))

        self._ports.tasks.run(lambda library: library.search.find(text), show, self._failed)

    def refresh(self) -> None:
        """Load the list again, behind all library jobs that were given before. Of several loads that wait, the last
        one reads the list, and the others do nothing: a list of thousands takes a while to read and to show.
        """
        self._asked += 1
        asked, search = self._asked, self._search

        def read(library: Library) -> Listed | None:
            return _listed(library, search) if asked == self._asked else None

        def show(found: Listed | None) -> None:
            """A list that was read before a chat was deleted would show that chat for a moment."""
            if found is not None and asked == self._asked:
                self._show(found)

        self._ports.tasks.run(read, show, self._failed)

    def ask_listed(self, then: Callable[[dict[str, str]], object]) -> None:
        """Call back with the ids of all conversations that are not deleted, and the model of each, "" for one without a
        message.
        """
        self._ports.tasks.run(lambda library: library.conversations.models(), then, self._failed)

    def show_draft(self, conversation: str, draft: SavedDraft) -> None:
        """Show the words of a draft in its row. The whole list need not be loaded for that."""
        self._window.show_draft(conversation, shown_draft(draft))

    def _show(self, found: Listed) -> None:
        self._readable()
        rows, folders = found
        self._window.store.folders.put(folders)
        self._window.store.conversations.put(tuple(map(views.row, rows)))

    def _failed(self, error: Exception) -> None:
        if isinstance(error, DamagedDatabase):
            self._not_readable(error)
        else:
            self._tell(error)

    def _tell(self, error: Exception) -> None:
        self._window.show_notice(refusal(error))


Listed = tuple[tuple["Summary", ...], tuple[str, ...]]


def _listed(library: Library, search: str) -> Listed:
    """The conversations to list, and the names of all folders."""
    found = library.search.find(search) if search.strip() else library.conversations.listed()
    return found, library.labels.folders()
