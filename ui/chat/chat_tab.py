"""ChatTab: owns one open conversation on the screen, from transcript to strip; which one is shown is the window's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QToolTip, QVBoxLayout, QWidget

from ui.chat.greeting import Greeting
from ui.chat.status_strip import StatusStrip
from ui.composer.composer import Composer
from ui.composer.prompt_edit import local_files
from ui.state import ChatPhase, MessageState
from ui.transcript.transcript import Transcript
from ui.widgets.announcement import ENDINGS, announce

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent

    from ui.state import (
        AttachmentView,
        Channel,
        ChatStatus,
        ChatView,
        EngineView,
        MessageView,
        ModelCapabilities,
        ModelView,
    )
    from ui.theme.theme import Theme
    from ui.transcript.messages import Messages

_SIDE_PX = 8


class ChatTab(QWidget):
    """Everything of one conversation, and nothing of another."""

    submitted = Signal(str)
    stop_requested = Signal()
    continue_requested = Signal(str)
    retry_requested = Signal(str)
    alternatives_requested = Signal(str, int)
    edit_requested = Signal(str, str)
    fork_requested = Signal(str)
    step_requested = Signal(str, int)
    pause_requested = Signal()
    resume_requested = Signal()
    draft_changed = Signal(str)
    attach_requested = Signal(str)
    detach_requested = Signal(str)
    earlier_requested = Signal(str)
    thinking_changed = Signal(bool)
    model_picked = Signal(str)
    kv_bits_picked = Signal(int)
    preset_picked = Signal(str)

    def __init__(self, view: ChatView, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("chat")
        self.transcript = Transcript(theme)
        self.greeting = Greeting(theme)
        self.composer = Composer(theme)
        self.strip = StatusStrip(theme)
        self._phase = ChatPhase.IDLE
        self._edited = ""
        self._has_sent_edit = False
        self._unsent: dict[str, str] = {}
        self.setAcceptDrops(True)
        self.transcript.setAcceptDrops(False)
        self._lay_out()
        self._connect()
        self.composer.set_draft(view.draft)
        self.show_view(view)

    def _lay_out(self) -> None:
        self._stack = _Giving()
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
        composer, transcript = self.composer, self.transcript
        for signal, out in (
            (composer.submitted, self.submitted),
            (composer.stop_requested, self.stop_requested),
            (composer.pause_requested, self.pause_requested),
            (composer.resume_requested, self.resume_requested),
            (composer.draft_changed, self.draft_changed),
            (composer.attach_requested, self.attach_requested),
            (composer.detach_requested, self.detach_requested),
            (composer.thinking_changed, self.thinking_changed),
            (composer.model_picked, self.model_picked),
            (composer.kv_bits_picked, self.kv_bits_picked),
            (composer.preset_picked, self.preset_picked),
            (transcript.continue_requested, self.continue_requested),
            (transcript.retry_requested, self.retry_requested),
            (transcript.fork_requested, self.fork_requested),
            (transcript.step_requested, self.step_requested),
            (transcript.earlier_requested, self.earlier_requested),
        ):
            signal.connect(out)
        composer.edited.connect(self._send_edit)
        composer.edit_ended.connect(self._edit_ended)
        composer.edit.last_requested.connect(self.edit_last)
        transcript.alternatives_requested.connect(self.ask_again)
        transcript.edit_requested.connect(self.begin_edit)
        self.greeting.example_picked.connect(self._take_example)

    def show_view(self, view: ChatView) -> None:
        """Show the conversation as the app has it now. What is being written stays: it is newer than any draft."""
        self.transcript.show_messages(view.messages)
        self.transcript.show_earlier((), earlier=view.earlier)
        self.composer.set_attachments(view.attachments)
        self.composer.set_preset(view.preset)
        self.composer.set_thinking(view.thinking)
        self.set_kept(private=view.private, cached=view.cached)
        self.set_status(view.status)
        self._show_stack()

    def add_message(self, view: MessageView) -> None:
        """Append a message."""
        self.transcript.add_message(view)
        self._show_stack()

    def show_branch(self, messages: tuple[MessageView, ...]) -> None:
        """Show these messages instead; what stays of the former ones stays where it is, but for one's own new words,
        which are always scrolled to.
        """
        self.transcript.show_branch(messages)
        if self._has_sent_edit:
            self._has_sent_edit = False
            self.transcript.scroll_to_newest()
        self._show_stack()

    def show_earlier(self, messages: tuple[MessageView, ...], earlier: bool) -> None:  # noqa: FBT001 - a fact about the chat, as in ChatView
        """Put messages above the others; `earlier` tells that there are still more before them."""
        self.transcript.show_earlier(messages, earlier=earlier)
        self._show_stack()

    def show_attachments(self, attachments: tuple[AttachmentView, ...]) -> None:
        """Show what goes with the draft."""
        self.composer.set_attachments(attachments)

    def append_delta(self, message: str, text: str, channel: Channel) -> None:
        """Append to an open message; text for one that is not here is not ours."""
        self.transcript.append_delta(message, text, channel)

    def replace_message(self, view: MessageView) -> None:
        """Take a message's new text and state. The end of an answer on the screen is said aloud."""
        before = self.messages.find(view.id)
        self.transcript.replace_message(view)
        ended = before is not None and before.state is MessageState.OPEN and view.state in ENDINGS
        if ended and self.isVisible():
            announce(self, ENDINGS[view.state])

    def remove_message(self, message: str) -> None:
        """Take a message away."""
        self.transcript.remove_message(message)
        if message == self._edited:
            self.composer.end_edit()
        self._show_stack()

    @property
    def messages(self) -> Messages:
        """What the conversation says, for others to look at."""
        return self.transcript.messages

    def last_answer(self) -> MessageView | None:
        """The newest reply with all its text so far, None before the first."""
        answer = self.messages.newest_of("assistant")
        return None if answer is None else replace(answer, text=self.messages.text_of(answer.id))

    def can_retry(self) -> bool:
        """Whether the newest message is a reply that has ended."""
        newest = self.messages.newest()
        ended = newest is not None and newest.role == "assistant" and newest.state is not MessageState.OPEN
        return ended and not self.is_busy()

    def last_question(self) -> MessageView | None:
        """The newest message of the user."""
        return self.messages.newest_of("user")

    def phase(self) -> ChatPhase:
        """What the model does for the conversation."""
        return self._phase

    def is_busy(self) -> bool:
        """Whether an answer is on its way."""
        return self._phase is not ChatPhase.IDLE

    def ask_again(self, reply: str, count: int) -> None:
        """Ask for `count` more answers in the place of a reply, unless one is on its way."""
        if self.is_busy():
            QToolTip.showText(QCursor.pos(), "An answer is being written: wait for it, or stop it", self)
        else:
            self.alternatives_requested.emit(reply, count)

    def edit_last(self) -> None:
        """Let the user write the last question anew."""
        question = self.last_question()
        if question is not None:
            self.begin_edit(question.id)

    def begin_edit(self, message: str) -> None:
        """Let the user write a question anew, where messages are written. What an edit was left with is kept."""
        question = self.messages.find(message)
        if question is None or message == self._edited:
            self.focus()
            return
        if self._edited:
            self._unsent[self._edited] = self.composer.text()
        self._edited = message
        self.composer.begin_edit(self._unsent.pop(message, question.text))
        self.transcript.mark_edited(message)

    def _send_edit(self, text: str) -> None:
        self._has_sent_edit = True
        self.edit_requested.emit(self._edited, text)

    def _edit_ended(self) -> None:
        self._edited = ""
        self.transcript.mark_edited("")

    def set_status(self, status: ChatStatus) -> None:
        """Let buttons and strip follow."""
        self._phase = status.phase
        self.composer.set_busy(self.is_busy())
        self.composer.pause_button.set_phase(status.phase)
        self.strip.set_status(status)

    def set_kept(self, *, private: bool, cached: bool) -> None:
        """Say what is not kept of the chat: nothing of a private one, no cache of one that is not `cached`."""
        self.strip.set_unkept("Private: written nowhere" if private else "" if cached else "Not kept warm on disk")
        self.greeting.set_private(private)

    def set_engine(self, view: EngineView) -> None:
        """Let the strip follow."""
        self.strip.set_engine(view)

    def set_models(self, models: tuple[ModelView, ...], current: str) -> None:
        """Let the picker follow."""
        self.composer.set_models(models, current)

    def set_capabilities(self, capabilities: ModelCapabilities) -> None:
        """Let chips and picker follow."""
        self.composer.set_capabilities(capabilities)

    def give_back(self, words: str) -> None:
        """Put words that were not sent before what is being written."""
        self.composer.give_back(words)

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
        self._stack.setCurrentWidget(self.transcript if len(self.messages) else self.greeting)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Files can be dropped anywhere in the chat."""
        if local_files(event.mimeData()):
            event.acceptProposedAction()
            self.composer.set_dropping(True)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        """They went elsewhere."""
        self.composer.set_dropping(False)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Attach them."""
        self.composer.set_dropping(False)
        self.composer.attach(local_files(event.mimeData()))
        event.acceptProposedAction()

    def _take_example(self, text: str) -> None:
        self.composer.edit.setPlainText(text)
        self.composer.edit.moveCursor(self.composer.edit.textCursor().MoveOperation.End)
        self.focus()


class _Giving(QStackedWidget):
    """In a low window what is read gives way to what is written, which would be squeezed otherwise."""

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return False

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(0, 0)
