"""ClearableField: a field of one line for words to search, with a magnifier and a button that clears it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from resources.language.text import tr
from ui.widgets.settings_group import named
from ui.widgets.text_field import LineField
from ui.widgets.theme_icons import IconAction, Tint


class ClearableField(LineField):
    """Escape clears the words, too."""

    def __init__(self, name: str, tint: Tint, clear: str) -> None:
        super().__init__()
        named(self, name).setAttribute(Qt.WidgetAttribute.WA_MacShowFocusRect, on=False)
        self.magnifier = IconAction("search", tint, tr("Search"), self)
        cross = IconAction("x", "muted", clear, self)
        cross.triggered.connect(self.clear)
        self.textChanged.connect(lambda text: cross.setVisible(bool(text)))
        self.addAction(self.magnifier, QLineEdit.ActionPosition.LeadingPosition)
        self.addAction(cross, QLineEdit.ActionPosition.TrailingPosition)
        cross.setVisible(False)  # Qt's button for it follows only changes

    def ask(self, placeholder: str) -> None:
        """Show this text while the field is empty."""
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)

    def event(self, event: QEvent) -> bool:
        """Clear the text at Escape, before the key can leave the page or stop an answer."""
        if not (isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self.text()):
            return super().event(event)
        if event.type() == QEvent.Type.KeyPress:
            self.clear()
        event.accept()
        return True
