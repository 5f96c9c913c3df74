"""ChatList: the list of conversations in the sidebar, its search, and deletions that can still be undone. No Qt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.base.errors import refusal
from app.chat import views
from app.chat.message_queue import shown_draft
from engine.protocol.cache_messages import Forget
from resources.language.text import plural, tr
from storage.errors import DamagedDatabase
from ui.state.notice import Notice
from ui.theme.long_texts import shortened
from ui.theme.phrases import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.base.ports import ChatsSink, Ports
    from storage.library.library import Library
    from storage.library.rows import Summary

UNDO_TICKS = 20
"""Ticks (seconds) in which a deletion can be undone."""
UNDO = "undo:"
_LONGEST_TITLE = 40


class ChatList:
    """A deleted conversation leaves the list at once. It moves to Recently Deleted when the time to undo it is over.

    `pins_changed` is called then, because the conversation may have been pinned.
    """

    def __init__(self, ports: Ports, window: ChatsSink, pins_changed: Callable[[], object]) -> None:
        self._ports = ports
        self._window = window
        self._pins_changed = pins_changed
        self._search = ""
        self._asked = 0  # the library's thread reads it
        self._undoable: dict[str, int] = {}
        self._leaving: set[str] = set()  # a list that was read before they left the library still has them
        self._together: dict[str, tuple[str, ...]] = {}  # by the first one: deleted at once, and undone at once
        self._held = ""
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
        self._ports.tasks.run(
            lambda library: library.search.find(text), partial(self._show_looked_up, text), self._failed
        )

    def refresh(self) -> None:
        """Load the list again, behind all library jobs that were given before. Of several loads that wait, the last
        one reads the list, and the others do nothing: a list of thousands takes a while to read and to show.
        """
        self._asked += 1
        is_last = partial(self._is_last, self._asked)
        job = partial(_listed_again, search=self._search, is_last=is_last)
        self._ports.tasks.run(job, self._show_again, self._failed)

    def _is_last(self, asked: int) -> bool:
        return asked == self._asked

    def _show_again(self, found: Listed | None) -> None:
        if found is not None:
            self._show(found)

    def ask_listed(self, then: Callable[[dict[str, str]], object]) -> None:
        """Call back with the ids of all conversations that are not deleted, and the model of each, "" for one without a
        message.
        """

        def told(models: dict[str, str]) -> None:
            then({one: model for one, model in models.items() if not self.is_being_deleted(one)})

        self._ports.tasks.run(lambda library: library.conversations.models(), told, self._failed)

    def is_being_deleted(self, conversation: str) -> bool:
        """Whether a conversation was deleted and is still in the library."""
        return conversation in self._undoable or conversation in self._leaving

    def delete(self, *conversations: str) -> None:
        """Remove conversations from the list, and delete them unless the user undoes that in time. A slow library may
        still show those that were deleted a moment ago: they are not deleted twice.
        """
        if new := tuple(one for one in conversations if not self.is_being_deleted(one)):
            self._undoable |= dict.fromkeys(new, UNDO_TICKS)
            self._tell_deleted(new)
            self.refresh()

    def keep(self, conversation: str) -> None:
        """Delete this conversation no longer, because it is used again. Those that were deleted with it are."""
        together = next((group for group in self._together.values() if conversation in group), ())
        left = {one: self._undoable[one] for one in together if one != conversation}
        if together:
            self.undo_delete(together[0])
        if left:
            self._undoable |= left
            self._tell_deleted(tuple(left))

    def undo_delete(self, conversation: str) -> tuple[str, ...]:
        """Undo a deletion, if there is still time, with those that were deleted together with `conversation`. Returns
        them in the order in which they were deleted.
        """
        together = self._together.pop(conversation, ())
        for one in together:
            self._undoable.pop(one, None)
        if together:
            self._window.clear_notice(UNDO + conversation)
            self.refresh()
        return together

    def _tell_deleted(self, conversations: tuple[str, ...]) -> None:
        first, count = conversations[0], len(conversations)
        self._together[first] = conversations
        if count > 1:
            self._offer_undo(first, plural("{count} chat was deleted.", "{count} chats were deleted.", count))
        else:
            title = partial(_title, conversation=first)
            self._ports.tasks.run(title, partial(self._deleted, first), lambda _: self._deleted(first, None))

    def _deleted(self, conversation: str, title: str | None) -> None:
        """Name the deleted chat, if the library could. Otherwise two notices could not be told apart."""
        named = tr("The chat was deleted.") if title is None else tr("“{title}” was deleted.", title=title)
        if conversation in self._together:
            self._offer_undo(conversation, named)

    def _offer_undo(self, first: str, told: str) -> None:
        self._window.show_notice(Notice(UNDO + first, told, tr("Undo"), undoes=True))

    def hold(self, conversation: str, held: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Let no time pass for the deletion of `conversation` and of those deleted with it, or let it pass again."""
        if held or self._held == conversation:
            self._held = conversation if held else ""

    def tick(self) -> None:
        """Every second: carry out the deletions whose time is over. None passes for one whose notice is held."""
        held = self._together.get(self._held, ())
        for conversation in [one for one in self._undoable if one not in held]:
            self._undoable[conversation] -= 1
            if self._undoable[conversation] <= 0:
                self._delete_now(conversation)

    def settle(self) -> None:
        """Carry out all deletions now, because the app closes or an import looks for the chats that are here."""
        for conversation in list(self._undoable):
            self._delete_now(conversation)

    def _delete_now(self, conversation: str) -> None:
        del self._undoable[conversation]
        self._leaving.add(conversation)
        self._together.pop(conversation, None)
        self._window.clear_notice(UNDO + conversation)
        self._ports.tasks.run(
            lambda library: library.trash.add(conversation),
            lambda _: self._left(conversation),
            partial(self._stayed, conversation),
        )

    def _left(self, conversation: str) -> None:
        """The conversation is in Recently Deleted. Its state on disk stays as long as its text does."""
        self._leaving.discard(conversation)
        self._ports.engine.send(Forget(conversation, on_disk=False))
        self._pins_changed()

    def _stayed(self, conversation: str, error: Exception) -> None:
        self._leaving.discard(conversation)
        self._failed(error)
        self.refresh()

    def show_draft(self, conversation: str, text: str) -> None:
        """Show the words of a draft in its row. The whole list need not be loaded for that."""
        self._window.show_draft(conversation, shown_draft(text))

    def _show_looked_up(self, text: str, found: tuple[Summary, ...]) -> None:
        listed = tuple(views.row(one) for one in found if not self.is_being_deleted(one.id))
        self._window.show_looked_up(text, listed)

    def _show(self, found: Listed) -> None:
        self._readable()
        rows, folders = found
        self._window.show_folders(folders)
        self._window.show_conversations(tuple(views.row(one) for one in rows if not self.is_being_deleted(one.id)))

    def _failed(self, error: Exception) -> None:
        if isinstance(error, DamagedDatabase):
            self._not_readable(error)
        else:
            self._tell(error)

    def _tell(self, error: Exception) -> None:
        self._window.show_notice(refusal(error))


Listed = tuple[tuple["Summary", ...], tuple[str, ...]]


def _title(library: Library, conversation: str) -> str:
    """The title of a conversation as a notice shows it."""
    return shortened(one_line(library.conversations.get(conversation).title, tr("New chat")), _LONGEST_TITLE)


def _listed_again(library: Library, search: str, is_last: Callable[[], bool]) -> Listed | None:
    return _listed(library, search) if is_last() else None


def _listed(library: Library, search: str) -> Listed:
    """The conversations to list, and the names of all folders."""
    found = library.search.find(search) if search.strip() else library.conversations.listed()
    return found, library.labels.folders()
