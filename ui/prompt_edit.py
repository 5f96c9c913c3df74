"""PromptEdit: owns the text field of the composer, its height and its keys; sending is left to the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from ui.theme import BODY_PX, ui_font

if TYPE_CHECKING:
    from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QResizeEvent

    from ui.theme import Theme

_MOST_LINES = 8
_MARGIN_PX = 4
_KEYS_THAT_SEND = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PromptEdit(QPlainTextEdit):
    """Plain text that grows with its lines up to eight. Enter asks to send, Shift+Enter breaks the line."""

    send_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prompt")
        self.setAccessibleName("Message")
        self.setFont(ui_font(BODY_PX))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(_MARGIN_PX)
        self._composing = False
        self.textChanged.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """A plain document's height is its number of visible lines."""
        lines = min(_MOST_LINES, max(1, round(self.document().size().height())))
        full = lines == _MOST_LINES
        below = 0 if full else _MARGIN_PX + 2  # half of a ninth line must not look out
        height = lines * self.fontMetrics().lineSpacing() + _MARGIN_PX + below
        shown = Qt.ScrollBarPolicy.ScrollBarAsNeeded if full else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(shown)
        if height != self.height():
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Another width is another number of lines."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802 - Qt's name
        """Know whether an input method is in the middle of a word."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter belongs to the input method first, then to sending."""
        if event.key() not in _KEYS_THAT_SEND or self._composing:
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.textCursor().insertBlock()
            self.ensureCursorVisible()
        else:
            self.send_requested.emit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802 - Qt's name
        """Only text comes in."""
        return source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 - Qt's name
        """Paste the plain text of whatever was copied."""
        self.insertPlainText(source.text())
        self.ensureCursorVisible()

    def set_theme(self, theme: Theme) -> None:
        """Take the palette, for the placeholder and the selection."""
        self.setPalette(theme.palette())
