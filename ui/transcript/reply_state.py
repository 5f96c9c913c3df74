"""The state of one reply: its channels (answer, reasoning, tool call), also while they stream. No Qt.

On the GUI thread, which must not wait: a long answer is parsed ahead on a thread of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Thread

from resources.language.text import tr
from ui.markdown.formulas import FORMULA_SIGNS
from ui.markdown.lines import REASONING, Line, lines
from ui.markdown.stream import MarkdownStream
from ui.markdown.thinking import Splitter, split
from ui.state.chat import Channel, MessageState, MessageView
from ui.theme.phrases import thought_line
from ui.transcript.message_lines import ReplyContent

IMAGE_SIGN = "!["
_FIRST_CODE = 1_000_000
"""The number of the first code block in the reasoning, so that no number occurs twice in a message."""
_HEAD = 100
_PATIENCE_S = 0.05
"""Most answers are parsed within this time, and shown at once. The window does not wait longer."""


class ReplyState:
    """One reply: the view that the app sent, and the deltas since then."""

    def __init__(self, view: MessageView, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answer: MarkdownStream | None = None
        self._reasoning: MarkdownStream | None = None
        self._raw: list[str] = []
        self._raw_reasoning: list[str] = []
        self._splitter = Splitter()
        self._tool_call = ""
        self._began: float | None = None
        self._measured_line = ""
        self._folded: bool | None = None
        self.update(view)

    def update(self, view: MessageView) -> None:
        """Take over the app's new view. The fold and the measured time stay."""
        self._view = view
        own = split(view.text)
        self._reasoning_text = f"{view.reasoning}{own.reasoning}"
        self._answer_text = own.answer
        self._parsing: Thread | None = None
        self._exact: tuple[str, tuple[Line, ...]] | None = None  # with the text, which may have changed meanwhile
        self._exact_reasoning: tuple[Line, ...] | None = None
        self._has_reasoning = bool(self._reasoning_text.strip())
        self._has_answer = bool(self._answer_text.strip() or view.tools)
        if view.state is not MessageState.OPEN:
            self._answer = self._reasoning = None
            self._tool_call = ""
            return
        raw, reasoning = "".join(self._raw), "".join(self._raw_reasoning)
        if self._answer is None or (raw, reasoning) != (view.text, view.reasoning):
            self._restart(view)

    def _restart(self, view: MessageView) -> None:
        self._raw, self._raw_reasoning = [view.text], [view.reasoning]
        self._splitter = Splitter()
        self._answer = MarkdownStream()
        self._reasoning = MarkdownStream(view.reasoning, _FIRST_CODE, REASONING)
        for part, text in self._splitter.feed(view.text):
            (self._answer if part == "answer" else self._reasoning).feed(text)

    @property
    def text(self) -> str:
        """The raw text of the answer so far, without reasoning that stands in it."""
        return self._answer_text if self._answer is None else self._answer.text

    @property
    def length(self) -> int:
        """How many characters may be shown. A call takes a head of its own."""
        reasoning = 0 if self.is_folded else len(self._reasoning_text)
        return len(self.text) + reasoning + sum(_HEAD + len(tool.arguments) for tool in self._view.tools)

    @property
    def may_have_formulas(self) -> bool:
        """Whether a sign that begins a formula or an image is in the answer or the reasoning."""
        reasoning = self._reasoning_text if self._reasoning is None else self._reasoning.text
        return any(sign in text for sign in (*FORMULA_SIGNS, IMAGE_SIGN) for text in (self.text, reasoning))

    def prepare(self) -> bool:
        """Parse ahead, so that `content` needs little time. Return whether that was left to do, or is in progress."""
        if self.is_open or self._parsed_answer() is not None:
            return False
        if self._parsing is not None:
            return self.is_parsing
        self._parsing = Thread(target=self._parse, args=(self._answer_text,), name="markdown", daemon=True)
        self._parsing.start()
        self._parsing.join(_PATIENCE_S)
        return True

    @property
    def is_parsing(self) -> bool:
        """Whether the text is parsed on a thread now."""
        return self._parsing is not None and self._parsing.is_alive()

    def _parse(self, text: str) -> tuple[Line, ...]:
        parsed = lines(text)
        self._exact = text, parsed
        return parsed

    def _parsed_answer(self) -> tuple[Line, ...] | None:
        exact = self._exact
        return exact[1] if exact is not None and exact[0] is self._answer_text else None

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
                self._raw_reasoning.append(text)
                self._reason(text)
            case "tool":
                self._tool_call += text
                self._begin_answer(text)
            case _:
                self._raw.append(text)
                for part, piece in self._splitter.feed(text):
                    if part == "reasoning":
                        self._reason(piece)
                    else:
                        self._answer.feed(piece)
                        self._begin_answer(piece)

    def _reason(self, text: str) -> None:
        assert self._reasoning is not None, "an open reply has both streams"
        self._reasoning.feed(text)
        self._has_reasoning = self._has_reasoning or bool(text.strip())
        self._began = self._began or self._clock()

    def _begin_answer(self, text: str) -> None:
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
            return tr("Thinking…")
        return self._view.thought or self._measured_line or tr("Thought")

    def _answer_lines(self) -> tuple[Line, ...]:
        if self._answer is not None:
            return self._answer.lines()
        parsed = self._parsed_answer()
        return self._parse(self._answer_text) if parsed is None else parsed

    def _reasoning_lines(self) -> tuple[Line, ...]:
        if self._reasoning is not None:
            return self._reasoning.lines()
        if self._exact_reasoning is None:
            self._exact_reasoning = lines(self._reasoning_text, _FIRST_CODE, REASONING)
        return self._exact_reasoning
