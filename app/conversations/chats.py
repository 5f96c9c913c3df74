"""Chats: what the parts that manage conversations share: the two libraries, the sessions, the window, and its list.

Library jobs run on the library's thread; their results come back on the GUI thread. No Qt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from app.base.errors import refusal
from app.base.ports import ChatsSink, Ports
from app.chat import views
from app.chat.sessions import Sessions
from storage.errors import DamagedDatabase
from storage.library.library import Library
from storage.library.rows import Summary

T = TypeVar("T")


class ChatList:
    """The conversations that are not deleted, as the sidebar and the command palette show them."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._search = ""
        self._asked = 0  # the library's thread reads it
        self._not_readable: Callable[[Exception], object] = self._tell
        self._readable: Callable[[], object] = lambda: None

    def start(self, not_readable: Callable[[Exception], object], readable: Callable[[], object]) -> None:
        """Show the list for the first time. `not_readable` is called with the error if that fails, and again if the
        library turns out to be damaged later. `readable` is called whenever the list was read.
        """
        self._not_readable, self._readable = not_readable, readable
        self._ports.tasks.run(lambda library: _listed(library, ""), self._show, not_readable)

    def search(self, text: str) -> None:
        """List only the conversations that contain these words; "" lists all."""
        self._search = text
        self.refresh()

    def look_up(self, text: str) -> None:
        """Find messages for the command palette. The list stays as it is."""

        def show(found: tuple[Summary, ...]) -> None:
            self._ports.sink.store.looked_up.put((text, tuple(map(views.row, found))))

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

    def _show(self, found: Listed) -> None:
        self._readable()
        rows, folders = found
        self._ports.sink.store.folders.put(folders)
        self._ports.sink.store.conversations.put(tuple(map(views.row, rows)))

    def _failed(self, error: Exception) -> None:
        (self._not_readable if isinstance(error, DamagedDatabase) else self._tell)(error)

    def _tell(self, error: Exception) -> None:
        self._ports.sink.show_notice(refusal(error))


Listed = tuple[tuple[Summary, ...], tuple[str, ...]]


def _listed(library: Library, search: str) -> Listed:
    """The conversations to list, and the names of all folders."""
    found = library.search.find(search) if search.strip() else library.conversations.listed()
    return found, library.labels.folders()


class Chats:
    """`kept` are the ports of the library on disk, `private` those of the library in memory. `window` shows both, and
    `list` those on disk. `pins_changed` is called when the set of pinned conversations may have changed, and `loaded`
    when a model was loaded.
    """

    def __init__(
        self,
        kept: Ports,
        private: Ports,
        window: ChatsSink,
        pins_changed: Callable[[], object],
        loaded: Callable[[], object],
    ) -> None:
        self.kept = kept
        self.private = private
        self.window = window
        self.pins_changed = pins_changed
        self.list = ChatList(kept)
        self.sessions = Sessions(self.of, loaded)
        self._private: set[str] = set()

    def of(self, conversation: str) -> Ports:
        """The ports of the library that has this conversation; those on disk for an unknown one."""
        return self.private if conversation in self._private else self.kept

    def is_private(self, conversation: str) -> bool:
        """Whether a conversation is in memory only."""
        return conversation in self._private

    def in_use(self) -> tuple[Ports, ...]:
        """The ports of the libraries that have conversations. The one on disk always counts."""
        return (self.kept, self.private) if self._private else (self.kept,)

    def add(self, conversation: str, ports: Ports) -> None:
        """A conversation was created in the library of these ports."""
        if ports is self.private:
            self._private.add(conversation)

    def remove(self, conversation: str) -> None:
        """A private conversation was erased."""
        self.sessions.drop(conversation)
        self._private.discard(conversation)

    def run(self, conversation: str, job: Callable[[Library], T], done: Callable[[T], object] = lambda _: None) -> None:
        """Run a job on the library that has this conversation, then `done` with its result. An error is shown."""
        ports = self.of(conversation)
        ports.tasks.run(job, done, lambda error: ports.sink.show_notice(refusal(error)))

    def change(
        self, conversation: str, job: Callable[[Library], T], done: Callable[[T], object] = lambda _: None
    ) -> None:
        """Run a job that may change the list, and show the list as it is then."""
        self.run(conversation, job, done)
        self.list.refresh()
