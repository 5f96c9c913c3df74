"""A window without widgets. It records what is shown, by conversation."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Self

from ui.intents.notice import Notice
from ui.state.chat import AttachmentView, Channel, ChatStatus, ChatView, FileView, MessageView, QueueView, ToolView
from ui.state.chat_memory import ChatMemoryView
from ui.state.chat_settings import ChatSettingsView
from ui.state.engine import EngineView
from ui.state.library import ConversationRow, OpenTabs
from ui.store import Store


class FakeWindow:
    """Fulfils `app.base.ports.ChatsSink`."""

    def __init__(self) -> None:
        self.store = Store()
        self.titles: dict[str, str] = {}
        self.messages: dict[str, list[MessageView]] = defaultdict(list)
        self.drafts: dict[str, str] = {}
        self.statuses: dict[str, list[ChatStatus]] = defaultdict(list)
        self.notices: dict[str, Notice] = {}
        self.copied = ""
        self.notified: list[tuple[str, str, str]] = []
        self.files: dict[str, tuple[AttachmentView, ...]] = {}
        self.shown_files: list[FileView] = []
        self.queues: dict[str, QueueView] = {}
        self.own_models: dict[str, str] = {}
        self.earlier: dict[str, bool] = {}
        self.opened: list[ChatView] = []
        self.fronted: list[str] = []
        self.closed: list[str] = []
        self.chat_memory: list[ChatMemoryView] = []
        self.chat_settings: list[ChatSettingsView] = []
        self.warm_models: dict[str, frozenset[str]] = {}
        self.engine: list[EngineView] = []
        self.found: list[tuple[str, tuple[str, ...], tuple[tuple[str, int], ...]]] = []
        self.store.engine.follow(self.engine.append)
        self.engine.clear()  # the store's default
        self.store.chat_settings.follow(self.chat_settings.append)
        self.store.chat_memory.follow(self.chat_memory.append)
        self.found_at: list[tuple[str, str, tuple[str, ...]]] = []

    @property
    def chats(self) -> Self:
        return self

    @property
    def rows(self) -> tuple[ConversationRow, ...]:
        return self.store.conversations.now

    def tab(self, conversation: str) -> FakeTab | None:
        """Every conversation counts as open until it is closed."""
        return None if conversation in self.closed else FakeTab(self, conversation)

    def set_title(self, conversation: str, title: str) -> None:
        self.titles[conversation] = title

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        self.statuses[conversation].append(status)

    def show_notice(self, notice: Notice) -> None:
        self.notices[notice.key] = notice

    def clear_notice(self, key: str) -> None:
        self.notices.pop(key, None)

    def show_draft(self, conversation: str, words: str) -> None:
        rows = (replace(row, draft=words) if row.id == conversation else row for row in self.rows)
        self.store.conversations.put(tuple(rows))

    def copy_text(self, text: str) -> None:
        self.copied = text

    def notify(self, conversation: str, title: str, text: str) -> None:
        self.notified.append((conversation, title, text))

    def open(self, view: ChatView) -> None:
        self.opened.append(view)
        self.messages[view.id] = list(view.messages)
        self.earlier[view.id] = view.earlier
        self.files[view.id] = view.attachments

    def bring_to_front(self, conversation: str) -> None:
        self.fronted.append(conversation)

    def remove(self, conversation: str) -> None:
        self.closed.append(conversation)

    def arranged(self) -> OpenTabs:
        order = tuple(dict.fromkeys(view.id for view in self.opened if view.id not in self.closed))
        return OpenTabs(order, order[-1] if order else "")

    def texts(self, conversation: str) -> list[tuple[str, str]]:
        """(text, state) of each message shown."""
        return [(view.text, view.state.value) for view in self.messages[conversation]]


class FakeTab:
    """Records in its window's lists. Fulfils `app.base.ports.TabSink`."""

    def __init__(self, window: FakeWindow, conversation: str) -> None:
        self._window = window
        self._conversation = conversation

    @property
    def _messages(self) -> list[MessageView]:
        return self._window.messages[self._conversation]

    def add_message(self, view: MessageView) -> None:
        self._messages.append(view)

    def append_delta(self, message: str, text: str, channel: Channel) -> None:
        """Like the real one: text for a message that is not shown is ignored."""
        place = self._place(message)
        if place is not None:
            self._messages[place] = _grown(self._messages[place], text, channel)

    def replace_message(self, view: MessageView) -> None:
        place = self._place(view.id)
        if place is not None:
            self._messages[place] = view

    def show_branch(self, messages: tuple[MessageView, ...]) -> None:
        self._messages[:] = messages

    def show_earlier(self, messages: tuple[MessageView, ...], earlier: bool) -> None:  # noqa: FBT001 - the tab's slot
        self._messages[:0] = messages
        self._window.earlier[self._conversation] = earlier

    def show_found(self, terms: tuple[str, ...], counts: tuple[tuple[str, int], ...]) -> None:
        self._window.found.append((self._conversation, terms, counts))

    def find_at(self, message: str, terms: tuple[str, ...]) -> None:
        self._window.found_at.append((self._conversation, message, terms))

    def show_warm_models(self, identities: frozenset[str]) -> None:
        self._window.warm_models[self._conversation] = identities

    def show_attachments(self, attachments: tuple[AttachmentView, ...]) -> None:
        self._window.files[self._conversation] = attachments

    def show_file(self, file: FileView) -> None:
        self._window.shown_files.append(file)

    def show_model(self, model: str, name: str) -> None:
        assert bool(name) is bool(model)
        self._window.own_models[self._conversation] = model

    def show_queue(self, queue: QueueView) -> None:
        self._window.queues[self._conversation] = queue

    def give_back(self, words: str) -> None:
        self._window.drafts[self._conversation] = words

    def _place(self, message: str) -> int | None:
        shown = [view.id for view in self._messages]
        return shown.index(message) if message in shown else None


def _grown(view: MessageView, text: str, channel: Channel) -> MessageView:
    match channel:
        case "answer":
            return replace(view, text=view.text + text)
        case "reasoning":
            return replace(view, reasoning=view.reasoning + text)
        case "tool":
            raw = "".join(tool.arguments for tool in view.tools if not tool.name)
            return replace(view, tools=(*(tool for tool in view.tools if tool.name), ToolView("", raw + text)))
