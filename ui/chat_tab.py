"""ChatTab: owns one open conversation on the screen, from transcript to strip; which one is shown is the window's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from ui.announcement import ENDINGS, announce
from ui.composer import Composer
from ui.greeting import Greeting
from ui.phrases import is_busy
from ui.state import MessageState
from ui.status_strip import StatusStrip
from ui.transcript import Transcript

if TYPE_CHECKING:
    from ui.state import ChatStatus, ChatView, EngineView, MessageView, ModelView
    from ui.theme import Theme

_SIDE_PX = 8


class ChatTab(QWidget):
    """Everything of one conversation, and nothing of another."""

    submitted = Signal(str)
    stop_requested = Signal()
    continue_requested = Signal(str)
    retry_requested = Signal(str)
    draft_changed = Signal(str)
    model_picked = Signal(str)
    preset_picked = Signal(str)

    def __init__(self, view: ChatView, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chat")
        self.transcript = Transcript(theme)
        self.greeting = Greeting(theme)
        self.composer = Composer(theme)
        self.strip = StatusStrip(theme)
        self._messages: dict[str, MessageView] = {}
        self._streamed: dict[str, list[str]] = {}
        self._busy = False
        self._lay_out()
        self._connect()
        self.composer.set_draft(view.draft)
        self.show_view(view)

    def _lay_out(self) -> None:
        self._stack = QStackedWidget()
        self._stack.addWidget(self.greeting)
        self._stack.addWidget(self.transcript)
        row = QHBoxLayout()
        row.setContentsMargins(_SIDE_PX, 0, _SIDE_PX, 0)
        row.addStretch(1)
        row.addWidget(self.composer, 1000)  # takes all up to its own limit; the stretches share the rest
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addLayout(row)
        column.addWidget(self.strip)

    def _connect(self) -> None:
        self.composer.submitted.connect(self.submitted)
        self.composer.stop_requested.connect(self.stop_requested)
        self.composer.draft_changed.connect(self.draft_changed)
        self.composer.model_picked.connect(self.model_picked)
        self.composer.preset_picked.connect(self.preset_picked)
        self.transcript.continue_requested.connect(self.continue_requested)
        self.transcript.retry_requested.connect(self.retry_requested)
        self.greeting.example_picked.connect(self._take_example)

    def show_view(self, view: ChatView) -> None:
        """Show the conversation as the app has it now. What is being written stays: it is newer than any draft."""
        self._messages = {message.id: message for message in view.messages}
        self._streamed = {}
        self.transcript.show_messages(view.messages)
        self.composer.set_preset(view.preset)
        self.set_status(view.status)
        self._show_stack()

    def add_message(self, view: MessageView) -> None:
        """Append a message."""
        self._messages[view.id] = view
        self.transcript.add_message(view)
        self._show_stack()

    def append_delta(self, message: str, text: str) -> None:
        """Append to an open message; text for one that is not here is not ours."""
        if message in self._messages:
            self._streamed.setdefault(message, []).append(text)
            self.transcript.append_delta(message, text)

    def replace_message(self, view: MessageView) -> None:
        """Take a message's new text and state. The end of an answer on the screen is said aloud."""
        if view.id in self._messages:
            ended = self._messages[view.id].state is MessageState.OPEN and view.state in ENDINGS
            self._streamed.pop(view.id, None)
            self._messages[view.id] = view
            self.transcript.replace_message(view)
            if ended and self.isVisible():
                announce(self, ENDINGS[view.state])

    def remove_message(self, message: str) -> None:
        """Take a message away."""
        if self._messages.pop(message, None) is not None:
            self._streamed.pop(message, None)
            self.transcript.remove_message(message)
            self._show_stack()

    def last_answer(self) -> MessageView | None:
        """The newest reply with all its text so far, None before the first."""
        for message in reversed(self._messages.values()):
            if message.role == "assistant":
                return replace(message, text=message.text + "".join(self._streamed.get(message.id, ())))
        return None

    def can_retry(self) -> bool:
        """Whether the newest message is a reply that has ended."""
        newest = next(reversed(self._messages.values()), None)
        ended = newest is not None and newest.role == "assistant" and newest.state is not MessageState.OPEN
        return ended and not self._busy

    def is_busy(self) -> bool:
        """Whether an answer is on its way."""
        return self._busy

    def set_status(self, status: ChatStatus) -> None:
        """Let button and strip follow."""
        self._busy = is_busy(status)
        self.composer.set_busy(self._busy)
        self.strip.set_status(status)

    def set_engine(self, view: EngineView) -> None:
        """Let the strip follow."""
        self.strip.set_engine(view)

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Let the picker follow."""
        self.composer.set_models(models, current)

    def set_draft(self, text: str) -> None:
        """Replace what is being written."""
        self.composer.set_draft(text)

    def flush_draft(self) -> None:
        """Announce the draft now."""
        self.composer.flush_draft()

    def focus(self) -> None:
        """Put the cursor where one writes."""
        self.composer.edit.setFocus()

    def set_theme(self, theme: Theme) -> None:
        """Repaint in `theme`."""
        for part in (self.transcript, self.greeting, self.composer, self.strip):
            part.set_theme(theme)

    def _show_stack(self) -> None:
        self._stack.setCurrentWidget(self.transcript if self._messages else self.greeting)

    def _take_example(self, text: str) -> None:
        self.composer.edit.setPlainText(text)
        self.composer.edit.moveCursor(self.composer.edit.textCursor().MoveOperation.End)
        self.focus()
