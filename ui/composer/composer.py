"""Composer: the card in which the user writes a message, with its text field, chips and buttons."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtCore import QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPaintEvent, QTextCursor
from PySide6.QtWidgets import QLabel, QToolTip, QWidget

from resources.language.text import tr
from ui.composer.attachment_chips import AttachDialog, AttachmentChips, FolderDialog
from ui.composer.button_row import ChipRow, ModelChip, SendButton
from ui.composer.draft import ComposerDraft
from ui.composer.prompt_edit import PromptEdit
from ui.composer.queue_rows import QueueRows
from ui.context import PageContext, follow
from ui.intents.chat import Attach, AttachPicture, AttachText, CountDraft, Detach, Edit, Stop, Submit
from ui.intents.chat_settings import SetPreset, SetSwitch
from ui.state.chat import AttachmentView, Edits, FileView
from ui.state.engine import ModelView
from ui.theme.appearance import appearance
from ui.widgets.choice_pill import ChoicePill
from ui.widgets.face_button import Pill
from ui.widgets.file_dialog import FileDialog
from ui.widgets.icon_button import IconButton
from ui.widgets.layouts import Placed, in_column, in_row
from ui.widgets.push_button import PushButton
from ui.widgets.settings_group import named
from ui.widgets.shapes import draw_shape, smooth_painter
from ui.widgets.theme_icons import IconLabel

_DRAFT_PAUSE_MS = 400
DRAFT_LIMIT_MS = 1500
"""A user who never pauses loses at most this much."""
_RADIUS_PX = 16
_SHADOW_PX = 12
_BESIDE_COLUMN_PX = 32
_ICON_PX = 14
_BLANK_LINES = re.compile(r"\A\s*\n")
"""Before a text of several lines, which may be code: its first line keeps its indentation."""


class Composer(QWidget):
    """Sends a `ChatIntent` or a `ModelIntent` by its context; the composer does not know its conversation.

    While an earlier message is edited, the draft waits. `edit_ended` is emitted when it is back. What `is_due` was
    submitted, and is sent once its files are read. `model` answers the next message.
    """

    edit_sent = Signal()
    edit_ended = Signal()

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._context = context
        self.setObjectName("composer")
        self._draft = ComposerDraft()
        self._preset, self._preset_words = "", tr("Balanced")
        self._is_dropping = False
        self.is_due = False
        self.banner = EditBanner()
        self.queue = QueueRows(context)
        self.attachments = AttachmentChips(context)
        self.edit = PromptEdit()
        self.attach_button = IconButton("paperclip", tr("Attach a file"), act=self.ask_files)
        self.think_chip = named(Pill("brain"), "think")
        self.preset_chip = named(ChoicePill("gauge", tr("Preset")), "preset")
        self.queue_button = named(Pill("list-plus"), "queueMessage", label=tr("Send after this answer"))
        self.model_chip = ModelChip(context)
        self.button = SendButton()
        self._name_buttons()
        start = (self.attach_button, self.think_chip, self.preset_chip)
        chips = ChipRow(start, (self.queue_button, self.model_chip, self.button))
        margins = (_SHADOW_PX + 15, 12, _SHADOW_PX + 11, _SHADOW_PX + 10)
        in_column(self.queue, self.banner, self.attachments, self.edit, chips, spacing=7, margins=margins, of=self)
        self._connect()
        self.show_models((), "")
        follow(self, context.store.capabilities, lambda model: self.think_chip.setVisible(model.thinks))
        follow(self, context.store.presets, lambda _presets: self._fill_presets())
        follow(self, context.store.preferences, lambda preferences: self.edit.set_send_key(preferences.send))
        appearance.follow(self._follow_theme)

    def _name_buttons(self) -> None:
        self.think_chip.setText(tr("Think"))
        self.think_chip.setToolTip(tr("Let the model think before it answers"))
        self.think_chip.setCheckable(True)
        self.queue_button.setText(tr("Send next"))
        self.queue_button.setToolTip(tr("Send this message when the answer has ended"))
        self.queue_button.hide()

    def _connect(self) -> None:
        self._draft_pause = QTimer(self, singleShot=True, interval=_DRAFT_PAUSE_MS)
        self._draft_limit = QTimer(self, singleShot=True, interval=DRAFT_LIMIT_MS)
        for due in (self._draft_pause, self._draft_limit):
            due.timeout.connect(self.flush_draft)
            due.timeout.connect(self._count)
        self.edit.textChanged.connect(self._text_changed)
        self.edit.send_requested.connect(self.submit)
        self.edit.files_given.connect(self.attach)
        self.edit.picture_given.connect(lambda: self._context.send(AttachPicture()))
        self.edit.text_given.connect(lambda text: self._context.send(AttachText(text)))
        self.edit.files_over.connect(self.set_dropping)
        self.attachments.taken.connect(self._count)
        self.button.clicked.connect(lambda: self._context.send(Stop()) if self.button.is_busy else self.submit())
        self.queue_button.clicked.connect(self.submit)
        self.preset_chip.picked.connect(self._pick_preset)
        self.think_chip.clicked.connect(lambda is_on: self._context.send(SetSwitch("thinking", is_on)))
        self.edit.cancel_requested.connect(self.end_edit)
        self.banner.cancel_button.clicked.connect(self.end_edit)

    @property
    def edited(self) -> str:
        """The message that is being edited, "" for none."""
        return self._draft.edited

    def submit(self) -> None:
        """Send the text and the attachments, unless both are missing. While an answer is being written, the message
        waits for its end; an edit stays in the field. While a file is being read, the message waits for that.
        """
        text = self.edit.toPlainText().rstrip()
        text = _BLANK_LINES.sub("", text) if "\n" in text.lstrip() else text.lstrip()
        if self._waits_for_files():
            self.is_due = True
            QToolTip.showText(self.edit.mapToGlobal(QPoint()), tr("Sent as soon as the file is read"), self)
            return
        if not self._is_sendable() or (self.button.is_busy and self.edited):
            return
        if self.edited:
            self.edit_sent.emit()
            self._context.send(Edit(self.edited, text, self.attachments.taken_off))
            self.end_edit()
            return
        self.edit.clear()
        self._context.send(Submit(text))
        self.flush_draft()

    def send_example(self, text: str) -> None:
        """Send an example at once, or add it to what is typed or attached already."""
        is_alone = not self._is_sendable()
        self.edit.append(text)
        if is_alone:
            self.submit()

    def take_text(self, file: FileView) -> None:
        """Put the text of a file of the draft into the message, in place of the file."""
        if self.edited or all(one.id != file.id for one in self.attachments.draft):
            return  # the words of an edit go if it is cancelled, and a file may have been sent meanwhile
        self.edit.append(file.text)
        self.edit.document().clearUndoRedoStacks()  # undone, the words would be neither here nor in a file
        self.flush_draft()
        self._context.send(Detach(file.id))

    def set_attachments(self, attachments: tuple[AttachmentView, ...]) -> None:
        """Show the files attached to the draft. If the message waits for them, it is sent once all are read. A file
        that was refused leaves it to the user.
        """
        is_refused = len(attachments) < len(self.attachments.draft)
        self.attachments.set_attachments(attachments)
        self._show_what_can_be_sent()
        self.is_due = self.is_due and not is_refused
        if self.is_due and not self._waits_for_files():
            self.is_due = False
            self.submit()

    def attach(self, paths: Iterable[str]) -> None:
        """Request to attach these files."""
        if given := tuple(paths):
            self._context.send(Attach(given))

    def set_dropping(self, dropping: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Mark the card while files are dragged over the chat."""
        self._is_dropping = dropping
        self.update()

    def ask_files(self) -> None:
        """Ask for files to attach."""
        self._ask(AttachDialog(self))

    def ask_folder(self) -> None:
        """Ask for a folder of code to attach."""
        self._ask(FolderDialog(self))

    def _ask(self, dialog: FileDialog) -> None:
        dialog.filesSelected.connect(self.attach)
        dialog.open()

    def begin_edit(self, message: str, text: str, files: tuple[AttachmentView, ...] = ()) -> None:
        """Edit the words and files of `message`, whose text is `text`. The draft comes back when the edit is sent or
        cancelled; its files go with the edit. An edit of another message waits until the user returns to it.
        """
        self.attachments.set_edited(files)
        self.flush_draft()
        self._show_edit(self._draft.begin_edit(self.edit.toPlainText(), message, text), editing=True)
        self.edit.setFocus()

    def end_edit(self) -> None:
        """End the edit and restore the draft."""
        if self.edited:
            self.attachments.set_edited(())
            self._show_edit(self._draft.end_edit(), editing=False)
            self.edit_ended.emit()

    def put_edit_by(self) -> None:
        """End the edit, whose words wait until the user returns to the message."""
        self._draft.put_by(self.edit.toPlainText())
        self.end_edit()

    def _show_edit(self, text: str, *, editing: bool) -> None:
        self._show_text(text)
        self.edit.is_cancellable = editing
        self.banner.setVisible(editing)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001, N802 - Qt's names
        """Return the keyboard to the text field if what has it goes away, as the button that stops an answer."""
        focused = self.focusWidget()
        is_gone = focused is not None and not (focused.isVisible() and focused.isEnabled())
        if is_gone:
            self.edit.setFocus()
        return is_gone or super().focusNextPrevChild(next)

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001 - a state of the conversation, not a mode of this call
        """Offer to stop while an answer is being written, and to let a message wait for its end."""
        self.button.set_busy(busy)
        self._show_what_can_be_sent()

    def set_draft(self, text: str, edits: Edits = ()) -> None:
        """Show the saved draft. Its edits wait. The app knows them, so no `SaveDraft` follows."""
        self._show_text(self._draft.begin(text, edits))

    def give_back(self, words: str) -> None:
        """Insert text that could not be sent before what was typed since, without moving the cursor, and save the
        result.
        """
        typed = self.edit.toPlainText()
        field = self._draft.give_back(words, typed)
        if typed.strip() and field.endswith(typed):
            QTextCursor(self.edit.document()).insertText(field.removesuffix(typed))
        else:
            self._show_text(field)
        self.flush_draft()
        self._count()

    def _show_text(self, text: str) -> None:
        self.edit.setPlainText(text)
        self.edit.moveCursor(self.edit.textCursor().MoveOperation.End)

    def flush_draft(self) -> None:
        """Save the draft now, if it has changed, with the edits that were not sent."""
        self._draft_pause.stop()
        self._draft_limit.stop()
        if (draft := self._draft.news(self.edit.toPlainText())) is not None:
            self._context.send(draft)

    def _text_changed(self) -> None:
        self.is_due = False
        self._show_what_can_be_sent()
        self._draft_pause.start()
        if not self._draft_limit.isActive():
            self._draft_limit.start()
        if self.edit.document().isEmpty():
            self._count()  # what was sent or cleared takes nothing any more

    def _count(self) -> None:
        self._context.send(CountDraft(self.edit.toPlainText(), self.edited, self.attachments.taken_off))

    def _show_what_can_be_sent(self) -> None:
        """Beside the stop button, another one offers to let a message wait. An edit cannot wait."""
        is_sendable = self._is_sendable()
        self.button.set_sendable(is_sendable)
        self.queue_button.setVisible(is_sendable and self.button.is_busy and not self.edited)

    def _is_sendable(self) -> bool:
        return (not self.edited and bool(self.attachments.draft)) or not self.edit.is_blank()

    def _waits_for_files(self) -> bool:
        return any(file.is_pending for file in self.attachments.draft)

    def show_models(self, models: tuple[ModelView, ...], loaded: str, own: str = "") -> None:
        """Offer `models`. `own` answers here, also if another one is `loaded`; "": the loaded one does."""
        self.model = own or loaded
        self.model_chip.set_models(models, self.model)
        self.model_chip.setVisible(bool(models))
        self.edit.address({model.id: model.name for model in models}.get(self.model, ""))

    def show_preset(self, preset: str, words: str) -> None:
        """Show the conversation's preset by its id, and what the user reads about it."""
        self._preset, self._preset_words = preset, words
        self._fill_presets()

    def _fill_presets(self) -> None:
        self.preset_chip.set_presets(self._context.store.presets.now, self._preset)
        self.preset_chip.show_name(self._preset_words)

    def _pick_preset(self, preset: str) -> None:
        self.preset_chip.show_name(next(one.name for one in self._context.store.presets.now if one.id == preset))
        self._context.send(SetPreset(preset))

    def _follow_theme(self) -> None:
        self.setMaximumWidth(appearance.theme.reading.column + _BESIDE_COLUMN_PX + 2 * _SHADOW_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Paint the card on its shadow. A graphics effect would repaint all children twice for every key."""
        painter = smooth_painter(self)
        card = QRectF(self.rect()).adjusted(_SHADOW_PX, 1, -_SHADOW_PX, -_SHADOW_PX)
        shade = QColor(0, 0, 0, max(1, appearance.theme.shadow_alpha // _SHADOW_PX))
        for step in range(_SHADOW_PX, 0, -1):
            spread = card.adjusted(6 - step, 8 - step / 2, step - 6, step - 1)
            draw_shape(painter, spread, _RADIUS_PX + step / 2, shade)
        edge = appearance.theme.accent if self._is_dropping else appearance.theme.hairline
        draw_shape(painter, card.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS_PX, appearance.theme.raised, edge)


class EditBanner(QWidget):
    """Hidden while nothing is edited. Its button cancels the edit."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("editBanner")
        icon = IconLabel("pencil", "accent", _ICON_PX)
        words = named(QLabel(tr("Editing an earlier message")), "editWords", 12)
        self.cancel_button = named(PushButton(tr("Cancel")), "editCancel", 12)
        self.cancel_button.setFixedHeight(24)
        self.cancel_button.setToolTip(tr("Keep the message as it is (Esc)"))
        self.cancel_button.setCursor(Qt.CursorShape.PointingHandCursor)
        in_row(icon, words, Placed(), self.cancel_button, spacing=7, margins=(4, 0, 0, 0), of=self)
        self.hide()
