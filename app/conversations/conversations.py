"""Conversations: the parts that manage all conversations, and their start, tick and end. No Qt.

The parts run on the GUI thread. Their library jobs run on the library's thread, in the order in which they were given.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from app.base.ports import ChatsSink, Ports, TurnEnd
from app.chat.sessions import Sessions
from app.chat.titles import Titles
from app.conversations.attaching import AttachedFiles, Attaching
from app.conversations.attention import Attention
from app.conversations.chat_memory import ChatMemory
from app.conversations.chat_settings import ChatSettings
from app.conversations.creation import Creation
from app.conversations.labels import ChatFolders, ChatLabels
from app.conversations.list import ChatList
from app.conversations.other_writers import OtherWriters
from app.conversations.presets import Presets
from app.conversations.prompts import SavedPrompts
from app.conversations.removal import Removal, Trash
from app.conversations.stores import Stores
from app.conversations.tabs import Tabs
from app.conversations.transfer import Transfer
from storage.library.rows import Conversation
from ui.state.chat import Edits

_log = logging.getLogger(__name__)


class Conversations:
    """`kept` are the ports of chats on disk, `private` those of chats in memory; `window` shows both. `presets` are the
    user's.

    `pins_changed` is called when the set of pinned conversations may have changed, and `opened` with every chat that a
    tab shows. `models` returns the folders in which the user's models are.
    """

    def __init__(
        self,
        kept: Ports,
        private: Ports,
        window: ChatsSink,
        presets: Presets,
        pins_changed: Callable[[], object] = lambda: None,
        models: Callable[[], Iterable[Path]] = tuple,
    ) -> None:
        self._report_end = kept.ended
        self.opened: Callable[[Conversation], object] = lambda _: None
        self.list = ChatList(kept, window)
        self.stores = Stores(self._with_list(kept), self._with_list(private))
        self.sessions = Sessions(self.stores.of, kept.stored, loaded=self._model_loaded)
        self.settings = ChatSettings(self.stores, self.sessions, window, self.list, presets)
        self.tabs = Tabs(self.stores, self.sessions, window, self.list, self._opened)
        self.others = OtherWriters(self.stores, self.sessions, self.tabs, self._changed)
        presets.names_changed = self._show_preset_names
        self.creation = Creation(self.stores, self.sessions, window, self.list, self.settings, self.tabs.open)
        self.removal = Removal(self.stores, self.sessions, window, self.tabs, self.settings, pins_changed)
        self.labels = ChatLabels(self.stores, self.sessions, self.list, pins_changed)
        self.folders = ChatFolders(self.stores, window, self.list)
        self.titles = Titles(kept, lambda: self.sessions.busy, self._named)
        self.memory = ChatMemory(self.stores, self.sessions, window, kept.model_lines)
        self.sessions.asides = (self.titles, self.memory)
        self.trash = Trash(self.stores, window, self.list, pins_changed)
        self.prompts = SavedPrompts(self._with_list(kept), window)
        self.attached = AttachedFiles(self.stores)
        self.attention = Attention(self.stores, self.sessions, window)
        self.transfer = Transfer(self.stores, window, self.list, presets, self.prompts, self.tabs.show, models)
        self.attachments = Attaching(self.stores, self.sessions, self.list, self.transfer.import_file)

    def _with_list(self, ports: Ports) -> Ports:
        return replace(ports, changed=self._changed, begun=lambda: self.titles.begun(), ended=self._ended)  # noqa: PLW0108 - the titles come later

    def _model_loaded(self) -> None:
        """Restore the caches of the tabs, and show the settings in the pane again: the model suggests some of them."""
        self.tabs.warm_all()
        self.show_settings()

    def show_settings(self) -> None:
        """Show the settings of the chat in the pane, because something outside of the chat has changed them."""
        if self.memory.watched:
            self.settings.show(self.memory.watched)

    def _show_preset_names(self) -> None:
        """Show the settings of every tab, because the presets have other names."""
        for conversation in self.tabs.all_opened:
            self.settings.show(conversation)

    def _opened(self, chat: Conversation) -> None:
        self.settings.show_chat(chat)
        self.opened(chat)

    def _changed(self) -> None:
        self.list.refresh()
        self.memory.refresh()

    def _ended(self, end: TurnEnd) -> None:
        _log.info("an answer ended: %s", end.reason or "interrupted")
        self._changed()
        self.attention.ended(end)
        self._report_end(end)
        if not self.stores.is_private(end.conversation) and end.reason in {"stop", "length"}:
            self.titles.answered(end.conversation)

    def _named(self, conversation: str, title: str) -> None:
        self.sessions.of(conversation).presenter.title(title)
        self.list.refresh()

    def clear_memory(self) -> None:
        """Drop what the model has read of every chat that was opened."""
        self.sessions.forget_all()
        self.memory.refresh()

    def inspect(self, conversation: str) -> None:
        """Show the settings of a conversation, and what is kept of it."""
        self.settings.show(conversation)
        self.memory.watch(conversation)

    def start(
        self, *, alone: bool, not_readable: Callable[[Exception], object], readable: Callable[[], object] = lambda: None
    ) -> None:
        """Show the list. `not_readable` is called with the error if the library cannot be read, `readable` when it can.

        If this process is `alone`, no other one writes answers or imports chats: mark all open replies as interrupted,
        and erase imports that a crash cut short.
        """
        if alone:
            self.stores.run("", lambda library: library.messages.interrupt_open())
            self.stores.run("", lambda library: library.trash.discard_import())
        self.list.start(not_readable, readable)
        self.prompts.show()

    def save_draft(self, conversation: str, typed: str, edits: Edits = ()) -> None:
        """Save the draft of a chat, with edits that were not sent."""
        draft = self.sessions.of(conversation).outbox.save_draft(typed, edits)
        self.list.show_draft(conversation, draft)

    def close_tab(self, conversation: str) -> None:
        """The user closed a tab. A private chat goes with it, and so does the mark of its answer."""
        if self.stores.is_private(conversation):
            self.attention.forget(conversation)
        self.removal.close(conversation)

    def delete(self, *conversations: str) -> None:
        """Delete conversations together, and offer to undo that."""
        for conversation in conversations:
            self.attention.forget(conversation)
        self.removal.delete(*conversations)

    def tidy(self, noted: int) -> None:
        """Purge old deletions. Call this at the start, and daily in a window that stays open; it delays nothing.

        `noted` is the time of a call on an earlier day (ms, UTC; 0: unknown).
        """
        self.trash.purge(noted)
        self.stores.run("", lambda library: library.trash.sweep(noted))

    def tick(self) -> None:
        """Every second: save streamed words, retry what could not be saved, warm what was opened, and look for what
        another process has written.
        """
        self.sessions.tick()
        self.tabs.tick()
        self.titles.tick()
        self.settings.retry()
        self.prompts.retry()
        self.others.tick()

    def settle(self) -> None:
        """The app is closing: save refused instructions and prompts. The sessions save the drafts as they stop.
        Documents that are being read have a moment left, and a file that is being imported has none.
        """
        self.attachments.close()
        self.transfer.close()
        self.settings.retry()
        self.prompts.retry()

    def close_all(self) -> None:
        """End every answer and close every tab, before another library replaces this one."""
        self.sessions.stop_all()
        self.sessions.give_up()
        self.tabs.close_all()

    def leave_library(self) -> None:
        """Another library has replaced the one on disk: forget what was known of the chats there, and close the tabs
        that have opened since `close_all`.
        """
        self.tabs.close_all()
        self.sessions.leave_library()
        self.attention.leave_library()
        if not self.stores.is_private(self.memory.watched):
            self.memory.leave(self.memory.watched)
