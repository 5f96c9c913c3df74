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

from app.base.errors import refusal, words
from app.chat import views
from app.conversations.chat_settings import ChatSettings
from app.conversations.chats import Chats
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


class Trash:
    """`clock` in ms, UTC."""

    def __init__(self, chats: Chats, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._chats = chats
        self._clock = clock
        self._is_wanted = True

    def show(self) -> None:
        """List the deleted conversations. An untouched chat is deleted when its tab closes, and is not listed."""

        def show(found: tuple[Summary, ...]) -> None:
            rows = (views.deleted_row(one, self._clock()) for one in found if views.has_words(one))
            self._chats.window.store.deleted.put(tuple(rows))

        self._chats.run("", lambda library: library.trash.listed(), show)

    def undelete(self, conversations: tuple[str, ...]) -> None:
        """Restore conversations with all their messages."""
        self._chats.run("", lambda library: library.trash.restore(*conversations), lambda _: self._chats.pins_changed())
        self._clear_notices(conversations)
        self._refresh()

    def erase(self, conversations: tuple[str, ...]) -> None:
        """Erase conversations for good, in one call: each call rewrites the search index, which takes nearly all of the
        time.
        """
        self._chats.run("", lambda library: library.trash.erase(*conversations), lambda _: self._forget(conversations))
        self._refresh()

    def erase_all(self) -> None:
        """Erase all deleted conversations for good."""

        def erase(library: Library) -> tuple[str, ...]:
            gone = tuple(one.id for one in library.trash.listed())
            library.trash.erase(*gone)
            return gone

        self._chats.run("", erase, self._forget)
        self._refresh()

    def purge(self, noted: int) -> None:
        """Erase conversations that were deleted more than 30 days before that start, clean the copies that contain
        them, and remove copies that are too old.

        `noted` is the time of a start on an earlier day (ms, UTC; 0: unknown), so that a clock that has jumped ahead
        since erases nothing. If the copies cannot be cleaned, empty rows stay in the library, and the next purge tries
        again.
        """
        until = max(min(self._clock(), noted) - views.KEEP_DELETED_MS, 0)

        def empty(library: Library) -> tuple[Library, dict[str, int]]:
            return library, library.trash.empty(self._clock() - until)

        def expired(complete: bool) -> None:  # noqa: FBT001 - what the job found
            if complete:
                self._chats.window.clear_notice(KEY)
                self._chats.run("", lambda library: library.trash.purge(self._clock() - until))

        def failed(error: Exception) -> None:
            self._chats.window.show_notice(Notice(KEY, f"{tr(_TOLD)} {words(error)}"))

        def expire(found: tuple[Library, dict[str, int]]) -> None:
            library, gone = found
            self._forget(gone)
            work = partial(library.backups.expire, gone, noted, lambda: self._is_wanted)
            self._chats.kept.tasks.apart(work, expired, failed)

        self._chats.run("", empty, expire)

    def end(self) -> None:
        """Stop cleaning the copies: the window is closing. The next start continues."""
        self._is_wanted = False

    def _refresh(self) -> None:
        self.show()
        self._chats.list.refresh()

    def _clear_notices(self, conversations: Iterable[str]) -> None:
        """Their deletion cannot be undone any more."""
        for conversation in conversations:
            self._chats.window.clear_notice(UNDO + conversation)

    def _forget(self, conversations: Iterable[str]) -> None:
        self._clear_notices(conversations)
        for conversation in conversations:
            self._chats.kept.engine.send(Forget(conversation))


UNDO: Final = "undo:"
"""The prefix of the key of the notice that offers to undo a deletion; the first deleted conversation follows."""


class Removal:
    """Takes conversations off the screen, and out of the library if nothing of them is to stay."""

    def __init__(self, chats: Chats, tabs: Tabs, settings: ChatSettings) -> None:
        self._chats = chats
        self._tabs = tabs
        self._settings = settings
        self._deletions: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        """What was deleted together, and the chats of it whose tabs were closed by that, by the first chat."""

    def close(self, conversation: str) -> None:
        """The user closed the tab. An answer that is being written continues; an untouched new chat is deleted."""
        self._tabs.forget(conversation)
        if self._chats.is_private(conversation):
            self._erase_private(conversation)
        elif not self._is_used(conversation):

            def delete(library: Library) -> None:
                if self._settings.untouched(library, conversation) is not None:
                    library.trash.discard(conversation)

            self._chats.run(conversation, delete)
            self._chats.kept.changed()

    def _is_used(self, conversation: str) -> bool:
        """Whether a chat has something that the library does not have, or not yet. The disk may refuse it."""
        session = self._chats.sessions.of(conversation)
        has_words = not session.outbox.is_saved or conversation in self._settings.systems
        return has_words or session.cost.file_count > 0 or session.busy or self._tabs.is_opening(conversation)

    def delete(self, *conversations: str) -> None:
        """Close their tabs, move the conversations to Recently Deleted, and offer to undo that."""
        listed = tuple(conversation for conversation in conversations if not self._chats.is_private(conversation))
        closed = tuple(one for one in self._tabs.opened if one in listed)
        for conversation in conversations:
            self._tabs.drop(conversation)
            if conversation not in listed:
                self._erase_private(conversation)
        for conversation in listed:
            self._chats.sessions.of(conversation).stop()
            self._chats.window.chats.remove(conversation)
        if listed:
            kept, failed = self._chats.kept, partial(self._not_deleted, closed)
            kept.tasks.run(lambda library: library.trash.add(*listed), partial(self._deleted, closed), failed)
            kept.changed()

    def _not_deleted(self, closed: tuple[str, ...], error: Exception) -> None:
        self._chats.window.show_notice(refusal(error))
        self._reopen(closed)

    def _deleted(self, closed: tuple[str, ...], titles: dict[str, str]) -> None:
        """A slow library still lists a deleted chat for a moment: one that is deleted again was deleted before."""
        if not titles:
            return
        self._chats.pins_changed()
        for one, parts in self._deletions.items():  # what is deleted again was restored in Recently Deleted
            gone, reopened = (tuple(chat for chat in part if chat not in titles) for part in parts)
            self._deletions[one] = gone, reopened
        first, count = next(iter(titles)), len(titles)
        self._deletions[first] = tuple(titles), closed
        told = tr("{title} was deleted.", title=quoted(one_line(titles[first], tr("New chat"))))
        if count > 1:
            told = plural("{count} chat was deleted.", "{count} chats were deleted.", count)
        self._chats.window.show_notice(undo_notice(UNDO + first, told, UndoDelete(first)))

    def undo(self, conversation: str) -> None:
        """Bring back what was deleted together with `conversation`, and reopen the tabs that were closed by that."""
        self._chats.window.clear_notice(UNDO + conversation)
        gone, closed = self._deletions.pop(conversation, ((), ()))
        if not gone:
            return
        self._chats.run("", lambda library: library.trash.restore(*gone), lambda _: self._chats.pins_changed())
        self._chats.kept.changed()
        self._reopen(closed)

    def _reopen(self, closed: tuple[str, ...]) -> None:
        """The tab that was closed last opens first, because each one goes back beside its former neighbours."""
        for one in reversed(closed):
            self._tabs.reopen(one)

    def _erase_private(self, conversation: str) -> None:
        """Erase it behind the jobs that its ending answers still have in the queue, so that none of those fails."""
        session = self._chats.sessions.of(conversation)
        session.stop()
        session.give_up()
        self._chats.window.chats.remove(conversation)

        def erase(_: None) -> None:
            self._chats.run(conversation, lambda library: library.trash.erase(conversation))
            self._chats.private.engine.send(Forget(conversation, on_disk=False))
            self._chats.remove(conversation)

        self._chats.run(conversation, lambda _: None, erase)
