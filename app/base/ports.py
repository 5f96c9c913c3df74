# ruff: noqa: D102 - a sink's calls are the window's slots; its class says what they are about
"""The app's interfaces: what the use cases need from the engine, the library's thread and the window. The state of the
model that the engine shall have is one value, which callers match on.

No Qt. The engine's connection, the library's thread and the window implement these, and so do the fakes in the tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from app.base.settings import ModelSettings
from engine.protocol.group import GroupEnded
from engine.protocol.messages import Command, Event, FinishReason, ModelLoaded, ReplyChannel, ToolCall, Usage
from engine.protocol.sampling_settings import Sampling
from storage.library.library import Library
from storage.library.rows import Conversation
from ui.intents.notice import Notice
from ui.state.chat import AttachmentView, ChatStatus, ChatView, FileView, MessageView, QueueView
from ui.state.library import OpenTabs
from ui.state.preferences import Preferences
from ui.store import Store

T = TypeVar("T")
Done = Callable[[T], object]
Failed = Callable[[Exception], object]


@dataclass(frozen=True, slots=True)
class ModelAwaited:
    """No engine is there that could load the model. The next one loads it."""


@dataclass(frozen=True, slots=True)
class ModelLoading:
    """The engine has not answered `pending` loads yet. The last of them is that of the model. `is_cancelling`: the user
    has cancelled it.
    """

    pending: int
    is_cancelling: bool = False


@dataclass(frozen=True, slots=True)
class ModelReady:
    """The model is loaded, so a request would be served now."""

    loaded: ModelLoaded


@dataclass(frozen=True, slots=True)
class ModelResting:
    """The model is not in memory. The next request wakes it."""


@dataclass(frozen=True, slots=True)
class ModelRefused:
    """No model will be loaded, for the reason in the notice, before the user picks one or restarts the engine."""

    notice: Notice


ModelState = ModelAwaited | ModelLoading | ModelReady | ModelResting | ModelRefused


class Engine(Protocol):
    """The engine as a conversation sees it."""

    @property
    def ready(self) -> bool:
        """Whether a model is loaded, so that a request would be served now."""

    @property
    def context_limit(self) -> int:
        """Tokens that the loaded model can read; 0 if unknown."""

    def wake(self) -> ModelState:
        """A request waits: load a model that was unloaded, or tell the user again why none will be loaded. Returns the
        state of the model after that.
        """

    def send(self, command: Command) -> None:
        """Send a command to the engine. Never blocks; the answer comes as events."""


class EngineListener(Protocol):
    """Receives the events of the engine's process, and the news of its end."""

    def engine_event(self, event: Event) -> None:
        """The engine sent an event. Pongs are not passed on."""

    def engine_lost(self) -> None:
        """The process crashed and is being started again."""

    def engine_replaced(self) -> None:
        """The app ended the process, because its load is no longer wanted, or because the wanted model runs on other
        machines. Another one is starting.
        """

    def group_ended(self, end: GroupEnded, *, again: bool) -> None:
        """The process ended because of another machine of its group. `again`: the group is being started again.
        Otherwise an engine of this machine alone is.
        """

    def engine_failed(self, reason: str) -> None:
        """The process ended and is not restarted. `reason` is a sentence for people."""


class Tasks(Protocol):
    """The library's thread, and those for other files beside it."""

    def run(self, job: Callable[[Library], T], done: Done[T], failed: Failed) -> None:
        """Run `job` after all earlier ones; then call `done` or `failed` on the caller's thread."""

    def apart(self, work: Callable[[], T], done: Done[T], failed: Failed) -> None:
        """Run `work` on the file thread, after all earlier work given to it. No job waits for it."""

    def read(self, work: Callable[[], T], done: Done[T], failed: Failed) -> None:
        """Run `work`, which reads a file that the user gives, after all earlier readings. Nothing else waits for it."""

    def read_chats(self, work: Callable[[], T], done: Done[T], failed: Failed) -> None:
        """Run `work`, which reads a file of chats. Not even the end of the app waits for it: its result is dropped."""

    def exchange(self, work: Callable[[], T], done: Done[T], failed: Failed) -> None:
        """Run `work` after all earlier jobs, while the library is closed. The next job opens it again."""


class Runner(Protocol):
    """A thread beside the window's that does one piece of work after another."""

    def run(self, work: Callable[[], T], done: Done[T], failed: Failed) -> object:
        """Queue `work`; then call `done` or `failed` on the caller's thread."""

    def close(self, seconds: float = 0.0) -> None:
        """Drop the queued work and all results. Wait for the current work for `seconds` at most."""


class TabSink(Protocol):
    """The open tab of one conversation."""

    def add_message(self, view: MessageView) -> None: ...
    def append_delta(self, message: str, text: str, channel: ReplyChannel) -> None: ...
    def replace_message(self, view: MessageView) -> None: ...
    def show_branch(self, messages: tuple[MessageView, ...]) -> None: ...
    def show_earlier(self, messages: tuple[MessageView, ...], earlier: bool) -> None: ...  # noqa: FBT001 - the tab's slot
    def show_found(self, terms: tuple[str, ...], counts: tuple[tuple[str, int], ...]) -> None: ...
    def find_at(self, message: str, terms: tuple[str, ...]) -> None: ...
    def show_attachments(self, attachments: tuple[AttachmentView, ...]) -> None: ...
    def show_file(self, file: FileView) -> None: ...
    def show_warm_models(self, identities: frozenset[str]) -> None: ...
    def show_queue(self, queue: QueueView) -> None: ...
    def show_model(self, model: str, name: str) -> None: ...
    def give_back(self, words: str) -> None: ...


class TabsSink(Protocol):
    """The tabs as a chat sees them."""

    def tab(self, conversation: str) -> TabSink | None:
        """The tab of a conversation, None if it is not open."""

    def set_title(self, conversation: str, title: str) -> None: ...


class OpenTabsSink(TabsSink, Protocol):
    """The open tabs."""

    def open(self, view: ChatView) -> None: ...
    def bring_to_front(self, conversation: str) -> None: ...
    def remove(self, conversation: str) -> None: ...

    def arranged(self) -> OpenTabs:
        """The tabs as the user has arranged them."""


class NoticeSink(Protocol):
    """Shows notices."""

    def show_notice(self, notice: Notice) -> None:
        """Show a notice. It replaces one with the same key."""

    def clear_notice(self, key: str) -> None:
        """Remove a notice."""


class ViewSink(NoticeSink, Protocol):
    """Shows the views of the store, and notices."""

    @property
    def store(self) -> Store:
        """What is shown."""


class ChatSink(ViewSink, Protocol):
    """Shows conversations, and the views of the store: a window, or a command without one."""

    @property
    def chats(self) -> TabsSink: ...
    def set_status(self, conversation: str, status: ChatStatus) -> None: ...


class ChatsSink(ChatSink, Protocol):
    """Shows all conversations: the list, and a tab for each open one."""

    @property
    def chats(self) -> OpenTabsSink: ...
    def show_draft(self, conversation: str, words: str) -> None: ...
    def copy_text(self, text: str) -> None: ...
    def notify(self, conversation: str, title: str, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """How an answer ended, once it is on disk. `reason` is None if the engine or the app went away before the end.

    `error` is empty or one sentence for people. `reasoning` and `calls` are the model's reasoning and its tool calls.
    `question` is the id of the message that was answered.
    """

    conversation: str
    text: str
    reason: FinishReason | None
    usage: Usage
    error: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    question: str = ""


@dataclass(frozen=True, slots=True)
class Ports:
    """The dependencies of every session.

    - `model` names the model for the record, and `sampling` returns how that model samples the answers of a chat.
    - `unknown` names the values of it that are not known yet, because the model was never loaded.
    - `model_settings` returns the user's settings of that model.
    - `cached`: chats are kept warm. `on_disk` returns whether they may be kept so on disk now, or in memory only.
    - `reading_rate` returns how many tokens that model reads per second; 0 if that was not measured.
    - `preferences` returns the user's preferences.
    - `serves` returns whether that model is the one that answers a chat, so that it may prefill the chat ahead.
    - `thinking` lets every chat reason, not only those with the setting.
    - `private`: the chats are kept in memory only.
    - `changed` is called if the list of chats may look different.
    - `begun` is called with the conversation before a turn is saved.
    - `ended` is called for every answer that was begun.
    - `stored` is called for every turn that was to be kept on disk, with an empty string or why it could not be.
    - `cleared` is called with a conversation of which nothing is kept any more, or with "" if that is so of all.
    - `clock` returns seconds.
    """

    tasks: Tasks
    engine: Engine
    sink: ChatSink
    model: Callable[[], str]
    sampling: Callable[[Conversation], Sampling]
    unknown: Callable[[Conversation], frozenset[str]] = lambda _chat: frozenset()
    model_settings: Callable[[], ModelSettings] = ModelSettings
    changed: Callable[[], object] = lambda: None
    begun: Callable[[str], object] = lambda _: None
    ended: Callable[[TurnEnd], object] = lambda _end: None
    stored: Callable[[str], object] = lambda _error: None
    cleared: Callable[[str], object] = lambda _: None
    cached: bool = True
    on_disk: Callable[[], bool] = lambda: True
    preferences: Callable[[], Preferences] = Preferences
    reading_rate: Callable[[], float] = lambda: 0.0
    serves: Callable[[str], bool] = lambda _chat: True
    thinking: bool = False
    private: bool = False
    clock: Callable[[], float] = time.monotonic
