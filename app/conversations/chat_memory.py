"""ChatMemory: shows in the inspector what the engine keeps of the conversation there. No Qt.

The library knows the turns, and the engine knows what it holds of them. ChatMemory asks both again whenever one of them
may have changed.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from app.chat import memory_map, turn_jobs
from app.chat.memory_map import ShownBranch
from app.conversations.chats import Chats
from engine.protocol.cache_messages import CacheSize, CacheSizes, ListCacheSizes, TurnStored
from engine.protocol.messages import Deltas, Event, Progress, Warmed
from resources.language.text import mark, tr
from storage.library.library import Library
from ui.intents.notice import Notice
from ui.state.chat import ChatStatus
from ui.theme.phrases import size

_KEY: Final = "memory"
_FREED: Final = mark("{size} on disk are free again. The next message reads the whole chat.")
_CLEARED: Final = mark("The memory of this chat is clear. The next message reads the whole chat.")
_MOST: Final = 4000
"""Messages that the map is made of."""


class ChatMemory:
    """`watched` is the chat in the pane, "" if that is closed."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self.watched = ""
        self._branch: ShownBranch | None = None
        self._told: ChatStatus | None = None
        self._sizes: tuple[CacheSize, ...] | None = None

    def leave(self, conversation: str) -> None:
        """This conversation is not looked at any more."""
        if conversation == self.watched:
            self.watched, self._branch, self._sizes = "", None, None

    def clear(self, conversation: str) -> None:
        """Drop what the model has read of a conversation, and say so. It is read again with the next message."""
        freed = sum(one.own for one in self._sizes or ()) if conversation == self.watched else 0
        self._chats.sessions.of(conversation).forget()
        told = tr(_FREED, size=size(freed)) if freed else tr(_CLEARED)
        self._chats.window.show_notice(Notice(_KEY, told, conversation=conversation, passing=True))
        self.refresh()

    def watch(self, conversation: str) -> None:
        """Show this conversation from now on."""
        if conversation != self.watched:
            self.watched, self._branch = conversation, None
            self._sizes = () if self._chats.is_private(conversation) else None
        self.refresh()

    def refresh(self) -> None:
        """The conversation may have changed."""

        def loaded(branch: ShownBranch) -> None:
            if branch.conversation == self.watched:
                self._branch = branch
                self._show()

        if chat := self.watched:
            self._show()
            ports = self._chats.of(chat)
            ports.tasks.run(partial(_branch, conversation=chat), loaded, lambda _: None)
            if not ports.private:
                ports.engine.send(ListCacheSizes(chat))

    def engine_event(self, event: Event) -> None:
        """Follow what the engine keeps of the conversation."""
        if not self.watched or getattr(event, "conversation", self.watched) != self.watched:
            return
        if isinstance(event, Deltas) and self._chats.sessions.of(self.watched).status is not self._told:
            self._show()  # the figures of the footer have changed
        elif isinstance(event, CacheSizes):
            self._sizes = event.rows
            self._show()
        elif isinstance(event, Warmed | TurnStored):
            self.refresh()
        elif isinstance(event, Progress):
            self._show()

    def engine_lost(self) -> None:
        """Nothing is in memory any more."""
        self.refresh()

    def _show(self) -> None:
        if self._branch is None:
            return
        ports, session = self._chats.of(self.watched), self._chats.sessions.of(self.watched)
        rate, lines = ports.reading_rate(), self._chats.kept.model_lines()
        self._told = session.status
        self._chats.window.store.chat_memory.put(
            memory_map.view(self._branch, session.status, self._sizes, rate, lines)
        )


def _branch(library: Library, conversation: str) -> ShownBranch:
    """The newest messages of the chat."""
    messages = library.messages.page(conversation, None, _MOST).messages
    left_out = turn_jobs.count_left_out(library.conversations.get(conversation), messages)
    return ShownBranch(conversation, messages, left_out or 0)
