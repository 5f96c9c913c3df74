"""Removes conversations from the screen and from the library. No Qt.

- `Removal` says what becomes of a conversation when its tab is closed, when it is deleted, and when that is undone. A
  private conversation is erased in the first two cases.
- `Trash` is Recently Deleted. A conversation that is erased for good takes its cache along, which the engine is asked
  to forget, and its text in the copies of the library, which are cleaned or removed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from app.base.errors import words
from app.base.ports import ChatsSink
from app.chat import views
from app.chat.sessions import Sessions
from app.conversations.chat_settings import ChatSettings
from app.conversations.list import ChatList
from app.conversations.stores import Stores
from app.conversations.tabs import Tabs
from engine.protocol.cache_messages import Forget
from resources.language.text import mark, plural, tr
from storage.library.library import Library
from storage.library.rows import Summary
from ui.intents.library import UndoDelete
from ui.intents.notice import Notice, undo_notice
from ui.theme.phrases import one_line, quoted

KEY: Final = "copies:expired"
_TOLD: Final = mark(
    "Older copies of all chats still hold chats that were deleted more than 30 days ago. They will be cleaned later."
)


def _now() -> int:
    return time.time_ns() // 1_000_000


class Trash:
    """`clock` in ms, UTC. `pins_changed` is called when a conversation was restored, because it may be pinned."""

    def __init__(
        self,
        stores: Stores,
        window: ChatsSink,
        chats: ChatList,
        pins_changed: Callable[[], object],
        clock: Callable[[], int] = _now,
    ) -> None:
        self._stores = stores
        self._window = window
        self._list = chats
        self._pins_changed = pins_changed
        self._clock = clock
        self._is_wanted = True

    def show(self) -> None:
        """List the deleted conversations."""
        self._stores.run("", lambda library: library.trash.listed(), self._show)

    def undelete(self, conversations: tuple[str, ...]) -> None:
        """Restore conversations with all their messages."""
        self._stores.run("", lambda library: library.trash.restore(*conversations), lambda _: self._pins_changed())
        self._clear_notices(conversations)
        self._refresh()

    def erase(self, conversations: tuple[str, ...]) -> None:
        """Erase conversations for good, in one call: each call rewrites the search index, which takes nearly all of the
        time.
        """
        self._stores.run("", lambda library: library.trash.erase(*conversations), lambda _: self._forget(conversations))
        self._refresh()

    def erase_all(self) -> None:
        """Erase all deleted conversations for good."""
        self._stores.run("", _erase_all, self._forget)
        self._refresh()

    def purge(self, noted: int) -> None:
        """Erase conversations that were deleted more than 30 days before that start, clean the copies that contain
        them, and remove copies that are too old.

        `noted` is the time of a start on an earlier day (ms, UTC; 0: unknown), so that a clock that has jumped ahead
        since erases nothing. If the copies cannot be cleaned, empty rows stay in the library, and the next purge tries
        again.
        """
        until = max(min(self._clock(), noted) - views.KEEP_DELETED_MS, 0)
        self._stores.run("", lambda library: self._emptied(library, until), partial(self._expire, until, noted))

    def end(self) -> None:
        """Stop cleaning the copies: the window is closing. The next start continues."""
        self._is_wanted = False

    def _emptied(self, library: Library, until: int) -> tuple[Library, dict[str, int]]:
        return library, library.trash.empty(self._clock() - until)

    def _expire(self, until: int, noted: int, found: tuple[Library, dict[str, int]]) -> None:
        library, gone = found
        self._forget(gone)
        work = partial(library.backups.expire, gone, noted, lambda: self._is_wanted)
        self._stores.kept.tasks.apart(work, partial(self._expired, until), self._not_expired)

    def _expired(self, until: int, complete: bool) -> None:  # noqa: FBT001 - what the job found
        if complete:
            self._window.clear_notice(KEY)
            self._stores.run("", lambda library: library.trash.purge(self._clock() - until))

    def _not_expired(self, error: Exception) -> None:
        self._window.show_notice(Notice(KEY, f"{tr(_TOLD)} {words(error)}"))

    def _refresh(self) -> None:
        self.show()
        self._list.refresh()

    def _show(self, found: tuple[Summary, ...]) -> None:
        """An untouched chat is deleted when its tab closes, and is not listed."""
        now = self._clock()
        self._window.store.deleted.put(tuple(views.deleted_row(one, now) for one in found if views.has_words(one)))

    def _clear_notices(self, conversations: Iterable[str]) -> None:
        """Their deletion cannot be undone any more."""
        for conversation in conversations:
            self._window.clear_notice(UNDO + conversation)

    def _forget(self, conversations: Iterable[str]) -> None:
        self._clear_notices(conversations)
        for conversation in conversations:
            self._stores.kept.engine.send(Forget(conversation))


def _erase_all(library: Library) -> tuple[str, ...]:
    gone = tuple(one.id for one in library.trash.listed())
    library.trash.erase(*gone)
    return gone


UNDO: Final = "undo:"
"""The prefix of the key of the notice that offers to undo a deletion; the first deleted conversation follows."""


class Removal:
    """Takes conversations off the screen, and out of the library if nothing of them is to stay. `pins_changed` is
    called if a conversation that may be pinned was deleted or brought back.
    """

    def __init__(
        self,
        stores: Stores,
        sessions: Sessions,
        window: ChatsSink,
        tabs: Tabs,
        settings: ChatSettings,
        pins_changed: Callable[[], object],
    ) -> None:
        self._stores = stores
        self._sessions = sessions
        self._window = window
        self._tabs = tabs
        self._settings = settings
        self._pins_changed = pins_changed
        self._deletions: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        """What was deleted together, and the chats of it whose tabs were closed by that, by the first chat."""

    def close(self, conversation: str) -> None:
        """The user closed the tab. An answer that is being written continues; an untouched new chat is deleted."""
        self._tabs.forget(conversation)
        if self._stores.is_private(conversation):
            self._erase_private(conversation)
        elif not self._is_used(conversation):
            self._stores.run(conversation, partial(self._delete_if_untouched, conversation=conversation))
            self._stores.kept.changed()

    def _is_used(self, conversation: str) -> bool:
        """Whether a chat has something that the library does not have, or not yet. The disk may refuse it."""
        session = self._sessions.of(conversation)
        has_words = not session.outbox.is_saved or self._settings.is_unsaved(conversation)
        is_in_use = session.busy or self._tabs.is_opening(conversation)
        return has_words or session.cost.file_count > 0 or is_in_use

    def _delete_if_untouched(self, library: Library, conversation: str) -> None:
        if self._settings.untouched(library, conversation) is not None:
            library.trash.discard(conversation)

    def delete(self, *conversations: str) -> None:
        """Close their tabs, move the conversations to Recently Deleted, and offer to undo that."""
        listed = tuple(conversation for conversation in conversations if not self._stores.is_private(conversation))
        closed = tuple(one for one in self._tabs.opened if one in listed)
        for conversation in conversations:
            self._tabs.drop(conversation)
            if conversation not in listed:
                self._erase_private(conversation)
        for conversation in listed:
            self._sessions.of(conversation).stop()
            self._window.chats.remove(conversation)
        if listed:
            self._stores.run("", lambda library: library.trash.add(*listed), partial(self._deleted, closed))
            self._stores.kept.changed()

    def _deleted(self, closed: tuple[str, ...], titles: dict[str, str]) -> None:
        """A slow library still lists a deleted chat for a moment: one that is deleted again was deleted before."""
        if not titles:
            return
        self._pins_changed()
        first, count = next(iter(titles)), len(titles)
        self._deletions[first] = tuple(titles), closed
        told = tr("{title} was deleted.", title=quoted(one_line(titles[first], tr("New chat"))))
        if count > 1:
            told = plural("{count} chat was deleted.", "{count} chats were deleted.", count)
        self._window.show_notice(undo_notice(UNDO + first, told, UndoDelete(first)))

    def undo(self, conversation: str) -> None:
        """Bring back what was deleted together with `conversation`, and reopen the tabs that were closed by that. The
        tab that was closed last opens first, because each one goes back beside its former neighbours.
        """
        self._window.clear_notice(UNDO + conversation)
        gone, closed = self._deletions.pop(conversation, ((), ()))
        if not gone:
            return
        self._stores.run("", lambda library: library.trash.restore(*gone), lambda _: self._pins_changed())
        self._stores.kept.changed()
        for one in reversed(closed):
            self._tabs.reopen(one)

    def _erase_private(self, conversation: str) -> None:
        """Erase it behind the jobs that its ending answers still have in the queue, so that none of those fails."""
        session = self._sessions.of(conversation)
        session.stop()
        session.give_up()
        self._window.chats.remove(conversation)
        self._stores.run(conversation, lambda _: None, lambda _: self._erase(conversation))

    def _erase(self, conversation: str) -> None:
        self._stores.run(conversation, lambda library: library.trash.erase(conversation))
        self._stores.private.engine.send(Forget(conversation, on_disk=False))
        self._sessions.drop(conversation)
        self._stores.remove(conversation)
