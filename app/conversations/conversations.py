"""Conversations: the parts that manage all conversations, and their start, tick and end. No Qt.

The parts run on the GUI thread. Their library jobs run on the library's thread, in the order in which they were given.

`Creation` makes new conversations, empty ones and copies of others, and opens their tabs.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path

from app.base.errors import refusal
from app.base.ports import ChatsSink, Ports, TurnEnd
from app.chat import overflow
from app.chat.titles import Titles
from app.chat.views import shown_draft
from app.conversations.attaching import Attaching
from app.conversations.attention import Attention
from app.conversations.chat_memory import ChatMemory
from app.conversations.chat_settings import ChatSettings
from app.conversations.chats import Chats
from app.conversations.clearing import Clearing
from app.conversations.labels import ChatLabels
from app.conversations.presets import Presets
from app.conversations.prompts import SavedPrompts
from app.conversations.removal import Removal, Trash
from app.conversations.tabs import OtherWriters, Tabs
from app.conversations.transfer import Transfer
from storage.library.library import Library
from storage.library.rows import Conversation, SavedDraft, Switches
from ui.state.chat import Edits
from ui.state.preferences import Preferences


class Creation:
    """`opened` is called with the id of each new conversation."""

    def __init__(self, chats: Chats, settings: ChatSettings, opened: Callable[[str], object]) -> None:
        self._chats = chats
        self._settings = settings
        self._opened = opened

    def begin(self) -> None:
        """Open a new chat. An untouched one is used again, so that empty chats do not pile up."""
        self._make(self._chats.kept, partial(self._begin, self._chats.kept))

    def new(self, draft: str = "") -> None:
        """Start a conversation, with `draft` in its message box for the user to send."""
        self._make(self._chats.kept, partial(self._create, self._chats.kept, draft=draft))

    def new_private(self) -> None:
        """Start a conversation that is never written to disk."""
        self._make(self._chats.private, partial(self._create, self._chats.private))

    def fork(self, conversation: str, message: str) -> None:
        """Copy a conversation up to `message`. What streams is saved first, so that the copy has it."""
        self._chats.sessions.of(conversation).tick()
        self._make(self._chats.of(conversation), lambda library, _: library.messages.fork(conversation, message))

    def carry_on(self, conversation: str) -> None:
        """Copy only the last turn of a conversation that is longer than the model's context."""
        self._chats.window.clear_notice(overflow.FULL + conversation)
        self._make(self._chats.of(conversation), lambda library, _: overflow.carry_on(library, conversation))

    def _begin(self, ports: Ports, library: Library, model: str) -> Conversation:
        thinking = bool(ports.model_settings().thinking)
        found = self._settings.untouched(library)
        if found is None:
            return self._create(ports, library, model)
        if found.switches.thinking is not thinking:
            library.labels.switch(found.id, thinking=thinking)
        return library.conversations.get(found.id)

    def _create(self, ports: Ports, library: Library, model: str, draft: str = "") -> Conversation:
        """A new chat begins as the user prefers. Values of a preset are copied into it."""
        switches = Switches(thinking=bool(ports.model_settings().thinking))
        system, preset, sampling = self._settings.beginning(ports.preferences())
        made = library.conversations.create("", system, preset, model, sampling=sampling, switches=switches)
        if draft:
            library.conversations.save_draft(made.id, SavedDraft(draft))
        return made

    def _make(self, ports: Ports, job: Callable[[Library, str], Conversation]) -> None:
        model = ports.model()

        def made(chat: Conversation) -> None:
            self._chats.add(chat.id, ports)
            self._opened(chat.id)

        ports.tasks.run(
            lambda library: job(library, model), made, lambda error: self._chats.window.show_notice(refusal(error))
        )
        self._chats.list.refresh()


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
        self.chats = chats = Chats(
            self._with_list(kept), self._with_list(private), window, pins_changed, self._model_loaded
        )
        self.list, self.sessions = chats.list, chats.sessions
        self.settings = ChatSettings(chats, presets)
        self.tabs = Tabs(chats, self._opened)
        self.others = OtherWriters(chats, self.tabs, self._changed)
        presets.names_changed = self._show_preset_names
        self.creation = Creation(chats, self.settings, self.tabs.open)
        self.removal = Removal(chats, self.tabs, self.settings)
        self.labels = ChatLabels(chats)
        self.titles = Titles(kept, lambda: self.sessions.busy, self._named)
        self.memory = ChatMemory(chats)
        self.clearing = Clearing(chats, self._cleared)
        chats.window.store.clearing.follow(lambda _left: self.memory.show())
        self.sessions.asides = (self.titles, self.memory)
        self.trash = Trash(chats)
        self.prompts = SavedPrompts(chats.kept)
        self.attention = Attention(chats)
        self.transfer = Transfer(chats, presets, self.prompts, self.tabs.show, models)
        self.attachments = Attaching(chats, self.transfer.import_file)

    def _with_list(self, ports: Ports) -> Ports:
        return replace(ports, changed=self._changed, begun=self._begun, ended=self._ended)

    def _model_loaded(self) -> None:
        """Restore the caches of the tabs, and show the settings in the pane again: the model suggests some of them."""
        self.tabs.warm_all()
        self.show_settings()

    def show_settings(self) -> None:
        """Show the settings of the chat in the pane, because something outside of the chat has changed them."""
        if self.memory.watched:
            self.settings.show(self.memory.watched)

    def follow_preferences(self, former: Preferences) -> None:
        """Let the open chats that are still as new begin as the user prefers now."""
        for conversation in self.tabs.all_opened:
            self.settings.begin_again(conversation, former)

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

    def _begun(self, conversation: str) -> None:
        self.titles.begun()
        self.clearing.settle(conversation)

    def _ended(self, end: TurnEnd) -> None:
        _log.info("an answer ended: %s", end.reason or "interrupted")
        self._changed()
        self.attention.ended(end)
        self._report_end(end)
        if not self.chats.is_private(end.conversation) and end.reason in {"stop", "length"}:
            self.titles.answered(end.conversation)

    def _named(self, conversation: str, title: str) -> None:
        self.sessions.of(conversation).presenter.title(title)
        self.list.refresh()

    def _cleared(self, conversation: str) -> None:
        self.memory.refresh()
        self.chats.kept.cleared(conversation)

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
            self.chats.run("", lambda library: library.messages.interrupt_open())
            self.chats.run("", lambda library: library.trash.discard_import())
        self.list.start(not_readable, readable)
        self.prompts.show()

    def save_draft(self, conversation: str, typed: str, edits: Edits = ()) -> None:
        """Save the draft of a chat, with edits that were not sent."""
        draft = self.sessions.of(conversation).outbox.save_draft(typed, edits)
        self.chats.window.show_draft(conversation, shown_draft(draft))

    def close_tab(self, conversation: str) -> None:
        """The user closed a tab. A private chat goes with it, and so does the mark of its answer."""
        if self.chats.is_private(conversation):
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
        self.chats.run("", lambda library: library.trash.sweep(noted))

    def tick(self) -> None:
        """Every second: save streamed words, retry what could not be saved, warm what was opened, and look for what
        another process has written.
        """
        self.sessions.tick()
        self.tabs.tick()
        self.titles.tick()
        self.clearing.tick()
        self.settings.systems.retry()
        self.prompts.saves.retry()
        self.others.tick()

    def settle(self) -> None:
        """The app is closing: save refused instructions and prompts. The sessions save the drafts as they stop.
        Documents that are being read have a moment left, and a file that is being imported has none.
        """
        self.attachments.close()
        self.transfer.close()
        self.clearing.settle_all()
        self.settings.systems.retry()
        self.prompts.saves.retry()

    @property
    def are_refused(self) -> bool:
        """Whether the library refuses words of the user or of a model, such as on a full disk."""
        return self.sessions.are_refused or self.settings.systems.is_refused or self.prompts.saves.is_refused

    def close_all(self) -> None:
        """End every answer and reading, and close every tab, before another library replaces this one."""
        self.sessions.stop_all()
        self.sessions.give_up()
        self.attachments.leave_library()
        self.transfer.cancelled.set()
        self.tabs.close_all()

    def leave_library(self) -> None:
        """Another library has replaced the one on disk: forget what was known of the chats there, and close the tabs
        that have opened since `close_all`.
        """
        self.tabs.close_all()
        self.sessions.leave_library()
        self.attention.leave_library()
        self.clearing.leave_library()
        if not self.chats.is_private(self.memory.watched):
            self.memory.leave(self.memory.watched)
