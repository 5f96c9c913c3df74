"""ChatTab: the page of one open conversation, with transcript, composer and status strip."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QCursor, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QToolTip, QWidget

from resources.language.text import tr
from ui.chat.finding import FindBar, Finding
from ui.chat.greeting import Greeting
from ui.chat.status_strip import LoadRow, StatusStrip
from ui.chat.text_menu import TextMenu
from ui.composer.composer import Composer
from ui.composer.prompt_edit import local_files
from ui.context import PageContext, follow
from ui.dialogs.attached_file import FileSheet
from ui.dialogs.confirmation import tell_unopened
from ui.intents.chat import ChatIntent, Regenerate
from ui.state.chat import ChatPhase, ChatStatus, ChatView, Edits, FileView, MessageState, MessageView
from ui.state.chat_settings import ChatSettingsView
from ui.state.engine import EngineState, EngineView, ModelView
from ui.theme.appearance import appearance
from ui.theme.long_texts import is_slow_to_break
from ui.transcript.transcript import Transcript
from ui.widgets.announcement import ENDINGS, announce
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.text_field import LONGEST

_SIDE_PX = 8
_LASTING = frozenset({EngineState.READY, EngineState.UNLOADED, EngineState.FAILED})


class ChatTab(QWidget):
    """Shows one conversation. `settings` are those that the app has shown last. `changed` is emitted if a menu action
    may have become possible or impossible.
    """

    changed = Signal()

    def __init__(self, view: ChatView, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self.conversation = view.id
        self.settings: ChatSettingsView | None = None
        self.setObjectName("chat")
        self.transcript = Transcript(appearance.theme)
        appearance.changed.connect(self._follow_theme)
        self.greeting = Greeting()
        self.composer = Composer(context)
        self.strip = StatusStrip()
        self.load_row = LoadRow(context)
        self.find_bar = FindBar(self)
        self.finding = Finding(context, self.transcript, self.find_bar)
        self.editing = Editing(self.transcript, self.composer, self)
        self.editing.turned.connect(self.strip.set_edited)
        self.text_menu = TextMenu(context, self.transcript, self.composer, self)
        # what the app tells one of the parts alone
        self.append_delta, self.give_back = self.transcript.append_delta, self.composer.give_back
        self.find_at, self.show_found = self.finding.begin_at, self.finding.show_found
        self.show_attachments, self.show_queue = self.composer.set_attachments, self.composer.queue.set_queue
        self.show_warm_models = self.composer.model_chip.set_warm
        self.phase = ChatPhase.IDLE
        self._own_model = ModelView("", "")
        self.setAcceptDrops(True)
        self.transcript.setAcceptDrops(False)
        self._stack = _YieldingStack()
        self._stack.addWidget(self.greeting)
        self._stack.addWidget(self.transcript)
        # the composer grows up to its maximum width; the stretches share the rest
        row = in_row(Placed(), Placed(self.composer, 1000), Placed(), spacing=-1, margins=(_SIDE_PX, 0, _SIDE_PX, 0))
        in_column(self.find_bar, Placed(self._stack), row, self.strip, self.load_row, of=self)
        self._connect()
        self.composer.set_draft(view.draft, view.edits)
        self.show_view(view)
        self.editing.take_up(view.edits)
        follow(self, context.store.models, lambda _models: self._show_models())
        follow(self, context.store.engine, self._show_engine)
        follow(self, context.store.chat_settings, self._show_settings)

    def _follow_theme(self) -> None:
        self.transcript.look.set_theme(appearance.theme)

    def _connect(self) -> None:
        self.transcript.requested.connect(self._ask)
        self.transcript.pasted.connect(self._paste)
        self.transcript.link_refused.connect(lambda address: tell_unopened(self.window(), address))
        self.finding.ended.connect(self.composer.edit.setFocus)
        self.greeting.example_picked.connect(self.composer.send_example)
        self.greeting.clicked.connect(self.composer.edit.setFocus)

    def _ask(self, intent: ChatIntent) -> None:
        if isinstance(intent, Regenerate) and self.phase is not ChatPhase.IDLE:
            QToolTip.showText(QCursor.pos(), tr("An answer is being written: wait for it, or stop it"), self)
        else:
            self._context.send(intent)

    def show_view(self, view: ChatView) -> None:
        """Show the conversation as the app has it now. The text in the composer stays: it is newer than any saved
        draft.
        """
        self.transcript.show_messages(view.messages)
        self.transcript.show_earlier((), earlier=view.earlier)
        self.composer.set_attachments(view.attachments)
        self.composer.queue.set_queue(view.queue)
        self.composer.think_chip.setChecked(view.thinking)
        self.set_kept(private=view.private, cached=view.cached)
        self.set_status(view.status)
        self._show_stack()

    def _show_settings(self, view: ChatSettingsView) -> None:
        if view.conversation == self.conversation:
            self.settings = view
            self.composer.show_preset(view.preset, view.preset_words)
            self.composer.think_chip.setChecked(view.thinking)

    def add_message(self, view: MessageView) -> None:
        """Append a message."""
        self.transcript.add_message(view)
        self._show_stack()
        self.changed.emit()

    def show_branch(self, messages: tuple[MessageView, ...]) -> None:
        """Show these messages instead. Messages that are in both branches keep their place on the screen. After an edit
        of the user the view scrolls to the newest message.
        """
        self.transcript.show_branch(messages)
        if self.editing.settle():
            self.transcript.scrolling.to_newest()
        self._show_stack()
        self.changed.emit()

    def show_earlier(self, messages: tuple[MessageView, ...], earlier: bool) -> None:  # noqa: FBT001 - a fact about the chat, as in ChatView
        """Insert messages above the others. `earlier`: there are more before them."""
        self.transcript.show_earlier(messages, earlier=earlier)
        self._show_stack()
        self.changed.emit()

    def show_file(self, file: FileView) -> None:
        """Show what the model is given of an attached file. One of the draft can become text of the message."""
        is_draft = not self.composer.edited and any(one.id == file.id for one in self.composer.attachments.draft)
        can_be_text = is_draft and self.composer.edit.has_room(file.text) and not is_slow_to_break(file.text)
        FileSheet(self._context, file, self.window(), self.composer.take_text if can_be_text else None).open()

    def show_model(self, model: str, name: str) -> None:
        """The model that this chat is answered by, "" for the loaded one. It is offered here even if it is nowhere
        else, as after its folder was dropped from those that Hearth looks into.
        """
        self._own_model = ModelView(model, name)
        self._show_models()

    def models(self) -> tuple[ModelView, ...]:
        """The models that this chat offers."""
        own, offered = self._own_model, self._context.store.models.now.models
        if not own.id or any(model.id == own.id for model in offered):
            return offered
        return (*offered, own)

    def _show_models(self) -> None:
        self.composer.show_models(self.models(), self._context.store.models.now.current, self._own_model.id)
        self.strip.set_model_to_load(self._model_to_load())
        self.changed.emit()

    def _model_to_load(self) -> str:
        """The name of the chat's own model, if the state of the engine is that of another one."""
        own, engine = self._own_model.id, self._context.store.engine.now
        if engine.state not in _LASTING or engine.model in {"", own}:
            return ""
        return next((model.name for model in self.models() if model.id == own), "")

    def replace_message(self, view: MessageView) -> None:
        """Replace the text and state of a message. The end of a visible answer is announced to screen readers."""
        before = self.transcript.messages.find(view.id)
        self.transcript.replace_message(view)
        was_open = before is not None and before.state is MessageState.OPEN
        if was_open and view.state in ENDINGS and self.isVisible():
            announce(self, tr(ENDINGS[view.state]))
        self.changed.emit()

    def set_status(self, status: ChatStatus) -> None:
        """Update the status strip, and the buttons if the phase is another. Figures come several times a second."""
        self.strip.set_status(status)
        if status.phase is not self.phase:
            self.phase = status.phase
            self.composer.set_busy(self.phase is not ChatPhase.IDLE)
            self.changed.emit()

    def _show_engine(self, view: EngineView) -> None:
        # under the composer, which stays usable in each state
        if view.state is EngineState.READY:
            self.greeting.set_model(view.model, view.macs)
        is_loading = view.state is EngineState.LOADING
        (self.load_row if is_loading else self.strip).set_engine(view)
        self.strip.set_model_to_load(self._model_to_load())
        self.strip.setHidden(is_loading)
        self.load_row.setVisible(is_loading)

    def set_kept(self, *, private: bool, cached: bool) -> None:
        """Say if the chat is private, or if its cache is not kept on disk."""
        self.strip.set_unkept(tr("Private: never saved") if private else "" if cached else tr("Not kept ready on disk"))
        self.greeting.set_private(private)

    def has_content(self) -> bool:
        """Whether anything was written here, sent or not."""
        has_files = bool(self.composer.attachments.draft)
        return has_files or bool(len(self.transcript.messages)) or not self.composer.edit.is_blank()

    def _show_stack(self) -> None:
        self._stack.setCurrentWidget(self.transcript if len(self.transcript.messages) else self.greeting)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Close the find bar on Escape, also if the focus is in the transcript. What is typed there goes into the
        message.
        """
        if event.key() == Qt.Key.Key_Escape and self.find_bar.isVisible():
            self.finding.end()
        elif not self.composer.edit.take_typed(event):
            super().keyPressEvent(event)

    def _paste(self) -> None:
        self.composer.edit.setFocus()
        self.composer.edit.paste()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Accept files anywhere in the chat."""
        if local_files(event.mimeData()):
            event.acceptProposedAction()
            self.composer.set_dropping(True)

    def dragLeaveEvent(self, _event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        """Remove the drop mark."""
        self.composer.set_dropping(False)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Attach the files."""
        self.composer.set_dropping(False)
        self.composer.attach(local_files(event.mimeData()))
        event.acceptProposedAction()


class _YieldingStack(QStackedWidget):
    """In a low window the transcript gives up its height, so that the composer is not squeezed."""

    def hasHeightForWidth(self) -> bool:  # noqa: N802 - Qt's name
        return False

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(0, 0)


class Editing(QObject):
    """The user's earlier message that is being edited in the composer, one at a time. If the user turns to another
    message, the composer keeps the text of the first edit until the user returns.
    """

    turned = Signal(str)  # to this message, "" at the end of an edit

    def __init__(self, transcript: Transcript, composer: Composer, parent: QObject) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._composer = composer
        self._is_sent = False
        transcript.edit_started.connect(self.begin)
        composer.edit.last_requested.connect(self.begin_newest)
        composer.edit_sent.connect(self._note_sent)
        composer.edit_ended.connect(lambda: self.turned.emit(""))
        self.turned.connect(transcript.mark_edited)

    def begin_newest(self) -> None:
        """Edit the user's newest message, if there is one."""
        if (question := self._transcript.messages.newest_of("user")) is not None:
            self.begin(question.id)

    def begin(self, message: str) -> None:
        """Edit this message. If it is unknown or already being edited, only focus the text field. One that the field
        cannot hold, as an import may bring it, is not edited.
        """
        composer, question = self._composer, self._transcript.messages.find(message)
        if question is None or message == composer.edited:
            composer.edit.setFocus()
            return
        if len(question.text) > LONGEST or is_slow_to_break(question.text):
            QToolTip.showText(
                composer.edit.mapToGlobal(QPoint()), tr("This message is too long to be edited."), composer
            )
            return
        composer.begin_edit(message, question.text, question.attachments)
        self.turned.emit(message)

    def settle(self) -> bool:
        """End the edit of a message that is gone. Its words wait for the message, which may come back. Returns whether
        an edit was sent since the last call.
        """
        if self._composer.edited and self._transcript.messages.find(self._composer.edited) is None:
            self._composer.put_edit_by()
        is_sent, self._is_sent = self._is_sent, False
        return is_sent

    def take_up(self, edits: Edits) -> None:
        """Go on with the last of these edits, which the composer keeps."""
        if edits:
            self.begin(edits[-1][0])

    def _note_sent(self) -> None:
        self._is_sent = True
