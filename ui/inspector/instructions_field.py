"""InstructionsField: the instructions of a chat (its system prompt) in a field that grows with its text."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from resources.language.text import tr
from ui.theme.theme import ui_font
from ui.widgets.text_field import TextField

_PAUSE_MS: Final = 700
_LEAST_PX: Final = 64
_MOST_PX: Final = 220
_RIM_PX: Final = 18


class InstructionsField(TextField):
    """`written` carries the text some moments after the last key, or when the focus leaves."""

    written = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setObjectName("instructions")
        self.setAccessibleName(tr("Instructions"))
        self.setFont(ui_font(13))
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self._known = ""
        self._shown: str | None = None
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.flush)
        self.textChanged.connect(self._grow)
        self.left.connect(self.flush)
        self._grow()

    def turn(self) -> None:
        """The next text is that of another chat."""
        self._shown = None

    def show_text(self, text: str, otherwise: str) -> None:
        """Show the saved instructions; `otherwise` are those of the model. Text that is being typed stays, and so does
        what was typed since the same instructions were shown.
        """
        self.setPlaceholderText(otherwise or tr("How the model shall answer in this chat"))
        before, self._shown = self._shown, text
        if text == before:
            return
        if not self._pause.isActive() and text != self._known:
            self._known = text
            if text != self.toPlainText().strip():
                self.setPlainText(text)
                self._pause.stop()

    def flush(self) -> None:
        """Report the text now, if it is new."""
        self._pause.stop()
        text = self.toPlainText().strip()
        if text != self._known:
            self._known = text
            self.written.emit(text)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """As high as the text, within limits."""
        lines = max(1, self.document().size().toSize().height())
        height = lines * self.fontMetrics().lineSpacing() + _RIM_PX
        return QSize(super().sizeHint().width(), min(max(height, _LEAST_PX), _MOST_PX))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        """Larger letters need more height."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self.setFixedHeight(self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Another width wraps the text into another number of lines."""
        super().resizeEvent(event)
        self.setFixedHeight(self.sizeHint().height())

    def _grow(self) -> None:
        self.setFixedHeight(self.sizeHint().height())
        if self.toPlainText().strip() != self._known:
            self._pause.start()
