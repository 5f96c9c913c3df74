"""A button of a dialog that the return key presses only while it has the focus."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton


class DialogButton(QPushButton):
    """Turns off autoDefault. With it, Qt lets the return key press any button of a dialog."""

    def __init__(self, words: str, name: str) -> None:
        super().__init__(words)
        self.setObjectName(name)
        self.setAutoDefault(False)
