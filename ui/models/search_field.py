"""SearchField: the text field above a list of models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from resources.language.text import tr
from ui.theme.theme import ui_font

if TYPE_CHECKING:
    from ui.theme.theme import Theme

_PAUSE_MS = 300


class ModelSearchField(QLineEdit):
    """A field with a magnifier and a button that clears it, as Escape does. `settled` carries the text once typing
    pauses.
    """

    settled = Signal(str)

    def __init__(self, placeholder: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._is_busy = False
        self.setObjectName("modelSearch")
        self.setFont(ui_font(14))
        self.setFixedHeight(35)
        self.setTextMargins(1, 0, 0, 0)
        self.setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.ask(placeholder)
        self._magnifier = QAction(tr("Search"), self)
        self._clear = QAction(tr("Clear"), self, visible=False)
        self.addAction(self._magnifier, QLineEdit.ActionPosition.LeadingPosition)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.triggered.connect(self.clear)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.settled.emit(self.text().strip()))
        self.textChanged.connect(self._pause.start)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        self.returnPressed.connect(self._settle)
        self.set_theme(theme)

    def ask(self, placeholder: str) -> None:
        """Show this text while the field is empty."""
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)

    def set_busy(self, busy: bool) -> None:  # noqa: FBT001 - a state, not a mode of this call
        """Show that an answer is awaited."""
        self._is_busy = busy
        self.setAccessibleDescription(tr("Searching…") if busy else "")
        self.set_theme(self._theme)

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

    def set_theme(self, theme: Theme) -> None:
        """Tint the icons."""
        self._theme = theme
        icon, colour = ("refresh-cw", theme.accent) if self._is_busy else ("search", theme.muted)
        self._magnifier.setIcon(theme.icon(icon, colour, 16))
        self._clear.setIcon(theme.icon("x", theme.muted, 16))
