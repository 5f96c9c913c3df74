"""PromptEdit: the composer's text field, with its height and its keys."""

from __future__ import annotations

import math
import time
from typing import Literal

from PySide6.QtCore import QEvent, QFileInfo, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame

from resources.language.text import tr
from ui.theme.appearance import appearance
from ui.theme.direction import is_right_to_left
from ui.theme.long_texts import cut, is_slow_to_break
from ui.theme.theme import BODY_PX, ui_font
from ui.widgets.settings_group import named
from ui.widgets.text_field import LONGEST, TextField

_MOST_LINES = 8
_MARGIN_PX = 4
_MOST_SEEN = 1_000
"""Files of a clipboard or drag that are looked at: many more than a message can have."""
_LONG_PASTE = 4_000
"""Characters of a pasted text from which on it is a file: it would hide the words that belong to it."""
_KEYS_THAT_SEND = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PromptEdit(TextField):
    """A plain text field that grows up to eight lines.

    - Enter emits `send_requested`, or Enter with the command key if the user wants that. Otherwise, and with Shift, it
      inserts a line break.
    - Escape emits `cancel_requested` while the edit `is_cancellable`.
    - The command key with Up emits `last_requested` if the field is empty.
    - Files that are pasted or dropped are emitted as paths by `files_given`; `files_over` says whether files are
      dragged over the field. `picture_given` is emitted for a picture that is no file, `text_given` for a long text.
    """

    send_requested = Signal()
    cancel_requested = Signal()
    last_requested = Signal()
    slash_typed = Signal()  # into the empty field
    files_given = Signal(list)
    text_given = Signal(str)
    picture_given = Signal()
    files_over = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        named(self, "prompt", label=tr("Message"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(_MARGIN_PX)
        self._name = ""
        self._composing = False
        self._needs_command = False
        self.is_cancellable = False
        self._changed_at = -math.inf
        self.textChanged.connect(self._note_change)
        self.textChanged.connect(self._orient)
        self.textChanged.connect(self._fit)
        self._orient()
        appearance.follow(self._follow_theme)

    def _note_change(self) -> None:
        self._changed_at = time.monotonic()

    def has_changed_since(self, moment: float) -> bool:
        """Whether there is something to undo here that is newer than `moment`, in seconds of the monotonic clock."""
        return self.document().isUndoAvailable() and self._changed_at > moment

    def address(self, name: str) -> None:
        """Name the model that will answer, while the field is empty. "" names none."""
        self._name = name
        self._fit_placeholder()

    def is_blank(self) -> bool:
        """Stops at the first word: a pasted text may be as long as a book."""
        block = self.document().begin()
        while block.isValid():
            if block.text().strip():
                return False
            block = block.next()
        return True

    def insert_prompt(self, text: str) -> None:
        """Insert a saved prompt where the cursor is, in place of the slash that asked for it."""
        if self.toPlainText() == "/":
            self.selectAll()
        self.insertPlainText(text)
        self.setFocus()

    def append(self, text: str) -> None:
        """Insert `text` after what is typed, in a paragraph of its own."""
        cursor, is_blank = self.textCursor(), self.is_blank()
        cursor.select(cursor.SelectionType.Document) if is_blank else cursor.movePosition(cursor.MoveOperation.End)
        cursor.insertText(text if is_blank else f"\n\n{text}")
        self.setTextCursor(cursor)
        self.setFocus()

    def quote(self, text: str) -> None:
        """Insert `text` as a quote where the cursor is, on lines of its own."""
        quoted = "".join(f"> {line}\n" if line.strip() else ">\n" for line in text.splitlines())
        cursor = self.textCursor()
        cursor.clearSelection()
        before = cursor.block().text()[: cursor.positionInBlock()]
        cursor.insertText(f"\n\n{quoted}\n" if before.strip() else f"{quoted}\n")
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
        self.setFocus()

    def _fit_placeholder(self) -> None:
        """Shorten the name to one line: the empty field has no room for another one."""
        room = self.viewport().width() - 2 * _MARGIN_PX - self.fontMetrics().horizontalAdvance(_placeholder(" "))
        name = self.fontMetrics().elidedText(cut(self._name), Qt.TextElideMode.ElideRight, max(1, room))
        self.setPlaceholderText(_placeholder(name))
        self.viewport().update()  # Qt repaints it only if it appears or disappears

    def _orient(self) -> None:
        """Let the text begin on the side where its script begins. A plain text field has one side for all its lines."""
        option, is_reversed = self.document().defaultTextOption(), is_right_to_left(self.toPlainText())
        direction = Qt.LayoutDirection.RightToLeft if is_reversed else Qt.LayoutDirection.LeftToRight
        if option.textDirection() != direction:
            option.setTextDirection(direction)
            option.setAlignment(Qt.AlignmentFlag.AlignRight if is_reversed else Qt.AlignmentFlag.AlignLeft)
            self.document().setDefaultTextOption(option)

    def _fit(self) -> None:
        """Set the height to the number of visible lines."""
        lines = min(_MOST_LINES, max(1, round(self.document().size().height())))
        full = lines == _MOST_LINES
        below = 0 if full else _MARGIN_PX + 2  # do not show half of a ninth line
        height = lines * self.fontMetrics().lineSpacing() + _MARGIN_PX + below
        shown = Qt.ScrollBarPolicy.ScrollBarAsNeeded if full else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(shown)
        if height != self.height():
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Another width changes the number of lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()
            self._fit_placeholder()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802 - Qt's name
        """Remember whether an input method is composing a word."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def event(self, event: QEvent) -> bool:
        """Claim Escape before the menus while there is something to cancel, and leave the key of Undo to them: the
        newest change may be elsewhere.
        """
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self._cancels(event):
                event.accept()
                return True
            if event.matches(QKeySequence.StandardKey.Undo):
                event.ignore()
                return False
        return super().event(event)

    def _cancels(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_Escape and self.is_cancellable and not self._composing

    def set_send_key(self, key: Literal["return", "command"]) -> None:
        """Send with Return, or only if the command key is held too."""
        self._needs_command = key == "command"

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """While an input method is composing, Enter belongs to it."""
        is_shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if self._cancels(event):
            self.cancel_requested.emit()
        elif event.key() == Qt.Key.Key_Up and _is_command(event) and self.document().isEmpty():
            self.last_requested.emit()
        elif event.key() not in _KEYS_THAT_SEND or self._composing:
            was_empty = self.document().isEmpty()
            super().keyPressEvent(event)
            if was_empty and self.toPlainText() == "/":
                self.slash_typed.emit()
        elif _is_command(event) if self._needs_command else not is_shifted:
            self.send_requested.emit()
        else:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()

    def take_typed(self, event: QKeyEvent) -> bool:
        """Take the focus and a key that was pressed elsewhere. Returns False if the key writes no sign. With AltGr, a
        key counts as one with Control and Alt on some systems.
        """
        control, alt = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
        is_held_alone = event.modifiers() & (control | alt) in {control, alt}
        is_meta = bool(event.modifiers() & Qt.KeyboardModifier.MetaModifier)
        if is_held_alone or is_meta or not event.text().isprintable() or not event.text().strip():
            return False
        self.setFocus()
        self.keyPressEvent(event)
        return True

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802 - Qt's name
        """Accept text, local files and pictures."""
        return source.hasText() or source.hasImage() or bool(local_files(source))

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 - Qt's name
        """Paste files, pictures and very long texts as attachments, anything else as plain text."""
        if files := local_files(source):
            self.files_given.emit(files)
        elif source.hasImage() and not source.hasText():
            self.picture_given.emit()
        elif self._is_long(source.text()):
            self.text_given.emit(source.text())
        else:
            super().insertFromMimeData(source)

    def _is_long(self, text: str) -> bool:
        """Whether a text is better a file. An edit of an earlier message takes what the field can hold."""
        most = LONGEST if self.is_cancellable else _LONG_PASTE
        return len(text) > most or not self.has_room(text) or is_slow_to_break(text)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        """Report dragged files."""
        super().dragEnterEvent(event)
        self.files_over.emit(bool(local_files(event.mimeData())))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 - Qt's name
        """Report that the files left."""
        super().dragLeaveEvent(event)
        self.files_over.emit(False)  # noqa: FBT003 - a state, as its signal says

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        """Take what is dropped. Files are emitted as paths."""
        super().dropEvent(event)
        self.files_over.emit(False)  # noqa: FBT003 - a state, as its signal says

    def _follow_theme(self) -> None:
        self.setPalette(appearance.theme.palette())  # it colours the placeholder and the selection
        font = ui_font(appearance.theme.reading.px(BODY_PX))
        self.setFont(font)
        self.viewport().setFont(font)  # of the placeholder: a style sheet keeps the viewport from inheriting it
        self._fit()
        self._fit_placeholder()


def _placeholder(name: str) -> str:
    return tr("Message {name}…", name=name.removesuffix("…")) if name else tr("Write a message…")


def local_files(source: QMimeData) -> list[str]:
    """The paths of the local files and folders among the first _MOST_SEEN entries of a clipboard or drag."""
    paths = [url.toLocalFile() for url in source.urls()[:_MOST_SEEN] if url.isLocalFile()]
    return [path for path in paths if QFileInfo(path).isFile() or QFileInfo(path).isDir()]


def _is_command(event: QKeyEvent) -> bool:
    """Whether only the command key is held. Arrow keys of a Mac count as keypad keys."""
    return event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.ControlModifier
