# ruff: noqa: D102 - a sink's calls are the window's slots; its class says what they are about
"""The seams of the app: what the use cases need from the engine, the library's thread and the window.

Owns the shapes only. No Qt: the bridge, the executor and the window fulfil these, and so do the fakes in the tests.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.protocol.messages import Channel, Command, Event, FinishReason, Sampling, StoreReport, ToolCall, Usage
    from storage.library.library import Library
    from ui.state import (
        AttachmentView,
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

T = TypeVar("T")


class Engine(Protocol):
    """The engine as a conversation sees it."""

    @property
    def ready(self) -> bool:
        """Whether a model is loaded, so that a request would be served now."""

    @property
    def refusal(self) -> str:
        """Why waiting for a model is in vain, as a sentence for people; empty while there is hope."""

    @property
    def context_limit(self) -> int:
        """Tokens that the loaded model can read; 0 where that is not known."""

    def send(self, command: Command) -> None:
        """Hand a command down. Never blocks; the answer comes as events."""


class EngineListener(Protocol):
    """Who is told what the engine process says and what becomes of it."""

    def engine_event(self, event: Event) -> None:
        """An event came up. Pongs do not: they end in the bridge."""

    def engine_lost(self) -> None:
        """The process ended unasked; it is being started again."""

    def engine_replaced(self) -> None:
        """The process was ended because its load is not wanted any more; another one is starting."""

    def engine_failed(self, reason: str) -> None:
        """The process ended and does not come back by itself. `reason` is a sentence for people."""


class Chats(Protocol):
    """The conversations as the engine's side sees them."""

    def engine_event(self, event: Event) -> None:
        """An event about a conversation."""

    def engine_ready(self) -> None:
        """A model is loaded: what waits for an answer can be asked."""

    def engine_lost(self) -> None:
        """Every request that was asked is lost."""

    def engine_refused(self, reason: str) -> None:
        """No model will be there to answer what waits, for `reason`, a sentence for people."""


class CacheListener(Protocol):
    """Who looks after the caches on disk."""

    def connected(self) -> None:
        """An engine is there."""

    def reported(self, event: StoreReport) -> None:
        """What the caches on disk are."""

    def held(self, conversations: tuple[str, ...]) -> None:
        """Whose caches are on disk."""


class Tasks(Protocol):
    """The one thread that touches the library, and one beside it."""

    def run(
        self, job: Callable[[Library], T], done: Callable[[T], object], failed: Callable[[Exception], object]
    ) -> None:
        """Run `job` after all earlier ones; then call `done` or `failed` on the caller's thread."""

    def apart(self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]) -> None:
        """Run `work`, for which no job waits, after all work given like this before."""

    def exchange(
        self, work: Callable[[], T], done: Callable[[T], object], failed: Callable[[Exception], object]
    ) -> None:
        """Run `work` after all earlier jobs, while the library is closed; later jobs find it opened anew."""


class TabSink(Protocol):
    """The open tab of one conversation."""

    def add_message(self, view: MessageView) -> None: ...
    def append_delta(self, message: str, text: str, channel: Channel) -> None: ...
    def replace_message(self, view: MessageView) -> None: ...
    def remove_message(self, message: str) -> None: ...
    def show_branch(self, messages: tuple[MessageView, ...]) -> None: ...
    def show_earlier(self, messages: tuple[MessageView, ...], earlier: bool) -> None: ...  # noqa: FBT001 - the tab's slot
    def show_attachments(self, attachments: tuple[AttachmentView, ...]) -> None: ...
    def give_back(self, words: str) -> None: ...


class TabsSink(Protocol):
    """The open tabs."""

    def tab(self, conversation: str) -> TabSink | None:
        """The tab of a conversation, None if it is not open."""

    def set_title(self, conversation: str, title: str) -> None: ...
    def open(self, view: ChatView) -> None: ...
    def remove(self, conversation: str) -> None: ...


class ChatSink(Protocol):
    """Where the changes of conversations are shown."""

    @property
    def chats(self) -> TabsSink: ...
    def set_status(self, conversation: str, status: ChatStatus) -> None: ...
    def show_notice(self, notice: Notice) -> None: ...
    def clear_notice(self, key: str) -> None: ...


class ChatsSink(ChatSink, Protocol):
    """Where all conversations are shown: the list, and a tab for each that is open."""

    def show_conversations(self, rows: tuple[ConversationRow, ...]) -> None: ...
    def show_folders(self, folders: tuple[str, ...]) -> None: ...
    def show_deleted(self, rows: tuple[DeletedRow, ...]) -> None: ...


class EngineSink(Protocol):
    """Where the engine's own state is shown."""

    def set_engine(self, view: EngineView) -> None: ...
    def set_models(self, models: tuple[ModelView, ...], current: str) -> None: ...
    def set_capabilities(self, capabilities: ModelCapabilities) -> None: ...
    def set_memory(self, view: MemoryView) -> None: ...
    def show_notice(self, notice: Notice) -> None: ...
    def clear_notice(self, key: str) -> None: ...


class StorageSink(Protocol):
    """Where it is shown what Hearth takes on this disk."""

    def show_storage(self, view: StorageView) -> None: ...
    def show_notice(self, notice: Notice) -> None: ...
    def clear_notice(self, key: str) -> None: ...


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """How an answer ended, once that is on disk. `reason` None: the engine or the app went away before the end.

    `error` is empty or one sentence for people. `reasoning` and `calls` are what it said beside the answer.
    """

    conversation: str
    text: str
    reason: FinishReason | None
    usage: Usage
    error: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Ports:
    """What every session works with.

    `model` names the model for the record, `sampling` gives a preset's parameters, `cached` whether any chat may be
    kept warm now, `thinking` lets every chat reason, not only those where it is set. `private`: what is said lies in
    memory alone. `changed` is called when the conversation says something else on disk, `ended` for every answer that
    was begun, `stored` for every turn that was cached: empty, or why it could not be. `clock` in seconds.
    """

    tasks: Tasks
    engine: Engine
    sink: ChatSink
    model: Callable[[], str]
    sampling: Callable[[str], Sampling]
    changed: Callable[[], object] = lambda: None
    ended: Callable[[TurnEnd], object] = lambda _end: None
    stored: Callable[[str], object] = lambda _error: None
    cached: Callable[[], bool] = lambda: True
    thinking: bool = False
    private: bool = False
    clock: Callable[[], float] = time.monotonic
