"""The dialog that lists every keyboard shortcut."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QWidget

from ui.theme.theme import ui_font

_ROWS = 16


class ShortcutsDialog(QDialog):
    """Two columns of actions and their keys."""

    def __init__(self, lines: tuple[tuple[str, str], ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shortcutSheet")
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout(self)
        grid.setContentsMargins(28, 24, 28, 24)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(7)
        for number, (what, keys) in enumerate(lines):
            row, column = number % _ROWS, 2 * (number // _ROWS)
            grid.addWidget(_label(what, QFont.Weight.Normal), row, column)
            grid.addWidget(_label(keys, QFont.Weight.DemiBold), row, column + 1)


def _label(text: str, weight: QFont.Weight) -> QLabel:
    label = QLabel(text)
    label.setFont(ui_font(13, weight))
    return label
