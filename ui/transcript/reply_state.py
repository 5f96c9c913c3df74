"""What one reply says, channel by channel, also while it streams.

Owns its texts, whether its reasoning is folded, and how long it thought; the messages around it are
`transcript_messages`'s, the order of its lines is `transcript_rows`'s. No Qt.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ui.markdown.lines import THOUGHT, lines
from ui.markdown.stream import MarkdownStream
from ui.state import MessageState
from ui.theme.phrases import thought_line
from ui.transcript.message_lines import ReplyContent

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.markdown.lines import Line
    from ui.state import Channel, MessageView

_FIRST_CODE = 1_000_000
"""Code blocks of the reasoning are counted from here, so that no number stands twice in a message."""


class ReplyState:
    """One reply, as its view says and as it goes on from there."""

    def __init__(self, view: MessageView, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answer: MarkdownStream | None = None
        self._reasoning: MarkdownStream | None = None
        self._call = ""
        self._began: float | None = None
        self._measured = ""
        self._folded: bool | None = None
        self.take(view)

    def take(self, view: MessageView) -> None:
        """Be as the app has it now. What only the window knows stays: a fold, the time that passed."""
        self._view = view
        self._exact: tuple[Line, ...] | None = None
        self._exact_reasoning: tuple[Line, ...] | None = None
        self._has_reasoning = bool(view.reasoning.strip())
        self._has_answer = bool(view.text.strip() or view.tools)
        if view.state is not MessageState.OPEN:
            self._answer = self._reasoning = None
            self._call = ""
            return
        if self._answer is None or self._answer.text != view.text:
            self._answer = MarkdownStream(view.text)
        if self._reasoning is None or self._reasoning.text != view.reasoning:
            self._reasoning = MarkdownStream(view.reasoning, _FIRST_CODE, THOUGHT)

    @property
    def text(self) -> str:
        """The answer as it was written, so far."""
        return self._view.text if self._answer is None else self._answer.text

    @property
    def is_open(self) -> bool:
        """Whether more may come."""
        return self._answer is not None

    @property
    def is_folded(self) -> bool:
        """Whether the reasoning is put away: as the user wants it, else once there is an answer."""
        return self._has_answer if self._folded is None else self._folded

    def fold(self, folded: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Put the reasoning away or keep it open, whatever comes."""
        self._folded = folded

    def feed(self, text: str, channel: Channel) -> None:
        """More text of an open reply; for one that has ended it comes too late."""
        if self._answer is None or self._reasoning is None:
            return
        match channel:
            case "reasoning":
                self._reasoning.feed(text)
                self._has_reasoning = self._has_reasoning or bool(text.strip())
                self._began = self._began or self._clock()
                return
            case "tool":
                self._call += text
            case _:
                self._answer.feed(text)
        if not self._has_answer and text.strip():
            self._has_answer = True
            self._measured = "" if self._began is None else thought_line(self._clock() - self._began)

    def said(self) -> ReplyContent:
        """What is to be shown; the reasoning is not even read while it is folded."""
        hidden = self.is_folded or not self._has_reasoning
        return ReplyContent(
            self._answer_lines(), self._thought(), None if hidden else self._reasoning_lines(), self._call
        )

    def _thought(self) -> str:
        if not self._has_reasoning:
            return ""
        if self._answer is not None and not self._has_answer:
            return "Thinking…"
        return self._view.thought or self._measured or "Thought"

    def _answer_lines(self) -> tuple[Line, ...]:
        if self._answer is not None:
            return self._answer.lines()
        if self._exact is None:
            self._exact = lines(self._view.text)
        return self._exact

    def _reasoning_lines(self) -> tuple[Line, ...]:
        if self._reasoning is not None:
            return self._reasoning.lines()
        if self._exact_reasoning is None:
            self._exact_reasoning = lines(self._view.reasoning, _FIRST_CODE, THOUGHT)
        return self._exact_reasoning
