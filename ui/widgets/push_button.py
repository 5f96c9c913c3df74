"""A button with a text, as Qt draws it in the app's style."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from ui.widgets.return_key import pressed_by_return

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget


class PushButton(QPushButton):
    """Turns off autoDefault. With it, Qt lets the return key press any button of a dialog."""

    def __init__(self, words: str = "", name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self.setObjectName(name)
        self.setAutoDefault(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Let Return press the button, also if the dialog has another default button."""
        if not pressed_by_return(self, event):
            super().keyPressEvent(event)
