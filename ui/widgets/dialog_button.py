"""DialogButton: owns that Return presses a button of a sheet only where the keyboard is; what it does is others'."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton


class DialogButton(QPushButton):
    """Qt makes every button of a dialog one that Return may press."""

    def __init__(self, words: str, name: str) -> None:
        super().__init__(words)
        self.setObjectName(name)
        self.setAutoDefault(False)
