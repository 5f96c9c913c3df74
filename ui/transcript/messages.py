"""The messages of one conversation as the window knows them, on the page or not. No Qt.

`ShownMessages` turns each message into lines, and records which messages changed since the transcript last wrote them.
A `ShownMessage` has the channels of a reply (answer, reasoning, tool call), also while they stream. On the GUI thread,
which must not wait: a long answer is parsed ahead on a thread of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from threading import Thread
from time import monotonic
from typing import Literal

from resources.language.text import tr
from ui.markdown.formulas import FORMULA_SIGNS
from ui.markdown.grammar import clean
from ui.markdown.lines import REASONING, Line, LineKind, lines
from ui.markdown.stream import MarkdownStream
from ui.markdown.thinking import SplitReply, Splitter, split
from ui.state.chat import LONGEST_REASONING, Channel, MessageState, MessageView
from ui.theme.phrases import thought_line
from ui.transcript.anchors import WHOLE_MESSAGE
from ui.transcript.message_lines import MessageLines, ReplyContent
from ui.transcript.question_lines import is_long, question_text, unshown

IMAGE_SIGN = "!["
_FIRST_CODE = 1_000_000
"""The number of the first code block in the reasoning, so that no number occurs twice in a message."""
_HEAD = 100
_PATIENCE_S = 0.05
"""Most answers are parsed within this time, and shown at once. The window does not wait longer."""


class ShownMessage:
    """One message: the view that the app sent, and the deltas of a reply since then. While it is open, the text of the
    view may be older than `text`.
    """

    def __init__(self, view: MessageView) -> None:
        self._is_reply = view.role == "assistant"
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
        self.view = view
        own = split(view.text) if self._is_reply else SplitReply("", view.text)
        self._reasoning_text = f"{view.reasoning}{own.reasoning}"
        self._answer_text = own.answer
        self._parsing: Thread | None = None
        self._exact: tuple[str, tuple[Line, ...]] | None = None  # with the text, which may have changed meanwhile
        self._exact_reasoning: tuple[Line, ...] | None = None
        self._has_reasoning = bool(self._reasoning_text.strip())
        self._has_answer = bool(self._answer_text.strip() or view.tools)
        if view.state is not MessageState.OPEN or not self._is_reply:
            self._answer = self._reasoning = None
            self._tool_call = ""
            return
        raw, reasoning = "".join(self._raw), "".join(self._raw_reasoning)
        if self._answer is not None and (raw, reasoning) == (view.text, view.reasoning):
            return
        self._raw, self._raw_reasoning = [view.text], [view.reasoning]
        self._splitter = Splitter()
        self._answer = MarkdownStream()
        self._reasoning = MarkdownStream(view.reasoning, _FIRST_CODE, REASONING)
        for part, text in self._splitter.feed(view.text):
            (self._answer if part == "answer" else self._reasoning).feed(text)

    @property
    def text(self) -> str:
        """The raw text so far, without reasoning that stands in it."""
        return self._answer_text if self._answer is None else self._answer.text

    @property
    def length(self) -> int:
        """How many characters may be shown. A call takes a head of its own."""
        reasoning = 0 if self.is_folded else len(self._reasoning_text)
        return len(self.text) + reasoning + sum(_HEAD + len(tool.arguments) for tool in self.view.tools)

    @property
    def may_have_formulas(self) -> bool:
        """Whether a sign that begins a formula or an image is in the message. Most have none, and this is quick."""
        reasoning = self._reasoning_text if self._reasoning is None else self._reasoning.text
        return any(sign in text for sign in (*FORMULA_SIGNS, IMAGE_SIGN) for text in (self.text, reasoning))

    def prepare(self) -> bool:
        """Parse ahead, so that `content` needs little time. Return whether that was left to do, or is in progress."""
        if self.is_open or not self._is_reply or self._parsed_answer() is not None:
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
        """Whether the reasoning or a long question is folded, or would be if there were any. The user's choice wins;
        otherwise reasoning folds when the answer begins.
        """
        return self._has_answer if self._folded is None else self._folded

    @property
    def is_shortened(self) -> bool:
        """Whether this is a question of which only the beginning is shown."""
        return not self._is_reply and self.is_folded and is_long(question_text(self.view.text))

    def fold(self, folded: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Fold or unfold the reasoning or a long question from now on."""
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
        self._began = self._began or monotonic()

    def _begin_answer(self, text: str) -> None:
        if not self._has_answer and text.strip():
            self._has_answer = True
            self._measured_line = "" if self._began is None else thought_line(monotonic() - self._began)

    def content(self) -> ReplyContent:
        """The content of a reply to show. Folded reasoning is not parsed."""
        if not self._is_reply:
            return ReplyContent()
        hidden = self.is_folded or not self._has_reasoning
        parsed = self._parsed_answer() if self._answer is None else self._answer.lines()
        answer = self._parse(self._answer_text) if parsed is None else parsed
        return ReplyContent(answer, self._thought(), None if hidden else self._reasoning_lines(), self._tool_call)

    def _thought(self) -> str:
        if not self._has_reasoning:
            return ""
        if self._answer is not None and not self._has_answer:
            return tr("Thinking…")
        return self.view.thought or self._measured_line or tr("Thought")

    def _reasoning_lines(self) -> tuple[Line, ...]:
        if self._reasoning is not None:
            return self._reasoning.lines()
        if self._exact_reasoning is None:
            shown, rest = self._reasoning_text[:LONGEST_REASONING], self._reasoning_text[LONGEST_REASONING:]
            more = (Line(LineKind.TEXT, (unshown(clean(rest)),), nest=REASONING),) if rest else ()
            self._exact_reasoning = (*lines(shown, _FIRST_CODE, REASONING), *more)
        return self._exact_reasoning


class ShownMessages:
    """An ordered list of messages, found by id. `changed` holds the ids of the messages to write again.

    `writers` are the models of all replies that were here, also on other branches and in `before`, the messages that
    these replace. If there are several, each reply names its model.
    """

    def __init__(self, views: Iterable[MessageView] = (), before: ShownMessages | None = None) -> None:
        self._messages = [ShownMessage(view) for view in views]
        self.writers: set[str] = set() if before is None else set(before.writers)
        self.writers |= {message.view.writer for message in self._messages} - {""}
        self._copied = "", WHOLE_MESSAGE
        self._edited = ""
        self.changed: set[str] = set()

    def __len__(self) -> int:
        return len(self._messages)

    def __getitem__(self, index: int) -> ShownMessage:
        return self._messages[index]

    def index(self, message: str) -> int | None:
        """The index of a message, or None if it is not in the list. The search starts at the newest."""
        found = (at for at in reversed(range(len(self._messages))) if self._messages[at].view.id == message)
        return next(found, None)

    def find(self, message: str) -> MessageView | None:
        """The view that the app last sent for a message, or None if the message is not in the list."""
        index = self.index(message)
        return None if index is None else self._messages[index].view

    def newest(self) -> MessageView | None:
        """The last message, or None in an empty conversation."""
        return next(self._from_newest(), None)

    def newest_of(self, role: Literal["user", "assistant"]) -> MessageView | None:
        """The last message of the user or of the model, or None."""
        return next((view for view in self._from_newest() if view.role == role), None)

    def newest_with_alternatives(self) -> MessageView | None:
        """The last answer if it has alternatives, else its question if that has, or None. Another version of an earlier
        message would take away the turns behind it.
        """
        return next((view for view in islice(self._from_newest(), 2) if view.places > 1), None)

    def _from_newest(self) -> Iterator[MessageView]:
        return (message.view for message in reversed(self._messages))

    def text_of(self, message: str) -> str:
        """The raw text so far of a message, which must be in the list."""
        index = self.index(message)
        assert index is not None, "only a message that is here has a text"
        return self._messages[index].text

    def lines(self, index: int) -> tuple[Line, ...]:
        """The lines to show for the message at `index`."""
        message = self._messages[index]
        identifier, (copied, number) = message.view.id, self._copied
        is_above_out = index > 0 and self._messages[index - 1].view.out_of_context
        return MessageLines(
            message.view,
            index == len(self._messages) - 1,
            number if identifier == copied else None,
            identifier == self._edited,
            context_start=is_above_out and not message.view.out_of_context,
            folded=message.is_folded,
            signed=len(self.writers) > 1,
        ).lines(message.content())

    def add(self, view: MessageView) -> None:
        """Append a message. The message before it changes too, as it is no longer the newest."""
        self._mark_changed(len(self._messages) - 1)
        self._messages.append(ShownMessage(view))
        self.changed.add(view.id)
        self._note_writers((view,))

    def prepend(self, views: tuple[MessageView, ...]) -> int:
        """Insert messages before all others, except those that are in the list already. Return how many are new."""
        here = {message.view.id for message in self._messages}
        new = [ShownMessage(view) for view in views if view.id not in here]
        if new:
            self._mark_changed(0)
        self._messages[:0] = new
        self._note_writers(views)
        return len(new)

    def append(self, message: str, text: str, channel: Channel = "answer") -> None:
        """Append text to an open message. Text for any other message is late and is dropped."""
        index = self.index(message)
        if index is not None and self._messages[index].is_open:
            self._messages[index].feed(text, channel)
            self.changed.add(message)

    def replace(self, view: MessageView) -> None:
        """Take over the new state of a message. Unknown messages are ignored."""
        index = self.index(view.id)
        if index is None:
            return
        if self._messages[index].view.out_of_context != view.out_of_context:
            self._mark_changed(index + 1)
        self._messages[index].update(view)
        self.changed.add(view.id)
        self._note_writers((view,))

    def common_prefix(self, views: tuple[MessageView, ...]) -> int:
        """How many messages at the beginning have the same ids as `views`."""
        pairs = enumerate(zip(self._messages, views, strict=False))
        return next((at for at, (old, new) in pairs if old.view.id != new.id), min(len(self._messages), len(views)))

    def switch_branch(self, kept: int, views: tuple[MessageView, ...]) -> None:
        """Replace the messages by `views`. The first `kept` of them are in the list already."""
        self._mark_changed(kept - 1)
        self._mark_changed(len(self._messages) - 1)
        del self._messages[kept:]
        for message, view in zip(self._messages, views, strict=False):
            if message.view != view:
                self.replace(view)
        for view in views[kept:]:
            self.add(view)

    def fold(self, message: str, folded: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Fold or unfold the reasoning of a reply, or a long question."""
        index = self.index(message)
        if index is not None:
            self._messages[index].fold(folded)
            self.changed.add(message)

    def mark_copied(self, message: str, number: int = WHOLE_MESSAGE) -> None:
        """Mark a code block or a whole message as just copied; "" marks none."""
        self.changed |= {message, self._copied[0]} - {""}
        self._copied = message, number

    def mark_edited(self, message: str) -> None:
        """Mark the message that the user is editing; "" marks none."""
        self.changed |= {message, self._edited} - {""}
        self._edited = message

    def _note_writers(self, views: Iterable[MessageView]) -> None:
        """If these are the first replies of another model, all replies change."""
        before = len(self.writers)
        self.writers |= {view.writer for view in views} - {""}
        if before <= 1 < len(self.writers):
            self.changed |= {message.view.id for message in self._messages if message.view.writer}

    def _mark_changed(self, index: int) -> None:
        if 0 <= index < len(self._messages):
            self.changed.add(self._messages[index].view.id)
