"""Creation: makes new conversations, empty ones and copies of others, and opens their tabs. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from app.base.errors import refusal
from app.base.ports import Ports
from app.chat import overflow
from app.conversations.chat_settings import ChatSettings
from app.conversations.chats import Chats
from storage.library.library import Library
from storage.library.rows import Conversation, SavedDraft, Switches


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
        prefers, switches = ports.preferences(), Switches(thinking=bool(ports.model_settings().thinking))
        preset, sampling = prefers.preset, self._settings.presets.values(prefers.preset).encoded()
        made = library.conversations.create("", prefers.system, preset, model, sampling=sampling, switches=switches)
        if draft:
            library.conversations.save_draft(made.id, SavedDraft(draft))
        return made

    def _make(self, ports: Ports, job: Callable[[Library, str], Conversation]) -> None:
        model = ports.model()

        def made(chat: Conversation) -> None:
            self._chats.add(chat.id, ports)
            self._opened(chat.id)

        failed = lambda error: self._chats.window.show_notice(refusal(error))  # noqa: E731 - one line of two
        ports.tasks.run(lambda library: job(library, model), made, failed)
        self._chats.list.refresh()
