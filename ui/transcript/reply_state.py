"""The state of one reply: its channels (answer, reasoning, tool call), also while they stream. No Qt."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ui.markdown.lines import REASONING, lines
from ui.markdown.stream import MarkdownStream
from ui.state.chat import MessageState
from ui.theme.phrases import thought_line
from ui.transcript.message_lines import ReplyContent

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.markdown.lines import Line
    from ui.state.chat import Channel, MessageView

_FIRST_CODE = 1_000_000
"""The number of the first code block in the reasoning, so that no number occurs twice in a message."""


class ReplyState:
    """One reply: the view that the app sent, and the deltas since then."""

    def __init__(self, view: MessageView, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answer: MarkdownStream | None = None
        self._reasoning: MarkdownStream | None = None
        self._tool_call = ""
        self._began: float | None = None
        self._measured_line = ""
        self._folded: bool | None = None
        self.update(view)

    def update(self, view: MessageView) -> None:
        """Take over the app's new view. The fold and the measured time stay."""
        self._view = view
        self._exact: tuple[Line, ...] | None = None
        self._exact_reasoning: tuple[Line, ...] | None = None
        self._has_reasoning = bool(view.reasoning.strip())
        self._has_answer = bool(view.text.strip() or view.tools)
        if view.state is not MessageState.OPEN:
            self._answer = self._reasoning = None
            self._tool_call = ""
            return
        if self._answer is None or self._answer.text != view.text:
            self._answer = MarkdownStream(view.text)
        if self._reasoning is None or self._reasoning.text != view.reasoning:
            self._reasoning = MarkdownStream(view.reasoning, _FIRST_CODE, REASONING)

    @property
    def text(self) -> str:
        """The raw text of the answer so far."""
        return self._view.text if self._answer is None else self._answer.text

    @property
    def is_open(self) -> bool:
        """Whether more text may arrive."""
        return self._answer is not None

    @property
    def is_folded(self) -> bool:
        """Whether the reasoning is folded. The user's choice wins; otherwise it folds when the answer begins."""
        return self._has_answer if self._folded is None else self._folded

    def fold(self, folded: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Fold or unfold the reasoning from now on."""
        self._folded = folded

    def feed(self, text: str, channel: Channel) -> None:
        """Append a delta to an open reply. A delta for a reply that has ended is dropped."""
        if self._answer is None or self._reasoning is None:
            return
        match channel:
            case "reasoning":
                self._reasoning.feed(text)
                self._has_reasoning = self._has_reasoning or bool(text.strip())
                self._began = self._began or self._clock()
                return
            case "tool":
                self._tool_call += text
            case _:
                self._answer.feed(text)
        if not self._has_answer and text.strip():
            self._has_answer = True
            self._measured_line = "" if self._began is None else thought_line(self._clock() - self._began)

    def content(self) -> ReplyContent:
        """The content to show. Folded reasoning is not parsed."""
        hidden = self.is_folded or not self._has_reasoning
        return ReplyContent(
            self._answer_lines(), self._thought(), None if hidden else self._reasoning_lines(), self._tool_call
        )

    def _thought(self) -> str:
        if not self._has_reasoning:
            return ""
        if self._answer is not None and not self._has_answer:
            return "Thinking…"
        return self._view.thought or self._measured_line or "Thought"

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
            self._exact_reasoning = lines(self._view.reasoning, _FIRST_CODE, REASONING)
        return self._exact_reasoning
