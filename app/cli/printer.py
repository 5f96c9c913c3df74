"""Prints the replies of a run without a window: as JSON objects, as text, or as text while it streams."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Self

import msgspec

from app.base.errors import words
from app.base.ports import TabSink
from app.base.terminal import FAILED, complain, write
from app.cli.asker import Reply
from engine.protocol.messages import ReplyChannel
from ui.intents.notice import Notice
from ui.state.chat import ChatStatus
from ui.store import Store

_FIGURES: Final = (
    *("prompt_tokens", "cached_tokens", "cached_from", "prefill_tokens", "completion_tokens"),
    *("restore_ms", "ttft_ms", "decode_tps", "miss_cause"),
)


def _result(reply: Reply) -> dict[str, object]:
    """The object for one question. Times are in milliseconds, the rate is in tokens a second. The finish reason is
    `interrupted` if the engine ended before the answer did.
    """
    end = reply.end
    return {
        "conversation": reply.question.conversation,
        "reply": end.text,
        "finish_reason": end.reason or "interrupted",
        **{name: getattr(end.usage, name) for name in _FIGURES},
        "reasoning": end.reasoning,
        "tool_calls": end.calls,
    }


class SilentTab:
    """Implements `app.base.ports.TabSink`, whose calls print nothing here."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_shown: None


class LiveTab(SilentTab):
    """Prints the words of the one answer as they come."""

    def append_delta(self, message: str, text: str, channel: ReplyChannel) -> None:
        """Print new words of the answer."""
        del message
        if channel == "answer":
            write(text)


class Printer:
    """Prints one JSON object a line for each reply. `status` is the exit status that the replies call for.

    Implements `app.base.ports.ChatSink`, whose calls print nothing here. All chats have the same `tab`.
    """

    def __init__(self, tab: TabSink | None = None) -> None:
        self.status = 0
        self.store = Store()
        self._tab = tab or SilentTab()

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

    def warn(self, text: str) -> None:
        """Say why answers are not kept warm on disk."""
        complain(text)

    def show(self, reply: Reply) -> None:
        """Print a reply."""
        write(msgspec.json.encode(_result(reply)).decode() + "\n")

    @property
    def chats(self) -> Self:
        """As a sink for the tabs, too."""
        return self

    def tab(self, _conversation: str) -> TabSink:
        """Whatever the conversation is."""
        return self._tab

    def set_title(self, conversation: str, title: str) -> None: ...  # noqa: D102
    def set_status(self, conversation: str, status: ChatStatus) -> None: ...  # noqa: D102
    def show_notice(self, notice: Notice) -> None: ...  # noqa: D102
    def clear_notice(self, key: str) -> None: ...  # noqa: D102


class TextPrinter(Printer):
    """Prints the text of each reply."""

    def show(self, reply: Reply) -> None:
        """Print the text, if there is any."""
        if reply.end.text:
            write(reply.end.text + "\n")


class LivePrinter(Printer):
    """Prints the words of the one answer as they come, for a person at a terminal."""

    def __init__(self) -> None:
        super().__init__(LiveTab())

    def show(self, reply: Reply) -> None:
        """Only end the line: the words are printed already."""
        if reply.end.text:
            write("\n")
