"""A window without widgets: what was shown, by conversation."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from ui.state import ToolView

if TYPE_CHECKING:
    from ui.state import (
        AttachmentView,
        Channel,
        ChatStatus,
        ChatView,
        ConversationRow,
        DeletedRow,
        EngineView,
        MemoryView,
        MessageView,
        ModelCapabilities,
        ModelView,
        Notice,
        StorageView,
    )


class FakeWindow:
    """Fulfils `app.base.ports.ChatsSink`, `EngineSink` and `StorageSink`."""

    def __init__(self) -> None:
        self.titles: dict[str, str] = {}
        self.messages: dict[str, list[MessageView]] = defaultdict(list)
        self.drafts: dict[str, str] = {}
        self.statuses: dict[str, list[ChatStatus]] = defaultdict(list)
        self.notices: dict[str, Notice] = {}
        self.rows: tuple[ConversationRow, ...] = ()
        self.folders: tuple[str, ...] = ()
        self.deleted: tuple[DeletedRow, ...] = ()
        self.storage: StorageView | None = None
        self.files: dict[str, tuple[AttachmentView, ...]] = {}
        self.earlier: dict[str, bool] = {}
        self.opened: list[ChatView] = []
        self.closed: list[str] = []
        self.engine: list[EngineView] = []
        self.models: tuple[ModelView, ...] = ()
        self.model = ""
        self.memory: MemoryView | None = None
        self.capabilities: ModelCapabilities | None = None

    def set_title(self, conversation: str, title: str) -> None:
        self.titles[conversation] = title

    def add_message(self, conversation: str, view: MessageView) -> None:
        self.messages[conversation].append(view)

    def append_delta(self, conversation: str, message: str, text: str, channel: Channel) -> None:
        """Like the real one: text for a message that is not shown is nobody's."""
        place = self._place(conversation, message)
        if place is not None:
            self.messages[conversation][place] = _grown(self.messages[conversation][place], text, channel)

    def replace_message(self, conversation: str, view: MessageView) -> None:
        place = self._place(conversation, view.id)
        if place is not None:
            self.messages[conversation][place] = view

    def show_branch(self, conversation: str, messages: tuple[MessageView, ...]) -> None:
        self.messages[conversation] = list(messages)

    def show_earlier(self, conversation: str, messages: tuple[MessageView, ...], earlier: bool) -> None:  # noqa: FBT001 - the window's slot
        self.messages[conversation] = [*messages, *self.messages[conversation]]
        self.earlier[conversation] = earlier

    def show_attachments(self, conversation: str, attachments: tuple[AttachmentView, ...]) -> None:
        self.files[conversation] = attachments

    def remove_message(self, conversation: str, message: str) -> None:
        self.messages[conversation] = [view for view in self.messages[conversation] if view.id != message]

    def give_back(self, conversation: str, words: str) -> bool:
        if conversation not in self.closed:
            self.drafts[conversation] = words
        return conversation not in self.closed

    def set_status(self, conversation: str, status: ChatStatus) -> None:
        self.statuses[conversation].append(status)

    def show_notice(self, notice: Notice) -> None:
        self.notices[notice.key] = notice

    def clear_notice(self, key: str) -> None:
        self.notices.pop(key, None)

    def show_conversations(self, rows: tuple[ConversationRow, ...]) -> None:
        self.rows = rows

    def show_folders(self, folders: tuple[str, ...]) -> None:
        self.folders = folders

    def show_deleted(self, rows: tuple[DeletedRow, ...]) -> None:
        self.deleted = rows

    def show_storage(self, view: StorageView) -> None:
        self.storage = view

    def open_chat(self, view: ChatView) -> None:
        self.opened.append(view)
        self.messages[view.id] = list(view.messages)
        self.earlier[view.id] = view.earlier
        self.files[view.id] = view.attachments

    def close_chat(self, conversation: str) -> None:
        self.closed.append(conversation)

    def set_engine(self, view: EngineView) -> None:
        self.engine.append(view)

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        self.models, self.model = models, current

    def set_capabilities(self, capabilities: ModelCapabilities) -> None:
        self.capabilities = capabilities

    def set_memory(self, view: MemoryView) -> None:
        self.memory = view

    def texts(self, conversation: str) -> list[tuple[str, str]]:
        """(text, state) of each message shown."""
        return [(view.text, view.state.value) for view in self.messages[conversation]]

    def _place(self, conversation: str, message: str) -> int | None:
        shown = [view.id for view in self.messages[conversation]]
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
