# ruff: noqa: D102 - a sink's calls are the window's slots; the class says that they show nothing here
"""Prints the replies of a run without a window: as JSON objects, as text, or as text while it streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import msgspec

from app.base.errors import words
from app.base.terminal import FAILED, complain, write
from engine.protocol.messages import FinishReason, Source, ToolCall
from ui.store import Store

if TYPE_CHECKING:
    from app.cli.asker import Reply
    from engine.protocol.messages import ReplyChannel
    from ui.intents.notice import Notice
    from ui.state.chat import AttachmentView, ChatStatus, ChatView, FileView, MessageView, QueueView


class Result(msgspec.Struct, frozen=True):
    """The object for one question. Times are in milliseconds, the rate is in tokens a second."""

    conversation: str
    reply: str
    finish_reason: FinishReason | str
    prompt_tokens: int
    cached_tokens: int
    cached_from: Source
    prefill_tokens: int
    completion_tokens: int
    restore_ms: float
    ttft_ms: float
    decode_tps: float
    miss_cause: str
    reasoning: str
    tool_calls: tuple[ToolCall, ...]

    @classmethod
    def of(cls, reply: Reply) -> Result:
        """The finish reason is `interrupted` if the engine ended before the answer did."""
        usage = reply.end.usage
        return cls(
            conversation=reply.question.conversation,
            reply=reply.end.text,
            finish_reason=reply.end.reason or "interrupted",
            prompt_tokens=usage.prompt_tokens,
            cached_tokens=usage.cached_tokens,
            cached_from=usage.cached_from,
            prefill_tokens=usage.prefill_tokens,
            completion_tokens=usage.completion_tokens,
            restore_ms=usage.restore_ms,
            ttft_ms=usage.ttft_ms,
            decode_tps=usage.decode_tps,
            miss_cause=usage.miss_cause,
            reasoning=reply.end.reasoning,
            tool_calls=reply.end.calls,
        )


class Printer:
    """Prints one JSON object a line for each reply. `status` is the exit status that the replies call for.

    Implements `app.base.ports.ChatSink`, whose calls print nothing here.
    """

    def __init__(self) -> None:
        self.status = 0
        self.store = Store()

    def replied(self, reply: Reply) -> None:
        """Print a reply, and its error on stderr."""
        self.show(reply)
        if reply.end.error:
            self.status = FAILED
            complain(reply.end.error)

    def failed(self, error: Exception) -> None:
        """Print an error that belongs to no reply."""
        self.status = FAILED
        complain(words(error))

    def show(self, reply: Reply) -> None:
        """Print a reply."""
        write(msgspec.json.encode(Result.of(reply)).decode() + "\n")

    @property
    def chats(self) -> Self:
        return self

    def tab(self, conversation: str) -> Self:
        """Whatever the conversation is."""
        del conversation
        return self

    def open(self, view: ChatView) -> None: ...
    def bring_to_front(self, conversation: str) -> None: ...
    def remove(self, conversation: str) -> None: ...
    def set_title(self, conversation: str, title: str) -> None: ...
    def add_message(self, view: MessageView) -> None: ...
    def append_delta(self, message: str, text: str, channel: ReplyChannel) -> None: ...
    def replace_message(self, view: MessageView) -> None: ...
    def show_branch(self, messages: tuple[MessageView, ...]) -> None: ...
    def show_earlier(self, messages: tuple[MessageView, ...], earlier: bool) -> None: ...  # noqa: FBT001 - the tab's slot
    def show_found(self, terms: tuple[str, ...], counts: tuple[tuple[str, int], ...]) -> None: ...
    def find_at(self, message: str, terms: tuple[str, ...]) -> None: ...
    def show_attachments(self, attachments: tuple[AttachmentView, ...]) -> None: ...
    def show_file(self, file: FileView) -> None: ...
    def show_queue(self, queue: QueueView) -> None: ...
    def show_model(self, model: str, name: str) -> None: ...
    def show_warm_models(self, identities: frozenset[str]) -> None: ...
    def give_back(self, words: str) -> None: ...
    def set_status(self, conversation: str, status: ChatStatus) -> None: ...
    def show_notice(self, notice: Notice) -> None: ...
    def clear_notice(self, key: str) -> None: ...


class TextPrinter(Printer):
    """Prints the text of each reply."""

    def show(self, reply: Reply) -> None:
        """Print the text, if there is any."""
        if reply.end.text:
            write(reply.end.text + "\n")


class LivePrinter(Printer):
    """Prints the words of the one answer as they come, for a person at a terminal."""

    def append_delta(self, message: str, text: str, channel: ReplyChannel) -> None:
        """Print new words of the answer."""
        del message
        if channel == "answer":
            write(text)

    def show(self, reply: Reply) -> None:
        """Only end the line: the words are printed already."""
        if reply.end.text:
            write("\n")
