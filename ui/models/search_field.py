"""SearchField: the text field above a list of models."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from resources.language.text import tr
from ui.theme.theme import ui_font
from ui.widgets.theme_icons import IconAction

_PAUSE_MS = 300


class ModelSearchField(QLineEdit):
    """A field with a magnifier and a button that clears it, as Escape does. `settled` carries the text once typing
    pauses.
    """

    settled = Signal(str)

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelSearch")
        self.setFont(ui_font(14))
        self.setFixedHeight(35)
        self.setTextMargins(1, 0, 0, 0)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.ask(placeholder)
        self._magnifier = IconAction("search", "muted", tr("Search"), self)
        self._clear = IconAction("x", "muted", tr("Clear"), self)
        self._clear.setVisible(False)
        self.addAction(self._magnifier, QLineEdit.ActionPosition.LeadingPosition)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.triggered.connect(self.clear)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.settled.emit(self.text().strip()))
        self.textChanged.connect(self._pause.start)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        self.returnPressed.connect(self._settle)

    def ask(self, placeholder: str) -> None:
        """Show this text while the field is empty."""
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show that an answer is awaited."""
        self.setAccessibleDescription(tr("Searching…") if busy else "")
        self._magnifier.show_icon(*(("refresh-cw", "accent") if busy else ("search", "muted")))

    def event(self, event: QEvent) -> bool:
        """Clear the text at Escape, before the key can leave the page or stop an answer."""
        if not (isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self.text()):
            return super().event(event)
        if event.type() == QEvent.Type.KeyPress:
            self.clear()
        event.accept()
        return True

    def _settle(self) -> None:
        self._pause.stop()
        self.settled.emit(self.text().strip())
