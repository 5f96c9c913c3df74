"""Shortcuts: owns the sheet that lists every shortcut; the actions own the shortcuts themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QLabel, QWidget

from ui.theme import ui_font

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QAction

_ROWS = 15


class ShortcutSheet(QDialog):
    """Two columns, one line per action that has a key."""

    def __init__(self, actions: Iterable[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shortcutSheet")
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout(self)
        grid.setContentsMargins(28, 24, 28, 24)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(7)
        with_keys = [action for action in actions if action.shortcuts()]
        for number, action in enumerate(with_keys):
            row, column = number % _ROWS, 2 * (number // _ROWS)
            grid.addWidget(_label(action.text(), QFont.Weight.Normal), row, column)
            grid.addWidget(_label(_keys(action), QFont.Weight.DemiBold), row, column + 1)


def _keys(action: QAction) -> str:
    native = QKeySequence.SequenceFormat.NativeText
    return ", ".join(key.toString(native) for key in action.shortcuts()[:2])


def _label(text: str, weight: QFont.Weight) -> QLabel:
    label = QLabel(text)
    label.setFont(ui_font(13, weight))
    return label
